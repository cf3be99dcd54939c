#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every source file says its licence within its first two lines. Usage: licence_lines.sh SOURCE_FOLDER
cd "$1" || exit 2
missing=$(
    {
        find core app views tests cmake packaging resources -type f \( -name '*.h' -o -name '*.cpp' \
            -o -name '*.fbs' -o -name '*.def' -o -name '*.cmake' -o -name '*.sh' -o -name '*.in' \
            -o -name CMakeLists.txt \)
        echo CMakeLists.txt
        echo dev
        echo .ci/run
    } | while read -r file; do
        head -n 2 "$file" | grep -q 'SPDX-License-Identifier: GPL-3.0-or-later' || echo "$file"
    done
)
if [ -n "$missing" ]; then
    printf 'without an SPDX line:\n%s\n' "$missing"
    exit 1
fi
