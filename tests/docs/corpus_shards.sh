#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A corpus in shards under GNU parallel and as a Slurm job array gives what one run gives. There is no Slurm here: the
# script of docs/examples runs with the variables that Slurm sets. Usage: corpus_shards.sh PLUMB DOCS_FOLDER
set -eu
PLUMB=$(realpath "$1")
export PLUMB
script=$(realpath "$2/examples/corpus-array.sh")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    printf '%s\n' "$*"
    exit 1
}

# merged NAME PARTS: the joined parts are equal to the one run.
merged() {
    "$PLUMB" corpus-merge "$2"/*.json --digests "$1.jsonl" --inputs inputs.bin --json >"$1.json"
    cmp one.jsonl "$1.jsonl" || fail "$1: other digest lines"
    results one.json >expected.txt
    results "$1.json" | cmp expected.txt - || fail "$1: $(cat "$1.json"), not $(cat one.json)"
}

# results FILE: the numbers that have nothing to do with time.
results() { sed 's/"seconds":[^,]*,"inputs_per_second":[^,]*,//' "$1"; }

"$PLUMB" sample ds-cnn -o model.tflite
"$PLUMB" sample ds-cnn -o noise.bin --seed 2 # any bytes will do
head -c 24500 noise.bin >inputs.bin
{
    echo index,name,class
    seq -f '%g,x,3' 0 49
} >labels.csv
set -- model.tflite --inputs inputs.bin --item-bytes 490 --labels labels.csv
"$PLUMB" corpus "$@" --digests one.jsonl --json >one.json
[ "$(wc -l <one.jsonl)" -eq 50 ] || fail "not 50 inputs"

mkdir parallel
seq 7 | parallel --halt now,fail=1 "$PLUMB" corpus "$@" --jobs 1 --quiet --shard '{}/7' --part 'parallel/{}.json' \
    --digests 'parallel/{}.jsonl' '>' 'parallel/{}.log'
[ "$(ls parallel/*.json | wc -l)" -eq 7 ] || fail "not 7 parts"
merged gnu parallel

bash -n "$script"
for task in 1 2 3 4; do
    SLURM_ARRAY_TASK_ID=$task SLURM_CPUS_PER_TASK=2 sh "$script" 4 array "$@" >"task$task.log"
done
merged array array

code=0
(unset SLURM_ARRAY_TASK_ID && sh "$script" 4 array "$@") 2>/dev/null || code=$?
[ "$code" -ne 0 ] || fail "the script runs without a task"
code=0
SLURM_ARRAY_TASK_ID=1 sh "$script" 4 2>/dev/null || code=$?
[ "$code" -eq 2 ] || fail "the script takes no model and ends with $code"
