/* load_peep.c - small improvements of a function's bytecode, before registers.
 *
 * Compare and branch, index and access become one instruction each where the
 * value between them has no other use; jumps to jumps are shortened; what has
 * no effect and no use is dropped.  Nothing that can fault, stop or be seen is
 * removed or moved. */
#include <stdlib.h>
#include <string.h>

#include "vm/heap/memory.h"
#include "vm/load/code/load_code.h"
#include "vm/load/code/load_improve.h"
#include "vm/load/lowering.h"

struct peep {
    struct lowering *w;
    struct vm_insn *code;
    uint32_t n;
    uint32_t *uses;   /* per virtual register */
    uint8_t *targets; /* per instruction: something jumps here */
};

static void count_uses(struct peep *p)
{
    memset(p->uses, 0, p->w->group_of.n * sizeof *p->uses);
    for (uint32_t at = 0; at < p->n; at++) {
        struct code_operand o[CODE_MAX_OPERANDS];
        unsigned n = code_operands(p->w, &p->code[at], o);
        for (unsigned k = 0; k < n; k++)
            for (uint32_t r = 0; r < o[k].n && !o[k].def; r++)
                p->uses[*o[k].reg + r]++;
        for (uint32_t r = 0; r < code_packed_regs(&p->code[at]); r++)
            if (code_packed(&p->code[at]) != UINT32_MAX)
                p->uses[code_packed(&p->code[at]) + r]++;
        uint32_t nargs;
        const struct vm_arg *arg = code_args(p->w, &p->code[at], &nargs);
        for (uint32_t k = 0; k < nargs; k++)
            if (!(arg[k].src & VM_ARG_CONST))
                p->uses[arg[k].src]++;
    }
}

static void find_targets(struct peep *p)
{
    memset(p->targets, 0, p->n + 1);
    for (uint32_t at = 0; at < p->n; at++) {
        uint32_t two[2], *list;
        if (!code_ends_block(p->w, &p->code[at]))
            continue;
        unsigned n = code_successors(p->w, &p->code[at], at, p->n, &list, two);
        for (unsigned k = 0; k < n; k++)
            p->targets[list[k]] = 1;
        if (list != two)
            free(list);
    }
}

static bool single_use(const struct peep *p, uint32_t reg)
{
    uint32_t g = ((uint32_t *)p->w->group_of.data)[reg];
    return p->uses[reg] == 1 && ((struct group *)p->w->groups.data)[g].size == 1 &&
           !((struct group *)p->w->groups.data)[g].fixed;
}

static void drop(struct vm_insn *i)
{
    *i = (struct vm_insn){.op = VM_OP_NOP};
}

/* compare d, a, b; branch d */
static bool fuse_branch(struct peep *p, struct vm_insn *c, struct vm_insn *br)
{
    if (c->op < VM_OP_EQ || c->op > VM_OP_SGT_K || br->op != VM_OP_BR || br->a != c->d ||
        !single_use(p, c->d))
        return false;
    struct vm_insn x = *c;
    x.op = (uint16_t)(c->op - VM_OP_EQ + VM_OP_BR_EQ);
    x.d = 0;
    if (c->op >= VM_OP_EQ_K) {
        x.d = (uint32_t)(br->k >> 32);
        x.b = (uint32_t)br->k;
    } else {
        x.k = br->k;
    }
    drop(c);
    *br = x;
    return true;
}

/* index d, a, b; load or store at d */
static bool fuse_index(struct peep *p, struct vm_insn *x, struct vm_insn *m)
{
    bool load = m->op >= VM_OP_LOAD1 && m->op <= VM_OP_LOAD8;
    bool store = m->op >= VM_OP_STORE1 && m->op <= VM_OP_STORE8;
    if (x->op != VM_OP_INDEX || (!load && !store) || m->a != x->d || !single_use(p, x->d) ||
        m->b != 0 || (load && m->w < 8) || (store && m->d == x->d))
        return false;
    struct vm_insn y = *x;
    y.op = (uint16_t)(load ? m->op - VM_OP_LOAD1 + VM_OP_LOADX1
                           : m->op - VM_OP_STORE1 + VM_OP_STOREX1);
    y.d = m->d;
    y.flags = m->flags;
    drop(x);
    *m = y;
    return true;
}

