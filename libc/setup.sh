#!/bin/sh
# setup.sh - installs the Debian packages that building and testing need, if any
# is missing.  A second run needs neither network nor root.
# usage: setup.sh [PACKAGE...]      these as well
set -eu

packages="ca-certificates catch2 clang-19 clang-format-19 clang-tidy-19 cmake csmith doctest-dev
git googletest libbsd-dev libgsl-dev libclang-rt-19-dev libcmocka-dev libcsmith-dev libjansson-dev
libjemalloc-dev libmd-dev libxml2-utils libxxhash-dev libyaml-dev libzstd-dev linux-libc-dev llvm-19
llvm-19-dev make meson python3 python3-jsonschema python3-yaml xz-utils zlib1g-dev"

missing=
for package in $packages "$@"; do
    case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) in
    'install ok installed') ;;
    *) missing="$missing $package" ;;
    esac
done
[ "$missing" ] || exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
    as_root=sudo
fi
echo "setup: installing$missing"
start=$(date +%s)
log=$(mktemp)
install() {
    $as_root apt-get update -q &&
        # shellcheck disable=SC2086
        $as_root env DEBIAN_FRONTEND=noninteractive \
            apt-get install -q -y --no-install-recommends $missing
}
if ! install > "$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
rm -f "$log"
echo "setup: installed in $(($(date +%s) - start)) s"
