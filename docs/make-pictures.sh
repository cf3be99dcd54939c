#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the pictures of the pages here from the built programs. Usage: docs/make-pictures.sh [PROGRAM]; plumb stands
# beside PROGRAM.
set -eu
cd "$(dirname "$0")"
program=$(realpath "${1:-../build/release/bin/plumbline}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p images
for theme in light dark; do
    "$program" --sample resnet8 --grab "$scratch/$theme" --theme $theme --size 1280x800 --select op/4/tile/2
    cp "$scratch/$theme/window.png" "images/window-$theme.png"
done
for view in graph records fields bytes arena tiles costs; do
    cp "$scratch/light/$view.png" "images/$view-light.png"
done
"$program" --sample refused --grab "$scratch/refused" --theme light --size 1280x800
cp "$scratch/refused/diagnostics.png" images/diagnostics-refused-light.png

# A layer that fails, and an experiment with its comparison.
plumb=$(dirname "$program")/plumb
"$plumb" sample mobilenet -o "$scratch/model.tflite"
"$plumb" run "$scratch/model.tflite" --seed 1 --inject op/9:padding-raw-zero --trace "$scratch/device" >"$scratch/run.txt"
rm "$scratch/device/trace.json" # it says what was injected; a device writes none
"$program" "$scratch/model.tflite" "$scratch/device" --layout debugging --theme light --size 1440x900 \
    --select op/9/element/0,0,1 --grab "$scratch/failing"
cp "$scratch/failing/window.png" images/failing-layer-window.png
for view in tensor why; do
    cp "$scratch/failing/$view.png" "images/failing-layer-$view.png"
done
cp "$scratch/failing/layers.png" images/layers-light.png
"$program" --sample resnet8 --edit record/2/word/22/OUTPUT_ZERO=9 --edit weights/0x40=7 --theme light --size 1280x800 \
    --grab "$scratch/experiment"
cp "$scratch/experiment/compare.png" images/compare-light.png
