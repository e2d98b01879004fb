/* load_regs.c - registers: liveness of the virtual ones, slots by linear scan.
 *
 * Works on the bytecode, so that what is live where a thread may stop is exact
 * in terms of what the machine will read.  A group (an aggregate's registers)
 * is live as a whole. */
#include <stdlib.h>
#include <string.h>

#include "load.h"
#include "memory.h"

struct operand {
    uint32_t *reg;
    uint32_t n;
    bool def;
};

enum { MAX_OPERANDS = 4 };

static unsigned operands(const struct lowering *w, struct vm_insn *i, struct operand *o)
{
    unsigned n = 0;
#define DEF(r, count) o[n++] = (struct operand){ &(r), (count), true }
#define USE(r, count) o[n++] = (struct operand){ &(r), (count), false }
    uint32_t *k = (uint32_t *)&i->k; /* low half */
    switch ((enum vm_op)i->op) {
    case VM_OP_NOP: case VM_OP_FENCE: case VM_OP_JMP: case VM_OP_LOOP: case VM_OP_UNREACHABLE:
    case VM_OP_UNRESOLVED: case VM_OP_UNSUPPORTED: case VM_OP_INTERRUPT_CFL: break;
    case VM_OP_CONST: case VM_OP_TLS: case VM_OP_STACKSAVE: DEF(i->d, 1); break;
    case VM_OP_UNDEF: DEF(i->d, i->b); break;
    case VM_OP_MOVN: USE(i->a, i->b); DEF(i->d, i->b); break;
    case VM_OP_SELECT: USE(i->a, 1); USE(i->b, i->w); USE(*k, i->w); DEF(i->d, i->w); break;
    case VM_OP_MOV: case VM_OP_FREEZE: case VM_OP_ADD_K: case VM_OP_SUB_K: case VM_OP_MUL_K:
    case VM_OP_SHL_K: case VM_OP_LSHR_K: case VM_OP_ASHR_K: case VM_OP_AND_K: case VM_OP_OR_K:
    case VM_OP_XOR_K: case VM_OP_ADD_NSW_K: case VM_OP_EQ_K: case VM_OP_NE_K: case VM_OP_ULT_K:
    case VM_OP_UGT_K: case VM_OP_SLT_K: case VM_OP_SGT_K: case VM_OP_TRUNC: case VM_OP_SEXT:
    case VM_OP_FNEG: case VM_OP_FPTRUNC: case VM_OP_FPEXT: case VM_OP_F32_TO_SI:
    case VM_OP_F32_TO_UI: case VM_OP_F64_TO_SI: case VM_OP_F64_TO_UI: case VM_OP_SI_TO_F32:
    case VM_OP_UI_TO_F32: case VM_OP_SI_TO_F64: case VM_OP_UI_TO_F64: case VM_OP_PTRADD:
    case VM_OP_LOAD1: case VM_OP_LOAD2: case VM_OP_LOAD4: case VM_OP_LOAD8: case VM_OP_LOADN:
    case VM_OP_ALOAD: case VM_OP_INT1: case VM_OP_FLOAT1: case VM_OP_ROUNDED: case VM_OP_OBJECTSIZE:
    case VM_OP_OBJ_SIZE: case VM_OP_LANDED: case VM_OP_SETJMP:
        USE(i->a, 1); DEF(i->d, 1); break;
    case VM_OP_ADD: case VM_OP_SUB: case VM_OP_MUL: case VM_OP_UDIV: case VM_OP_SDIV:
    case VM_OP_UREM: case VM_OP_SREM: case VM_OP_SHL: case VM_OP_LSHR: case VM_OP_ASHR:
    case VM_OP_AND: case VM_OP_OR: case VM_OP_XOR: case VM_OP_ADD_F: case VM_OP_SUB_F:
    case VM_OP_MUL_F: case VM_OP_UDIV_F: case VM_OP_SDIV_F: case VM_OP_SHL_F: case VM_OP_LSHR_F:
    case VM_OP_ASHR_F: case VM_OP_EQ: case VM_OP_NE: case VM_OP_ULT: case VM_OP_ULE:
    case VM_OP_SLT: case VM_OP_SLE: case VM_OP_FADD32: case VM_OP_FSUB32: case VM_OP_FMUL32:
    case VM_OP_FDIV32: case VM_OP_FREM32: case VM_OP_FADD64: case VM_OP_FSUB64:
    case VM_OP_FMUL64: case VM_OP_FDIV64: case VM_OP_FREM64: case VM_OP_FCMP32:
    case VM_OP_FCMP64: case VM_OP_INDEX: case VM_OP_RMW: case VM_OP_INT2: case VM_OP_FLOAT2:
    case VM_OP_OBJ_MAKE: case VM_OP_CHOOSE:
        USE(i->a, 1); USE(i->b, 1); DEF(i->d, 1); break;
    case VM_OP_BR_EQ: case VM_OP_BR_NE: case VM_OP_BR_ULT: case VM_OP_BR_ULE: case VM_OP_BR_SLT:
    case VM_OP_BR_SLE: USE(i->a, 1); USE(i->b, 1); break;
    case VM_OP_BR_EQ_K: case VM_OP_BR_NE_K: case VM_OP_BR_ULT_K: case VM_OP_BR_UGT_K:
    case VM_OP_BR_SLT_K: case VM_OP_BR_SGT_K: USE(i->a, 1); break;
    case VM_OP_LOADX1: case VM_OP_LOADX2: case VM_OP_LOADX4: case VM_OP_LOADX8:
        USE(i->a, 1); USE(i->b, 1); DEF(i->d, 1); break;
    case VM_OP_STOREX1: case VM_OP_STOREX2: case VM_OP_STOREX4: case VM_OP_STOREX8:
        USE(i->d, 1); USE(i->a, 1); USE(i->b, 1); break;
    case VM_OP_OVERFLOW: USE(i->a, 1); USE(i->b, 1); DEF(i->d, 2); break;
    case VM_OP_STORE1: case VM_OP_STORE2: case VM_OP_STORE4: case VM_OP_STORE8:
    case VM_OP_STOREN: case VM_OP_VA_COPY:
        USE(i->a, 1); USE(i->d, 1); break;
    case VM_OP_ASTORE: case VM_OP_VA_START: case VM_OP_OBJ_RESIZE:
        USE(i->a, 1); USE(i->b, 1); break;
    case VM_OP_CMPXCHG: USE(i->a, 1); USE(i->b, 1); DEF(i->d, 2); break; /* and k, below */
    case VM_OP_FSHIFT: USE(i->a, 1); USE(i->b, 1); DEF(i->d, 1); break;  /* and k, below */
    case VM_OP_FMA: case VM_OP_CONTROL:
        USE(i->a, 1); USE(i->b, 1); USE(*k, 1); DEF(i->d, 1); break;
    case VM_OP_ALLOCA: if (i->flags) USE(i->a, 1); DEF(i->d, 1); break;
    case VM_OP_STACKRESTORE: case VM_OP_BR: case VM_OP_SWITCH: case VM_OP_OBJ_FREE:
    case VM_OP_OBJ_SHARED: USE(i->a, 1); break;
    case VM_OP_MEMCPY: case VM_OP_MEMMOVE: case VM_OP_MEMSET: case VM_OP_TRACE:
    case VM_OP_INTERRUPT_MEM: USE(i->d, 1); USE(i->a, 1); USE(i->b, 1); break;
    case VM_OP_CALL: case VM_OP_CALLI: {
        const struct vm_call *c = &((struct vm_call *)w->l->calls.data)[i->b];
        if (i->op == VM_OP_CALLI)
            USE(i->a, 1);
        if (c->nret)
            DEF(i->d, c->nret);
        break;
    }
    case VM_OP_RET: if (i->b) USE(i->a, i->b); break;
    case VM_OP_COUNT: break;
    }
    return n;
}

