/* apint.h - integers of more than 64 bits: the operations of the instruction
 * APINT, and how its operands stand in k.
 *
 * A value takes (width + 63) / 64 registers, the low word first; bits above the
 * width are 0 and defined.  Used by the loader and the machine. */
#ifndef VM_APINT_H
#define VM_APINT_H

#include <stdint.h>

enum { VM_APINT_BITS = 4095, VM_APINT_WORDS = 64 };

enum vm_apint_op {
    /* binary, as the narrow instructions */
    VM_W_ADD,
    VM_W_SUB,
    VM_W_MUL,
    VM_W_UDIV,
    VM_W_SDIV,
    VM_W_UREM,
    VM_W_SREM,
    VM_W_SHL,
    VM_W_LSHR,
    VM_W_ASHR,
    VM_W_AND,
    VM_W_OR,
    VM_W_XOR,
    VM_W_SMIN,
    VM_W_SMAX,
    VM_W_UMIN,
    VM_W_UMAX,
    VM_W_SADD_SAT,
    VM_W_UADD_SAT,
    VM_W_SSUB_SAT,
    VM_W_USUB_SAT,
    VM_W_SSHL_SAT,
    VM_W_USHL_SAT,
    /* compares, in the order of LLVM's predicates */
    VM_W_EQ,
    VM_W_NE,
    VM_W_UGT,
    VM_W_UGE,
    VM_W_ULT,
    VM_W_ULE,
    VM_W_SGT,
    VM_W_SGE,
    VM_W_SLT,
    VM_W_SLE,
    VM_W_SCMP,
    VM_W_UCMP,
    /* with overflow: one more register */
    VM_W_SADD_O,
    VM_W_UADD_O,
    VM_W_SSUB_O,
    VM_W_USUB_O,
    VM_W_SMUL_O,
    VM_W_UMUL_O,
    /* unary */
    VM_W_ABS,
    VM_W_CTPOP,
    VM_W_CTLZ,
    VM_W_CTTZ,
    VM_W_BSWAP,
    VM_W_BITREVERSE,
    /* conversions from `from` to `to` bits; ZEXT is also truncation */
    VM_W_ZEXT,
    VM_W_SEXT,
    VM_W_FROM_FLOAT_S,
    VM_W_FROM_FLOAT_U,
    VM_W_TO_FLOAT_S,
    VM_W_TO_FLOAT_U,
    /* three operands */
    VM_W_FSHL,
    VM_W_FSHR,
};

struct vm_apint {
    enum vm_apint_op op;
    unsigned from, to;       /* bits of the operands, of the result */
    uint32_t na, nb, nc, nd; /* registers of R[a], R[b], R[low half of k], R[d] */
};

static inline uint32_t vm_apint_words(unsigned bits)
{
    return (bits + 63) / 64;
}

static inline uint64_t vm_apint_encode(enum vm_apint_op op, unsigned from, unsigned to,
                                       uint32_t c)
{
    return (uint64_t)op << 32 | (uint64_t)from << 40 | (uint64_t)to << 52 | c;
}

static inline struct vm_apint vm_apint_decode(uint64_t k)
{
    struct vm_apint x = {.op = (enum vm_apint_op)(k >> 32 & 255),
                         .from = k >> 40 & 4095,
                         .to = (unsigned)(k >> 52)};
    x.na = vm_apint_words(x.from);
    x.nb = x.op <= VM_W_UMUL_O || x.op >= VM_W_FSHL ? x.na : 0;
    x.nc = x.op >= VM_W_FSHL ? x.na : 0;
    x.nd = vm_apint_words(x.to) + (x.op >= VM_W_SADD_O && x.op <= VM_W_UMUL_O);
    return x;
}

#endif
