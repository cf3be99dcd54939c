#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks one model, or one package, in a CI job. docs/ci.md explains it.
set -u

usage() {
    cat <<'TEXT'
check-model.sh MODEL.tflite|PACKAGE [OPTION VALUE]...

  --out DIR            where package, report and logs go (default: plumbline-check)
  --seed N             input of the run (default: 1)
  --input FILE         input of the run instead of a seed: raw int8 or .npy
  --reference REF      what judges every layer: a model, a package, a trace, dumps; default for a
                       model: the reference kernels on it; for a package: the digests inside it
  --base MODEL|PACKAGE what the base branch has; changes are listed and do not fail the job
  --corpus FILE        inputs one after another, with --item-bytes N and --labels CSV
  --min-accuracy X     fraction of right answers that the corpus needs (default: 0)

PLUMB names the program (default: plumb). The exit code is 0, or that of the first failing step:
1 violation, mismatch or low accuracy; 2 wrong usage; 3 input unreadable or refused; 4 output
unwritable.
TEXT
}

wrong_usage() {
    printf 'check-model.sh: %s\n' "$*" >&2
    exit 2
}

plumb=${PLUMB:-plumb}
subject='' out=plumbline-check seed=1 input='' reference='' base=''
corpus='' item_bytes='' labels='' min_accuracy=0
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help)
        usage
        exit 0
        ;;
    --*)
        [ $# -ge 2 ] || wrong_usage "$1 needs a value"
        case $1 in
        --out) out=$2 ;;
        --seed) seed=$2 ;;
        --input) input=$2 ;;
        --reference) reference=$2 ;;
        --base) base=$2 ;;
        --corpus) corpus=$2 ;;
        --item-bytes) item_bytes=$2 ;;
        --labels) labels=$2 ;;
        --min-accuracy) min_accuracy=$2 ;;
        *) wrong_usage "unknown option $1" ;;
        esac
        shift 2
        ;;
    *)
        [ -z "$subject" ] || wrong_usage "more than one model: $subject and $1"
        subject=$1
        shift
        ;;
    esac
done
[ -n "$subject" ] || wrong_usage "no model; --help lists the options"
if [ -n "$corpus" ] && { [ -z "$item_bytes" ] || [ -z "$labels" ]; }; then
    wrong_usage "--corpus needs --item-bytes and --labels"
fi

# The input's options are the positional parameters from here on.
if [ -n "$input" ]; then set -- --input "$input"; else set -- --seed "$seed"; fi

mkdir -p "$out" || exit 4
rm -f "$out/report.html" # of a run before
summary=$out/summary.md
printf '| Step | Result | What |\n| --- | --- | --- |\n' >"$summary" || exit 4
status=0

# step NAME COMMAND...: runs one step; its output is in $out/NAME.txt, its exit code in $code.
step() {
    name=$1
    code=0
    shift
    "$@" >"$out/$name.txt" 2>&1 || code=$?
}

# row RESULT TEXT: what the summary says of the step.
row() { printf '| %s | %s | %s |\n' "$name" "$1" "$2" >>"$summary"; }

# failed TEXT: shows what the step said. The first failing step's exit code is that of the job.
failed() {
    row FAILED "$1"
    printf -- '--- %s\n' "$name" >&2
    cat "$out/$name.txt" >&2
    [ "$status" -ne 0 ] || status=$code
}

# judge TEXT: the step passed with exit code 0, else it failed.
judge() {
    if [ "$code" -eq 0 ]; then row passed "$1"; else failed "exit code $code, see $name.txt"; fi
}

# line WORD: the line of the step's output that begins with WORD, without it.
line() { sed -n "s/^$1  *//p" "$out/$name.txt" | head -n 1; }

# A package is a directory or its npu.json; everything else is compiled first.
package=$subject
if [ ! -d "$subject" ] && [ "$(basename "$subject")" != npu.json ]; then
    package=$out/package
    step compile "$plumb" compile "$subject" -o "$package" "$@"
    judge "records $(line Records), arena $(line Arena)"
fi
if [ "$status" -eq 0 ]; then
    step check "$plumb" check "$package"
    judge "hashes, schema, relocations, validator, sanitizer"
fi
if [ "$status" -eq 0 ]; then
    step run "$plumb" run "$package" "$@" --sanitize --reference "${reference:-$subject}"
    judge "$(grep ' layers compared, ' "$out/run.txt")"
fi
if [ "$status" -eq 0 ] && [ -n "$base" ]; then
    step compare "$plumb" diff "$base" "$package"
    if [ "$code" -eq 1 ]; then
        row changed "$(tail -n 1 "$out/compare.txt"), see compare.txt"
    else
        judge "the same as the base branch"
    fi
fi
if [ "$status" -eq 0 ] && [ -n "$corpus" ]; then
    step corpus "$plumb" corpus "$package" --inputs "$corpus" --item-bytes "$item_bytes" \
        --labels "$labels" --json
    accuracy=$(sed -n 's/.*"accuracy":\([0-9.eE+-]*\).*/\1/p' "$out/corpus.txt")
    if [ "$code" -eq 0 ] && ! awk -v is="$accuracy" -v least="$min_accuracy" \
        'BEGIN { exit !(is != "" && is + 0 >= least + 0) }'; then
        code=1
        failed "accuracy $accuracy, at least $min_accuracy wanted"
    else
        judge "accuracy $accuracy"
    fi
fi

# The report is wanted most when something failed. It is written for mismatches (exit code 1) and
# for a refused model (3) as well.
step report "$plumb" report "$subject" "$@" ${reference:+--reference "$reference"} \
    -o "$out/report.html"
if [ "$status" -ne 0 ] && [ -s "$out/report.html" ]; then
    row written report.html
else
    judge report.html
fi

cat "$summary"
exit "$status"
