#!/bin/sh
# SPDX-License-Identifier: MIT
# Compiles the sources with other compilers, optimization levels and architectures than the build:
#
#     tests/builds.sh [PART…]     gcc-O0 gcc-O1 gcc-O2 gcc-O3 gcc-Og gcc-LTO clang 32-bit musl;
#                                 without PART, all that are possible here
#     tests/builds.sh gcc-LTO-tests   builds and runs the unit tests, too; takes minutes
#     tests/builds.sh reproducible    two builds in two folders must install the same bytes
#
# A warning is an error, except for texts that may be cut, because this warning depends on the level.
# gcc-LTO links the programs at -O3, where a warning of the linker is an error, too, and runs them.
# 32-bit needs gcc-i686-linux-gnu, and uses this machine's headers of libraries.
# musl needs musl-tools. It compiles all sources and links the runner, which needs only libc. $TUIBENCH
# runs this runner, or a tuibench that is built for it.
set -eu
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/project.h" <<'H'
#define TUIBENCH_VERSION    "builds"
#define TUIBENCH_LIBEXECDIR "/nowhere"
#define TUIBENCH_TO_LIBEXEC "/nowhere"
#define TUIBENCH_DATADIR    "/nowhere"
#define TUIBENCH_TO_DATA    "/nowhere"
H
flags="-std=gnu11 -D_GNU_SOURCE -include $work/project.h -Werror -Wall -Wextra -Wmissing-prototypes
	-Wstrict-prototypes -Wshadow -Wvla -Wformat=2 -Wno-unused-parameter
	-Wno-missing-field-initializers"
jobs=$(nproc)

# each COMPILER ARGUMENT…: compiles all sources, several at once
each() {
	# shellcheck disable=SC2086
	find src -name '*.c' -print0 | xargs -0 -n 1 -P "$jobs" "$@" $flags -Iinclude -Isrc -c -o /dev/null
}
# Collects the headers of libraries, without the headers of the C library, which are in the same folder.
library_headers() {
	mkdir -p "$work/include"
	for at in /usr/include "/usr/include/$(gcc -print-multiarch)"; do
		(cd "$at" && find . -name '*curses*.h' -o -name term.h -o -name unctrl.h -o -name csv.h \
			-o -name ini.h -o -name 'cmark*.h' -o -name 'jansson*.h' -o -name zstd.h -o -name zlib.h -o -name zconf.h \
			-o -path './uni[cglntw]*.h' -o -path './unistr*.h') |
			while read -r name; do
				mkdir -p "$work/include/$(dirname "$name")"
				[ -d "$at/$name" ] || ln -sf "$at/$name" "$work/include/$name"
			done
	done
}
with_musl() {
	sources=$(for room in runner work; do
		sed -n "s|^ *'\(.*[.]c\)',|src/$room/\1|p" "src/$room/meson.build"
	done)
	mkdir -p "$work/kernel"
	for name in linux asm-generic; do ln -s "/usr/include/$name" "$work/kernel/$name"; done
	ln -s "/usr/include/$(gcc -print-multiarch)/asm" "$work/kernel/asm"
	# shellcheck disable=SC2086
	musl-gcc -O1 $flags -idirafter "$work/kernel" -Iinclude -Isrc $sources src/runner/main.c -o "$work/runner-musl" -lpthread
	library_headers
	each musl-gcc -fsyntax-only -DNCURSES_WIDECHAR=1 -Wno-format-truncation -isystem "$work/include" -idirafter "$work/kernel"
	mkdir "$work/bin"
	cp "$work/runner-musl" "$work/bin/tuibench-runner"
	if [ -z "${TUIBENCH-}" ]; then
		TUIBENCH=$work/front/tuibench
		{ meson setup "$work/front" && meson compile -C "$work/front" tuibench; } >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
	fi
	cp "$TUIBENCH" "$work/bin/tuibench"
	TUIBENCH_CONFIG=none "$work/bin/tuibench" --batch --no-log -m hybrid:2x2 -w cpu=4 -s cpu.size=1000 --trials 1 --warmup 0 >/dev/null
	# musl has no makecontext(3). A front end with glibc does not know that, so the runner must refuse.
	if TUIBENCH_CONFIG=none "$work/bin/tuibench" switch -s via=ucontext --batch --no-log --trials 1 >"$work/log" 2>&1; then
		echo "builds.sh: fibers with musl" >&2; exit 1
	fi
	grep -q 'not implemented' "$work/log" || { cat "$work/log" >&2; exit 1; }
}
programs_with_lto() {
	{
		meson setup -Db_lto=true -Doptimization=3 -Dwerror=true -Dc_link_args=-Werror "$work/lto" &&
			meson compile -C "$work/lto" &&
			TUIBENCH_CONFIG=none "$work/lto/tuibench" --batch --no-log -w null=1 --trials 1 --warmup 0
	} >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
}
# unit_tests OPTION…: builds the unit tests with these options of meson, and runs them
unit_tests() {
	{
		meson setup -Dtests=true -Dwerror=true -Dc_link_args=-Werror "$@" "$work/$part" &&
			meson test -C "$work/$part" --suite unit --num-processes 2
	} >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
	sed -n 's/^Ok: */unit tests passed: /p' "$work/log"
}
installs_the_same() {
	for at in one another/folder; do
		{
			mkdir -p "$work/$at" && cp -R completions include man meson* packaging po src "$work/$at" &&
				meson setup --buildtype=plain --prefix=/usr "$work/$at/of ${at%/*}" "$work/$at" &&
				DESTDIR="$work/root-${at%/*}" meson install -C "$work/$at/of ${at%/*}"
		} >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
	done
	diff -r "$work/root-one" "$work/root-another"
}
# compiler PART: prints the compiler that PART needs
compiler() {
	case $1 in
	gcc-O[0123gs] | gcc-LTO | gcc-LTO-tests | reproducible) echo gcc ;;
	clang) echo clang ;;
	32-bit) echo i686-linux-gnu-gcc ;;
	musl) echo musl-gcc ;;
	*) echo "builds.sh: \"$1\" is no part" >&2; exit 2 ;;
	esac
}
compile() {
	case $1 in
	gcc-LTO) programs_with_lto ;;
	gcc-LTO-tests) unit_tests -Db_lto=true -Doptimization=3 ;;
	reproducible) installs_the_same ;;
	gcc*) each gcc "-${1#gcc-}" -Wno-format-truncation ;;
	clang) each clang -O0 -Wpedantic -Wno-gnu -Wno-variadic-macros ;;
	32-bit)
		library_headers
		each i686-linux-gnu-gcc -fsyntax-only -D_FILE_OFFSET_BITS=64 -Wno-psabi -Wno-format-truncation -isystem "$work/include"
		;;
	musl) with_musl ;;
	esac
}

[ $# -gt 0 ] || set -- gcc-O0 gcc-O1 gcc-O2 gcc-O3 gcc-Og gcc-LTO clang 32-bit musl
for part; do
	with=$(compiler "$part")
	if command -v "$with" >/dev/null; then
		compile "$part"
		echo "$part: compiles"
	else
		echo "$part: skipped, there is no $with"
	fi
done
