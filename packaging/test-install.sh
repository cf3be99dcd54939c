#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs the Debian packages in a clean Debian root, runs both programs there, and purges them.
# Needs root, debootstrap and a Debian mirror. Usage:
#   test-install.sh [--mirror URL] [--suite NAME] [--root FOLDER] FOLDER_WITH_PACKAGES
# --root takes a root that debootstrap made before (a copy of it is used) instead of a new one.
set -euo pipefail
mirror=http://deb.debian.org/debian suite=bookworm base=''
while [[ ${1:-} == --* ]]; do
    case $1 in
        --mirror) mirror=$2 ;;
        --suite) suite=$2 ;;
        --root) base=$2 ;;
        *) echo "unknown option $1" >&2; exit 2 ;;
    esac
    shift 2
done
if [ $# -ne 1 ] || [ ! -d "$1" ]; then
    sed -n '3,7s/^# //p' "$0" >&2
    exit 2
fi
[ "$(id -u)" -eq 0 ] || { echo "this needs root" >&2; exit 2; }

root=$(mktemp -d)
finish() {
    mountpoint -q "$root/proc" && umount "$root/proc"
    rm -rf --one-file-system "$root"
}
trap finish EXIT

if [ -n "$base" ]; then
    cp -a "$base/." "$root"
else
    echo "making a root of $suite from $mirror"
    debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$root.log" 2>&1 ||
        { tail -n 20 "$root.log"; exit 1; }
    rm -f "$root.log"
fi
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
mkdir "$root/check"
cp "$1"/*.deb "$(dirname "${BASH_SOURCE[0]}")/test-install-inside.sh" "$root/check"
chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/check/home LANG=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive bash /check/test-install-inside.sh
