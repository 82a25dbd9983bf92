#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks that --help and the manual page have the same options with the same letters, arguments and
# defaults, that tuibench accepts each option and its default, that --help has a text of at most 80
# columns for each topic, and that mandoc finds no mistake in the manual page.
# Usage: test_help.sh TUIBENCH MANUAL-PAGE
set -eu
export TUIBENCH_CONFIG=none # ignore the options of the user
export TUIBENCH_REPEATS=0   # do not repeat trials on a crowded machine

tuibench=$1
page=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_STATE_HOME="$work" # --list lists the recordings there

fail() {
	echo "test_help: $*" >&2
	exit 1
}

# Make lines of "LONG LETTER ARGUMENT DEFAULT" from both, with - for a part that is missing.
"$tuibench" --help >"$work/help.txt"
awk '
	function flush() {
		if (long == "")
			return
		default_ = "-"
		if (match(text, /\([^()]*\)$/))
			default_ = substr(text, RSTART + 1, RLENGTH - 2)
		print long, letter, argument, default_
		long = ""
	}
	/^  (-.,|   ) --/ {
		flush()
		letter = substr($0, 3, 1) == "-" ? substr($0, 4, 1) : "-"
		rest = substr($0, 9)
		n = split(rest, words, " ")
		long = words[1]
		gsub(/[][]/, "", words[2])
		argument = rest ~ /^[a-z-]+ [^ ]/ ? words[2] : "-"
		text = rest
		next
	}
	{ flush() }
	END { flush() }
' "$work/help.txt" | sort >"$work/help"

awk '
	function flush() {
		default_ = match(text, /\[default: [^]]*\]/) ? substr(text, RSTART + 10, RLENGTH - 11) : "-"
		if (long != "")
			print long, letter, argument, default_
		long = text = ""
	}
	/^\.Sh / { flush(); options = $2 == "OPTIONS" }
	!options { next }
	/^\.(El|Ss)/ { flush() }
	/^\.It Fl / {
		flush()
		letter = length($3) == 1 ? $3 : "-"
		argument = "-"
		for (i = 3; i <= NF; i++) {
			if ($i ~ /^-[a-z]/)
				long = substr($i, 2)
			if ($i == "Ar" && argument == "-") {
				argument = ""
				for (k = i + 1; k <= NF; k++)
					if ($k !~ /^(Ar|Ns|Op)$/)
						argument = argument $k
			}
		}
	}
	{ text = text " " $0 }
	END { flush() }
' "$page" | sort >"$work/manual"

[ "$(wc -l <"$work/help")" -ge 40 ] || fail "found only these options: $(cat "$work/help")"
# Few lines of --help have room for the default. If a line has one, it must be that of the manual.
while read -r long letter argument default; do
	line=$(grep "^$long " "$work/manual") || fail "$page has no --$long"
	[ "$default" != - ] || line=${line% "${line#* * * }"}" -"
	[ "$long $letter $argument $default" = "$line" ] ||
		fail "--help has $long $letter $argument $default; $page has $line"
done <"$work/help"
cut -d ' ' -f 1 "$work/help" >"$work/names"
cut -d ' ' -f 1 "$work/manual" | diff "$work/names" - || fail "--help (<) and $page (>) differ"

# Every text has at most 80 columns, and --help has at most 80 lines: two screens of 40.
[ "$(wc -l <"$work/help.txt")" -le 80 ] || fail "--help has more than 80 lines"
"$tuibench" --help experiments >"$work/experiments"
grep -q "up to 5 disturbed trials" "$work/experiments" || fail "--help experiments says nothing of a busy machine"
experiments=$(sed -n 's|^  \([a-z]*\) .*|\1|p' "$work/experiments")
[ "$(echo "$experiments" | wc -w)" -ge 14 ] || fail "found only these experiments: $experiments"
for topic in '' settings keys formats experiments config policy cpu.size env:LANG $experiments; do
	"$tuibench" --help ${topic:+"$topic"} >"$work/topic" || fail "--help $topic has status $?"
	[ -s "$work/topic" ] || fail "--help $topic says nothing"
	long=$(LC_ALL=C.UTF-8 sed 's/[^ -~]/x/g' "$work/topic" | LC_ALL=C.UTF-8 awk 'length > 80') || true
	[ -z "$long" ] || fail "--help $topic has lines of more than 80 columns: $long"
