#!/bin/sh
# clang-tidy with the checks of .clang-tidy over the host code.  What was found clean
# is remembered in build/tidy until the file or a header changes.
set -u
cd "$(dirname "$0")/../.."
mkdir -p build/tidy
cat > build/tidy/one.sh <<'EOF'
source=$1
stamp=build/tidy/$(echo "$source" | tr / .)
headers=$(cat .clang-tidy $(find vm store checker -name '*.h' -o -name '*.def' | sort) "$source" | cksum)
[ "$(cat "$stamp" 2> /dev/null)" = "$headers" ] && exit 0
clang-tidy-19 --quiet "$source" -- -std=c17 -D_GNU_SOURCE -I. -DLIBBSD_OVERLAY \
    -isystem /usr/include/bsd -isystem /usr/lib/llvm-19/include 2> "$stamp.log" ||
    { cat "$stamp.log"; exit 1; }
echo "$headers" > "$stamp"
EOF
find vm store checker -name '*.c' -print0 | xargs -0 -n 1 -P "$(nproc)" sh build/tidy/one.sh || exit 1
echo ok