/* ptradd d, a, k; load or store at d: the offset goes into the access. */
static bool fold_offset(struct peep *p, struct vm_insn *x, struct vm_insn *m)
{
    bool access = m->op >= VM_OP_LOAD1 && m->op <= VM_OP_STOREN;
    bool load = m->op <= VM_OP_LOADN;
    if ((x->op != VM_OP_PTRADD) || !access || m->a != x->d || !single_use(p, x->d) ||
        (!load && m->d == x->d) || (int64_t)x->k != (int32_t)x->k || m->b != 0)
        return false;
    m->a = x->a;
    m->b = (uint32_t)x->k;
    drop(x);
    return true;
}

/* sext d, a to 64 bits; an index that is d: INDEX and the like extend by themselves. */
static bool fold_extension(struct peep *p, struct vm_insn *x, struct vm_insn *m)
{
    bool indexed = m->op == VM_OP_INDEX || (m->op >= VM_OP_LOADX1 && m->op <= VM_OP_STOREX8);
    if (x->op != VM_OP_SEXT || x->b != 64 || !indexed || m->b != x->d || m->w != 64 ||
        !single_use(p, x->d) || m->a == x->d)
        return false;
    m->b = x->a;
    m->w = x->w;
    drop(x);
    return true;
}

/* const d; jump to a branch on d: the branch is decided (a short-circuited condition). */
static bool thread_jump(struct peep *p, struct vm_insn *c, struct vm_insn *jump)
{
    if (c->op != VM_OP_CONST || jump->op != VM_OP_JMP)
        return false;
    uint32_t at = (uint32_t)jump->k;
    while (at + 1 < p->n && p->code[at].op == VM_OP_NOP)
        at++;
    const struct vm_insn *br = &p->code[at];
    if (br->op != VM_OP_BR || br->a != c->d || !single_use(p, c->d))
        return false;
    jump->k = c->k & 1 ? br->k >> 32 : (uint32_t)br->k;
    drop(c);
    return true;
}

static bool has_no_effect(unsigned op)
{
    return op == VM_OP_CONST || op == VM_OP_MOV || op == VM_OP_MOVN || op == VM_OP_UNDEF ||
           op == VM_OP_PTRADD || op == VM_OP_INDEX || op == VM_OP_TRUNC || op == VM_OP_SEXT ||
           op == VM_OP_TLS || op == VM_OP_GET || op == VM_OP_SELECT || op == VM_OP_FREEZE ||
           (op >= VM_OP_AND && op <= VM_OP_XOR) || (op >= VM_OP_EQ && op <= VM_OP_SGT_K) ||
           op == VM_OP_ADD || op == VM_OP_SUB || op == VM_OP_MUL ||
           (op >= VM_OP_ADD_K && op <= VM_OP_XOR_K);
}

/* Is this an instruction without effects whose result nobody uses?  Only a result that is one
 * whole group of registers counts: no part of it is used either. */
static bool is_dead(const struct peep *p, struct vm_insn *i)
{
    struct code_operand o[CODE_MAX_OPERANDS];
    if (!has_no_effect(i->op))
        return false;
    unsigned n = code_operands(p->w, i, o);
    for (unsigned k = 0; k < n; k++)
        for (uint32_t r = 0; r < o[k].n && o[k].def; r++)
            if (p->uses[*o[k].reg + r])
                return false;
    return true;
}

/* Returns where a jump to `at` ends up.  A loop of jumps ends the chase. */
static uint32_t chase(const struct peep *p, uint32_t at)
{
    for (unsigned hops = 0; hops < 16; hops++) {
        while (at + 1 < p->n && p->code[at].op == VM_OP_NOP && at > 0)
            at++;
        if (p->code[at].op != VM_OP_JMP)
            break;
        at = (uint32_t)p->code[at].k;
    }
    return at;
}

