/* orders.c - the memory orders in the program's own code, and the same program with others.
 *
 * An instruction has its order in its flags.  A call of the C++ library passes it as an
 * argument, which is a constant of that call's own.  Whatever has the same place in the source
 * and does the same is one entry: the copies of an inlined function, and the instances of a
 * template. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "vm/heap/memory.h"

/* A place of an order: the flags of an instruction, or an argument. */
struct site {
    uint32_t entry;
    struct vm_insn *insn; /* a call, if there is an argument */
    struct vm_const *argument;
};

struct vm_orders {
    struct vm_program *program;
    struct vm_weak weak; /* as it was loaded */
    bool fences;         /* likewise */
    char where[512];     /* of an order that only now is weaker than seq_cst */
    struct vm_ordered *at;
    enum vm_memory_order *now;
    struct site *sites;
    size_t n, max, nsites, max_sites;
};

/* ---- flags ----------------------------------------------------------------------- */

enum {
    ORDERS = VM_SEQ_CST | VM_ACQUIRES | VM_RELEASES,
    FAILURE_ORDERS = VM_FAIL_SEQ_CST | VM_FAIL_ACQUIRES,
};

static enum vm_memory_order order_of(uint8_t flags)
{
    if (flags & VM_SEQ_CST)
        return VM_MEMORY_SEQ_CST;
    if (flags & VM_ACQUIRES)
        return flags & VM_RELEASES ? VM_MEMORY_ACQ_REL : VM_MEMORY_ACQUIRE;
    return flags & VM_RELEASES ? VM_MEMORY_RELEASE : VM_MEMORY_RELAXED;
}

static enum vm_memory_order failure_order_of(uint8_t flags)
{
    return flags & VM_FAIL_SEQ_CST    ? VM_MEMORY_SEQ_CST
           : flags & VM_FAIL_ACQUIRES ? VM_MEMORY_ACQUIRE
                                      : VM_MEMORY_RELAXED;
}

static uint8_t flags_of(enum vm_memory_order order)
{
    static const uint8_t flags[] = {
        [VM_MEMORY_RELAXED] = 0,
        [VM_MEMORY_CONSUME] = VM_ACQUIRES,
        [VM_MEMORY_ACQUIRE] = VM_ACQUIRES,
        [VM_MEMORY_RELEASE] = VM_RELEASES,
        [VM_MEMORY_ACQ_REL] = VM_ACQUIRES | VM_RELEASES,
        [VM_MEMORY_SEQ_CST] = ORDERS,
    };
    return flags[order];
}

static uint8_t failure_flags_of(enum vm_memory_order order)
{
    uint8_t flags = flags_of(order);
    return (uint8_t)((flags & VM_ACQUIRES ? VM_FAIL_ACQUIRES : 0) |
                     (flags & VM_SEQ_CST ? VM_FAIL_SEQ_CST : 0));
}

/* ---- functions of the C++ library ------------------------------------------------ */

/* Prefixes of the names of functions that take an order, without "atomic_". */
static const struct {
    const char *name;
    enum vm_ordered_kind kind;
} functions[] = {
    {"load", VM_ORDERED_LOAD},        {"store", VM_ORDERED_STORE},
    {"exchange", VM_ORDERED_RMW},     {"compare_exchange_", VM_ORDERED_EXCHANGE},
    {"fetch_", VM_ORDERED_RMW},       {"thread_fence", VM_ORDERED_FENCE},
    {"test_and_set", VM_ORDERED_RMW}, {"test", VM_ORDERED_LOAD},
    {"clear", VM_ORDERED_STORE},      {"flag_test_and_set", VM_ORDERED_RMW},
    {"flag_test", VM_ORDERED_LOAD},   {"flag_clear", VM_ORDERED_STORE},
};

/* Returns the name behind the scopes of "std::__atomic_base<ns::T, true>::load" or
 * "std::atomic_load<ns::T>". */
static const char *last_name(const char *name)
{
    const char *last = name;
    int depth = 0;
    for (const char *at = name; *at; at++) {
        depth += (*at == '<') - (*at == '>');
        if (!depth && at[0] == ':' && at[1] == ':')
            last = at + 2;
    }
    return last;
}

/* Does the function take an order (a prefix above)?  Sets its kind. */
static bool is_ordered(const char *name, enum vm_ordered_kind *kind)
{
    static const char space[] = "std::", prefix[] = "atomic_";
    const char *last = last_name(name);
    if (strncmp(name, space, sizeof space - 1) || !strstr(name, "atomic"))
        return false;
    if (!strncmp(last, prefix, sizeof prefix - 1))
        last += sizeof prefix - 1;
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        if (!strncmp(last, functions[k].name, strlen(functions[k].name))) {
            *kind = functions[k].kind;
            return true;
        }
    return false;
}

/* ---- finding them ---------------------------------------------------------------- */

