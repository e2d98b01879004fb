#!/bin/sh
# posix.sh - the table of docs/POSIX.md is what headers, archives and tests say, and each
# function that works is called by some test.  Needs the runtime, which make builds.
cd "$(dirname "$0")/../.." || exit 1
if [ ! -f build/runtime/libc.a ]; then
    echo "no runtime: not checked"
    exit 0
fi
exec python3 tests/posix/table.py --check
