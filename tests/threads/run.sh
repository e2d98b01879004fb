#!/bin/sh
# run.sh - searches by several workers, under the thread sanitizer: divm's own threads must have
# no data race, whatever the verdict is.
# usage: DIVM=build/threads/divm tests/threads/run.sh     (make THREADS=1 check-threads)
#
# Three workers, also where there are two processors, so that they take each other's states.
set -u
divm=${DIVM:-build/threads/divm}
log=$(mktemp)
spill=$(mktemp -d)
trap 'rm -rf "$log" "$spill"' EXIT
passed=0
failed=0

if ! nm "$divm" | grep -q __tsan_init; then
    echo "$divm: not built with the thread sanitizer (THREADS=1)"
    exit 2
fi

# search STATUS ARGUMENT...
search() {
    expected=$1
    shift
    "$divm" verify --no-trace-file -j 3 "$@" > "$log" 2>&1
    status=$?
    if [ $status = "$expected" ] && ! grep -q 'ThreadSanitizer' "$log"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: status $status, $expected expected: $*"
        grep -A 25 -m 2 'ThreadSanitizer' "$log"
    fi
}

bench=tests/bench
for how in "" --store=exact; do
    search 0 --search=bfs $how -DN=4 $bench/fib.c
    search 0 --search=bfs $how -DPRODUCERS=2 -DCONSUMERS=1 -DITEMS=2 $bench/msqueue.c
    search 0 --search=bfs $how -DITEMS=6 $bench/boundedbuffer.c
    search 0 --search=bfs $how -DSIZE=65536 -DSTEPS=6 $bench/scale_cells.c
done
search 0 --search=bfs --reduction=no-thread-symmetry -DN=4 -DSTEPS=6 $bench/counter.c
search 0 --search=bfs -DN=6 $bench/philosophers.c
search 0 --search=bfs -DTREE -DOBJECTS=1000 -DSTEPS=20 $bench/scale_heap.c
search 0 --search=bfs --spill="$spill" --max-memory=250M -DN=4 $bench/fib.c
search 0 --search=bfs tests/cxx/bounded_queue_two.cpp
search 10 -DN=3 -DSTEPS=3 -DBUG $bench/counter.c
search 5 --search=bfs --max-states=5000 -DN=4 $bench/fib.c
search 5 --search=bfs --max-time=3s -DN=6 $bench/fib.c
echo "$passed passed, $failed failed"
[ $failed = 0 ]
