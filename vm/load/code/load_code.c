/* load_code.c - see load_code.h. */
#include "vm/load/code/load_code.h"
#include "vm/exec/apint.h"
#include "vm/exec/longdouble.h"
#include "vm/heap/memory.h"
#include "vm/load/lowering.h"

#include <stdlib.h>

/* What an instruction does with its fields: a, b, d, k (its low half) are registers that it
 * reads, D is d defined, E is d and the register after it defined.  Instructions without a row
 * read and define nothing, or other fields say how many registers they read. */
static const char shape[VM_OP_COUNT][4] = {
    [VM_OP_CONST] = "D",        [VM_OP_TLS] = "D",
    [VM_OP_GET] = "D",          [VM_OP_STACKSAVE] = "D",
    [VM_OP_MOV] = "aD",         [VM_OP_FREEZE] = "aD",
    [VM_OP_ADD_K] = "aD",       [VM_OP_SUB_K] = "aD",
    [VM_OP_MUL_K] = "aD",       [VM_OP_SHL_K] = "aD",
    [VM_OP_LSHR_K] = "aD",      [VM_OP_ASHR_K] = "aD",
    [VM_OP_AND_K] = "aD",       [VM_OP_OR_K] = "aD",
    [VM_OP_XOR_K] = "aD",       [VM_OP_ADD_NSW_K] = "aD",
    [VM_OP_MUL_NSW_K] = "aD",   [VM_OP_EQ_K] = "aD",
    [VM_OP_NE_K] = "aD",        [VM_OP_ULT_K] = "aD",
    [VM_OP_UGT_K] = "aD",       [VM_OP_SLT_K] = "aD",
    [VM_OP_SGT_K] = "aD",       [VM_OP_TRUNC] = "aD",
    [VM_OP_SEXT] = "aD",        [VM_OP_NNEG] = "aD",
    [VM_OP_TRUNC_F] = "aD",     [VM_OP_FNEG] = "aD",
    [VM_OP_FPTRUNC] = "aD",     [VM_OP_FPEXT] = "aD",
    [VM_OP_F32_TO_SI] = "aD",   [VM_OP_F32_TO_UI] = "aD",
    [VM_OP_F64_TO_SI] = "aD",   [VM_OP_F64_TO_UI] = "aD",
    [VM_OP_SI_TO_F32] = "aD",   [VM_OP_UI_TO_F32] = "aD",
    [VM_OP_SI_TO_F64] = "aD",   [VM_OP_UI_TO_F64] = "aD",
    [VM_OP_PTRADD] = "aD",      [VM_OP_LOAD1] = "aD",
    [VM_OP_LOAD2] = "aD",       [VM_OP_LOAD4] = "aD",
    [VM_OP_LOAD8] = "aD",       [VM_OP_LOADN] = "aD",
    [VM_OP_INT1] = "aD",        [VM_OP_FLOAT1] = "aD",
    [VM_OP_ROUNDED] = "aD",     [VM_OP_FPCLASS] = "aD",
    [VM_OP_TO_INT_SAT] = "aD",  [VM_OP_FROM_HALF] = "aD",
    [VM_OP_TO_HALF] = "aD",     [VM_OP_OBJECTSIZE] = "aD",
    [VM_OP_OBJ_SIZE] = "aD",    [VM_OP_LANDED] = "D",
    [VM_OP_SETJMP] = "aD",      [VM_OP_ADD] = "abD",
    [VM_OP_SUB] = "abD",        [VM_OP_MUL] = "abD",
    [VM_OP_UDIV] = "abD",       [VM_OP_SDIV] = "abD",
    [VM_OP_UREM] = "abD",       [VM_OP_SREM] = "abD",
    [VM_OP_SHL] = "abD",        [VM_OP_LSHR] = "abD",
    [VM_OP_ASHR] = "abD",       [VM_OP_AND] = "abD",
    [VM_OP_OR] = "abD",         [VM_OP_XOR] = "abD",
    [VM_OP_ADD_F] = "abD",      [VM_OP_SUB_F] = "abD",
    [VM_OP_MUL_F] = "abD",      [VM_OP_UDIV_F] = "abD",
    [VM_OP_SDIV_F] = "abD",     [VM_OP_SHL_F] = "abD",
    [VM_OP_LSHR_F] = "abD",     [VM_OP_ASHR_F] = "abD",
    [VM_OP_OR_F] = "abD",       [VM_OP_EQ] = "abD",
    [VM_OP_NE] = "abD",         [VM_OP_ULT] = "abD",
    [VM_OP_ULE] = "abD",        [VM_OP_SLT] = "abD",
    [VM_OP_SLE] = "abD",        [VM_OP_FADD32] = "abD",
    [VM_OP_FSUB32] = "abD",     [VM_OP_FMUL32] = "abD",
    [VM_OP_FDIV32] = "abD",     [VM_OP_FREM32] = "abD",
    [VM_OP_FADD64] = "abD",     [VM_OP_FSUB64] = "abD",
    [VM_OP_FMUL64] = "abD",     [VM_OP_FDIV64] = "abD",
    [VM_OP_FREM64] = "abD",     [VM_OP_FCMP32] = "abD",
    [VM_OP_FCMP64] = "abD",     [VM_OP_INDEX] = "abD",
    [VM_OP_INT2] = "abD",       [VM_OP_FLOAT2] = "abD",
    [VM_OP_CHOOSE] = "abD",     [VM_OP_LOADX1] = "abD",
    [VM_OP_LOADX2] = "abD",     [VM_OP_LOADX4] = "abD",
    [VM_OP_LOADX8] = "abD",     [VM_OP_FSHIFT] = "abD",
    [VM_OP_BR_EQ] = "ab",       [VM_OP_BR_NE] = "ab",
    [VM_OP_BR_ULT] = "ab",      [VM_OP_BR_ULE] = "ab",
    [VM_OP_BR_SLT] = "ab",      [VM_OP_BR_SLE] = "ab",
    [VM_OP_VA_START] = "ab",    [VM_OP_OBJ_RESIZE] = "ab",
    [VM_OP_BR_EQ_K] = "a",      [VM_OP_BR_NE_K] = "a",
    [VM_OP_BR_ULT_K] = "a",     [VM_OP_BR_UGT_K] = "a",
    [VM_OP_BR_SLT_K] = "a",     [VM_OP_BR_SGT_K] = "a",
    [VM_OP_STACKRESTORE] = "a", [VM_OP_BR] = "a",
    [VM_OP_COVER_BR] = "a",     [VM_OP_COVER_SWITCH] = "a",
    [VM_OP_SWITCH] = "a",       [VM_OP_OBJ_SHARED] = "a",
    [VM_OP_ASSUME] = "a",       [VM_OP_STOREX1] = "dab",
    [VM_OP_STOREX2] = "dab",    [VM_OP_STOREX4] = "dab",
    [VM_OP_STOREX8] = "dab",    [VM_OP_MEMCPY] = "dab",
    [VM_OP_MEMMOVE] = "dab",    [VM_OP_MEMSET] = "dab",
    [VM_OP_TRACE] = "dab",      [VM_OP_INTERRUPT_MEM] = "dab",
    [VM_OP_FREXP] = "aE",       [VM_OP_OVERFLOW] = "abE",
    [VM_OP_STORE1] = "ad",      [VM_OP_STORE2] = "ad",
    [VM_OP_STORE4] = "ad",      [VM_OP_STORE8] = "ad",
    [VM_OP_STOREN] = "ad",      [VM_OP_VA_COPY] = "ad",
    [VM_OP_FMA] = "abkD",       [VM_OP_BYVAL] = "aD",
    [VM_OP_CHECKED] = "ab",     [VM_OP_DEFINED] = "aD",
};