done
for experiment in $experiments; do
	"$tuibench" --help "$experiment" >"$work/topic"
	for part in "^$experiment: .*" '^  Runs ' '^  Takes ' '^  Views ' '^  Example   tuibench ' \
		'^Its settings'; do
		grep -q "$part" "$work/topic" || fail "--help $experiment has no line of $part"
	done
	# The example must be a valid command. With --help at its end, it does not run.
	eval "\"\$tuibench\" $(sed -n 's/^  Example   tuibench //p' "$work/topic") --help" >/dev/null ||
		fail "--help $experiment has an example that is not taken"
done
"$tuibench" --help crash | grep -q '^  fault ' || fail "--help crash does not explain its fault"
"$tuibench" --help policy | grep -q 'other, batch, idle, fifo, rr' || fail "--help policy has no values"
! "$tuibench" --help formats | grep '^  [a-z-]* *$' || fail "--help formats has a row without words"
! "$tuibench" --help config | grep '^# == Other ==' || fail "--help config has an empty part"
status=0
"$tuibench" --help nonsense >"$work/out" 2>"$work/errors" || status=$?
if [ $status -ne 2 ] || [ -s "$work/out" ] || [ "$(wc -l <"$work/errors")" -ne 1 ]; then
	fail "--help nonsense has status $status: $(cat "$work/out" "$work/errors")"
fi
# Each option, format, kind of worker, key and word of the glossary is a topic, by each of its names.
{
	cut -d ' ' -f 1 "$work/help"
	"$tuibench" --help formats | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p'
	"$tuibench" --help settings | sed -n '/^The kinds/,$s/^  \([a-z][a-z]*\) .*/\1/p'
	printf '%s\n' futex segv fifo wilcoxon 'confidence interval' Space Tab t n q elapsed_ms nvcsw 'CPU time' voluntary involuntary SPACE 1 6
	sed -n '/^\.Sh GLOSSARY/,/^\.El/s/^\.It Sy //p' "${page%.1}-reading.7" | sed 's/ , /\n/g'
	# Each key of JSON with a description is a topic, and each column of an export or a recording.
	sed -n 's/^ *"\([a-z][a-z_0-9]*\)": {.*"description": .*/\1/p' "${page%.1}-export.schema.json"
	sed -n '/^\.Sh EXPORTS/,/^\.Sh SEE/s/^\.It Sy //p' "${page%.1}-export.5" | sed 's/ , /\n/g'
	sed -n '/^\.Sh COLUMNS/,/^\.Sh PLANS/s/^\.It Sy //p' "${page%.1}-log.5" | sed 's/ , /\n/g'
	printf '%s\n' elapsed_cpu_ms other_core_joined_p99_ns var_alloc
	# So is each title of a metric, its first word, and the part of a setting before a colon.
	sed -n 's/^METRIC([A-Z_0-9]*, [^,]*, "\([^"]*\)".*/\1/p' "${page%man/*}include/model/metric_rows.h" \
		>"$work/titles"
	cat "$work/titles"
	sed 's/ .*//' "$work/titles"
	echo env
} | sort -u >"$work/topics"
[ "$(wc -l <"$work/topics")" -ge 400 ] || fail "found only these topics: $(cat "$work/topics")"
while read -r topic; do
	"$tuibench" --help "$topic" >"$work/topic" || fail "--help $topic has status $?"
	long=$(LC_ALL=C.UTF-8 sed 's/[^ -~]/x/g' "$work/topic" | LC_ALL=C.UTF-8 awk 'length > 80') || true
	[ -z "$long" ] || fail "--help $topic has lines of more than 80 columns: $long"
done <"$work/topics"
"$tuibench" --help voluntary | tr -s ' \n' ' ' | grep -q 'sched_yield(2) counts as involuntary' ||
	fail "--help voluntary does not explain sched_yield(2)"
for near in volunary:voluntary trails:trials critcal:critical jsno:json mutx:mutex futx:futex \
	blocked_lok_ns:blocked_lock_ns involuntery:involuntary kernel_tabels_kb:kernel_tables_kb; do
	! "$tuibench" --help "${near%:*}" 2>"$work/errors" || fail "--help ${near%:*} is a topic"
	grep -q "did you mean \"${near#*:}\"" "$work/errors" ||
		fail "--help ${near%:*}: $(cat "$work/errors")"
