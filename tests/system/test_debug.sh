#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks that TUIBENCH_DEBUG=FILE appends a line with a time to FILE for each decision, and changes no
# output. If FILE cannot be written, tuibench must write one line of error and exit with status 2.
# Usage: test_debug.sh TUIBENCH
set -eu
export TUIBENCH_CONFIG=none # ignore the options of the user
export TUIBENCH_REPEATS=0   # do not repeat trials on a crowded machine

tuibench=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
XDG_STATE_HOME=$work
export XDG_STATE_HOME

fail() {
	echo "test_debug: $*" >&2
	exit 1
}

log=$work/a.csv
lines=$work/lines
echo before >"$lines"
TUIBENCH_DEBUG=$lines "$tuibench" -b --log "$log" -w null=2 -n 2 \
	--warmup 0 --order fixed >"$work/out" 2>&1
[ "$(head -n 1 "$lines")" = before ] || fail "what the file held is gone"
if tail -n +2 "$lines" | grep -v '^[0-9]*\.[0-9]\{3\} [a-z]*: .'; then
	fail "not a time, a room and what it decided"
fi
for text in 'app: tuibench [0-9.]*: .*-w null=2' 'app: session 2 null workers: 2 cases, 2 trials' \
	'app: no screen' "app: recording: $log" 'source: run 0: threads, trial 1, page cache warm' \
	'source: run 0 begins' 'source: run 3 ends: ok' 'source: nothing more is planned' \
	'app: status 0$'; do
	grep -q "^[0-9.]* $text" "$lines" || fail "no line \"$text\": $(cat "$lines")"
done

TUIBENCH_DEBUG='' "$tuibench" --export csv "$log" >"$work/without"
TUIBENCH_DEBUG=$lines "$tuibench" --export csv "$log" >"$work/with"
cmp "$work/without" "$work/with" || fail "the export differs"

status=0
TUIBENCH_DEBUG=$work "$tuibench" --export csv "$log" >"$work/out" 2>"$work/errors" || status=$?
[ $status -eq 2 ] || fail "status $status instead of 2"
[ ! -s "$work/out" ] || fail "goes on without its file"
[ "$(wc -l <"$work/errors")" -eq 1 ] || fail "$(cat "$work/errors")"
grep -q "^tuibench: TUIBENCH_DEBUG: cannot write \"$work\": " "$work/errors" ||
	fail "$(cat "$work/errors")"

# It must neither wait for a reader of a pipe, nor continue if the disk is full.
mkfifo "$work/pipe"
for file in "$work/pipe" /dev/full; do
	[ -e "$file" ] || continue
	status=0
	TUIBENCH_DEBUG=$file timeout 600 "$tuibench" --export csv "$log" >"$work/out" \
		2>"$work/errors" || status=$?
	[ $status -eq 2 ] || fail "$file: status $status instead of 2"
	grep -q "^tuibench: TUIBENCH_DEBUG: cannot write \"$file\": " "$work/errors" ||
		fail "$file: $(cat "$work/errors")"
done