static struct code_operand *add(struct code_operand *o, uint32_t *reg, uint32_t n, bool def)
{
    if (!n)
        return o;
    o->reg = reg;
    o->n = n;
    o->def = def;
    return o + 1;
}

static struct code_operand *call_operands(const struct lowering *w, struct vm_insn *i,
                                          struct code_operand *o)
{
    struct vm_call *c = &((struct vm_call *)w->l->calls.data)[i->b];
    o = add(o, &i->a, i->op == VM_OP_CALLI, false);
    o = add(o, &i->d, c->nret, true);
    return add(o, &c->landing, c->unwind ? 2 : 0, true);
}

static struct code_operand *recast_operands(struct vm_insn *i, struct code_operand *o)
{
    uint32_t from = i->k & 0xffff, to = i->k >> 16 & 0xffff, bits = (uint32_t)(i->k >> 32);
    o = add(o, &i->a, bits / from * vm_apint_words(from), false);
    return add(o, &i->d, bits / to * vm_apint_words(to), true);
}

static struct code_operand *apint_operands(struct vm_insn *i, struct code_operand *o)
{
    struct vm_apint x = vm_apint_decode(i->k);
    o = add(o, &i->a, x.na, false);
    o = add(o, &i->b, x.nb, false);
    o = add(o, (uint32_t *)&i->k, x.nc, false);
    return add(o, &i->d, x.nd, true);
}