/* Returns the place of an instruction in the program's own source.  within: the function of the
 * C++ library that was inlined there, or NULL.  Returns NULL for the library's own code: of
 * functions of libraries, only those of the C++ library's headers can have code of the program
 * in them. */
static const struct vm_loc *place_of(const struct vm_program *p, const struct vm_function *f,
                                     uint32_t loc, const char **within)
{
    uint32_t outer = loc;
    while (p->locs[outer].inlined_at)
        outer = p->locs[outer].inlined_at;
    *within = NULL;
    if (f->library && !p->locs[outer].library)
        return NULL;
    for (; loc; loc = p->locs[loc].inlined_at) {
        if (!p->locs[loc].library)
            return &p->locs[loc];
        *within = p->locs[loc].function;
    }
    return NULL;
}

static uint32_t entry_of(struct vm_orders *o, const struct vm_loc *loc,
                         enum vm_ordered_kind kind, enum vm_memory_order order)
{
    uint32_t k = 0;
    for (; k < o->n; k++)
        if (o->at[k].line == loc->line && o->at[k].column == loc->column &&
            o->at[k].kind == kind && !strcmp(o->at[k].file, loc->file)) {
            o->at[k].varies |= o->at[k].order != order;
            return k;
        }
    if (o->n == o->max) {
        o->max = o->max ? 2 * o->max : 16;
        o->at = vm_resize(o->at, o->max * sizeof *o->at);
    }
    o->at[o->n++] = (struct vm_ordered){.file = loc->file,
                                        .line = loc->line,
                                        .column = loc->column,
                                        .kind = kind,
                                        .order = order};
    return k;
}

static void add(struct vm_orders *o, uint32_t entry, struct vm_insn *insn,
                struct vm_const *argument)
{
    if (o->nsites == o->max_sites) {
        o->max_sites = o->max_sites ? 2 * o->max_sites : 16;
        o->sites = vm_resize(o->sites, o->max_sites * sizeof *o->sites);
    }
    o->sites[o->nsites++] = (struct site){entry, insn, argument};
}

static void add_argument(struct vm_orders *o, const struct vm_loc *loc, struct vm_insn *call,
                         enum vm_ordered_kind kind, struct vm_arg arg)
{
    struct vm_const *value =
        arg.src & VM_ARG_CONST ? &o->program->values[arg.src & ~VM_ARG_CONST] : NULL;
    bool known = value && value->value <= VM_MEMORY_SEQ_CST;
    uint32_t entry =
        entry_of(o, loc, kind, known ? (enum vm_memory_order)value->value : VM_MEMORY_SEQ_CST);
    o->at[entry].varies |= !known;
    if (known)
        add(o, entry, call, value);
}

/* Notes a call whose last argument is an order.  A compare-exchange with two orders has the
 * type of the order twice, behind those of the object, of the expected value and of the other
 * one. */
static void look_at_call(struct vm_orders *o, const struct vm_loc *loc, struct vm_insn *i,
                         enum vm_ordered_kind kind)
{
    const struct vm_program *p = o->program;
    const struct vm_call *call = &p->calls[i->b];
    const struct vm_signature *s = &p->signatures[call->signature];
    const struct vm_arg *last = &p->args[call->first + call->nfixed] - 1;
    bool one = s->nparams < 5 || s->params[s->nparams - 1] != s->params[s->nparams - 2];
    if (!call->nfixed)
        return;
    if (kind == VM_ORDERED_EXCHANGE && !one) {
        add_argument(o, loc, i, kind, last[-1]);
        add_argument(o, loc, i, VM_ORDERED_FAILURE, *last);
    } else {
        add_argument(o, loc, i, kind, *last);
    }
}

static bool is_atomic(const struct vm_insn *i, enum vm_ordered_kind *kind)
{
    bool plain = i->op == VM_OP_ALOAD || i->op == VM_OP_ASTORE;
    *kind = i->op == VM_OP_ALOAD     ? VM_ORDERED_LOAD
            : i->op == VM_OP_ASTORE  ? VM_ORDERED_STORE
            : i->op == VM_OP_RMW     ? VM_ORDERED_RMW
            : i->op == VM_OP_CMPXCHG ? VM_ORDERED_EXCHANGE
                                     : VM_ORDERED_FENCE;
    return (plain && !(i->flags & (VM_VOLATILE | VM_GUARD))) || i->op == VM_OP_RMW ||
           i->op == VM_OP_CMPXCHG || i->op == VM_OP_FENCE;
}

/* Notes the orders of an instruction.  Of an inlined function of the C++ library, only the
 * instruction counts that does what the function is for. */
