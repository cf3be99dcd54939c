#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# views/ sees a target only through core/lowering/. Usage: views_have_no_target.sh SOURCE_FOLDER
cd "$1" || exit 2
if grep -rnE '#[[:space:]]*include[[:space:]]*[<"](core/)?(npu_p0|ethos_u)/' views ||
    grep -rnE 'plumbline_(npu_p0|ethos_u)' views; then
    echo "views/ must not know a target; extend core/lowering/ instead"
    exit 1
fi