static struct code_operand *longdouble_operands(struct vm_insn *i, struct code_operand *o)
{
    struct vm_longdouble x = vm_longdouble_decode(i->k, i->w);
    o = add(o, &i->a, x.na, false);
    o = add(o, &i->b, x.nb, false);
    o = add(o, (uint32_t *)&i->k, x.nc, false);
    return add(o, &i->d, x.nd, true);
}

/* Returns how many registers an atomic access's value takes. */
static uint32_t atomic_regs(const struct vm_insn *i)
{
    return (i->k & 255) == 16 ? 2 : 1;
}

static struct code_operand *counted_operands(struct vm_insn *i, struct code_operand *o)
{
    uint32_t *k = (uint32_t *)&i->k; /* low half */
    switch (i->op) {
    case VM_OP_UNDEF: return add(o, &i->d, i->b, true);
    case VM_OP_NOTE: return add(o, &i->a, !i->flags, false);
    case VM_OP_MOVN: return add(add(o, &i->a, i->b, false), &i->d, i->b, true);
    case VM_OP_SELECT:
        o = add(add(o, &i->a, 1, false), &i->b, i->w, false);
        return add(add(o, k, i->w, false), &i->d, i->w, true);
    case VM_OP_CONTROL:
        o = add(add(o, &i->a, !i->flags, false), &i->b, !i->flags, false);
        return add(add(o, k, 1, false), &i->d, 1, true);
    case VM_OP_OBJ_MAKE:
        o = add(add(o, &i->a, 1, false), &i->b, !i->flags, false);
        return add(o, &i->d, 1, true);
    case VM_OP_OBJ_FREE: return add(add(o, &i->a, 1, false), &i->b, !i->flags, false);
    case VM_OP_ALOAD: return add(add(o, &i->a, 1, false), &i->d, atomic_regs(i), true);
    case VM_OP_ASTORE: return add(add(o, &i->a, 1, false), &i->b, atomic_regs(i), false);
    case VM_OP_RMW:
        o = add(add(o, &i->a, 1, false), &i->b, atomic_regs(i), false);
        return add(o, &i->d, atomic_regs(i), true);
    case VM_OP_CMPXCHG:
        o = add(add(o, &i->a, 1, false), &i->b, atomic_regs(i), false);
        return add(o, &i->d, atomic_regs(i) + 1, true);
    case VM_OP_ALLOCA: return add(add(o, &i->a, i->flags != 0, false), &i->d, 1, true);
    case VM_OP_RET: return add(o, &i->a, i->b, false);
    case VM_OP_ENTER:
    case VM_OP_FLAGS: return add(o, &i->d, i->flags, true);
    default: return o;
    }
}

unsigned code_operands(const struct lowering *w, struct vm_insn *i, struct code_operand *o)
{
    struct code_operand *end = o;
    if (i->op == VM_OP_CALL || i->op == VM_OP_CALLI)
        end = call_operands(w, i, o);
    else if (i->op == VM_OP_APINT)
        end = apint_operands(i, o);
    else if (i->op == VM_OP_LONGDOUBLE)
        end = longdouble_operands(i, o);
    else if (i->op == VM_OP_RECAST)
        end = recast_operands(i, o);
    else
        end = counted_operands(i, o);
    for (unsigned k = 0; k < sizeof shape[0] && shape[i->op][k]; k++) {
        switch (shape[i->op][k]) {
        case 'a': end = add(end, &i->a, 1, false); break;
        case 'b': end = add(end, &i->b, 1, false); break;
        case 'd': end = add(end, &i->d, 1, false); break;
        case 'k': end = add(end, (uint32_t *)&i->k, 1, false); break;
        case 'D': end = add(end, &i->d, 1, true); break;
        case 'E': end = add(end, &i->d, 2, true); break;
        default: break;
        }
    }
    return (unsigned)(end - o);
}