static void look_at(struct vm_orders *o, const struct vm_function *f, uint32_t k)
{
    struct vm_insn *i = &f->code[k];
    const struct vm_program *p = o->program;
    enum vm_ordered_kind kind, wanted;
    const char *within;
    const struct vm_loc *loc = place_of(p, f, f->locs[k], &within);
    if (!loc)
        return;
    if (i->op == VM_OP_CALL && !within && p->functions[i->k].library &&
        is_ordered(p->functions[i->k].name, &kind))
        look_at_call(o, loc, i, kind);
    if (!is_atomic(i, &kind) || (within && !(is_ordered(within, &wanted) && wanted == kind)))
        return;
    add(o, entry_of(o, loc, kind, order_of(i->flags)), i, NULL);
    if (kind == VM_ORDERED_EXCHANGE)
        add(o, entry_of(o, loc, VM_ORDERED_FAILURE, failure_order_of(i->flags)), i, NULL);
}

static int by_place(const void *x, const void *y)
{
    const struct vm_ordered *a = x, *b = y;
    int files = strcmp(a->file, b->file);
    return files                    ? files
           : a->line != b->line     ? (a->line < b->line ? -1 : 1)
           : a->column != b->column ? (a->column < b->column ? -1 : 1)
                                    : (int)a->kind - (int)b->kind;
}

/* Sorts the orders by their places in the source; the sites are renumbered. */
static void sort(struct vm_orders *o)
{
    uint32_t *new = vm_zeros(o->n + 1, sizeof *new);
    struct vm_ordered *old = vm_alloc((o->n + 1) * sizeof *old);
    memcpy(old, o->at, o->n * sizeof *old);
    qsort(o->at, o->n, sizeof *o->at, by_place);
    for (size_t k = 0; k < o->n; k++)
        for (uint32_t j = 0; j < o->n; j++)
            if (!by_place(&old[k], &o->at[j]))
                new[k] = j;
    for (size_t k = 0; k < o->nsites; k++)
        o->sites[k].entry = new[o->sites[k].entry];
    free(old);
    free(new);
}

struct vm_orders *vm_orders_open(struct vm_program *program)
{
    struct vm_orders *o = vm_zeros(1, sizeof *o);
    o->program = program;
    o->weak = program->weak;
    o->fences = program->fences;
    for (uint32_t f = 0; f < program->nfunctions; f++)
        for (uint32_t k = 0; k < program->functions[f].ncode; k++)
            look_at(o, &program->functions[f], k);
    if (o->n)
        sort(o);
    o->now = vm_zeros(o->n + 1, sizeof *o->now);
    for (size_t k = 0; k < o->n; k++)
        o->now[k] = o->at[k].order;
    return o;
}

const struct vm_ordered *vm_orders_list(const struct vm_orders *o, size_t *n)
{
    *n = o->n;
    return o->at;
}

/* ---- changing them --------------------------------------------------------------- */

/* Sets the program's weak: the first order that is weaker than seq_cst. */
static void set_weak(struct vm_orders *o)
{
    static const char *const words[] = {"relaxed", "consume", "acquire", "release", "acq_rel"};
    o->program->weak = o->weak;
    for (size_t k = 0; k < o->n && !o->program->weak.places; k++)
        if (o->now[k] != VM_MEMORY_SEQ_CST) {
            snprintf(o->where, sizeof o->where, "%s:%u", o->at[k].file, o->at[k].line);
            o->program->weak = (struct vm_weak){o->where, words[o->now[k]], 1};
        }
}

void vm_orders_set(struct vm_orders *o, size_t k, enum vm_memory_order order)
{
    bool failure = o->at[k].kind == VM_ORDERED_FAILURE;
    uint8_t mask = failure ? FAILURE_ORDERS : ORDERS;
    o->now[k] = order;
    for (size_t s = 0; s < o->nsites; s++) {
        struct site *site = &o->sites[s];
        if (site->entry != k)
            continue;
        if (site->argument)
            site->argument->value = order;
        else
            site->insn->flags =
                (uint8_t)((site->insn->flags & ~mask) |
                          (failure ? failure_flags_of(order) : flags_of(order)));
    }
    set_weak(o);
}

void vm_orders_fence(struct vm_orders *o, size_t k, bool on)
{
    for (size_t s = 0; s < o->nsites; s++)
        if (o->sites[s].entry == k) {
            uint8_t *flags = &o->sites[s].insn->flags;
            *flags = (uint8_t)((*flags & ~VM_FENCED) | (on ? VM_FENCED : 0));
        }
    o->program->fences |= on;
}

void vm_orders_reset(struct vm_orders *o)
{
    for (size_t k = 0; k < o->n; k++)
        vm_orders_fence(o, k, false);
    o->program->fences = o->fences;
    for (size_t k = 0; k < o->n; k++)
        if (o->now[k] != o->at[k].order)
            vm_orders_set(o, k, o->at[k].order);
    o->program->weak = o->weak;
}

void vm_orders_close(struct vm_orders *o)
{
    vm_orders_reset(o);
    free(o->at);
    free(o->now);
    free(o->sites);
    free(o);
}
