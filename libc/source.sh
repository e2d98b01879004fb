#!/bin/sh
# source.sh - one source tarball of Debian's, in the cache.
# usage: source.sh CACHE_DIR PACKAGE=VERSION TARBALL SHA256 SIZE    (SIZE is told)
#
# Downloads the pinned tarball, unless it is there, and checks it.  Source packages
# are listed in a folder of our own, derived from the machine's entries: the user's
# apt stays as it is.  A machine that has another distribution, or another version of the
# package, gets it from Debian's archive.  Needs no network and no root if the tarball is in
# the cache.
set -eu

mkdir -p "$1"
cache=$(cd "$1" && pwd)
package=$2
tarball=$3
sha256=$4
size=$5

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

from_sources() {
    apt=$(mktemp -d "$cache/apt.XXXXXX")
    trap 'rm -rf "$apt"' EXIT
    mkdir -p "$apt/sources" "$apt/lists/partial"
    derive_sources "$apt/sources"
    set -- -q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$apt/sources" \
        -o Dir::State::Lists="$apt/lists" -o Dir::Cache="$apt" -o APT::Sandbox::User=root
    apt-get "$@" update || return 1
    # a mirror may lack another tarball of the same package
    (cd "$apt" && apt-get "$@" source --download-only --tar-only "$package") ||
        [ -f "$apt/$tarball" ] || return 1
    mv "$apt/$tarball" "$cache/$tarball"
}

from_archive() {
    name=${package%%=*}
    case $name in
    lib*) folder=$(printf %.4s "$name") ;;
    *) folder=$(printf %.1s "$name") ;;
    esac
    /usr/lib/apt/apt-helper -o APT::Sandbox::User=root download-file \
        "http://deb.debian.org/debian/pool/main/$folder/$name/$tarball" "$cache/$tarball" \
        "SHA256:$sha256"
}

download() {
    . /etc/os-release
    if [ "$ID" = debian ] && from_sources; then
        return
    fi
    from_archive
}

if ! verify 2>/dev/null; then
    echo "downloading $tarball ($size) from Debian's source packages"
    start=$(date +%s)
    log=$(mktemp)
    if ! download > "$log" 2>&1; then
        cat "$log" >&2
        exit 1
    fi
    rm -f "$log"
    echo "downloaded $tarball in $(($(date +%s) - start)) s"
fi
if ! verify; then
    echo "source.sh: $cache/$tarball does not have the SHA-256 $sha256" >&2
    exit 1
fi
