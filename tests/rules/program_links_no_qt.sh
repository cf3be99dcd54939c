#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The command-line program needs no display library. Usage: program_links_no_qt.sh PROGRAM
libraries=$(readelf --dynamic "$1") || exit 2
echo "$libraries" | grep -q 'NEEDED' || exit 2
if echo "$libraries" | grep -E 'NEEDED.*\[lib(Qt|X11|GL|xcb)'; then
    echo "$1 must not link a GUI library"
    exit 1
fi
