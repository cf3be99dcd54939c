#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh PLUMB WORK: makes reports with the program PLUMB in the folder WORK and checks them there.
# Chromium, Node.js and npm must be installed; npm fetches the pinned tools of package-lock.json.
set -euo pipefail
plumb=$(realpath -e "$1")
work=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

mkdir -p "$work/pages" "$work/models"
rm -f "$work"/pages/*
cp "$here"/package.json "$here"/package-lock.json "$here"/check.mjs "$work"
(cd "$work" && npm ci --ignore-scripts --no-audit --no-fund --silent)

# report NAME SUBJECT [OPTION...]: a page whatever the verdict is, but not after a failure.
report() {
    local name=$1 code=0
    shift
    "$plumb" report "$@" --quiet -o "$work/pages/$name.html" >/dev/null 2>&1 || code=$?
    case $code in 0 | 1 | 3) ;; *) echo "plumb report $* ends with $code" >&2 && exit 1 ;; esac
    [ -s "$work/pages/$name.html" ] || { echo "plumb report $* wrote nothing" >&2 && exit 1; }
}

sample() { "$plumb" sample "$1" -o "$work/models/$1.tflite" >/dev/null; }

for name in every-operator refused branches-2000; do sample "$name"; done
report complete "$work/models/every-operator.tflite"
report filtered "$work/models/every-operator.tflite" --filter "opcode == CONV2D"
report refused "$work/models/refused.tflite"
report large "$work/models/branches-2000.tflite"

"$plumb" compile "$work/models/every-operator.tflite" --seed 1 -o "$work/models/package" >/dev/null
report package "$work/models/package"
rm -rf "$work/models/damaged"
cp -r "$work/models/package" "$work/models/damaged"
printf 'x' | dd of="$work/models/damaged/weights.bin" conv=notrunc status=none
report damaged "$work/models/damaged"
"$plumb" run "$work/models/every-operator.tflite" --seed 1 --inject op/0:single-rounding \
    --trace "$work/models/trace" >/dev/null
report trace "$work/models/trace"
report differs "$work/models/every-operator.tflite" --reference "$work/models/trace"

if [ -n "${PLUMBLINE_TEST_DATA:-}" ]; then
    for name in kws vww resnet8 ad01; do
        report "$name" "$PLUMBLINE_TEST_DATA/models/$name.tflite"
    done
fi
(cd "$work" && node check.mjs "$(command -v chromium)" pages)
