#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# core/ returns diagnostics; it prints nothing. Usage: core_never_prints.sh SOURCE_FOLDER
cd "$1" || exit 2
if grep -rnE 'include <(iostream|fmt/(ostream|color)\.h)>|std::(cout|cerr|clog)|\b(std::)?f?printf\(|fmt::print' core; then
    echo "core/ must not print"
    exit 1
fi
