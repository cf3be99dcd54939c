#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the pictures of the pages here from the built programs. Usage: docs/make-pictures.sh [PROGRAM]; plumb stands
# beside PROGRAM.
set -eu
cd "$(dirname "$0")"
program=$(realpath "${1:-../build/release/bin/plumbline}")
plumb=$(dirname "$program")/plumb
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p images

# grab NAME ARGUMENT...: pictures of the window and of every view in $scratch/NAME.
grab() {
    name=$1
    shift
    QT_QPA_PLATFORM=offscreen "$program" "$@" --grab "$scratch/$name" 2>"$scratch/$name.txt" ||
        { cat "$scratch/$name.txt" >&2; exit 1; }
}

# take NAME VIEW FILE: one of them becomes images/FILE.png.
take() { cp "$scratch/$1/$2.png" "images/$3.png"; }

# The workbench, and its views where they have room.
for theme in light dark; do
    grab $theme --sample resnet8 --theme $theme --size 1280x800 --select op/4/tile/2
    take $theme window window-$theme
done
for view in graph tiles costs; do
    take light $view $view-light
done
grab memory --sample resnet8 --theme light --layout memory --size 1280x800 --select op/4/tile/2
take memory arena arena-light
grab record --sample resnet8 --theme light --layout memory --size 1680x900 --select op/4/word/15
take record records records-light
take record fields fields-light
grab refused --sample refused --theme light --size 1280x800
take refused diagnostics diagnostics-refused-light

# One byte, from the arena to its arithmetic.
"$plumb" sample mobilenet -o "$scratch/model.tflite" >"$scratch/sample.txt"
grab byte "$scratch/model.tflite" --theme light --size 1280x800 --select op/2/element/20,30,5
take byte window first-minute-window
grab bytes "$scratch/model.tflite" --theme light --layout memory --size 1680x900 --select op/2/element/20,30,5
take bytes bytes bytes-light
grab why "$scratch/model.tflite" --theme light --layout debugging --size 1440x900 --select op/2/element/20,30,5
take why why first-minute-why

# A layer that fails, and an experiment with its comparison.
"$plumb" run "$scratch/model.tflite" --seed 1 --inject op/9:padding-raw-zero --trace "$scratch/device" >"$scratch/run.txt"
rm "$scratch/device/trace.json" # it says what was injected; a device writes none
grab failing "$scratch/model.tflite" "$scratch/device" --theme light --layout debugging --size 1440x900 \
    --select op/9/element/0,0,1
for view in window tensor why; do
    take failing $view failing-layer-$view
done
grab layers "$scratch/model.tflite" "$scratch/device" --theme light --layout memory --size 1280x800
take layers layers layers-light
grab experiment --sample resnet8 --edit record/2/word/22/OUTPUT_ZERO=9 --edit weights/0x40=7 --theme light --size 1280x800
take experiment compare compare-light
