#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Renders the drawings here to the PNG sizes that are installed. Needs rsvg-convert (librsvg2-bin).
set -eu
cd "$(dirname "$0")"
# render DRAWING SIZE FOLDER NAME
render() {
    mkdir -p "png/$2/$3"
    rsvg-convert --width "$2" --height "$2" --output "png/$2/$3/$4.png" "$1"
}
for size in 16 22 24 32; do
    render apps/plumbline-small.svg $size apps plumbline
done
for size in 48 64 128 256; do
    render apps/plumbline.svg $size apps plumbline
done
for size in 16 24 32 48 64 128 256; do
    for type in application-x-tflite application-x-plumbline-session; do
        render mimetypes/$type.svg $size mimetypes $type
    done
done
