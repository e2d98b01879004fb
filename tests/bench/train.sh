#!/bin/sh
# train.sh - runs an instrumented command on a few programs of each kind, so that the compiler
# knows what is executed often.
# usage: tests/bench/train.sh DIVM PROFILE, both as seen from the project's folder
#
# The counts of two workers differ from run to run; so what comes of it does, a little.
set -eu

cd "$(dirname "$0")/../.."
divm=$1
profile=$2
raw=$(dirname "$profile")/raw
rm -rf "$raw"
export LLVM_PROFILE_FILE="$raw/%p.profraw"
export DIVM_CACHE_DIR="$raw/cache"
unset DIVM_OPTIONS

verify() {
    "$divm" verify --quiet --no-trace-file "$@" > /dev/null
}

verify -j 1 --reduction=no-twins -DN=4 -DSTEPS=14 tests/bench/counter.c
verify -j 2 --reduction=no-twins -DN=4 -DSTEPS=12 tests/bench/counter.c
verify -j 1 -DROUNDS=60 tests/bench/peterson.c
verify -j 1 --search=bfs -DN=7 tests/bench/philosophers.c
verify -j 1 -DN=5 tests/bench/fib.c
verify -j 2 -DN=4 tests/bench/fib.c
verify -j 1 --store=exact -DN=4 tests/bench/fib.c
verify -j 1 -DPRODUCERS=2 -DCONSUMERS=1 -DITEMS=3 tests/bench/msqueue.c
verify -j 1 -DITEMS=10 tests/bench/boundedbuffer.c
verify -j 1 --search=dpor -DN=11 tests/bench/lastzero.c
verify -j 1 tests/cxx/bounded_queue_two.cpp
verify -j 1 tests/processes/threads.c
"$divm" run -DROUNDS=20 tests/kernels/matrix.c > /dev/null

llvm-profdata-19 merge -o "$profile" "$raw"/*.profraw
rm -rf "$raw"
