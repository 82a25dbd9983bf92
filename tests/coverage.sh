#!/bin/sh
# SPDX-License-Identifier: MIT
# How much of src the tests run, by room, in percent of the lines (gcc and gcovr):
#
#     tests/coverage.sh BUILD [NAME…]     the tests NAME, all where none is named
#
# BUILD is made where it is not there, and what it counted before is forgotten. Nothing may be edited
# meanwhile. What a process runs that is killed is not counted. The files below 90 % are listed; less
# than that over all of src fails, as does a test.
set -eu
cd "$(dirname "$0")/.."

build=${1:?which folder to build in}
shift
[ -d "$build" ] || meson setup -Dtests=true -Db_coverage=true -Doptimization=0 "$build"
ninja -C "$build"
find "$build" -name '*.gcda' -delete
status=0
meson test -C "$build" --no-rebuild --num-processes 3 --timeout-multiplier 3 "$@" || status=$?
gcovr --root . --filter 'src/' --gcov-ignore-parse-errors --csv "$build/coverage.csv" "$build"

awk -F , '
NR == 1 { next }
{
	split($1, path, "/")
	lines[path[2]] += $2; run[path[2]] += $3
	if ($3 < 0.9 * $2) low[++n] = sprintf("  %5.1f %%  %4d not of %4d  %s", 100 * $3 / $2, $2 - $3, $2, $1)
	all += $2; ran += $3
}
END {
	for (room in lines)
		printf "%-12s %6d of %6d lines, %5.1f %%\n", room, run[room], lines[room], 100 * run[room] / lines[room] | "sort"
	close("sort")
	print "Below 90 %:"
	for (i = 1; i <= n; i++) print low[i]
	printf "src          %6d of %6d lines, %5.1f %%\n", ran, all, 100 * ran / all
	exit !(all > 0 && ran >= 0.9 * all)
}' "$build/coverage.csv" || status=1
exit "$status"
