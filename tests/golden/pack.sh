#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes synthetic.tar.xz: the part of the golden data that was generated for this project, packed.
#
# Usage: tests/golden/pack.sh GOLDEN_FOLDER [ARCHIVE]
#
# GOLDEN_FOLDER holds cases/, faults/ and the .jsonl files, as its own README.md describes them. The
# same folder gives the same bytes: names are sorted, and times, owners and modes are fixed.
# tst_golden_archive compares the archive with the folder.
set -eu

if [ $# -lt 1 ] || [ ! -d "$1/cases" ] || [ ! -d "$1/faults" ]; then
    echo "usage: $0 GOLDEN_FOLDER [ARCHIVE]   (the folder with cases/ and faults/)" >&2
    exit 2
fi
archive=${2:-$(dirname "$0")/synthetic.tar.xz}

LC_ALL=C tar --create --directory="$1" --format=ustar --sort=name \
    --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rw,go=r,a+X \
    cases faults faults.jsonl numerics.jsonl validator.jsonl |
    xz -9e --threads=1 --check=crc64 >"$archive.new"
mv "$archive.new" "$archive"
ls -l "$archive"
