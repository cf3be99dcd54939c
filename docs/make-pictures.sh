#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the pictures of docs/workbench.md from the built workbench. Usage: docs/make-pictures.sh [PROGRAM]
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
