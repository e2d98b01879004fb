#!/bin/sh
# package.sh - a Debian package, or a tarball for other systems, in the build folder.
# usage: package.sh deb|tarball COMMAND RUNTIME BUILD_FOLDER
#
# Both hold the command of the build folder, which needs no shared library but the C library
# (glibc 2.36).  clang 19 compiles the tests, wherever it is installed from.
set -eu

kind=$1
build=$4
version=$(sed -n 's/.*CHECK_VERSION "\(.*\)"/\1/p' checker/search/check.h)
stage=$(mktemp -d "$build/package.XXXXXX")
trap 'rm -rf "$stage"' EXIT
trap 'exit 1' HUP INT TERM

# The package depends on the C library alone (control.in), and the tarball on nothing else.
needs_only_libc() {
    others=$(llvm-objdump-19 -p "$1" | awk '$1 == "NEEDED" { print $2 }' |
        grep -vxE 'lib[cm]\.so\.6|ld-linux-x86-64\.so\.2' || true)
    [ -z "$others" ] || { echo "package.sh: $1 needs" $others "at run time: link it statically" >&2; exit 1; }
}

as_tarball() {
    name=divm-$version-linux-x86_64
    checker/cli/install/install.sh "$@" "$stage/$name"
    tar --owner=0 --group=0 --numeric-owner --sort=name -czf "$build/$name.tar.gz" -C "$stage" "$name"
    echo "$build/$name.tar.gz"
}

# What Debian wants otherwise: small manuals, its own folder of completions, one file of licences.
as_debian_does() {
    find "$stage/usr/share/man" -type f -exec gzip -9n {} +
    mv "$stage/usr/share/zsh/site-functions" "$stage/usr/share/zsh/vendor-completions"
    doc=$stage/usr/share/doc/divm
    {
        printf 'divm is\n\n' && cat LICENSE
        for file in "$doc"/licences/*; do
            printf '\n\n==== of the runtime: %s ====\n\n' "$(basename "$file")" && cat "$file"
        done
    } > "$doc/copyright"
    rm -r "$doc/licences" "$doc/LICENSE"
}

as_package() {
    checker/cli/install/install.sh "$@" "$stage/usr"
    as_debian_does
    mkdir "$stage/DEBIAN"
    (cd "$stage" && find usr -type f -exec md5sum {} + | sort -k 2) > "$stage/DEBIAN/md5sums"
    size=$(du -sk "$stage/usr" | cut -f 1)
    sed -e "s/@VERSION@/$version/" -e "s/@SIZE@/$size/" checker/cli/install/control.in \
        > "$stage/DEBIAN/control"
    chmod 755 "$stage"
    file=$build/divm_${version}_amd64.deb
    dpkg-deb --root-owner-group -Zxz --build "$stage" "$file"
}

shift
needs_only_libc "$1"
if [ "$kind" = deb ]; then
    as_package "$@"
else
    as_tarball "$@"
fi
