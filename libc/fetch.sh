#!/bin/sh
# fetch.sh - musl's sources, from Debian's source package.
# usage: fetch.sh CACHE_DIR DEST_DIR
#
# Downloads the pinned tarball into the cache, unless it is there, checks it and
# unpacks it.  Source packages are listed in a folder of our own, derived from the
# machine's entries: the user's apt stays as it is.  Needs no network and no root
# if the tarball is in the cache.
set -eu

version=1.2.3-1
tarball=musl_1.2.3.orig.tar.gz
sha256=7d5b0b6062521e4627e099e4c9dc8248d32a30285e959b7eecaa780cf8cfd4a4

mkdir -p "$1" "$2"
cache=$(cd "$1" && pwd)
dest=$(cd "$2" && pwd)

verify() {
    printf '%s  %s\n' "$sha256" "$cache/$tarball" | sha256sum --check --status
}

# The machine's entries for binary packages, as entries for sources.
derive_sources() {
    for file in /etc/apt/sources.list.d/*.sources; do
        if [ -f "$file" ]; then
            sed 's/^Types:.*/Types: deb-src/' "$file" > "$1/$(basename "$file")"
        fi
    done
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
        sed -n 's/^deb /deb-src /p' > "$1/classic.list" || true
}

download() {
    apt=$dest/apt
    mkdir -p "$apt/sources" "$apt/lists/partial"
    derive_sources "$apt/sources"
    set -- -q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$apt/sources" \
        -o Dir::State::Lists="$apt/lists" -o APT::Sandbox::User=root
    apt-get "$@" update
    (cd "$apt" && apt-get "$@" source --download-only --tar-only "musl=$version")
    mv "$apt/$tarball" "$cache/$tarball"
    rm -rf "$apt"
}

if ! verify 2>/dev/null; then
    download >&2
fi
if ! verify; then
    echo "fetch.sh: $cache/$tarball does not have the SHA-256 $sha256" >&2
    exit 1
fi
tar -xzf "$cache/$tarball" -C "$dest" --strip-components=1

# The floating-point environment is fixed; what these pragmas ask for would only
# hide the arithmetic behind constrained intrinsics.
cd "$dest/src"
grep -rl 'STDC FENV_ACCESS' math | xargs sed -i '/STDC FENV_ACCESS/d'

# Headers that ours in libc/internal replace: those beside an including file would
# be found first.
rm -f internal/lock.h internal/pthread_impl.h stdio/getc.h stdio/putc.h