/* Registers that an instruction reads beside its fields: packed in k, or a call's arguments. */
uint32_t code_packed(const struct vm_insn *i)
{
    if (i->op == VM_OP_CMPXCHG)
        return (uint32_t)(i->k >> 8);
    return i->op == VM_OP_FSHIFT ? (uint32_t)(i->k >> 1) : UINT32_MAX;
}

uint32_t code_packed_regs(const struct vm_insn *i)
{
    return i->op == VM_OP_CMPXCHG ? atomic_regs(i) : 1;
}

void code_repack(struct vm_insn *i, uint32_t reg)
{
    const uint64_t field = (uint64_t)UINT32_MAX << 8;
    i->k = i->op == VM_OP_CMPXCHG ? (uint64_t)reg << 8 | (i->k & ~field)
                                  : (uint64_t)reg << 1 | (i->k & 1);
}

struct vm_arg *code_args(const struct lowering *w, const struct vm_insn *i, uint32_t *n)
{
    *n = 0;
    if (i->op != VM_OP_CALL && i->op != VM_OP_CALLI)
        return NULL;
    const struct vm_call *c = &((struct vm_call *)w->l->calls.data)[i->b];
    *n = c->nfixed + c->nvar;
    return *n ? (struct vm_arg *)w->l->args.data + c->first : NULL;
}

static uint32_t unwind_target(const struct lowering *w, const struct vm_insn *i)
{
    bool call = i->op == VM_OP_CALL || i->op == VM_OP_CALLI;
    return call ? ((struct vm_call *)w->l->calls.data)[i->b].unwind : 0;
}

unsigned code_successors(const struct lowering *w, const struct vm_insn *i, uint32_t at,
                         uint32_t n, uint32_t **list, uint32_t *two)
{
    const struct vm_case *cases = (struct vm_case *)w->l->cases.data;
    *list = two;
    switch (i->op) {
    case VM_OP_CALL:
    case VM_OP_CALLI:
        two[0] = at + 1, two[1] = unwind_target(w, i);
        return two[1] ? 2 : at + 1 < n;
    case VM_OP_JMP:
    case VM_OP_LOOP: two[0] = (uint32_t)i->k; return 1;
    case VM_OP_BR:
        two[0] = (uint32_t)(i->k >> 32);
        two[1] = (uint32_t)i->k;
        return 2;
    case VM_OP_BR_EQ:
    case VM_OP_BR_NE:
    case VM_OP_BR_ULT:
    case VM_OP_BR_ULE:
    case VM_OP_BR_SLT:
    case VM_OP_BR_SLE:
        two[0] = (uint32_t)(i->k >> 32);
        two[1] = (uint32_t)i->k;
        return 2;
    case VM_OP_BR_EQ_K:
    case VM_OP_BR_NE_K:
    case VM_OP_BR_ULT_K:
    case VM_OP_BR_UGT_K:
    case VM_OP_BR_SLT_K:
    case VM_OP_BR_SGT_K:
        two[0] = i->d;
        two[1] = i->b;
        return 2;
    case VM_OP_RET:
    case VM_OP_UNREACHABLE:
    case VM_OP_UNRESOLVED: return 0;
    case VM_OP_SWITCH:
        *list = vm_alloc((i->b + 1) * sizeof **list);
        for (uint32_t k = 0; k < i->b; k++)
            (*list)[k] = cases[i->k + k].target;
        (*list)[i->b] = i->d;
        return i->b + 1;
    case VM_OP_SETJMP:
        two[0] = at + 1;
        two[1] = at + 2;
        return 2;
    default: two[0] = at + 1; return at + 1 < n ? 1 : 0;
    }
}

bool code_ends_block(const struct lowering *w, const struct vm_insn *i)
{
    unsigned op = i->op;
    return unwind_target(w, i) || (op >= VM_OP_BR_EQ && op <= VM_OP_BR_SGT_K) ||
           op == VM_OP_JMP || op == VM_OP_LOOP || op == VM_OP_BR || op == VM_OP_RET ||
           op == VM_OP_UNREACHABLE || op == VM_OP_UNRESOLVED || op == VM_OP_SWITCH ||
           op == VM_OP_SETJMP;
}