/* Further register uses that are packed in k, or are a call's arguments. */
static uint32_t packed(const struct vm_insn *i)
{
    if (i->op == VM_OP_CMPXCHG)
        return (uint32_t)(i->k >> 8);
    return i->op == VM_OP_FSHIFT ? (uint32_t)(i->k >> 1) : UINT32_MAX;
}

static void repack(struct vm_insn *i, uint32_t reg)
{
    i->k = i->op == VM_OP_CMPXCHG ? (uint64_t)reg << 8 | (i->k & 255) : (uint64_t)reg << 1 | (i->k & 1);
}

static struct vm_arg *call_args(const struct lowering *w, const struct vm_insn *i, uint32_t *n)
{
    *n = 0;
    if (i->op != VM_OP_CALL && i->op != VM_OP_CALLI)
        return NULL;
    const struct vm_call *c = &((struct vm_call *)w->l->calls.data)[i->b];
    *n = c->nfixed + c->nvar;
    return (struct vm_arg *)w->l->args.data + c->first;
}

struct analysis {
    struct lowering *w;
    struct vm_insn *code;
    uint32_t ncode, ngroups, words;
    uint32_t *block_of;    /* per instruction */
    uint32_t *block_start; /* per block, and one more */
    uint32_t nblocks;
    uint64_t *in, *out;    /* per block */
    uint32_t *from, *to;   /* per group: interval */
};

