#!/bin/sh
# SPDX-License-Identifier: MIT
# Holds: TUIBENCH_DEBUG=FILE gets a line with its time for each decision, behind what it holds
# already, and changes no output; where it cannot be written there is one line and status 2.
# Usage: test_debug.sh TUIBENCH
set -eu
export TUIBENCH_CONFIG=none # not the options of who runs it
export TUIBENCH_REPEATS=0   # nor more trials, which a crowded machine would have

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

# Nor does it wait for who reads a pipe, or go on without what a full disk did not take.
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
