/* touched.h - what a transition has touched, as vm_accesses (vm.h) lists them. */
#ifndef VM_TOUCHED_H
#define VM_TOUCHED_H

#include <stdbool.h>
#include <stdint.h>

enum vm_access_kind {
    VM_ACCESS_PLAIN,  /* of the program: races with any other but KERNEL */
    VM_ACCESS_ATOMIC, /* of the program: a visible action */
    VM_ACCESS_KERNEL, /* of the guest's kernel */
    VM_ACCESS_FIXED,  /* a read of the kernel that can only come after the write */
    VM_ACCESS_ENDED,  /* none: all that the thread with this address did has come before */
    VM_ACCESS_NEXT,   /* none: an action follows that needs no turn of its own any more */
    VM_ACCESS_CHECK,  /* none, but the place of a kernel call, which races with PLAIN ones */
    VM_ACCESS_FENCE,  /* none: a fence of the program, with the orders that it has */
};

/* How an access writes, if that depends on what is there: searches take an exchange for the
 * same value, or a compare-exchange that fails, for a read.  PERHAPS: it may write if it finds
 * another store. */
enum vm_access_if {
    VM_ACCESS_ALWAYS,
    VM_ACCESS_IF_EQUAL,
    VM_ACCESS_UNLESS_EQUAL,
    VM_ACCESS_PERHAPS,
};

/* The orders of atomic reads and of fences, as far as others can tell: bits. */
enum { VM_ACCESS_ACQUIRES = 1, VM_ACCESS_RELEASES = 2, VM_ACCESS_SEQ_CST = 4 };
/* More bits: the access read an older store than the last, or stored before it; is volatile;
 * is a write, but leaves the value as it was. */
enum { VM_ACCESS_OLD = 8, VM_ACCESS_VOLATILE = 16, VM_ACCESS_SAME = 32 };

struct vm_access {
    uint64_t addr;
    uint64_t old;     /* of a write of up to 8 bytes: their value before */
    uint64_t operand; /* equal to this; of a plain write, its place, not named */
    uint64_t found;   /* a hash of what it has read, of up to 16 bytes: its value, what of it is
                         undefined, pointers named; 0 if that is not known */
    uint32_t size;
    enum vm_access_kind kind : 8;
    enum vm_access_if writes_if : 8;
    uint8_t orders;
    bool write; /* and perhaps a read */
    bool has_old;
};

#endif