static uint32_t group_at(const struct analysis *a, uint32_t reg)
{
    return ((uint32_t *)a->w->group_of.data)[reg];
}
static struct group *group(const struct analysis *a, uint32_t g)
{
    return &((struct group *)a->w->groups.data)[g];
}

static unsigned successors(const struct analysis *a, const struct vm_insn *i, uint32_t at,
                           uint32_t **list, uint32_t *two)
{
    const struct vm_case *cases = (struct vm_case *)a->w->l->cases.data;
    *list = two;
    switch (i->op) {
    case VM_OP_JMP: case VM_OP_LOOP: two[0] = (uint32_t)i->k; return 1;
    case VM_OP_BR: two[0] = (uint32_t)(i->k >> 32); two[1] = (uint32_t)i->k; return 2;
    case VM_OP_RET: case VM_OP_UNREACHABLE: case VM_OP_UNRESOLVED: return 0;
    case VM_OP_SWITCH:
        *list = vm_alloc((i->b + 1) * sizeof **list);
        for (uint32_t k = 0; k < i->b; k++)
            (*list)[k] = cases[i->k + k].target;
        (*list)[i->b] = i->d;
        return i->b + 1;
    case VM_OP_SETJMP: two[0] = at + 1; two[1] = at + 2; return 2;
    default: two[0] = at + 1; return at + 1 < a->ncode ? 1 : 0;
    }
}

static bool ends_block(unsigned op)
{
    return op == VM_OP_JMP || op == VM_OP_LOOP || op == VM_OP_BR || op == VM_OP_RET ||
           op == VM_OP_UNREACHABLE || op == VM_OP_UNRESOLVED || op == VM_OP_SWITCH ||
           op == VM_OP_SETJMP;
}

static void find_blocks(struct analysis *a)
{
    uint8_t *leader = calloc(a->ncode + 1, 1);
    leader[0] = 1;
    for (uint32_t at = 0; at < a->ncode; at++) {
        uint32_t two[2], *list;
        if (!ends_block(a->code[at].op))
            continue;
        unsigned n = successors(a, &a->code[at], at, &list, two);
        for (unsigned k = 0; k < n; k++)
            leader[list[k]] = 1;
        leader[at + 1] = 1;
        if (list != two)
            free(list);
    }
    a->block_of = vm_alloc((a->ncode + 1) * sizeof *a->block_of);
    a->block_start = vm_alloc((a->ncode + 2) * sizeof *a->block_start);
    for (uint32_t at = 0; at < a->ncode; at++) {
        if (leader[at])
            a->block_start[a->nblocks++] = at;
        a->block_of[at] = a->nblocks - 1;
    }
    a->block_start[a->nblocks] = a->ncode;
    free(leader);
}

static void set(uint64_t *bits, uint32_t g)
{
    bits[g / 64] |= (uint64_t)1 << (g % 64);
}
static void clear(uint64_t *bits, uint32_t g)
{
    bits[g / 64] &= ~((uint64_t)1 << (g % 64));
}

/* live := live before instruction i, given live after it. */
static void step_back(const struct analysis *a, struct vm_insn *i, uint64_t *live)
{
    struct operand o[MAX_OPERANDS];
    unsigned n = operands(a->w, i, o);
    for (unsigned k = 0; k < n; k++) {
        uint32_t g = group_at(a, *o[k].reg);
        if (o[k].def && o[k].n == group(a, g)->size)
            clear(live, g);
    }
    for (unsigned k = 0; k < n; k++)
        if (!o[k].def || o[k].n != group(a, group_at(a, *o[k].reg))->size)
            set(live, group_at(a, *o[k].reg));
    if (packed(i) != UINT32_MAX)
        set(live, group_at(a, packed(i)));
    uint32_t nargs;
    struct vm_arg *arg = call_args(a->w, i, &nargs);
    for (uint32_t k = 0; k < nargs; k++)
        if (!(arg[k].src & VM_ARG_CONST))
            set(live, group_at(a, arg[k].src));
}

