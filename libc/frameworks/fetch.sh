#!/bin/sh
# fetch.sh - CMocka's source and header, from Debian's source package.
# usage: fetch.sh CACHE_DIR DEST_DIR
set -eu

tarball=cmocka_1.1.5.orig.tar.xz
"$(dirname "$0")/../source.sh" "$1" cmocka=1.1.5-2.1 $tarball \
    f0ccd8242d55e2fd74b16ba518359151f6f8383ff8aef4976e48393f77bba8b6 "81 KB"
mkdir -p "$2"
tar -xJf "$1/$tarball" -C "$2" --strip-components=1
