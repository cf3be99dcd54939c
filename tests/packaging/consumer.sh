#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A program outside the tree builds against an installed engine and computes what plumb computes.
# Usage: consumer.sh SOURCE_FOLDER BUILD_FOLDER PLUMB COMPILER
set -eu
source=$1 build=$2 plumb=$3 compiler=$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cmake --install "$build" --component dev --prefix "$scratch/prefix" >"$scratch/install.log"

# Nothing in the CMake package may point at this machine's folders.
config=$(find "$scratch/prefix" -name plumblineConfig.cmake)
[ -n "$config" ] || { echo "plumblineConfig.cmake is not installed"; exit 1; }
if grep -rnF -e "$source" -e "$build" -e "$scratch" "$(dirname "$config")"; then
    echo "the CMake package names folders of the build"
    exit 1
fi

# The prefix is moved: what is found must be found from where it lies.
mv "$scratch/prefix" "$scratch/elsewhere"
cp -r "$source/examples/consumer" "$scratch/consumer"
cmake -S "$scratch/consumer" -B "$scratch/consumer/build" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$scratch/elsewhere" >"$scratch/configure.log"
cmake --build "$scratch/consumer/build" >"$scratch/build.log" || { cat "$scratch/build.log"; exit 1; }

# Every public header stands on its own feet beside the others.
headers=$scratch/elsewhere/include/plumbline
(cd "$headers" && find core -name '*.h' | LC_ALL=C sort | sed 's/.*/#include <&>/') >"$scratch/all.cpp"
[ "$(wc -l <"$scratch/all.cpp")" -gt 50 ] || { echo "headers are missing"; exit 1; }
"$compiler" -std=c++20 -fsyntax-only -I "$headers" "$scratch/all.cpp"

"$scratch/consumer/build/layers" >"$scratch/ours"
"$plumb" sample resnet8 -o "$scratch/resnet8.tflite" >"$scratch/sample.log"
"$scratch/consumer/build/layers" "$scratch/resnet8.tflite" | diff "$scratch/ours" -
digests() { grep -oE '[0-9a-f]{64}' "$1"; }
"$plumb" run "$scratch/resnet8.tflite" --seed 1 --engine reference --json >"$scratch/run.json"
digests "$scratch/ours" >"$scratch/found"
grep -oE '"layers":\[.*\]' "$scratch/run.json" | grep -oE '"sha256":"[0-9a-f]{64}' |
    grep -oE '[0-9a-f]{64}' >"$scratch/expected"
[ "$(wc -l <"$scratch/expected")" -gt 10 ] || { echo "plumb run tells no layers"; exit 1; }
diff "$scratch/expected" "$scratch/found"

# The engine also goes into a shared library, beside a project's own use of igraph.
cp -r "$source/tests/packaging/shared_consumer" "$scratch/shared"
cmake -S "$scratch/shared" -B "$scratch/shared/build" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$scratch/elsewhere" >"$scratch/configure.log"
cmake --build "$scratch/shared/build" >"$scratch/build.log" || { cat "$scratch/build.log"; exit 1; }
"$scratch/shared/build/page" "$scratch/resnet8.tflite" >"$scratch/page.html"
"$plumb" report "$scratch/resnet8.tflite" | cmp - "$scratch/page.html"
