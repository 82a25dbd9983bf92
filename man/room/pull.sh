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
# A host that fails leaves no recording; parallel's log says which.
export ROOM_FOLDER="$folder" ROOM_OPTIONS="$*"
# shellcheck disable=SC2016 # parallel's shells expand these
parallel --jobs 32 --joblog "$folder/hosts.log" --colsep '\n' \
	'part=$ROOM_FOLDER/.{#}; ssh -n -o BatchMode=yes {= uq(); =} "tuibench -b -o - $ROOM_OPTIONS" \
	>"$part" && mv "$part" "$ROOM_FOLDER/host{#}.csv" || { rm -f "$part"; false; }' <"$hosts"
