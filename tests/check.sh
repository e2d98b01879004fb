#!/bin/sh
# check.sh - runs everything that is tested and ends with one line that sums it up.
# usage: DIVM=build/divm DIVM_DEBUG=build/debug/divm tests/check.sh UNIT_TEST...
#
# Unit tests are CMocka programs, each lint script is one test, and tests/run.sh
# closes with a line "N passed, N failed" of its own.  It runs twice: a part of it first, with
# the command that has sanitizers (see make check-debug).
set -u

log=$(mktemp)
rules=$(mktemp)
trap 'rm -f "$log" "$rules"' EXIT
passed=0
failed=0

# count PATTERN: the number in the last line of the log that matches, or 0
count() {
    number=$(sed -n "s/.*$1.*/\1/p" "$log" | tail -n 1)
    echo "${number:-0}"
}

# add PASSED FAILED STATUS: a run that went wrong without saying so is one failure
add() {
    passed=$((passed + $1))
    failed=$((failed + $2))
    if [ "$3" != 0 ] && [ "$2" = 0 ]; then
        failed=$((failed + 1))
    fi
}

lint() {
    for script in tests/lint/*.sh; do
        if told=$("$script" 2>&1); then
            echo "$script: ok"
        else
            printf '%s\n%s: failed\n' "$told" "$script"
        fi
    done
}

# Most scripts and tests up to "wait" are one process each, so two are run at a time.
lint > "$rules" &

for test in "$@"; do
    "$test" > "$log" 2>&1
    status=$?
    ok=$(count '\[  PASSED  \] \([0-9]*\) test')
    bad=$(count '\[  FAILED  \] \([0-9]*\) test')
    if [ $status != 0 ]; then
        cat "$log"
    fi
    echo "$(basename "$test"): $ok passed, $bad failed"
    add "$ok" "$bad" $status
done

for command in "opcodes/run.sh --report build/opcodes.txt" "hostile/run.sh 60 1" "csmith/run.sh 6 1"; do
    # shellcheck disable=SC2086
    { tests/$command 2>&1; echo "status $?"; } > "$log"
    grep -v '^status' "$log" | sed "s|^|$command: |"
    add "$(count '\b\([0-9][0-9]*\) passed')" "$(count ' \([0-9][0-9]*\) failed')" \
        "$(count 'status \([0-9]*\)')"
done

wait
cat "$rules"
add "$(grep -c '^tests/lint/.*\.sh: ok$' "$rules")" "$(grep -c '^tests/lint/.*\.sh: failed$' "$rules")" 0

# run COMMAND...: one that closes with such a line
run() {
    { "$@" 2>&1; echo "status $?"; } | tee "$log"
    add "$(count '\b\([0-9][0-9]*\) passed')" "$(count ' \([0-9][0-9]*\) failed')" \
        "$(count 'status \([0-9]*\)')"
}

echo "with sanitizers:"
run env DIVM="$DIVM_DEBUG" DIVM_TEST_LIMIT=300 tests/run.sh --some 16 --pass bench --pass caches \
    --pass alike --pass verdicts tests/litmus/*.c
run env DIVM="$DIVM_DEBUG" python3 tests/fuzz/probability.py --programs=4 --repetitions=1
run env DIVM="$DIVM_DEBUG" DIVM_TEST_LIMIT=300 python3 tests/fuzz/infinite.py 1 1
run tests/run.sh

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
