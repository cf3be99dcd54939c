#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# core/ never includes Qt and never links it. Usage: core_has_no_qt.sh SOURCE_FOLDER
cd "$1" || exit 2
if grep -rnE '#[[:space:]]*include[[:space:]]*[<"](Q|.*[Qq][Tt][0-9]?/)|[Qq][Tt]6?::' core; then
    echo "core/ must not use Qt"
    exit 1
fi
