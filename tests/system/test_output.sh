#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks that a standard output that is closed or full is an error of one line and status 1, for all
# that tuibench prints, and that no output overwrites a recording. A runner that must not be executed
# must have another message than a missing one. Usage: test_output.sh TUIBENCH RUNNER LIBEXECDIR
set -eu
export TUIBENCH_CONFIG=none # ignore the options of the user
export TUIBENCH_REPEATS=0   # do not repeat trials on a crowded machine

tuibench=$(realpath "$1")
runner=$2
libexec=$3
work=$(mktemp -d)
pid=
writer=
trap 'kill -KILL $pid $writer 2>/dev/null || :; rm -rf "$work"' EXIT
XDG_STATE_HOME=$work
export XDG_STATE_HOME

fail() {
	echo "test_output: $*" >&2
	exit 1
}

recording=$work/tuibench/recorded.csv
mkdir "$work/tuibench"
"$tuibench" --batch --log "$recording" -w null=1 --trials 1 --warmup 0 >/dev/null 2>&1
# The recording must have all texts, and must say where the frequency comes from.
! grep -q '(null)' "$recording" || fail "a recording says (null)"
if ! ls -d /sys/devices/system/cpu/cpu*/cpufreq >/dev/null 2>&1; then
	grep -q -e 'has no cpufreq' -e 'this machine does not report it' "$recording" ||
		fail "where the frequency is from is not recorded"
fi

refused() {
	[ "$1" -eq "${3:-1}" ] || fail "$2: status $1 instead of ${3:-1}"
	tail -n 1 "$work/errors" | grep -q '^tuibench: .*: ..' || fail "$2: no reason is given"
}

# Lists the errors. Leaves out a warning of the recording that it was made under nice(1).
reasons() {
	grep -v 'runs have niceness' "$work/errors" || :
}

refused_alone() {
	refused "$@"
	[ "$(reasons | wc -l)" -eq 1 ] || fail "$2: $(cat "$work/errors")"
}

while read -r options; do
	status=0
	# shellcheck disable=SC2086 # several words
	"$tuibench" $options 2>"$work/errors" >&- </dev/null || status=$?
	refused_alone $status "$options > closed"
	[ -c /dev/full ] || continue
	status=0
	# shellcheck disable=SC2086
	"$tuibench" $options 2>"$work/errors" >/dev/full </dev/null || status=$?
	refused_alone $status "$options > full"
done <<END
--help
--version
--list
--help experiments
--export table $recording
--export json $recording
--export markdown $recording
--export csv $recording
--export trace $recording
--export workers $recording
--export samples $recording
--export html $recording
END

# An export does not overwrite its own recording, by any name.
ln "$recording" "$work/link.csv"
for name in "$recording" "$work/link.csv"; do
	for from in "$recording" -; do
		status=0
		"$tuibench" --export csv --output "$name" "$from" <"$recording" 2>"$work/errors" || status=$?
		[ $status -eq 2 ] || fail "--output over its recording, read from $from: $status"
		grep -q 'is the recording itself' "$work/errors" || fail "$(cat "$work/errors")"
	done
done

# If --log is the file of standard output, by any name, it has a complete recording and no result.
session="--batch -m threads -w null=1 -n 1 --warmup 0"
rows=$(wc -l <"$recording")
: >"$work/hard.csv"
ln "$work/hard.csv" "$work/hard-2.csv"
ln -s soft-2.csv "$work/soft.csv"
while read -r name output; do
	# shellcheck disable=SC2086 # several words
	"$tuibench" $session --log "$name" >"$work/$output" 2>"$work/errors" || fail "--log $name >$output: $?"
	"$tuibench" --export csv "$work/$output" >"$work/result" 2>"$work/errors" ||
		fail "--log $name >$output: $(cat "$work/errors")"
	[ -z "$(reasons)" ] || fail "--log $name >$output: $(cat "$work/errors")"
	[ "$(wc -l <"$work/$output")" -gt $((rows / 2)) ] || fail "--log $name >$output: rows are missing"
