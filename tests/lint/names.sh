#!/bin/sh
# struct vm_heap, not vm_heap_t: typedefs only for ids and function types.  Hypercalls
# and nothing else are __divm_*.  The libc port keeps the names of the standard.
set -u
cd "$(dirname "$0")/../.."
bad=0
if grep -rnE --include='*.[ch]' '^\s*typedef\s+(struct|union|enum)\b' vm store checker os
then
    echo "a typedef of a struct, union or enum: write its tag instead"
    bad=1
fi
for name in $(grep -rohE --include='*.[ch]' '\b__divm_\w+' vm os | sort -u); do
    if ! grep -q "\b$name(" vm/hypercall.h && ! grep -rqE "\b$name\b" vm/load; then
        grep -rnE --include='*.[ch]' "\b$name\b" vm os | head -n 3
        echo "$name is no hypercall"
        bad=1
    fi
done
[ $bad = 0 ] && echo ok
exit $bad
