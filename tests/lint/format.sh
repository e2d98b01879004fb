#!/bin/sh
# The layout of .clang-format; "format.sh --fix [FILE...]" rewrites the files.
# tests/bench stays as its programs were published.
set -u
cd "$(dirname "$0")/../.."
mode="--dry-run -Werror"
if [ "${1:-}" = --fix ]; then
    mode="-i"
    shift
fi
if [ $# = 0 ]; then
    # shellcheck disable=SC2046
    set -- $(find vm store checker os libpthread libc examples tests \
        -path tests/bench -prune -o -name '*.[ch]' -print | sort)
fi
printf '%s\0' "$@" | xargs -0 -n 8 -P "$(nproc)" clang-format-19 --style=file $mode || exit 1
echo ok
