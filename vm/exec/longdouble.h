/* longdouble.h - x86_fp80 and fp128, two registers each: the operations of the instruction
 * LONGDOUBLE, and how its operands stand in k.  Used by the loader and the machine. */
#ifndef VM_LONGDOUBLE_H
#define VM_LONGDOUBLE_H

#include <stdbool.h>
#include <stdint.h>

enum vm_longdouble_op {
    VM_L_ADD,
    VM_L_SUB,
    VM_L_MUL,
    VM_L_DIV,
    VM_L_REM,
    VM_L_FLOAT2, /* detail: enum vm_float2, or with an integer of w bits */
    VM_L_NEG,
    VM_L_FLOAT1, /* detail: enum vm_float1 */
    VM_L_FMA,
    VM_L_COMPARE,    /* detail: LLVM's predicate */
    VM_L_CLASS,      /* detail: mask of llvm.is.fpclass */
    VM_L_FROM_INT,   /* of w bits; detail: whether it is signed */
    VM_L_TO_INT,     /* detail: enum vm_longdouble_rounding */
    VM_L_FROM_FLOAT, /* of w bits */
    VM_L_TO_FLOAT,
    VM_L_CONVERT, /* to the other of the two formats */
};

enum vm_longdouble_rounding { /* bits of the detail */
                              VM_LONGDOUBLE_SIGNED = 1,
                              VM_LONGDOUBLE_SATURATED = 2,
                              VM_LONGDOUBLE_AWAY = 4, /* from zero */
                              VM_LONGDOUBLE_NEAREST =
                                  8, /* as the rounding mode says; otherwise towards zero */
};

struct vm_longdouble {
    enum vm_longdouble_op op;
    bool quad; /* fp128, otherwise x86_fp80 */
    unsigned detail;
    uint32_t na, nb, nc, nd; /* registers of R[a], R[b], R[low half of k], R[d] */
};

static inline uint64_t vm_longdouble_encode(enum vm_longdouble_op op, bool quad,
                                            unsigned detail, uint32_t c)
{
    return (uint64_t)op << 32 | (uint64_t)quad << 40 | (uint64_t)detail << 48 | c;
}

static inline struct vm_longdouble vm_longdouble_decode(uint64_t k, unsigned w)
{
    struct vm_longdouble x = {.op = (enum vm_longdouble_op)(k >> 32 & 255),
                              .quad = k >> 40 & 1,
                              .detail = (unsigned)(k >> 48)};
    bool narrow = x.op == VM_L_FROM_INT || x.op == VM_L_FROM_FLOAT,
         small = x.op == VM_L_TO_INT || x.op == VM_L_TO_FLOAT;
    x.na = narrow ? (w + 63) / 64 : 2;
    x.nb = x.op <= VM_L_REM || x.op == VM_L_FMA || x.op == VM_L_COMPARE ? 2 : 0;
    if (x.op == VM_L_FLOAT2)
        x.nb = w ? 1 : 2;
    x.nc = x.op == VM_L_FMA ? 2 : 0;
    x.nd = small ? (w + 63) / 64 : x.op == VM_L_COMPARE || x.op == VM_L_CLASS ? 1 : 2;
    return x;
}

#endif
