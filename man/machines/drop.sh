#!/bin/sh
# Takes one recording from standard input into a new file of DIR, and does nothing else. It is
# the forced command of an SSH key, as a line of ~/.ssh/authorized_keys:
#   restrict,command="/usr/share/tuibench/machines/drop.sh /srv/class" ssh-ed25519 AAAA...
# Students send a recording with
#   tuibench -b --quick -s label=anna -o - | ssh drop@host
# and tuibench -r /srv/class shows each one while it still measures.
# A second argument limits the number of recordings [default: 1000].
set -eu
dir=$1
files=${2:-1000}
most=67108864 # bytes; a longer one is cut off there
begin=$(head -c 7 | tr -d '\0')
if [ "$begin" != "record," ]; then
	echo "this is no recording of tuibench" >&2
	exit 1
fi
file=$(mktemp "$dir/drop-XXXXXXXX.csv")
refuse() {
	rm -f "$file"
	echo "not recorded: $1" >&2
	exit 1
}
# The count includes this one, so several that arrive at once stay within the limit.
[ "$(find "$dir" -maxdepth 1 -name 'drop-*.csv' | wc -l)" -le "$files" ] ||
	refuse "there are $files recordings already"
chmod 644 "$file"
{ printf '%s' "$begin" && head -c $((most - 7)); } >"$file" ||
	refuse "it cannot be written; is the disk full?"
if [ "$(head -c 1 | wc -c)" -gt 0 ]; then
	echo "cut off at 64 MB, as ${file##*/}: the rest is not recorded" >&2
	exit 1
fi
echo "recorded as ${file##*/}"
