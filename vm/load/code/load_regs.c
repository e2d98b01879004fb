/* load_regs.c - registers: liveness of the virtual ones, slots by linear scan.
 *
 * Works on the bytecode, so that what is live where a thread may stop is exact
 * in terms of what the machine will read.  A group (an aggregate's registers)
 * is live as a whole. */
#include <stdlib.h>
#include <string.h>

#include "vm/heap/memory.h"
#include "vm/load/code/load_code.h"
#include "vm/load/code/load_improve.h"
#include "vm/load/load.h"
#include "vm/load/lowering.h"
#include "vm/load/table.h"

struct analysis {
    struct lowering *w;
    struct vm_insn *code;
    uint32_t ncode, ngroups, words;
    uint32_t *block_of;    /* per instruction */
    uint32_t *block_start; /* per block, and one more */
    uint32_t nblocks;
    uint64_t *in, *out;   /* per block: groups that are live where it begins and ends */
    uint64_t *gen, *pass; /* in is gen, and what is in out and in pass */
    uint64_t *defined;    /* groups that the block defines */
    uint32_t *from, *to;  /* per group: interval */
    uint64_t *kept;       /* groups that have the address of a variable that is asked for: live
                             in all of the function */
};

static uint32_t group_at(const struct analysis *a, uint32_t reg)
{
    return ((uint32_t *)a->w->group_of.data)[reg];
}
static struct group *group(const struct analysis *a, uint32_t g)
{
    return &((struct group *)a->w->groups.data)[g];
}

