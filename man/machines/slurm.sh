#!/bin/sh
# One recording from each node of a Slurm partition:
#   sbatch --array=1-30 slurm.sh FOLDER [options of tuibench]
#   tuibench -r FOLDER
# FOLDER is one that all nodes share.
#SBATCH --job-name=tuibench
#SBATCH --exclusive
set -eu
folder=$1
shift
mkdir -p "$folder"
exec tuibench -b -o "$folder/$SLURM_JOB_NAME-$SLURMD_NODENAME-$SLURM_JOB_ID.csv" "$@"
