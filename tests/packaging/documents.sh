#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every page is installed, and its links lead somewhere there. Usage: documents.sh SOURCE_FOLDER BUILD_FOLDER
set -eu
source=$1 build=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cmake --install "$build" --component doc --prefix "$scratch" >"$scratch/install.log"
installed=$scratch/share/doc/plumbline-doc
(cd "$source/docs" && find . -name '*.md') | while read -r page; do
    [ -s "$installed/$page" ] || { echo "not installed: $page"; exit 1; }
done
"$source/tests/docs/links.sh" "$installed"
