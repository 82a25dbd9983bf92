#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks that an installation is complete in any folder, and that uninstalling removes all of it:
#
#     tests/install.sh [OPTION…]     options of meson setup; default: --libexecdir=lib
#
# Installs for /usr into a folder (DESTDIR), and into a prefix. Then moves that prefix, and uninstalls.
set -eu
cd "$(dirname "$0")/.."
export TUIBENCH_CONFIG=none # ignore the options of the user

[ $# -gt 0 ] || set -- --libexecdir=lib
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
	echo "install.sh: $*" >&2
	exit 1
}
quietly() {
	"$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "$*"; }
}
# build PREFIX OPTION…
build() {
	prefix=$1
	shift
	rm -rf "$work/build"
	quietly meson setup --prefix="$prefix" "$@" "$work/build"
	quietly meson compile -C "$work/build"
}
# found ROOT: checks that the program in ROOT uses the runner, the program of tasks, the example, the
# lectures and the translation in ROOT, and no others.
found() {
	from=$(realpath "$1")
	cd "$work"
	quietly strace -f -e trace=execve,openat -o "$work/trace" "$from/bin/tuibench" --batch --no-log \
		creation -w null=2 --trials 1 --warmup 0
	for name in tuibench-runner tuibench-hello; do
		grep -v ' = -1 ' trace | sed -n "s/.*execve(\"\([^\"]*$name\)\".*/\1/p" >paths
		[ -s paths ] || fail "$1: $name was never run"
		while read -r path; do
			case $(realpath "$path") in "$from"/*) ;; *) fail "$1: it ran $path" ;; esac
		done <paths
	done
	quietly strace -f -e trace=openat -o "$work/trace" "$from/bin/tuibench" --batch --no-log \
		own --trials 1 --warmup 0
	example=$(grep -v ' = -1 ' trace | sed -n 's/.*"\([^"]*tuibench-example[.]so\)".*/\1/p' | head -n 1)
	case $(realpath "$example") in "$from"/*) ;; *) fail "$1: it took the example ${example:-of none}" ;; esac
	[ -s "$from/share/tuibench/export.schema.json" ] || fail "$1: it has no schema"
	"$from/bin/tuibench" --lecture | grep -q "files of $from/" || fail "$1: it has other lectures"
	# gettext(3) does not translate in a C locale. So use C.UTF-8 under the name of a Chinese locale.
	if [ -d "$from/share/locale" ] && [ -d /usr/lib/locale/C.utf8 ]; then
		ln -sfn /usr/lib/locale/C.utf8 zh_CN.UTF-8
		LOCPATH=$work LC_ALL=zh_CN.UTF-8 "$from/bin/tuibench" --lecture | grep -q '^tour.*线程' ||
			fail "$1: it speaks no Chinese"
	fi
	cd - >/dev/null
}
# uninstalled ROOT
uninstalled() {
	quietly ninja -C "$work/build" uninstall
	[ -d "$1" ] || return 0
	left=$(find "$1" ! -type d)
	[ -z "$left" ] || fail "left in $1: $left"
}

build /usr "$@"
for name in lib libexec; do
	[ ! -e "/usr/$name/tuibench" ] || fail "/usr has a tuibench, which would be found instead"
done
DESTDIR=$work/root
export DESTDIR
quietly meson install -C "$work/build"
found "$work/root/usr"
uninstalled "$work/root"
unset DESTDIR
echo 'into a folder for /usr: whole'

build "$work/prefix" "$@"
quietly meson install -C "$work/build"
found "$work/prefix"
echo 'into a prefix: whole'
cp -a "$work/prefix" "$work/moved"
uninstalled "$work/prefix"
rm -rf "$work/build" "$work/prefix"
found "$work/moved"
echo 'moved: whole; uninstalled: nothing is left but folders'