static bool update_block(struct analysis *a, uint32_t b, uint64_t *live)
{
    uint64_t *out = a->out + (size_t)b * a->words, *in = a->in + (size_t)b * a->words;
    uint32_t two[2], *list, last = a->block_start[b + 1] - 1;
    unsigned n = successors(a, &a->code[last], last, &list, two);
    for (unsigned k = 0; k < n; k++)
        for (uint32_t w = 0; w < a->words; w++)
            out[w] |= a->in[(size_t)a->block_of[list[k]] * a->words + w];
    if (list != two)
        free(list);
    memcpy(live, out, a->words * 8);
    for (uint32_t at = last + 1; at-- > a->block_start[b];)
        step_back(a, &a->code[at], live);
    if (!memcmp(in, live, a->words * 8))
        return false;
    memcpy(in, live, a->words * 8);
    return true;
}

static void extend(struct analysis *a, const uint64_t *live, uint32_t at)
{
    for (uint32_t w = 0; w < a->words; w++)
        for (uint64_t bits = live[w]; bits; bits &= bits - 1) {
            uint32_t g = w * 64 + (uint32_t)__builtin_ctzll(bits);
            if (at < a->from[g])
                a->from[g] = at;
            if (at > a->to[g])
                a->to[g] = at;
        }
}

/* Intervals in twice the instruction numbers: 2k is "before k", 2k + 1 "by k":
 * what an instruction defines may take the slot of what it reads last. */
static void find_intervals(struct analysis *a, uint64_t *live)
{
    for (uint32_t g = 0; g < a->ngroups; g++) {
        a->from[g] = UINT32_MAX;
        a->to[g] = 0;
    }
    for (uint32_t b = 0; b < a->nblocks; b++) {
        memcpy(live, a->out + (size_t)b * a->words, a->words * 8);
        extend(a, live, 2 * a->block_start[b + 1]);
        for (uint32_t at = a->block_start[b + 1]; at-- > a->block_start[b];) {
            struct operand o[MAX_OPERANDS];
            unsigned n = operands(a->w, &a->code[at], o);
            for (unsigned k = 0; k < n; k++) {
                uint32_t g = group_at(a, *o[k].reg);
                if (!o[k].def)
                    continue;
                if (2 * at + 1 < a->from[g])
                    a->from[g] = 2 * at + 1;
                if (2 * at + 1 > a->to[g])
                    a->to[g] = 2 * at + 1;
            }
            step_back(a, &a->code[at], live);
            extend(a, live, 2 * at);
        }
    }
}

static int by_start(const void *x, const void *y)
{
    const uint64_t *a = x, *b = y;
    return *a < *b ? -1 : *a > *b;
}

static uint32_t find_slot(struct list *busy, uint32_t n, uint32_t from)
{
    /* busy: per slot, the first position at which it is free */
    uint32_t *until = busy->data;
    for (uint32_t s = VM_FRAME_HEADER;; s++) {
        uint32_t k = 0;
        while (k < n && (s + k >= busy->n || until[s + k] <= from))
            k++;
        if (k == n)
            return s;
        s += k;
    }
}

static void occupy(struct list *busy, uint32_t slot, uint32_t n, uint32_t until)
{
    uint32_t zero = 0;
    while (busy->n < slot + n)
        list_push(busy, &zero);
    for (uint32_t k = 0; k < n; k++)
        if (((uint32_t *)busy->data)[slot + k] < until)
            ((uint32_t *)busy->data)[slot + k] = until;
}

static void choose_slots(struct analysis *a, bool keep_all)
{
    uint64_t *order = vm_alloc(a->ngroups * sizeof *order);
    struct list busy = { .item = sizeof(uint32_t) };
    occupy(&busy, 0, VM_FRAME_HEADER, UINT32_MAX);
    uint32_t n = 0;
    for (uint32_t g = 0; g < a->ngroups; g++) {
        struct group *q = group(a, g);
        if (keep_all) {
            a->from[g] = 0;
            a->to[g] = UINT32_MAX - 1;
        }
        if (q->fixed)
            occupy(&busy, q->slot, q->size, a->to[g] == 0 ? 1 : a->to[g] + 1);
        else if (a->from[g] != UINT32_MAX)
            order[n++] = (uint64_t)a->from[g] << 32 | g;
    }
    qsort(order, n, sizeof *order, by_start);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t g = (uint32_t)order[k];
        struct group *q = group(a, g);
        q->slot = find_slot(&busy, q->size, a->from[g]);
        occupy(&busy, q->slot, q->size, a->to[g] + 1);
    }
    a->w->out->nregs = (uint32_t)busy.n;
    free(busy.data);
    free(order);
}

