#!/bin/sh
# One recording from each host of a lab, several at a time, by GNU parallel:
#   pull.sh DIR HOSTS [options of tuibench]
#   tuibench -r DIR
# HOSTS is a file with a line for each host, such as "lab1" or "-p 2201 user@lab1".
set -eu
dir=$1
hosts=$2
shift 2
mkdir -p "$dir"
# A host that fails leaves no recording, but the reason, which tuibench -r shows.
tr -cs 'A-Za-z0-9.@\n-' _ <"$hosts" | sed 's/^[-_]*//' >"$dir/.names"
cp "$dir/.names" "$dir/expected.txt"
export PULL_DIR="$dir" PULL_OPTIONS="$*"
# shellcheck disable=SC2016 # parallel's shells expand these
parallel --jobs 32 --joblog "$dir/hosts.log" --colsep '\n' --link \
	'part=$PULL_DIR/.{#} status=0
	ssh -n -o BatchMode=yes {=1 uq(); =} "tuibench -b -o - $PULL_OPTIONS" >"$part" 2>"$part.why" || status=$?
	[ $status = 0 ] && mv "$part" "$PULL_DIR/{=2 uq(); =}.csv" || {
		cat "$part.why" >&2
		echo "exit status $status" | cat - "$part.why" | tail -n 1 | tr -d "\r" |
			sed "s/^/{=2 uq(); =}: /" >>"$PULL_DIR/expected.txt"
	}
	rm -f "$part" "$part.why"
	exit $status' :::: "$hosts" "$dir/.names"