static void find_blocks(struct analysis *a)
{
    uint8_t *leader = vm_zeros(a->ncode + 1, 1);
    leader[0] = 1;
    for (uint32_t at = 0; at < a->ncode; at++) {
        uint32_t two[2], *list;
        if (!code_ends_block(a->w, &a->code[at]))
            continue;
        unsigned n = code_successors(a->w, &a->code[at], at, a->ncode, &list, two);
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
    struct code_operand o[CODE_MAX_OPERANDS];
    unsigned n = code_operands(a->w, i, o);
    for (unsigned k = 0; k < n; k++) {
        uint32_t g = group_at(a, *o[k].reg);
        if (o[k].def && o[k].n == group(a, g)->size)
            clear(live, g);
    }
    for (unsigned k = 0; k < n; k++)
        if (!o[k].def || o[k].n != group(a, group_at(a, *o[k].reg))->size)
            set(live, group_at(a, *o[k].reg));
    if (code_packed(i) != UINT32_MAX)
        set(live, group_at(a, code_packed(i)));
    uint32_t nargs;
    struct vm_arg *arg = code_args(a->w, i, &nargs);
    for (uint32_t k = 0; k < nargs; k++)
        if (!(arg[k].src & VM_ARG_CONST))
            set(live, group_at(a, arg[k].src));
}

static uint64_t *row(const struct analysis *a, uint64_t *sets, uint32_t b)
{
    return sets + (size_t)b * a->words;
}

/* Computes what a block does to liveness, whatever is live behind it. */
static void summarise(struct analysis *a, uint32_t b)
{
    memset(row(a, a->pass, b), 0xff, a->words * 8);
    for (uint32_t at = a->block_start[b + 1]; at-- > a->block_start[b];) {
        struct code_operand o[CODE_MAX_OPERANDS];
        unsigned n = code_operands(a->w, &a->code[at], o);
        for (unsigned k = 0; k < n; k++)
            if (o[k].def)
                set(row(a, a->defined, b), group_at(a, *o[k].reg));
        step_back(a, &a->code[at], row(a, a->gen, b));
        step_back(a, &a->code[at], row(a, a->pass, b));
    }
}

static bool update_block(struct analysis *a, uint32_t b)
{
    uint64_t *out = row(a, a->out, b), *in = row(a, a->in, b), changed = 0;
    const uint64_t *gen = row(a, a->gen, b), *pass = row(a, a->pass, b);
    uint32_t two[2], *list, last = a->block_start[b + 1] - 1;
    unsigned n = code_successors(a->w, &a->code[last], last, a->ncode, &list, two);
    for (unsigned k = 0; k < n; k++)
        for (uint32_t w = 0; w < a->words; w++)
            out[w] |= row(a, a->in, a->block_of[list[k]])[w];
    if (list != two)
        free(list);
    for (uint32_t w = 0; w < a->words; w++) {
        uint64_t now = gen[w] | (out[w] & pass[w]);
        changed |= in[w] ^ now;
        in[w] = now;
    }
    return changed != 0;
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

/* Computes the interval of each group in twice the instruction numbers: 2k is "before k", 2k +
 * 1 "by k".  So what an instruction defines may take the slot of what it reads last. */
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
            struct code_operand o[CODE_MAX_OPERANDS];
            unsigned n = code_operands(a->w, &a->code[at], o);
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

/* ---- moves: source and target in one slot where they never live together --------- */

static bool defines(struct analysis *a, struct vm_insn *i, uint32_t g)
{
    struct code_operand o[CODE_MAX_OPERANDS];
    unsigned n = code_operands(a->w, i, o);
    for (unsigned k = 0; k < n; k++)
        if (o[k].def && group_at(a, *o[k].reg) == g)
            return true;
    return false;
}

static bool has(const uint64_t *bits, uint32_t g)
{
    return bits[g / 64] >> (g % 64) & 1;
}

/* Is a group alive anywhere in a block? */
static bool lives_in(const struct analysis *a, uint32_t b, uint32_t g)
{
    return has(row(a, a->in, b), g) || has(row(a, a->defined, b), g);
}

/* Is one of two groups alive where the other is defined, other than by a move between them?
 * Adds the number of instructions that it went through to *spent. */
static bool interfere(struct analysis *a, uint32_t g, uint32_t h, uint64_t *live,
                      uint64_t *spent)
{
    for (uint32_t b = 0; b < a->nblocks; b++) {
        if (has(row(a, a->in, b), g) && has(row(a, a->in, b), h))
            return true;
        if (!lives_in(a, b, g) || !lives_in(a, b, h))
            continue;
        *spent += a->block_start[b + 1] - a->block_start[b];
        memcpy(live, row(a, a->out, b), a->words * 8);
        for (uint32_t at = a->block_start[b + 1]; at-- > a->block_start[b];) {
            struct vm_insn *i = &a->code[at];
            bool move =
                i->op == VM_OP_MOV && ((group_at(a, i->d) == g && group_at(a, i->a) == h) ||
                                       (group_at(a, i->d) == h && group_at(a, i->a) == g));
            if (!move &&
                ((defines(a, i, g) && has(live, h)) || (defines(a, i, h) && has(live, g))))
                return true;
            step_back(a, i, live);
        }
    }
    return false;
}

static void rename_in(struct analysis *a, struct vm_insn *i, uint32_t from, uint32_t to)
{
    struct code_operand o[CODE_MAX_OPERANDS];
    unsigned n = code_operands(a->w, i, o);
    if (code_packed(i) == from)
        code_repack(i, to);
    for (unsigned k = 0; k < n; k++)
        if (*o[k].reg == from)
            *o[k].reg = to;
    uint32_t nargs;
    struct vm_arg *arg = code_args(a->w, i, &nargs);
    for (uint32_t k = 0; k < nargs; k++)
        if (arg[k].src == from)
            arg[k].src = to;
}

static void move_bit(uint64_t *bits, uint32_t from, uint32_t to)
{
    if (has(bits, from)) {
        clear(bits, from);
        set(bits, to);
    }
}

/* Makes group h a part of group g, in the blocks where h occurs. */
static void rename_group(struct analysis *a, uint32_t h, uint32_t g, uint64_t *spent)
{
    uint32_t from = group(a, h)->first, to = group(a, g)->first;
    for (uint32_t b = 0; b < a->nblocks; b++) {
        if (!lives_in(a, b, h))
            continue;
        *spent += a->block_start[b + 1] - a->block_start[b];
        for (uint32_t at = a->block_start[b]; at < a->block_start[b + 1]; at++)
            rename_in(a, &a->code[at], from, to);
        move_bit(row(a, a->in, b), h, g);
        move_bit(row(a, a->out, b), h, g);
        move_bit(row(a, a->defined, b), h, g);
    }
}

enum { MERGE_BUDGET = 1 << 16 }; /* instructions looked at, in all, per function */

static void merge_moves(struct analysis *a, uint64_t *live)
{
    uint64_t spent = 0;
    for (uint32_t at = 0; at < a->ncode && spent < MERGE_BUDGET; at++) {
        struct vm_insn *i = &a->code[at];
        if (i->op != VM_OP_MOV || i->a == i->d)
            continue;
        uint32_t g = group_at(a, i->d), h = group_at(a, i->a);
        if (group(a, g)->size != 1 || group(a, h)->size != 1 || group(a, g)->fixed ||
            group(a, h)->fixed)
            continue;
        if (!interfere(a, g, h, live, &spent))
            rename_group(a, h, g, &spent);
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
    struct list busy = {.item = sizeof(uint32_t)};
    occupy(&busy, 0, VM_FRAME_HEADER, UINT32_MAX);
    uint32_t n = 0;
    for (uint32_t g = 0; g < a->ngroups; g++) {
        struct group *q = group(a, g);
        if (keep_all || has(a->kept, g)) {
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
    uint64_t *bits = vm_zeros(words, 8);
    for (uint32_t g = 0; g < a->ngroups; g++)
        if ((live[g / 64] | a->kept[g / 64]) >> (g % 64) & 1)
            for (uint32_t k = 0; k < group(a, g)->size; k++)
                set(bits, group(a, g)->slot + k);
    if (a->w->out->va_reg)
        set(bits, a->w->out->va_reg);
    a->w->out->live_at[at] = (uint32_t)(sets->n / words) + 1;
    for (uint32_t k = 0; k < words; k++)
        list_push(sets, &bits[k]);
    free(bits);
}

/* Records which registers a frame that stopped at each instruction still needs. */
static void record_live(struct analysis *a, uint64_t *live)
{
    struct vm_function *f = a->w->out;
    struct list sets = {.item = 8};
    f->live_at = load_alloc(a->w->l, a->ncode * sizeof *f->live_at);
    for (uint32_t b = 0; b < a->nblocks; b++) {
        memcpy(live, a->out + (size_t)b * a->words, a->words * 8);
        for (uint32_t at = a->block_start[b + 1]; at-- > a->block_start[b];) {
            struct vm_insn *i = &a->code[at];
            if (i->op == VM_OP_CALL || i->op == VM_OP_CALLI) {
                uint64_t *after = vm_alloc(a->words * 8);
                memcpy(after, live, a->words * 8);
                struct code_operand o[CODE_MAX_OPERANDS];
                unsigned n = code_operands(a->w, i, o);
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
        struct code_operand o[CODE_MAX_OPERANDS];
        unsigned n = code_operands(a->w, i, o);
        if (code_packed(i) != UINT32_MAX)
            code_repack(i, real(a, code_packed(i)));
        for (unsigned k = 0; k < n; k++)
            *o[k].reg = real(a, *o[k].reg);
        uint32_t nargs;
        struct vm_arg *arg = code_args(a->w, i, &nargs);
        for (uint32_t k = 0; k < nargs; k++)
            if (!(arg[k].src & VM_ARG_CONST))
                arg[k].src = real(a, arg[k].src);
    }
}

static void find_kept(struct analysis *a)
{
    a->kept = vm_zeros(a->words, 8);
    for (uint32_t at = 0; a->w->queried && at < a->ncode; at++)
        if (a->code[at].op == VM_OP_ALLOCA && a->code[at].b)
            set(a->kept, group_at(a, a->code[at].d));
}

static uint64_t *begin(struct analysis *a, struct lowering *w)
{
    *a = (struct analysis){.w = w,
                           .code = w->code.data,
                           .ncode = (uint32_t)w->code.n,
                           .ngroups = (uint32_t)w->groups.n};
    a->words = (a->ngroups + 63) / 64 + 1;
    find_blocks(a);
    find_kept(a);
    uint64_t **sets[] = {&a->in, &a->out, &a->gen, &a->pass, &a->defined};
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++)
        *sets[k] = vm_zeros((size_t)a->nblocks * a->words, 8);
    a->from = vm_alloc(a->ngroups * sizeof *a->from);
    a->to = vm_alloc(a->ngroups * sizeof *a->to);
    uint64_t *live = vm_alloc(a->words * 8);
    for (uint32_t b = 0; b < a->nblocks; b++)
        summarise(a, b);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = a->nblocks; b-- > 0;)
            changed |= update_block(a, b);
    }
    return live;
}

static void end(struct analysis *a, uint64_t *live)
{
    free(live);
    free(a->in);
    free(a->out);
    free(a->gen);
    free(a->pass);
    free(a->defined);
    free(a->kept);
    free(a->from);
    free(a->to);
    free(a->block_of);
    free(a->block_start);
}

void load_merge_moves(struct lowering *w)
{
    struct analysis a;
    uint64_t *live = begin(&a, w);
    merge_moves(&a, live);
    for (uint32_t at = 0; at < a.ncode; at++)
        if (a.code[at].op == VM_OP_MOV && a.code[at].a == a.code[at].d)
            a.code[at] = (struct vm_insn){.op = VM_OP_NOP};
    end(&a, live);
}

void load_registers(struct lowering *w)
{
    struct analysis a;
    uint64_t *live = begin(&a, w);
    find_intervals(&a, live);
    choose_slots(&a, w->out->keeps_all);
    record_live(&a, live);
    rewrite(&a);
    end(&a, live);
}