static uint32_t real(const struct analysis *a, uint32_t reg)
{
    const struct group *q = group(a, group_at(a, reg));
    return q->slot + (reg - q->first);
}

static void save_live(struct analysis *a, struct list *sets, uint32_t at, const uint64_t *live)
{
    uint32_t words = (a->w->out->nregs + 63) / 64;
    uint64_t *bits = calloc(words, 8);
    for (uint32_t g = 0; g < a->ngroups; g++)
        if (live[g / 64] >> (g % 64) & 1)
            for (uint32_t k = 0; k < group(a, g)->size; k++)
                set(bits, group(a, g)->slot + k);
    if (a->w->out->va_reg)
        set(bits, a->w->out->va_reg);
    a->w->out->live_at[at] = (uint32_t)(sets->n / words) + 1;
    for (uint32_t k = 0; k < words; k++)
        list_push(sets, &bits[k]);
    free(bits);
}

/* The registers that a frame stopped at each instruction still needs. */
static void record_live(struct analysis *a, uint64_t *live)
{
    struct vm_function *f = a->w->out;
    struct list sets = { .item = 8 };
    f->live_at = load_alloc(a->w->l, a->ncode * sizeof *f->live_at);
    for (uint32_t b = 0; b < a->nblocks; b++) {
        memcpy(live, a->out + (size_t)b * a->words, a->words * 8);
        for (uint32_t at = a->block_start[b + 1]; at-- > a->block_start[b];) {
            struct vm_insn *i = &a->code[at];
            if (i->op == VM_OP_CALL || i->op == VM_OP_CALLI) {
                uint64_t *after = vm_alloc(a->words * 8);
                memcpy(after, live, a->words * 8);
                struct operand o[MAX_OPERANDS];
                unsigned n = operands(a->w, i, o);
                for (unsigned k = 0; k < n; k++)
                    if (o[k].def && o[k].n == group(a, group_at(a, *o[k].reg))->size)
                        clear(after, group_at(a, *o[k].reg));
                save_live(a, &sets, at, after);
                free(after);
            }
            step_back(a, i, live);
            if (vm_stops_at(i->op))
                save_live(a, &sets, at, live);
        }
    }
    f->live = load_alloc(a->w->l, sets.n * 8 + 8);
    if (sets.n)
        memcpy(f->live, sets.data, sets.n * 8);
    free(sets.data);
}

static void rewrite(struct analysis *a)
{
    for (uint32_t at = 0; at < a->ncode; at++) {
        struct vm_insn *i = &a->code[at];
        struct operand o[MAX_OPERANDS];
        unsigned n = operands(a->w, i, o);
        if (packed(i) != UINT32_MAX)
            repack(i, real(a, packed(i)));
        for (unsigned k = 0; k < n; k++)
            *o[k].reg = real(a, *o[k].reg);
        uint32_t nargs;
        struct vm_arg *arg = call_args(a->w, i, &nargs);
        for (uint32_t k = 0; k < nargs; k++)
            if (!(arg[k].src & VM_ARG_CONST))
                arg[k].src = real(a, arg[k].src);
    }
}

bool load_registers(struct lowering *w)
{
    struct analysis a = { .w = w, .code = w->code.data, .ncode = (uint32_t)w->code.n,
                          .ngroups = (uint32_t)w->groups.n };
    a.words = (a.ngroups + 63) / 64 + 1;
    find_blocks(&a);
    a.in = calloc((size_t)a.nblocks * a.words, 8);
    a.out = calloc((size_t)a.nblocks * a.words, 8);
    a.from = vm_alloc(a.ngroups * sizeof *a.from);
    a.to = vm_alloc(a.ngroups * sizeof *a.to);
    uint64_t *live = vm_alloc(a.words * 8);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = a.nblocks; b-- > 0;)
            changed |= update_block(&a, b, live);
    }
    find_intervals(&a, live);
    choose_slots(&a, w->out->keeps_all);
    record_live(&a, live);
    rewrite(&a);
    free(live);
    free(a.in);
    free(a.out);
    free(a.from);
    free(a.to);
    free(a.block_of);
    free(a.block_start);
    return true;
}
