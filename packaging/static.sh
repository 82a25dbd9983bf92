#!/bin/sh
# SPDX-License-Identifier: MIT
# The whole program without libraries, for those who may install nothing: unpacked, it runs.
#
#     packaging/static.sh [FOLDER]
#
# makes tuibench-VERSION-MACHINE.tar.gz in FOLDER (static), from the sources that Debian has of each library,
# whose signatures apt checks, and starts it where there is nothing else. Wants Debian with musl-tools,
# linux-libc-dev, cmake, dpkg-dev, meson, ncurses-bin, libncurses-dev's terminals and the network; libraries that
# FOLDER has from an earlier time are taken as they are.
#
# It speaks English alone. The experiment "own" is
# refused: a static program loads no shared object. Six terminals are in the program, others are read from
# the machine's terminfo.
# libcsv and libunistring are LGPL: who passes the tarball on passes on FOLDER/source, too.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "${1:-static}"
cd "${1:-static}"
work=$PWD root=$PWD/root
export CC=musl-gcc CFLAGS=-O2

quietly() {
	"$@" >"$work/log" 2>&1 || { tail -n 30 "$work/log" >&2; echo "static.sh: failed: $*" >&2; exit 1; }
}
# sources LIBRARY…: into source/, of the Debian that this machine has. Its own lists of packages stay.
sources() {
	mkdir -p apt/lists/partial apt/cache/archives/partial source
	# shellcheck disable=SC1091
	echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
		"http://deb.debian.org/debian $(. /etc/os-release && echo "$VERSION_CODENAME") main" >apt/sources.list
	set -- -o "Dir::Etc::sourcelist=$work/apt/sources.list" -o Dir::Etc::sourceparts=- \
		-o "Dir::State::lists=$work/apt/lists" -o "Dir::Cache=$work/apt/cache" -o Debug::NoLocking=1 -- "$@"
	options=
	while [ "$1" != -- ]; do options="$options $1"; shift; done
	shift
	# shellcheck disable=SC2086
	(quietly apt-get $options update && cd source && quietly apt-get $options source "$@")
}
# library NAME COMMAND…: built by COMMAND and make in a folder of its own, and into root/
library() {
	[ ! -e "$root/share/doc/tuibench/$1" ] || return 0
	name=$1
	shift
	rm -rf "build/$name" && mkdir -p "build/$name"
	(cd "build/$name" && quietly "$@" && quietly make -j"$(nproc)" && quietly make install)
	install -D -m 644 source/"$name"-*/debian/copyright "$root/share/doc/tuibench/$name"
	echo "$name: built"
}
with_cmake() {
	from=$(echo "$work/source/$1"-*/)
	shift
	cmake "$from" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$root" -DCMAKE_INSTALL_LIBDIR=lib "$@"
}
# Their build files are elsewhere than others'.
with_zstd() {
	cmake "$(echo "$work"/source/libzstd-*/)build/cmake" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$root" \
		-DCMAKE_INSTALL_LIBDIR=lib -DZSTD_BUILD_SHARED=OFF -DZSTD_BUILD_PROGRAMS=OFF -DZSTD_BUILD_TESTS=OFF
}
with_zlib() {
	cp -r "$work"/source/zlib-*/. . && ./configure --static --prefix="$root"
}
with_configure() {
	from=$(echo "$work/source/$1"-*/)
	shift
	"$from/configure" --prefix="$root" "$@"
}

[ -d source ] || sources ncurses libcsv jansson cmark libunistring libzstd zlib
# The kernel's headers, which musl has none of.
mkdir -p "$root/include"
for name in linux asm-generic; do ln -sfn "/usr/include/$name" "$root/include/$name"; done
ln -sfn "/usr/include/$(gcc -print-multiarch)/asm" "$root/include/asm"
library jansson with_cmake jansson -DJANSSON_BUILD_DOCS=OFF -DJANSSON_WITHOUT_TESTS=ON -DJANSSON_EXAMPLES=OFF
library cmark with_cmake cmark -DCMARK_SHARED=OFF -DCMARK_TESTS=OFF
library libzstd with_zstd
library zlib with_zlib
library libcsv with_configure libcsv --disable-shared
library libunistring with_configure libunistring --disable-shared
library ncurses with_configure ncurses --enable-widec --without-shared --without-debug --without-cxx-binding \
	--without-ada --without-manpages --without-progs --without-tests --enable-pc-files \
	--with-pkg-config-libdir="$root/lib/pkgconfig" --with-default-terminfo-dir=/usr/share/terminfo \
	--with-terminfo-dirs=/etc/terminfo:/lib/terminfo:/usr/share/terminfo \
	--with-fallbacks=xterm-256color,xterm,screen-256color,tmux-256color,linux,vt100

version=$(sed -n "s/^  version: '\(.*\)',/\1/p" "$top/meson.build")
name=tuibench-$version-$(uname -m)
rm -rf program "$name"
LIBRARY_PATH=$root/lib PKG_CONFIG_LIBDIR=$root/lib/pkgconfig quietly meson setup program "$top" \
	--prefix="/$name" --libexecdir=libexec --buildtype=release --strip -Dnls=disabled \
	"-Dc_args=-I$root/include -I$root/include/ncursesw" "-Dc_link_args=-static -L$root/lib"
quietly meson compile -C program
DESTDIR=$work quietly meson install -C program
# What only "own" needs.
(cd "$name" && rm -rf include lib libexec/tuibench/tuibench-example.so)
cp -r "$root/share/doc" "$name/share/"
cp "$top/LICENSE" "$name/share/doc/tuibench/"
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git -C "$top" log -1 --format=%ct)" \
	-cf - "$name" | gzip -9n >"$name.tar.gz"

# Started in a root that has the kernel's folders and nothing else, with a terminal that it has inside.
rm -rf bare && mkdir -p bare/proc bare/sys bare/dev bare/tmp
tar -xf "$name.tar.gz" -C bare
# shellcheck disable=SC2016
quietly unshare --map-root-user --mount sh -c 'for at in proc sys dev; do mount --rbind "/$at" "bare/$at"; done
	HOME=/tmp TERM=xterm-256color LANG=C.UTF-8 chroot bare "/$0/bin/tuibench" --batch --quick --no-log' "$name"
grep -m 1 '^\[' log
ls -l "$work/$name.tar.gz"
