#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Source files stay under 400 lines; those listed in long_files.txt, with the reason, under 450.
# Usage: file_length.sh SOURCE_FOLDER
cd "$1" || exit 2
status=0
for file in $(find core app views tests -name '*.h' -o -name '*.cpp'); do
    lines=$(wc -l <"$file")
    limit=400
    grep -q "^$file " tests/rules/long_files.txt && limit=450
    if [ "$lines" -gt "$limit" ]; then
        echo "$file has $lines lines, more than $limit"
        status=1
    fi
done
while read -r file reason; do
    case $file in '#'* | '') continue ;; esac
    if [ ! -f "$file" ] || [ -z "$reason" ]; then
        echo "long_files.txt: no such file, or no reason: $file"
        status=1
    fi
done <tests/rules/long_files.txt
exit $status