done

# A suggested topic must exist.
while read -r topic; do
	near=$("$tuibench" --help "${topic}x" 2>&1 | sed -n 's/.*did you mean "\(.*\)"?$/\1/p')
	[ -z "$near" ] || "$tuibench" --help "$near" >/dev/null || fail "--help ${topic}x suggests $near"
done <"$work/titles"

# The leak sanitizer has seen --help by now. Turn it off for the next hundred starts, to save time.
export ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=0"

# tuibench accepts each setting of the file that --help config prints.
"$tuibench" --help config | sed -n 's/^#set\.\([^ ]*\) = /\1=/p' >"$work/settings"
[ "$(wc -l <"$work/settings")" -ge 30 ] || fail "found only these settings: $(cat "$work/settings")"
while read -r setting; do
	"$tuibench" -s "$setting" --help >/dev/null </dev/null || fail "-s $setting is not taken"
done <"$work/settings"

# The manual has exactly the settings of --help settings, each with a value.
"$tuibench" --help settings | sed -n '/^The kinds/q; s/^  \([a-zA-Z][a-zA-Z:.-]*\)  .*/\1/p' | sort >"$work/set"
sed -n '/^\.Sh SETTINGS/,/^\.Sh CONF/s/^\.It Cm \([^ ]*\) = Ar .*/\1/p' "$page" | sort |
	diff "$work/set" - || fail "--help settings (<) and $page (>) differ"

# tuibench accepts each option. With --help at the end, no option runs anything.
while read -r long letter argument default; do
	value=
	[ "$argument" = - ] || value=1
	case $long in
	set) value=alloc=0,400 ;;
	workers) value=cpu=1 ;;
	log-limit) value=1M ;;
	prune) value=30d ;;
	size) value=80x24 ;;
	order) value=fixed ;;
	completion) value=bash ;;
	captions) value=off ;;
	format | export) value=csv ;;
	theme) value=mono ;;
	interval) value=10 ;;
	view) value=results ;;
	select) value=w3 ;;
	replay | lecture | help) value= ;;
	esac
	"$tuibench" "--$long${value:+=$value}" --help >/dev/null </dev/null ||
		fail "--$long is in --help and is not taken"
	[ "$letter" = - ] || "$tuibench" "-$letter$value" --help >/dev/null </dev/null ||
		fail "-$letter is in --help and is not taken"
	# A default in words cannot be typed. Any other default must be accepted.
	case $argument,$default in
	-,* | *,- | *' '* | FILE,*) continue ;;
	LOG*) continue ;;
	esac
	"$tuibench" "--$long=$default" --help >/dev/null </dev/null ||
		fail "--$long does not take its default, $default"
done <"$work/manual"

# --lecture without a name lists the installed lectures, and at the end says how to show one.
"$tuibench" --lecture >"$work/lectures" || fail "--lecture does not list"
tail -n 1 "$work/lectures" | grep -q '^tuibench --lecture NAME shows one of them; they are files of /' ||
	fail "--lecture does not say how one is shown"
[ "$(wc -l <"$work/lectures")" -gt 3 ] || fail "--lecture names hardly any"

command -v mandoc >/dev/null || exit 0
# Other manual pages may not be installed here, and the system's index may be old.
mandoc -T lint "$page" 2>&1 | grep -v -e 'referenced manual not found' -e 'outdated mandoc.db' \
	>"$work/lint" || true
[ ! -s "$work/lint" ] || fail "$(cat "$work/lint")"

# Words on the screen that name a call or a time are topics, and so are the braces in a command.
for word in caller clone fork vfork posix_spawn fork+exec pthread_create cold pinned free "not counted" discarded \
	"create to join" lifetime stopped "every run" "pair by pair" "{n}" "{NAME}"; do
	"$tuibench" --help "$word" >"$work/word.txt" || fail "--help '$word' has no text"
done
grep -q "{NAME}" "$work/word.txt" || fail "--help '{NAME}' does not explain the braces"
"$tuibench" --help command | grep -q "{n}" || fail "--help command does not mention {n}"
