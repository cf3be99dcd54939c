#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# One task of a Slurm job array: one shard of plumb corpus. docs/corpus.md explains it.
#
#   sbatch --array=1-N corpus-array.sh N FOLDER MODEL|DIR OPTION...
#
# N is the number of shards, FOLDER takes the parts, and the options are those of plumb corpus.
# PLUMB names the program (default: plumb).
#SBATCH --job-name=plumb-corpus
#SBATCH --output=plumb-corpus-%A-%a.log
set -u

if [ $# -lt 3 ]; then
    printf 'usage: sbatch --array=1-N corpus-array.sh N FOLDER MODEL OPTION...\n' >&2
    exit 2
fi
shards=$1
folder=$2
shift 2
task=${SLURM_ARRAY_TASK_ID:?is set by sbatch --array}

mkdir -p "$folder" || exit 4
exec "${PLUMB:-plumb}" corpus "$@" --quiet --jobs "${SLURM_CPUS_PER_TASK:-1}" \
    --shard "$task/$shards" --part "$folder/$task.json" --digests "$folder/$task.jsonl"
