/* load_code.c - see load_code.h. */
#include "load_code.h"

#include <stdlib.h>

#include "memory.h"

#define DEF(r, count)              \
    o[n++] = (struct code_operand) \
    {                              \
        &(r), (count), true        \
    }
#define USE(r, count)              \
    o[n++] = (struct code_operand) \
    {                              \
        &(r), (count), false       \
    }

static unsigned call_operands(const struct lowering *w, struct vm_insn *i,
                              struct code_operand *o)
{
    struct vm_call *c = &((struct vm_call *)w->l->calls.data)[i->b];
    unsigned n = 0;
    if (i->op == VM_OP_CALLI)
        USE(i->a, 1);
    if (c->nret)
        DEF(i->d, c->nret);
    if (c->unwind)
        DEF(c->landing, 2);
    return n;
}

unsigned code_operands(const struct lowering *w, struct vm_insn *i, struct code_operand *o)
{
    unsigned n = 0;
    uint32_t *k = (uint32_t *)&i->k; /* low half */
    switch ((enum vm_op)i->op) {
    case VM_OP_NOP:
    case VM_OP_FENCE:
    case VM_OP_JMP:
    case VM_OP_LOOP:
    case VM_OP_UNREACHABLE:
    case VM_OP_UNRESOLVED:
    case VM_OP_UNSUPPORTED:
    case VM_OP_INTERRUPT_CFL: break;
    case VM_OP_CONST:
    case VM_OP_TLS:
    case VM_OP_STACKSAVE: DEF(i->d, 1); break;
    case VM_OP_UNDEF: DEF(i->d, i->b); break;
    case VM_OP_MOVN:
        USE(i->a, i->b);
        DEF(i->d, i->b);
        break;
    case VM_OP_SELECT:
        USE(i->a, 1);
        USE(i->b, i->w);
        USE(*k, i->w);
        DEF(i->d, i->w);
        break;
    case VM_OP_MOV:
    case VM_OP_FREEZE:
    case VM_OP_ADD_K:
    case VM_OP_SUB_K:
    case VM_OP_MUL_K:
    case VM_OP_SHL_K:
    case VM_OP_LSHR_K:
    case VM_OP_ASHR_K:
    case VM_OP_AND_K:
    case VM_OP_OR_K:
    case VM_OP_XOR_K:
    case VM_OP_ADD_NSW_K:
    case VM_OP_EQ_K:
    case VM_OP_NE_K:
    case VM_OP_ULT_K:
    case VM_OP_UGT_K:
    case VM_OP_SLT_K:
    case VM_OP_SGT_K:
    case VM_OP_TRUNC:
    case VM_OP_SEXT:
    case VM_OP_NNEG:
    case VM_OP_FNEG:
    case VM_OP_FPTRUNC:
    case VM_OP_FPEXT:
    case VM_OP_F32_TO_SI:
    case VM_OP_F32_TO_UI:
    case VM_OP_F64_TO_SI:
    case VM_OP_F64_TO_UI:
    case VM_OP_SI_TO_F32:
    case VM_OP_UI_TO_F32:
    case VM_OP_SI_TO_F64:
    case VM_OP_UI_TO_F64:
    case VM_OP_PTRADD:
    case VM_OP_LOAD1:
    case VM_OP_LOAD2:
    case VM_OP_LOAD4:
    case VM_OP_LOAD8:
    case VM_OP_LOADN:
    case VM_OP_ALOAD:
    case VM_OP_INT1:
    case VM_OP_FLOAT1:
    case VM_OP_ROUNDED:
    case VM_OP_FPCLASS:
    case VM_OP_TO_INT_SAT:
    case VM_OP_FROM_HALF:
    case VM_OP_TO_HALF:
    case VM_OP_OBJECTSIZE:
    case VM_OP_OBJ_SIZE:
    case VM_OP_LANDED:
    case VM_OP_SETJMP:
        USE(i->a, 1);
        DEF(i->d, 1);
        break;
    case VM_OP_ADD:
    case VM_OP_SUB:
    case VM_OP_MUL:
    case VM_OP_UDIV:
    case VM_OP_SDIV:
    case VM_OP_UREM:
    case VM_OP_SREM:
    case VM_OP_SHL:
    case VM_OP_LSHR:
    case VM_OP_ASHR:
    case VM_OP_AND:
    case VM_OP_OR:
    case VM_OP_XOR:
    case VM_OP_ADD_F:
    case VM_OP_SUB_F:
    case VM_OP_MUL_F:
    case VM_OP_UDIV_F:
    case VM_OP_SDIV_F:
    case VM_OP_SHL_F:
    case VM_OP_LSHR_F:
    case VM_OP_ASHR_F:
    case VM_OP_OR_F:
    case VM_OP_EQ:
    case VM_OP_NE:
    case VM_OP_ULT:
    case VM_OP_ULE:
    case VM_OP_SLT:
    case VM_OP_SLE:
    case VM_OP_FADD32:
    case VM_OP_FSUB32:
    case VM_OP_FMUL32:
    case VM_OP_FDIV32:
    case VM_OP_FREM32:
    case VM_OP_FADD64:
    case VM_OP_FSUB64:
    case VM_OP_FMUL64:
    case VM_OP_FDIV64:
    case VM_OP_FREM64:
    case VM_OP_FCMP32:
    case VM_OP_FCMP64:
    case VM_OP_INDEX:
    case VM_OP_RMW:
    case VM_OP_INT2:
    case VM_OP_FLOAT2:
    case VM_OP_OBJ_MAKE:
    case VM_OP_CHOOSE:
        USE(i->a, 1);
        USE(i->b, 1);
        DEF(i->d, 1);
        break;
    case VM_OP_BR_EQ:
    case VM_OP_BR_NE:
    case VM_OP_BR_ULT:
    case VM_OP_BR_ULE:
    case VM_OP_BR_SLT:
    case VM_OP_BR_SLE:
        USE(i->a, 1);
        USE(i->b, 1);
        break;
    case VM_OP_BR_EQ_K:
    case VM_OP_BR_NE_K:
    case VM_OP_BR_ULT_K:
    case VM_OP_BR_UGT_K:
    case VM_OP_BR_SLT_K:
    case VM_OP_BR_SGT_K: USE(i->a, 1); break;
    case VM_OP_LOADX1:
    case VM_OP_LOADX2:
    case VM_OP_LOADX4:
    case VM_OP_LOADX8:
        USE(i->a, 1);
        USE(i->b, 1);
        DEF(i->d, 1);
        break;
    case VM_OP_STOREX1:
    case VM_OP_STOREX2:
    case VM_OP_STOREX4:
    case VM_OP_STOREX8:
        USE(i->d, 1);
        USE(i->a, 1);
        USE(i->b, 1);
        break;
    case VM_OP_FREXP:
        USE(i->a, 1);
        DEF(i->d, 2);
        break;
    case VM_OP_OVERFLOW:
        USE(i->a, 1);
        USE(i->b, 1);
        DEF(i->d, 2);
        break;
    case VM_OP_STORE1:
    case VM_OP_STORE2:
    case VM_OP_STORE4:
    case VM_OP_STORE8:
    case VM_OP_STOREN:
    case VM_OP_VA_COPY:
        USE(i->a, 1);
        USE(i->d, 1);
        break;
    case VM_OP_ASTORE:
    case VM_OP_VA_START:
    case VM_OP_OBJ_RESIZE:
        USE(i->a, 1);
        USE(i->b, 1);
        break;
    case VM_OP_CMPXCHG:
        USE(i->a, 1);
        USE(i->b, 1);
        DEF(i->d, 2);
        break; /* and k, below */
    case VM_OP_FSHIFT:
        USE(i->a, 1);
        USE(i->b, 1);
        DEF(i->d, 1);
        break; /* and k, below */
    case VM_OP_CONTROL:
        if (!i->flags) {
            USE(i->a, 1);
            USE(i->b, 1);
        }
        USE(*k, 1);
        DEF(i->d, 1);
        break;
    case VM_OP_FMA:
        USE(i->a, 1);
        USE(i->b, 1);
        USE(*k, 1);
        DEF(i->d, 1);
        break;
    case VM_OP_ALLOCA:
        if (i->flags)
            USE(i->a, 1);
        DEF(i->d, 1);
        break;
    case VM_OP_STACKRESTORE:
    case VM_OP_BR:
    case VM_OP_SWITCH:
    case VM_OP_OBJ_FREE:
    case VM_OP_OBJ_SHARED:
    case VM_OP_ASSUME: USE(i->a, 1); break;
    case VM_OP_MEMCPY:
    case VM_OP_MEMMOVE:
    case VM_OP_MEMSET:
    case VM_OP_TRACE:
    case VM_OP_INTERRUPT_MEM:
        USE(i->d, 1);
        USE(i->a, 1);
        USE(i->b, 1);
        break;
    case VM_OP_WIDE: {
        struct vm_wide x = vm_wide_decode(i->k);
        USE(i->a, x.na);
        if (x.nb)
            USE(i->b, x.nb);
        if (x.nc)
            USE(*k, x.nc);
        DEF(i->d, x.nd);
        break;
    }
    case VM_OP_RECAST: {
        uint32_t from = i->k & 0xffff, to = i->k >> 16 & 0xffff, bits = (uint32_t)(i->k >> 32);
        USE(i->a, bits / from * vm_wide_words(from));
        DEF(i->d, bits / to * vm_wide_words(to));
        break;
    }
    case VM_OP_CALL:
    case VM_OP_CALLI: return call_operands(w, i, o);
    case VM_OP_RET:
        if (i->b)
            USE(i->a, i->b);
        break;
    case VM_OP_COUNT: break;
    }
    return n;
}

/* Further register uses that are packed in k, or are a call's arguments. */
uint32_t code_packed(const struct vm_insn *i)
{
    if (i->op == VM_OP_CMPXCHG)
        return (uint32_t)(i->k >> 8);
    return i->op == VM_OP_FSHIFT ? (uint32_t)(i->k >> 1) : UINT32_MAX;
}

void code_repack(struct vm_insn *i, uint32_t reg)
{
    i->k = i->op == VM_OP_CMPXCHG ? (uint64_t)reg << 8 | (i->k & 255)
                                  : (uint64_t)reg << 1 | (i->k & 1);
}

struct vm_arg *code_args(const struct lowering *w, const struct vm_insn *i, uint32_t *n)
{
    *n = 0;
    if (i->op != VM_OP_CALL && i->op != VM_OP_CALLI)
        return NULL;
    const struct vm_call *c = &((struct vm_call *)w->l->calls.data)[i->b];
    *n = c->nfixed + c->nvar;
    return (struct vm_arg *)w->l->args.data + c->first;
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
