#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Source files stay under 400 lines; those listed in long_files.txt, with the reason, under 450.
# Usage: file_length.sh SOURCE_FOLDER
cd "$1" || exit 2
found=$(
    find core app views tests \( -name '*.h' -o -name '*.cpp' \) -exec wc -l {} \; |
        while read -r lines file; do
            limit=400
            ! grep -q "^$file " tests/rules/long_files.txt || limit=450
            [ "$lines" -le "$limit" ] || echo "$file has $lines lines, more than $limit"
        done
    while read -r file reason; do
        case $file in '#'* | '') continue ;; esac
        [ -f "$file" ] || echo "long_files.txt lists $file, which is not there"
        [ -n "$reason" ] || echo "long_files.txt gives no reason for $file"
    done <tests/rules/long_files.txt
)
if [ -n "$found" ]; then
    echo "$found"
    exit 1
fi
