#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures which part of the lines of src the tests run, by room, in percent (with gcc and gcovr):
#
#     tests/coverage.sh BUILD [NAME…]     runs the tests NAME, or all tests
#
# Creates BUILD if necessary, and resets its counts. Do not edit the sources meanwhile. Lines that a
# killed process has run are not counted. Lists the files below 90 %. Fails if a test fails, or if src
# as a whole is below 90 %.
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
