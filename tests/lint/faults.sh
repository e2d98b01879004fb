#!/bin/sh
# faults.sh - each kind of fault in vm/fault.def that something raises is expected by a
# test, with its text.
cd "$(dirname "$0")/../.." || exit 1
status=0
sed -n 's/^VM_FAULT(\([A-Z_]*\), [A-Z]*, "\(.*\)")$/\1 \2/p' vm/fault.def | {
    while read -r kind text; do
        [ "$kind" = NONE ] && continue
        grep -rqw "VM_FAULT_$kind" --include='*.c' vm os libc libpthread || continue
        grep -rqF "$text" --include='*.c' --include='*.cpp' tests ||
            { echo "vm/fault.def: $kind (\"$text\") is in no test" && status=1; }
    done
    exit $status
}
