#!/bin/sh
# install.sh - puts divm where users find it, or removes it from there.
# usage: install.sh COMMAND RUNTIME BUILD_FOLDER ROOT     (ROOT is $DESTDIR$PREFIX)
#        install.sh --remove ROOT
#
#   bin/                     divm, divm-cc, divm-c++
#   lib/divm/                the runtime: bitcode, and headers for what divm compiles
#   include/divm/divm.h      for compiling a test natively; share/pkgconfig/divm.pc names it
#   lib/cmake/divm/          for find_package(divm)
#   share/man, share/bash-completion, share/zsh     made from the command's tables
#   share/doc/divm/          README, docs, examples, licences
set -eu

remove() {
    rm -f "$1"/bin/divm "$1"/bin/divm-cc "$1"/bin/divm-c++ "$1"/share/man/man1/divm.1* \
        "$1"/share/man/man1/divm-*.1* "$1"/share/pkgconfig/divm.pc \
        "$1"/share/bash-completion/completions/divm "$1"/share/zsh/site-functions/_divm
    rm -rf "$1"/lib/divm "$1"/lib/cmake/divm "$1"/include/divm "$1"/share/doc/divm
}

if [ "$1" = --remove ]; then
    remove "$2"
    exit
fi

command=$1
runtime=$2
build=$3
root=$4
here=$(dirname "$0")
version=$(sed -n 's/.*CHECK_VERSION "\(.*\)"/\1/p' checker/search/check.h)

# put MODE FOLDER FILE...: a copy of each
put() {
    mode=$1
    folder=$root/$2
    shift 2
    install -d "$folder"
    install -m "$mode" "$@" "$folder"
}

# What the runtime takes of others, each with its own licence.
licences() {
    put 644 share/doc/divm/licences "$build/musl/COPYRIGHT"
    install -m 644 "$build/libcxx/libcxx/LICENSE.TXT" "$root/share/doc/divm/licences/libcxx"
    install -m 644 "$build/cmocka/COPYING" "$root/share/doc/divm/licences/cmocka"
    mv "$root/share/doc/divm/licences/COPYRIGHT" "$root/share/doc/divm/licences/musl"
    for package in googletest catch2 doctest-dev linux-libc-dev; do
        if [ -f "/usr/share/doc/$package/copyright" ]; then
            install -m 644 "/usr/share/doc/$package/copyright" "$root/share/doc/divm/licences/$package"
        fi
    done
}

remove "$root"
put 755 bin "$command"
if [ "$(basename "$command")" != divm ]; then
    mv "$root/bin/$(basename "$command")" "$root/bin/divm"
fi
strip "$root/bin/divm"
for name in cc c++; do
    ln -sf divm "$root/bin/divm-$name"
done

# Frameworks are copied, not linked to: the archives of the runtime go with these versions.
put 644 lib/divm "$runtime"/*.a "$runtime"/*.ld
cp -RL "$runtime/include" "$runtime/native" "$runtime/divm-frameworks" "$runtime/divm-packages" \
    "$root/lib/divm"
find "$root/lib/divm" -name .stamp -delete
chmod -R u=rwX,go=rX "$root/lib/divm"

put 644 include/divm libc/include/divm.h
install -d "$root/share/pkgconfig"
sed "s/@VERSION@/$version/" "$here/divm.pc.in" > "$root/share/pkgconfig/divm.pc"
install -d "$root/lib/cmake/divm"
cp "$here/divm-config.cmake" "$root/lib/cmake/divm"
sed "s/@VERSION@/$version/" "$here/divm-config-version.cmake.in" \
    > "$root/lib/cmake/divm/divm-config-version.cmake"

pages=$build/pages
python3 "$here/pages.py" "$pages"
put 644 share/man/man1 "$pages"/man1/*
install -D -m 644 "$pages/divm.bash" "$root/share/bash-completion/completions/divm"
put 644 share/zsh/site-functions "$pages/_divm"

put 644 share/doc/divm README.md LICENSE
sed -i 's|build/divm |divm |' "$root/share/doc/divm/README.md" # as it is called from here on
put 644 share/doc/divm/docs docs/*.md docs/report.schema.json
cp -R examples "$root/share/doc/divm"
licences