done <<END
/dev/stdout stdout.csv
/proc/self/fd/1 fd.csv
$work/same.csv same.csv
$work/hard-2.csv hard.csv
$work/soft.csv soft-2.csv
END
mkfifo "$work/rows"
cat "$work/rows" >"$work/piped.csv" &
writer=$!
# shellcheck disable=SC2086,SC2094 # several words; one file on purpose
"$tuibench" $session --log "$work/rows" >"$work/rows" 2>/dev/null
wait $writer
writer=
"$tuibench" --export csv "$work/piped.csv" >/dev/null 2>"$work/errors" || fail "a named pipe: $(cat "$work/errors")"
[ -z "$(reasons)" ] || fail "a named pipe as log and output: $(cat "$work/errors")"

# No message may get into a recording, and a file that has data already must not change.
cp "$recording" "$work/kept.csv"
kept() {
	[ "$1" -eq 2 ] || fail "$2: status $1 instead of 2"
	cmp -s "$recording" "$work/kept.csv" || fail "$2: the recording has changed"
}
while read -r what; do
	status=0
	(cd "$work" && eval "$what") >"$work/result" 2>"$work/errors" || status=$?
	kept $status "$what"
	# If standard error is the recording itself, there is no message, only the status.
	grep -qs '^tuibench: .*; ' "$work/errors" "$work/result" "$work/errors.json" || [ "${what%>&1}" != "$what" ] ||
		fail "$what: no reason is given"
done <<END
"$tuibench" $session --log - >>kept.csv
"$tuibench" $session --log - >mixed.csv 2>&1
"$tuibench" $session --log mixed-2.csv 2>mixed-2.csv
"$tuibench" $session --log kept.csv 2>>kept.csv
"$tuibench" --export csv kept.csv >>kept.csv
"$tuibench" --export csv - <kept.csv >>kept.csv
"$tuibench" --batch --replay kept.csv 2>>kept.csv
"$tuibench" --batch --replay kept.csv >>kept.csv 2>&1
TUIBENCH_DEBUG=kept.csv "$tuibench" --batch --replay kept.csv
TUIBENCH_DEBUG=/dev/fd/3 "$tuibench" --export json kept.csv 3>>kept.csv
TUIBENCH_DEBUG=both.json "$tuibench" --export json kept.csv --output both.json
"$tuibench" --export json kept.csv --output errors.json 2>errors.json
mkdir pooled && cp kept.csv pooled/1.csv && cp kept.csv pooled/2.csv && "$tuibench" --export json pooled >>pooled/2.csv
END
cmp -s "$recording" "$work/pooled/2.csv" || fail "an export was written to a recording that it pools"
status=0
# shellcheck disable=SC2094 # one file on purpose
"$tuibench" --batch --replay "$work/kept.csv" >"$work/kept.csv" 2>"$work/errors" || status=$?
[ $status -eq 2 ] || fail "a recording that the shell has emptied: $status"
grep -q 'standard output would write to it' "$work/errors" || fail "$(cat "$work/errors")"

# --output /dev/stdout appends to the file of standard output if the shell opened it with >>.
echo before >"$work/behind"
"$tuibench" --export csv "$recording" --output /dev/stdout >>"$work/behind"
[ "$(head -n 1 "$work/behind")" = before ] || fail "an export to /dev/stdout has replaced the file"

# If one file was opened twice, for standard output and standard error, no line is overwritten.
# shellcheck disable=SC2086
"$tuibench" $session --no-log >"$work/twice" 2>"$work/twice"
grep -q 'trial 1 of 1' "$work/twice" || fail "the progress was overwritten: $(cat "$work/twice")"
grep -q '^answer ' "$work/twice" || fail "the result was overwritten: $(cat "$work/twice")"

# A file that cannot be created is a wrong value (status 2). A full disk is another error (status 1).
for name in "$work/none/x" / "$recording/x"; do
	status=0
	"$tuibench" --export csv --output "$name" "$recording" 2>"$work/errors" || status=$?
	[ $status -eq 2 ] || fail "--output $name: $status"
	grep -qF -e "--output: cannot write \"$name\": " "$work/errors" || fail "$(cat "$work/errors")"
