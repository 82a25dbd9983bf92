#!/usr/bin/env bash
# Runs the script for a partition on a Slurm cluster of two nodes on the loopback interface. Each job
# must leave a recording that names the job. Skipped without Slurm and munge.
#   test_slurm.sh TUIBENCH SCRIPT
set -euo pipefail
PATH=$PATH:/usr/sbin
tuibench=$(realpath "$1") script=$(realpath "$2")
for program in munged slurmctld slurmd sbatch; do
	command -v "$program" >/dev/null || { echo "$program is not installed"; exit 77; }
done
work=$(mktemp -d)
chmod 755 "$work"
finish() {
	# shellcheck disable=SC2046
	kill $(jobs -p) 2>/dev/null || :
	wait
	rm -rf "$work"
}
trap finish EXIT
fail() {
	echo "test_slurm: $*" >&2
	tail -n 5 "$work"/*.out >&2
	exit 1
}

cd "$work"
head -c 1024 /dev/urandom >key
chmod 400 key
munged --foreground --force --key-file="$work/key" --socket="$work/munge" --seed-file="$work/seed" \
	--pid-file="$work/munged.pid" --log-file="$work/munged.log" >munged.out 2>&1 &
port=$((20000 + $$ % 20000))
cat >slurm.conf <<END
ClusterName=loopback
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthInfo=socket=$work/munge
SlurmctldPort=$port
SlurmctldPidFile=$work/control.pid
StateSaveLocation=$work/state
SlurmdPidFile=$work/%n.pid
SlurmdSpoolDir=$work/spool-%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
NodeName=node[1-2] NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + 2))] CPUs=$(nproc)
PartitionName=room Nodes=ALL Default=YES MaxTime=5
END
export SLURM_CONF=$work/slurm.conf
mkdir state spool-node1 spool-node2 bin
ln -s "$tuibench" bin/tuibench
export PATH=$work/bin:$PATH
for _ in $(seq 100); do [ -S munge ] && break; sleep 0.1; done
slurmctld -D >control.out 2>&1 &
slurmd -D -N node1 >node1.out 2>&1 &
slurmd -D -N node2 >node2.out 2>&1 &
ready=
for _ in $(seq 300); do
	[ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 2 ] && ready=yes && break
	sleep 0.1
done
[ "$ready" ] || { echo "no cluster comes up here"; tail -n 3 ./*.out; exit 77; }

timeout 120 sbatch --array=1-4 --wait --output="$work/job-%a.out" "$script" "$work/folder" \
	-w cpu=1 -s size=1000 --trials 1 -m threads >submitted.out 2>&1 || fail "a job failed"
[ "$(find folder -name '*.csv' | wc -l)" = 4 ] || fail "there are not 4 recordings: $(ls folder)"
for node in node1 node2; do # Slurm chooses how many jobs each node runs
	[ "$(find folder -name "*$node*.csv" | wc -l)" -ge 1 ] || fail "$node made none: $(ls folder)"
done
for i in 1 2 3 4; do
	grep -l "SLURM_ARRAY_TASK_ID=${i}[;,]" folder/*.csv >/dev/null || fail "job $i is in no recording"
done
