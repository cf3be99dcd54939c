#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Only the tests' data lookup knows where the shared data lies by default; all else gets the place
# from PLUMBLINE_TEST_DATA. Usage: data_folder.sh SOURCE_FOLDER
cd "$1" || exit 2
found=$(find . \( -path ./build -o -path './build-*' -o -path ./.git -o -path ./.cache \) -prune -o \
    -type f ! -path './tests/support/test_data.*' ! -path ./tests/rules/data_folder.sh \
    -exec grep -InE '\.\./shared|/work/' {} +)
if [ -n "$found" ]; then
    printf 'these lines name a data folder:\n%s\n' "$found"
    exit 1
fi
