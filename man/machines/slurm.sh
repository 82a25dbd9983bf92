#!/bin/sh
# One recording from each node of a Slurm partition:
#   sbatch --array=1-30 slurm.sh DIR [options of tuibench]
#   tuibench -r DIR
# DIR is one that all nodes share.
#SBATCH --job-name=tuibench
#SBATCH --exclusive
set -eu
dir=$1
shift
mkdir -p "$dir"
exec tuibench -b -o "$dir/$SLURM_JOB_NAME-$SLURMD_NODENAME-$SLURM_JOB_ID.csv" "$@"
