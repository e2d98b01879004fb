#!/bin/sh
# struct vm_heap, not vm_heap_t: typedefs only for ids and function types.  Hypercalls
# and nothing else are __divm_*.  The libc port keeps the names of the standard.
set -u
cd "$(dirname "$0")/../.."
bad=0
if grep -nE '^\s*typedef\s+(struct|union|enum)\b' vm/*.[ch] store/*.[ch] checker/*.[ch] os/*.[ch]
then
    echo "a typedef of a struct, union or enum: write its tag instead"
    bad=1
fi
for name in $(grep -ohE '\b__divm_\w+' vm/*.[ch] os/*.[ch] | sort -u); do
    if ! grep -q "\b$name(" vm/hypercall.h && ! grep -rqE "\b$name\b" vm/load*.c; then
        grep -nE "\b$name\b" vm/*.[ch] os/*.[ch] | head -n 3
        echo "$name is no hypercall"
        bad=1
    fi
done
[ $bad = 0 ] && echo ok
exit $bad
