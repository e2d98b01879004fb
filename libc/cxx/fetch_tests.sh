#!/bin/sh
# fetch_tests.sh - libc++'s own tests of threads, atomics, shared pointers and exceptions,
# from the same source package.
# usage: fetch_tests.sh CACHE_DIR DEST_DIR
set -eu

tarball=llvm-toolchain-19_19.1.7.orig.tar.xz
kept=libcxx-tests-19.1.7.tar.gz
cache=$1
if [ ! -f "$cache/$kept" ]; then
    "$(dirname "$0")/../source.sh" "$cache" llvm-toolchain-19=1:19.1.7-3~deb12u1 $tarball \
        ae498f3bc58ae2d9f64ef5f0c035c4240152bf015a5b7738b15c22e93bdc97ce "164 MB"
    part=$(mktemp -d "$cache/tests.XXXXXX")
    trap 'rm -rf "$part"' EXIT
    top=llvm-toolchain-19_19.1.7/libcxx/test
    tar -xJf "$cache/$tarball" -C "$part" --strip-components=1 $top/support $top/std/thread \
        $top/std/atomics $top/std/utilities/memory/util.smartptr $top/std/language.support
    tar -czf "$part/$kept" -C "$part" libcxx
    mv "$part/$kept" "$cache/$kept"
fi
mkdir -p "$2"
tar -xzf "$cache/$kept" -C "$2"
