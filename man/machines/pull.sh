#!/bin/sh
# One recording from each host of a lab, several at a time, by GNU parallel:
#   pull.sh FOLDER HOSTS [options of tuibench]
#   tuibench -r FOLDER
# HOSTS is a file with a line for each host, such as "lab1" or "-p 2201 user@lab1".
set -eu
folder=$1
hosts=$2
shift 2
mkdir -p "$folder"
# A host that fails leaves no recording, but the reason, which tuibench -r shows.
tr -cs 'A-Za-z0-9.@\n-' _ <"$hosts" | sed 's/^[-_]*//' >"$folder/.names"
cp "$folder/.names" "$folder/expected.txt"
export ROOM_FOLDER="$folder" ROOM_OPTIONS="$*"
# shellcheck disable=SC2016 # parallel's shells expand these
parallel --jobs 32 --joblog "$folder/hosts.log" --colsep '\n' --link \
	'part=$ROOM_FOLDER/.{#} status=0
	ssh -n -o BatchMode=yes {=1 uq(); =} "tuibench -b -o - $ROOM_OPTIONS" >"$part" 2>"$part.why" || status=$?
	[ $status = 0 ] && mv "$part" "$ROOM_FOLDER/{=2 uq(); =}.csv" || {
		cat "$part.why" >&2
		echo "exit status $status" | cat - "$part.why" | tail -n 1 | tr -d "\r" |
			sed "s/^/{=2 uq(); =}: /" >>"$ROOM_FOLDER/expected.txt"
	}
	rm -f "$part" "$part.why"
	exit $status' :::: "$hosts" "$folder/.names"
