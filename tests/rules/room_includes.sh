#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A room of core/ includes only rooms that its library links, itself or through another.
# Usage: room_includes.sh SOURCE_FOLDER TABLE; a line of TABLE is a room and all it may include.
cd "$1" || exit 2
status=0
for folder in core/*/; do
    room=$(basename "$folder")
    allowed=$(grep -E "^$room( |\$)" "$2") || {
        echo "core/$room is no library of the build"
        status=1
        continue
    }
    for used in $(grep -rhoE '#include "core/[a-z0-9_]+/' "core/$room" | cut -d/ -f2 | sort -u); do
        case " $allowed " in *" $used "*) continue ;; esac
        echo "core/$room includes core/$used, which plumbline_$room does not link:"
        grep -rn "#include \"core/$used/" "core/$room"
        status=1
    done
done
exit $status