done
if [ -c /dev/full ]; then
	status=0
	"$tuibench" --export csv --output /dev/full "$recording" 2>"$work/errors" || status=$?
	[ $status -eq 1 ] || fail "--output /dev/full: $status"
	status=0
	"$tuibench" --export bundle "$recording" 2>"$work/errors" >/dev/full || status=$?
	[ $status -eq 1 ] || fail "--export bundle >/dev/full: $status"
	grep -q "No space left" "$work/errors" || fail "--export bundle >/dev/full: $(cat "$work/errors")"
fi

# A batch session writes its progress before the error, so there are more lines.
for format in table json markdown csv; do
	status=0
	"$tuibench" --batch --no-log -w null=1 --trials 1 --warmup 0 --format "$format" \
		2>"$work/errors" >&- </dev/null || status=$?
	refused $status "a run as $format, closed"
done

# While tuibench waits for more of a recording, it uses no CPU time, and each signal ends it.
ended_by() {
	from=$1
	shift
	env --default-signal=HUP "$@" <"$from" >/dev/null 2>"$work/errors" &
	pid=$!
	sleep 1
	ticks=$(awk '{print $14 + $15}' "/proc/$pid/stat")
	[ "$ticks" -lt 50 ] || fail "$*: $ticks ticks of CPU time while nothing came"
	kill "-$signal" $pid
	waits=0
	while kill -0 $pid 2>/dev/null && [ $waits -lt 600 ]; do
		sleep 0.2
		waits=$((waits + 1))
	done
	if kill -KILL $pid 2>/dev/null; then fail "$*: a $signal did not end it"; fi
	status=0
	wait $pid || status=$?
	pid=
	[ $status -eq "$expected" ] || fail "$*: status $status instead of $expected after a $signal"
}

mkfifo "$work/pipe"
sleep 3600 >"$work/pipe" &
writer=$!
head -n 20 "$recording" >"$work/grows.csv"
while read -r signal expected; do
	ended_by /dev/null "$tuibench" --batch --replay "$work/grows.csv" --follow
	ended_by "$work/pipe" "$tuibench" --batch --replay -
done <<END
TERM 143
HUP 129
END
kill $writer
wait $writer 2>/dev/null || :
writer=

# After SIGQUIT (Ctrl-\), the log has all that was measured, and an end. A shell without job control
# starts background jobs with SIGQUIT ignored, so reset it.
quit=$work/quit.csv
env --default-signal=QUIT "$tuibench" --batch --log "$quit" -m threads -w cpu=1 -s cpu.size=1000,100G \
	--order fixed -n 1 --warmup 0 >/dev/null 2>&1 </dev/null &
pid=$!
waits=0
while ! grep -q '^begin,.*100G' "$quit" 2>/dev/null && [ $waits -lt 3000 ]; do
	sleep 0.1
	waits=$((waits + 1))
done
kill -QUIT $pid
status=0
wait $pid || status=$?
pid=
[ $status -eq 131 ] || fail "status $status instead of 131 after a QUIT"
grep -q '^worker,.*cpu=1000' "$quit" || fail "the log of a session that was quit lacks what was measured"
grep -q '^end,.*interrupted' "$quit" || fail "the log of a session that was quit has no end"

# The error names a file that is no recording, or that has no session.
head -n 1 "$recording" >"$work/begun.csv"
for what in "$work/begun.csv" /dev/null -; do
	status=0
	"$tuibench" --batch --replay "$what" >/dev/null 2>"$work/errors" </dev/null || status=$?
	refused_alone $status "the replay of $what" 2
	name=$(basename "$what")
	[ "$what" != - ] || name="standard input"
	grep -q "^tuibench: cannot read \"$name\": " "$work/errors" ||
		fail "of the replay of $what: $(cat "$work/errors")"
done

# If a runner is installed, tuibench would find that one.
[ ! -x "$libexec/tuibench-runner" ] || exit 0
mkdir "$work/bin"
cp "$tuibench" "$work/bin/tuibench"
cp "$runner" "$work/bin/tuibench-runner"
chmod a-x "$work/bin/tuibench-runner"
status=0
"$work/bin/tuibench" --batch --no-log -w null=1 >/dev/null 2>"$work/errors" || status=$?
refused $status "a runner that may not be run"
grep -q "$work/bin/tuibench-runner is not executable" "$work/errors" ||
	fail "of a runner that may not be run: $(cat "$work/errors")"
