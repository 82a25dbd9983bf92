#!/bin/sh
# Takes one recording from standard input into a new file of FOLDER, and does nothing else. It is
# the forced command of an SSH key, as a line of ~/.ssh/authorized_keys:
#   restrict,command="/usr/share/tuibench/room/drop.sh /srv/class" ssh-ed25519 AAAA...
# Laptops push with
#   tuibench -b --quick -s label=anna -o - | ssh drop@host
# and are seen while they measure, by tuibench -r /srv/class.
set -eu
folder=$1
most=67108864 # bytes; a longer one is cut off there
begin=$(head -c 7 | tr -d '\0')
if [ "$begin" != "record," ]; then
	echo "this is no recording of tuibench" >&2
	exit 1
fi
file=$(mktemp "$folder/drop-XXXXXXXX.csv")
chmod 644 "$file"
{
	printf '%s' "$begin"
	head -c $((most - 7))
} >"$file"
echo "recorded as ${file##*/}"