static void retarget(struct peep *p, uint32_t (*to)(const struct peep *, uint32_t))
{
    for (uint32_t at = 0; at < p->n; at++) {
        struct vm_insn *i = &p->code[at];
        if (i->op == VM_OP_JMP || i->op == VM_OP_LOOP) {
            i->k = to(p, (uint32_t)i->k);
        } else if (i->op == VM_OP_BR || (i->op >= VM_OP_BR_EQ && i->op <= VM_OP_BR_SLE)) {
            i->k = (uint64_t)to(p, (uint32_t)(i->k >> 32)) << 32 | to(p, (uint32_t)i->k);
        } else if (i->op >= VM_OP_BR_EQ_K && i->op <= VM_OP_BR_SGT_K) {
            i->d = to(p, i->d);
            i->b = to(p, i->b);
        } else if (i->op == VM_OP_CALL || i->op == VM_OP_CALLI) {
            struct vm_call *c = (struct vm_call *)p->w->l->calls.data + i->b;
            c->unwind = c->unwind ? to(p, c->unwind) : 0;
        } else if (i->op == VM_OP_SWITCH) {
            struct vm_case *c = (struct vm_case *)p->w->l->cases.data + i->k;
            for (uint32_t k = 0; k < i->b; k++)
                c[k].target = to(p, c[k].target);
            i->d = to(p, i->d);
        }
    }
}

/* Returns the new place of an instruction (p->uses holds it). */
static uint32_t moved(const struct peep *p, uint32_t at)
{
    return p->uses[at];
}

static bool is_needless(const struct peep *p, uint32_t at, const uint8_t *reached)
{
    const struct vm_insn *i = &p->code[at];
    if (at == 0)
        return false;
    if (i->op == VM_OP_NOP || !reached[at])
        return true;
    uint32_t next = at + 1;
    while (next < p->n && (p->code[next].op == VM_OP_NOP || !reached[next]))
        next++;
    return i->op == VM_OP_JMP && i->k == next;
}

static void reach(const struct peep *p, uint8_t *reached)
{
    uint32_t *todo = vm_alloc((p->n + 1) * sizeof *todo), n = 0;
    todo[n++] = 0;
    reached[0] = 1;
    while (n > 0) {
        uint32_t at = todo[--n], two[2], *list;
        unsigned count = code_successors(p->w, &p->code[at], at, p->n, &list, two);
        for (unsigned k = 0; k < count; k++)
            if (!reached[list[k]]) {
                reached[list[k]] = 1;
                todo[n++] = list[k];
            }
        if (list != two)
            free(list);
    }
    free(todo);
}

static void compact(struct peep *p)
{
    uint8_t *reached = vm_zeros(p->n + 1, 1), *out = vm_zeros(p->n + 1, 1);
    reach(p, reached);
    p->uses = vm_resize(p->uses, (p->n + p->w->group_of.n + 1) * sizeof *p->uses);
    uint32_t kept = 0;
    for (uint32_t at = 0; at < p->n; at++) {
        out[at] = is_needless(p, at, reached);
        p->uses[at] = kept;
        kept += !out[at];
    }
    retarget(p, moved);
    uint32_t *locs = p->w->locs.data, to = 0;
    for (uint32_t at = 0; at < p->n; at++)
        if (!out[at]) {
            p->code[to] = p->code[at];
            locs[to++] = locs[at];
        }
    p->n = to;
    p->w->code.n = p->w->locs.n = to;
    free(reached);
    free(out);
}

static uint32_t next_real(const struct peep *p, uint32_t at)
{
    do
        at++;
    while (at < p->n && (p->code[at].op == VM_OP_NOP || p->code[at].op == VM_OP_SITE) &&
           !p->targets[at]);
    return at;
}

static bool round_of_fusing(struct peep *p)
{
    bool changed = false;
    count_uses(p);
    find_targets(p);
    for (uint32_t at = 1; at < p->n; at++) {
        struct vm_insn *i = &p->code[at];
        uint32_t next = next_real(p, at);
        if (is_dead(p, i)) {
            drop(i);
            changed = true;
        } else if (next < p->n && !p->targets[next]) {
            changed |= fuse_branch(p, i, &p->code[next]) || fuse_index(p, i, &p->code[next]) ||
                       fold_offset(p, i, &p->code[next]) ||
                       fold_extension(p, i, &p->code[next]) ||
                       thread_jump(p, i, &p->code[next]);
        }
    }
    return changed;
}

void load_peephole(struct lowering *w)
{
    struct peep p = {.w = w, .code = w->code.data, .n = (uint32_t)w->code.n};
    p.uses = vm_alloc((w->group_of.n + 1) * sizeof *p.uses);
    p.targets = vm_alloc(p.n + 1);
    for (unsigned k = 0; k < 4 && round_of_fusing(&p); k++)
        ;
    retarget(&p, chase);
    compact(&p);
    free(p.uses);
    free(p.targets);
}
