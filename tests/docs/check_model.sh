#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs docs/examples/check-model.sh on good and bad subjects. Usage: check_model.sh PLUMB DOCS_FOLDER
set -u
PLUMB=$(realpath "$1")
export PLUMB
script=$(realpath "$2/examples/check-model.sh")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
wrong=0

# expect CODE NAME ARGUMENT...: the script ends with CODE; its output goes to NAME.txt.
expect() {
    wanted=$1
    name=$2
    shift 2
    code=0
    sh "$script" "$@" >"$name.txt" 2>&1 || code=$?
    [ "$code" -eq "$wanted" ] && return
    printf '%s: exit code %s, not %s\n' "$name" "$code" "$wanted"
    cat "$name.txt"
    wrong=1
}

# says NAME TEXT: the output has the text.
says() {
    grep -qF -- "$2" "$1.txt" && return
    printf '%s does not say: %s\n' "$1" "$2"
    cat "$1.txt"
    wrong=1
}

# has FILE...: files that are there and not empty.
has() {
    for file in "$@"; do
        [ -s "$file" ] || { printf 'missing: %s\n' "$file"; wrong=1; }
    done
}

for sample in ds-cnn refused; do
    "$PLUMB" sample $sample -o $sample.tflite >/dev/null || exit 2
done
"$PLUMB" sample ds-cnn --seed 2 -o other.tflite >/dev/null || exit 2
"$PLUMB" compile ds-cnn.tflite -o good.p0 --seed 1 >/dev/null || exit 2
cp -r good.p0 damaged.p0
printf '\125' | dd of=damaged.p0/weights.bin bs=1 seek=100 conv=notrunc 2>/dev/null
cmp -s good.p0/weights.bin damaged.p0/weights.bin && exit 2

expect 0 model ds-cnn.tflite --out model
for step in compile check run report; do
    says model "| $step | passed |"
done
says model "0 with a difference"
has model/package/npu.json model/report.html model/summary.md

expect 0 same ds-cnn.tflite --out same --base good.p0
says same "| compare | passed |"
expect 0 changed ds-cnn.tflite --out changed --base other.tflite
says changed "| compare | changed |"
expect 0 package good.p0 --out package
says package "| run | passed |"

expect 1 damaged damaged.p0 --out damaged
says damaged "PL-A003"
says damaged "| check | FAILED |"
grep -q '| run |' damaged.txt && { echo "a damaged package was run"; wrong=1; }
expect 3 refused refused.tflite --out refused
says refused "P0-L"
says refused "| compile | FAILED |"
expect 1 another_input good.p0 --seed 2 --out another_input
says another_input "| run | FAILED |"
has damaged/report.html refused/report.html another_input/report.html

# One input, labelled with the class that plumb finds: right, and wrong with the next class.
head -c 490 /dev/zero >zeros.bin
class=$("$PLUMB" run ds-cnn.tflite --input zeros.bin | sed -n 's/^Top  *class \([0-9]*\) .*/\1/p')
printf 'index,name,class\n0,zeros,%s\n' "$class" >right.csv
printf 'index,name,class\n0,zeros,%s\n' "$(((class + 1) % 12))" >wrong.csv
expect 0 right ds-cnn.tflite --out right --corpus zeros.bin --item-bytes 490 --labels right.csv --min-accuracy 1
says right "| corpus | passed | accuracy 1"
expect 1 wrong ds-cnn.tflite --out wrong --corpus zeros.bin --item-bytes 490 --labels wrong.csv --min-accuracy 0.5
says wrong "| corpus | FAILED |"

expect 2 nothing
expect 2 two ds-cnn.tflite other.tflite
expect 2 unlabelled ds-cnn.tflite --corpus zeros.bin
expect 3 missing no-such-model.tflite --out missing
exit "$wrong"
