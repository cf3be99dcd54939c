#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the commands of a page of the user guide as they stand there, and compares what they print with what the page shows.
# Usage: guide_commands.sh PLUMB DOCS_FOLDER PAGE
#
# The page's sh blocks run one after another in an empty folder that has the scripts of docs/examples. Lines that build or
# open a window are left out. A command may say that bytes differ (exit code 1), but may not be wrong. Each line of the plain
# block that follows, up to a "…", begins a line of the output.
set -eu
plumb=$(realpath "$1")
page=$(realpath "$2/$3")
examples=$(realpath "$2/examples")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/blocks" "$work/bin" "$work/run"
ln -s "$plumb" "$work/bin/plumb"
cp "$examples"/*.sh "$work/run"
PATH=$work/bin:$PATH

awk -v folder="$work/blocks" '
    /^```/ && inside { inside = 0; next }
    /^```/ {
        inside = 1
        kind = substr($0, 4)
        file = "/dev/null"
        if (kind == "sh") file = sprintf("%s/%03d.sh", folder, ++count)
        if (kind == "" && count && !shown[count]++) file = sprintf("%s/%03d.shown", folder, count)
        next
    }
    inside { print >file }' "$page"

cd "$work/run"
commands=0
for block in "$work"/blocks/*.sh; do
    sed -i '/^\.\/dev /d; /^plumbline /d; /^export PATH=/d; /^sudo /d' "$block"
    [ -s "$block" ] || continue
    commands=$((commands + $(grep -c . "$block")))
    code=0
    sh -e "$block" >output.txt 2>&1 || code=$?
    if [ "$code" -gt 1 ]; then
        printf 'exit code %s of:\n' "$code"
        cat "$block" output.txt
        exit 1
    fi
    shown=${block%.sh}.shown
    [ -e "$shown" ] || continue
    awk -v page="$3" '
        NR == FNR { printed[++lines] = $0; next }
        { sub(/ *…$/, "") }
        $0 == "" { next }
        {
            for (i = 1; i <= lines; ++i) if (index(printed[i], $0) == 1) next
            print page " shows what is not printed: " $0
            wrong = 1
        }
        END { exit wrong }' output.txt "$shown"
done
printf '%s commands\n' "$commands"
[ "$commands" -gt 0 ]
