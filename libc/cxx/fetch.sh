#!/bin/sh
# fetch.sh - the sources of libc++ and libc++abi, from Debian's source package, with what
# patch.sh changes in them.
# usage: fetch.sh CACHE_DIR DEST_DIR
#
# The tarball has all of LLVM and takes long to unpack: what is needed of it is
# kept in the cache as a tarball of its own.
set -eu

tarball=llvm-toolchain-19_19.1.7.orig.tar.xz
kept=libcxx-19.1.7.tar.gz
cache=$1
if [ ! -f "$cache/$kept" ]; then
    "$(dirname "$0")/../source.sh" "$cache" llvm-toolchain-19=1:19.1.7-3~deb12u1 $tarball \
        ae498f3bc58ae2d9f64ef5f0c035c4240152bf015a5b7738b15c22e93bdc97ce "164 MB"
    echo "unpacking libc++ from it, which takes a minute"
    part=$(mktemp -d "$cache/libcxx.XXXXXX")
    trap 'rm -rf "$part"' EXIT
    top=llvm-toolchain-19_19.1.7
    tar -xJf "$cache/$tarball" -C "$part" --strip-components=1 $top/libcxx/src \
        $top/libcxx/include $top/libcxxabi/src $top/libcxxabi/include $top/libcxx/LICENSE.TXT
    tar -czf "$part/$kept" -C "$part" libcxx libcxxabi
    mv "$part/$kept" "$cache/$kept"
fi
mkdir -p "$2"
tar -xzf "$cache/$kept" -C "$2"
"$(dirname "$0")/patch.sh" "$2"
