#!/bin/sh
# SPDX-License-Identifier: MIT
# Holds: --help and the manual page name the same options with the same letters, arguments and
# defaults; each of them is taken, and its default typed is the same as not typed; the manual page
# is clean. Usage: test_help.sh TUIBENCH MANUAL-PAGE
set -eu
export TUIBENCH_CONFIG=none # not the options of who runs it
export TUIBENCH_REPEATS=0   # nor more trials, which a crowded machine would have

tuibench=$1
page=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_STATE_HOME="$work" # that --list looks into

fail() {
	echo "test_help: $*" >&2
	exit 1
}

# Both become lines of "LONG LETTER ARGUMENT DEFAULT", with - for none.
"$tuibench" --help >"$work/help.txt"
awk '
	function flush() {
		if (long == "")
			return
		default_ = "-"
		if (match(text, /\(default: [^)]*\)/))
			default_ = substr(text, RSTART + 10, RLENGTH - 11)
		print long, letter, argument, default_
		long = ""
	}
	/^  (-.,|   ) --/ {
		flush()
		letter = substr($0, 3, 1) == "-" ? substr($0, 4, 1) : "-"
		rest = substr($0, 9)
		n = split(rest, words, " ")
		long = words[1]
		optional = words[2] ~ /^\[[A-Z]+\]$/
		gsub(/[][]/, "", words[2])
		argument = optional || words[2] ~ /^[A-Z]+(=[A-Z]+)?$/ && rest ~ /^[a-z-]+ [A-Z]/ ? words[2] : "-"
		text = rest
		next
	}
	/^   / { sub(/^ +/, " "); text = text $0; next }
	{ flush() }
	END { flush() }
' "$work/help.txt" | sort >"$work/help"

awk '
	function flush() {
		if (long != "")
			print long, letter, argument, default_
		long = ""
	}
	/^\.Sh / { flush(); options = $2 == "OPTIONS" }
	!options { next }
	/^\.(El|Ss)/ { flush() }
	/^\.It Fl / {
		flush()
		letter = length($3) == 1 ? $3 : "-"
		argument = default_ = "-"
		for (i = 3; i <= NF; i++) {
			if ($i ~ /^-[a-z]/)
				long = substr($i, 2)
			if ($i == "Ar")
				argument = $(i + 1)
		}
	}
	/^Default: .*\.$/ { default_ = substr($0, 10, length($0) - 10) }
' "$page" | sort >"$work/manual"

[ "$(wc -l <"$work/help")" -ge 20 ] || fail "found only these options: $(cat "$work/help")"
diff "$work/help" "$work/manual" || fail "--help (<) and $page (>) differ"

# Followed by --help nothing runs, whatever it is.
while read -r long letter argument default; do
	value=
	[ "$argument" = - ] || value=1
	case $long in
	work-size) value=cpu=1 ;;
	size) value=80x24 ;;
	order) value=fixed ;;
	completion) value=bash ;;
	captions) value=off ;;
	format | export) value=csv ;;
	cache) value=cold ;;
	sched) value=own ;;
	sink) value='file' ;;
	place) value=pack ;;
	env) value=LC_ALL=C ;;
	mem-order) value=sequential ;;
	ballast-pages) value=huge ;;
	theme) value=mono ;;
	interval) value=10 ;;
	view) value=results ;;
	select) value=cpu2 ;;
	replay | lecture) value= ;;
	esac
	"$tuibench" "--$long${value:+=$value}" --help >/dev/null </dev/null ||
		fail "--$long is in --help and is not taken"
	[ "$letter" = - ] || "$tuibench" "-$letter$value" --help >/dev/null </dev/null ||
		fail "-$letter is in --help and is not taken"
	# A default in words cannot be typed; what can must be a right value.
	case $argument,$default in
	-,* | *,- | *' '* | FILE,*) continue ;;
	CPULIST,all) continue ;;
	LOG,*) continue ;;
	esac
	"$tuibench" "--$long=$default" --help >/dev/null </dev/null ||
		fail "--$long does not take its default, $default"
done <"$work/help"

# The lectures that come with it, and at the end how one is shown.
"$tuibench" --lecture >"$work/lectures" || fail "--lecture does not list"
tail -n 1 "$work/lectures" | grep -q '^tuibench --lecture NAME shows one of them; they are files of /' ||
	fail "--lecture does not say how one is shown"
[ "$(wc -l <"$work/lectures")" -gt 3 ] || fail "--lecture names hardly any"

command -v mandoc >/dev/null || exit 0
# The other page may not be installed here, and the system's index may be old.
mandoc -T lint "$page" 2>&1 | grep -v -e 'referenced manual not found' -e 'outdated mandoc.db' \
	>"$work/lint" || true
[ ! -s "$work/lint" ] || fail "$(cat "$work/lint")"
