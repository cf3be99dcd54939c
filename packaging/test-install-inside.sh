#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The part of test-install.sh that runs in the clean root, beside the packages.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
mkdir -p home

# step TEXT COMMAND...: shows the output of a command only if it fails.
step() {
    local text=$1
    shift
    if "$@" >log 2>&1; then
        echo "passed: $text"
    else
        echo "FAILED: $text"
        tail -n 30 log
        exit 1
    fi
}

apt() { apt-get -qq -y -o Dpkg::Use-Pty=0 "$@"; }
packages() { dpkg-deb -f "$1" Package; }
names=$(for file in ./*.deb; do packages "$file"; done)

step "package lists" apt update
step "installing the packages alone" apt install --no-install-recommends ./*.deb
step "tools for the checks" apt install --no-install-recommends man-db libglib2.0-bin \
    desktop-file-utils shared-mime-info
step "tools for programs that use the library" apt install --no-install-recommends cmake g++ make

step "plumb version" plumb version
step "plumb sample" plumb sample resnet8 -o model.tflite
step "plumb run" plumb run model.tflite --seed 1 --reference reference
step "plumbline --grab" plumbline model.tflite --grab pictures
is_png() { [ "$(head -c 4 "$1" | tail -c 3)" = PNG ]; }
step "a picture of the window" is_png pictures/window.png

for program in plumb plumbline; do
    step "manual page of $program" man -w $program
    step "$program(1) can be read" bash -c "man $program | grep -q 'EXIT STATUS'"
    step "bash completion of $program" bash -c \
        "source /usr/share/bash-completion/completions/$program && complete -p $program"
done

content_type() { [ "$(gio info -a standard::content-type "$1" | sed -n 's/.*content-type: //p')" = "$2" ]; }
cp model.tflite unnamed
echo '{}' >a.plumbline
step "a model is known by its name" content_type model.tflite application/x-tflite
step "a model is known by its magic" content_type unnamed application/x-tflite
step "a session is known by its name" content_type a.plumbline application/x-plumbline-session
opens() { gio mime "$1" | grep -q plumbline.desktop; }
step "models open in the workbench" opens application/x-tflite
step "sessions open in the workbench" opens application/x-plumbline-session
step "the icon is there" test -s /usr/share/icons/hicolor/scalable/apps/plumbline.svg
step "the desktop file holds" desktop-file-validate /usr/share/applications/plumbline.desktop

cp -r /usr/share/doc/libplumbline-dev/examples/consumer .
step "the example configures" cmake -S consumer -B consumer/build
step "the example builds" cmake --build consumer/build
step "the example runs" consumer/build/layers model.tflite

# shellcheck disable=SC2086 # names of packages, one word each
step "purging" apt purge $names
left() { find / -xdev \( -path /proc -o -path /sys -o -path /check -o -path /var/cache \) -prune -o \
    \( -iname '*plumb*' -o -iname '*tflite*' \) -print; }
nothing_left() { left; [ -z "$(left)" ]; }
step "no file remains" nothing_left
not_registered() { ! grep -r -e plumbline -e tflite /usr/share/applications /usr/share/mime /usr/share/icons; }
step "nothing remains registered" not_registered
no_package_left() { ! dpkg-query -W -f '${Package} ${Status}\n' '*plumbline*' | grep -v unknown; }
step "no package remains" no_package_left
echo "The packages install, work and leave nothing behind."
