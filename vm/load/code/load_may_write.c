/* load_may_write.c - finds what code can still do to the tracked variables; see may_write.h.
 *
 * Works on the bytecode of the whole program.  A pointer to a variable is followed from where
 * it is named through the registers that it gets to, into the functions that it is given to.
 * Where it gets anywhere else, the variable is not tracked. */
#include "vm/load/code/load_may_write.h"
#include "vm/exec/may_write.h"
#include "vm/heap/memory.h"
#include "vm/load/code/load_code.h"
#include "vm/load/load.h"
#include "vm/load/lowering.h"
#include "vm/load/table.h"

#include <stdlib.h>
#include <string.h>

enum {
    USE_READ = 1,
    USE_WRITE = 2,
    USE_LOAD = 4,  /* an atomic one */
    USE_OTHER = 8, /* nobody knows what */
};

enum {
    MAX_COPIES = 8, /* registers that hold one pointer */
    MAX_DEPTH = 64, /* calls through which it is followed */
    NONE = UINT32_MAX
};

struct effect { /* a use of a variable by name */
    uint32_t function, pc, global;
    unsigned uses;
};

struct parameter { /* the uses of what a parameter points to */
    uint32_t function, number;
    unsigned uses;
};

struct finder {
    struct lowering w; /* for load_code.h */
    struct vm_program *program;
    unsigned *uses; /* of each global variable */
    struct list effects, parameters;
    unsigned depth;   /* of calls */
    uint8_t *taken;   /* functions whose address is taken */
    uint64_t *all;    /* of each function, from its first instruction */
    uint64_t *called; /* of each signature: through a pointer */
};

static struct vm_insn insn_at(const struct vm_function *f, uint32_t pc)
{
    struct vm_insn i = f->code[pc];
    i.op = (uint16_t)vm_first_op(i.op);
    return i;
}

static bool is_call(const struct vm_insn *i)
{
    return i->op == VM_OP_CALL || i->op == VM_OP_CALLI;
}

/* ---- where a pointer gets to ----------------------------------------------------- */

/* A walk through one function: the places that are still to be visited, each with the register
 * that holds the pointer there. */
struct flow {
    uint32_t regs[MAX_COPIES], nregs;
    uint64_t *seen[MAX_COPIES]; /* instructions */
    uint32_t words;
    struct list stops; /* struct stop */
};
struct stop {
    uint32_t pc, copy;
};

/* Adds a place to the walk.  False if there are too many registers. */
static bool flow_to(struct flow *flow, uint32_t pc, uint32_t reg)
{
    uint32_t k = 0;
    while (k < flow->nregs && flow->regs[k] != reg)
        k++;
    if (k == MAX_COPIES)
        return false;
    if (k == flow->nregs) {
        flow->regs[flow->nregs++] = reg;
        flow->seen[k] = vm_zeros(flow->words, sizeof *flow->seen[k]);
    }
    uint64_t bit = (uint64_t)1 << pc % 64;
    if (!(flow->seen[k][pc / 64] & bit)) {
        flow->seen[k][pc / 64] |= bit;
        list_push(&flow->stops, &(struct stop){pc, k});
    }
    return true;
}

static void flow_fini(struct flow *flow)
{
    for (uint32_t k = 0; k < flow->nregs; k++)
        free(flow->seen[k]);
    free(flow->stops.data);
}

/* What an instruction does with the address in its field a. */
static unsigned use_as_address(const struct vm_insn *i, bool *copied)
{
    switch (i->op) {
    case VM_OP_ALOAD: return USE_READ | (i->flags & VM_VOLATILE ? 0 : USE_LOAD);
    case VM_OP_LOAD1:
    case VM_OP_LOAD2:
    case VM_OP_LOAD4:
    case VM_OP_LOAD8:
    case VM_OP_LOADN:
    case VM_OP_LOADX1:
    case VM_OP_LOADX2:
    case VM_OP_LOADX4:
    case VM_OP_LOADX8:
    case VM_OP_BYVAL:
    case VM_OP_MEMCPY:
    case VM_OP_MEMMOVE: return USE_READ;
    case VM_OP_ASTORE:
    case VM_OP_STORE1:
    case VM_OP_STORE2:
    case VM_OP_STORE4:
    case VM_OP_STORE8:
    case VM_OP_STOREN:
    case VM_OP_STOREX1:
    case VM_OP_STOREX2:
    case VM_OP_STOREX4:
    case VM_OP_STOREX8: return USE_WRITE;
    case VM_OP_RMW:
    case VM_OP_CMPXCHG: return USE_READ | USE_WRITE;
    case VM_OP_PTRADD:
    case VM_OP_INDEX:
    case VM_OP_MOV:
    case VM_OP_FREEZE: *copied = true; return 0;
    case VM_OP_NOTE: /* reports look at it */
    case VM_OP_EQ_K: /* with NULL */
    case VM_OP_NE_K:
    case VM_OP_BR_EQ_K:
    case VM_OP_BR_NE_K: return 0;
    default: return USE_OTHER;
    }
}

static bool is_block_write(unsigned op)
{
    return op == VM_OP_MEMCPY || op == VM_OP_MEMMOVE || op == VM_OP_MEMSET;
}

static unsigned parameter_uses(struct finder *x, uint32_t function, uint32_t number);

/* What a callee does with the pointer that is its k-th argument. */
static unsigned use_as_argument(struct finder *x, const struct vm_insn *i, uint32_t k)
{
    const struct vm_call *c = &x->program->calls[i->b];
    const struct vm_function *f = &x->program->functions[i->k];
    if (i->op != VM_OP_CALL || k >= c->nfixed || f->nparams != c->nfixed)
        return USE_OTHER;
    return parameter_uses(x, (uint32_t)i->k, k);
}

/* What an instruction does with the pointer in a register; copied: its result is a pointer to
 * the same variable. */
static unsigned use_of(struct finder *x, struct vm_insn *i, uint32_t reg, bool *copied)
{
    struct code_operand o[CODE_MAX_OPERANDS];
    unsigned n = code_operands(&x->w, i, o), uses = 0;
    for (unsigned k = 0; k < n; k++) {
        if (o[k].def || reg < *o[k].reg || reg >= *o[k].reg + o[k].n)
            continue;
        if (o[k].reg == &i->a)
            uses |= use_as_address(i, copied);
        else
            uses |= o[k].reg == &i->d && is_block_write(i->op) ? USE_WRITE : USE_OTHER;
    }
    uint32_t packed = code_packed(i), nargs;
    if (packed != NONE && reg >= packed && reg < packed + code_packed_regs(i))
        uses |= USE_OTHER;
    const struct vm_arg *arg = code_args(&x->w, i, &nargs);
    for (uint32_t k = 0; k < nargs; k++)
        if (arg[k].src == reg)
            uses |= use_as_argument(x, i, k);
    return uses;
}

static bool defines(struct finder *x, struct vm_insn *i, uint32_t reg)
{
    struct code_operand o[CODE_MAX_OPERANDS];
    unsigned n = code_operands(&x->w, i, o);
    for (unsigned k = 0; k < n; k++)
        if (o[k].def && reg >= *o[k].reg && reg < *o[k].reg + o[k].n)
            return true;
    return false;
}

/* Continues the walk with the instructions after the one at pc. */
static bool flow_on(struct finder *x, struct flow *flow, const struct vm_function *f,
                    struct vm_insn *i, uint32_t pc, uint32_t reg)
{
    uint32_t two[2], *list;
    unsigned n = code_successors(&x->w, i, pc, f->ncode, &list, two);
    bool fits = true;
    for (unsigned k = 0; k < n; k++)
        fits &= flow_to(flow, list[k], reg);
    if (list != two)
        free(list);
    return fits;
}

/* Returns what is done with the pointer that a register holds before the instruction at pc.  If
 * global is not NONE, the uses are noted as effects on that variable. */
static unsigned follow(struct finder *x, uint32_t function, uint32_t pc, uint32_t reg,
                       uint32_t global)
{
    const struct vm_function *f = &x->program->functions[function];
    struct flow flow = {.words = f->ncode / 64 + 1, .stops.item = sizeof(struct stop)};
    unsigned uses = 0;
    if (pc < f->ncode)
        flow_to(&flow, pc, reg);
    while (flow.stops.n && !(uses & USE_OTHER)) {
        struct stop at = ((struct stop *)flow.stops.data)[--flow.stops.n];
        struct vm_insn i = insn_at(f, at.pc);
        uint32_t copy = flow.regs[at.copy];
        bool copied = false, fits = true;
        unsigned here = use_of(x, &i, copy, &copied);
        if (here && global != NONE)
            list_push(&x->effects, &(struct effect){function, at.pc, global, here});
        if (copied)
            fits = flow_on(x, &flow, f, &i, at.pc, i.d);
        if (!defines(x, &i, copy))
            fits &= flow_on(x, &flow, f, &i, at.pc, copy);
        uses |= here | (fits ? 0 : USE_OTHER);
    }
    flow_fini(&flow);
    return uses;
}

static unsigned parameter_uses(struct finder *x, uint32_t function, uint32_t number)
{
    const struct parameter *known = x->parameters.data;
    for (size_t k = 0; k < x->parameters.n; k++)
        if (known[k].function == function && known[k].number == number)
            return known[k].uses;
    size_t at = x->parameters.n; /* to itself: nobody knows */
    list_push(&x->parameters, &(struct parameter){function, number, USE_OTHER});
    if (x->depth == MAX_DEPTH)
        return USE_OTHER;
    x->depth++;
    unsigned uses = follow(x, function, 0, VM_FRAME_HEADER + number, NONE);
    x->depth--;
    ((struct parameter *)x->parameters.data)[at].uses = uses;
    return uses;
}

/* ---- who names what -------------------------------------------------------------- */

static bool is_pointer(struct vm_const c, unsigned region)
{
    return c.shadow == 0xffff && vm_ptr_region(c.value) == region;
}

/* Calls visit for each constant that a CONST or an argument names, with the argument's number
 * or NONE. */
static void each_constant(struct finder *x, struct vm_insn *i,
                          void (*visit)(struct finder *x, struct vm_const c, uint32_t number,
                                        void *context),
                          void *context)
{
    if (i->op == VM_OP_CONST) {
        visit(x, (struct vm_const){i->k, i->flags ? 0xffff : 0x00ff}, NONE, context);
        return;
    }
    uint32_t nargs;
    const struct vm_arg *arg = code_args(&x->w, i, &nargs);
    for (uint32_t k = 0; k < nargs; k++)
        if (arg[k].src & VM_ARG_CONST)
            visit(x, x->program->values[arg[k].src & ~VM_ARG_CONST], k, context);
}

struct at {
    uint32_t function, pc;
    struct vm_insn *i;
};

static void note_name(struct finder *x, struct vm_const c, uint32_t number, void *context)
{
    const struct at *at = context;
    uint32_t index = vm_ptr_index(c.value);
    if (is_pointer(c, VM_ID_CODE) && index < x->program->nfunctions)
        x->taken[index] = true;
    if (!is_pointer(c, VM_ID_GLOBAL) || index >= x->program->nglobals ||
        x->uses[index] & USE_OTHER)
        return;
    unsigned uses;
    if (number == NONE) {
        uses = follow(x, at->function, at->pc + 1, at->i->d, index);
    } else {
        uses = use_as_argument(x, at->i, number);
        list_push(&x->effects, &(struct effect){at->function, at->pc, index, uses});
    }
    x->uses[index] |= uses;
}

/* Pointers in initial values: code may take them from there to anywhere. */
static void note_initial(struct finder *x, const struct vm_obj *o)
{
    const uint16_t *shadow = vm_obj_shadow((struct vm_obj *)o);
    for (uint32_t w = 0; w < vm_obj_words(o); w++) {
        struct vm_const c = {o->data[w], shadow[w] >> 8 == 0xff ? 0xffff : 0};
        if (is_pointer(c, VM_ID_GLOBAL) && vm_ptr_index(c.value) < x->program->nglobals)
            x->uses[vm_ptr_index(c.value)] |= USE_OTHER;
        if (is_pointer(c, VM_ID_CODE) && vm_ptr_index(c.value) < x->program->nfunctions)
            x->taken[vm_ptr_index(c.value)] = true;
        for (uint32_t g = 0; shadow[w] >> 8 && shadow[w] >> 8 != 0xff; g++) {
            if (g == x->program->nglobals)
                break;
            x->uses[g] |= USE_OTHER;
        }
    }
}

static void find_names(struct finder *x)
{
    const struct vm_program *p = x->program;
    for (uint32_t g = 0; g < p->nglobals; g++)
        x->uses[g] = p->globals[g].library ? USE_OTHER : 0;
    for (uint32_t g = 0; g < p->nglobals; g++)
        note_initial(x, p->globals[g].init);
    for (uint32_t c = 0; c < p->nconsts; c++)
        note_initial(x, p->consts[c].init);
    for (uint32_t f = 0; f < p->nfunctions; f++)
        for (uint32_t pc = 0; pc < p->functions[f].ncode; pc++) {
            struct vm_insn i = insn_at(&p->functions[f], pc);
            each_constant(x, &i, note_name, &(struct at){f, pc, &i});
        }
}

/* ---- functions ------------------------------------------------------------------- */

/* Adds variables to a set; true if one of them is new. */
static bool add(uint64_t *to, uint64_t more)
{
    bool is_new = more & ~*to;
    *to |= more;
    return is_new;
}

struct sum {
    uint64_t *to;
    bool more;
};

static void add_named(struct finder *x, struct vm_const c, uint32_t number, void *context)
{
    struct sum *sum = context;
    (void)number;
    if (is_pointer(c, VM_ID_CODE) && vm_ptr_index(c.value) < x->program->nfunctions)
        sum->more |= add(sum->to, x->all[vm_ptr_index(c.value)]);
}

/* Adds what the functions that an instruction calls may write.  A function whose address it
 * names counts as called, since a thread may be made of it. */
static bool add_called(struct finder *x, struct vm_insn *i, uint64_t *to)
{
    struct sum sum = {to, false};
    if (i->op == VM_OP_CALL)
        sum.more = add(to, x->all[i->k]);
    if (i->op == VM_OP_CALLI)
        sum.more = add(to, x->called[x->program->calls[i->b].signature]);
    each_constant(x, i, add_named, &sum);
    return sum.more;
}

/* Adds what calls through pointers of one type may write: the functions of that type whose
 * address is taken. */
static bool add_taken(struct finder *x, uint32_t signature)
{
    const struct vm_program *p = x->program;
    bool more = false;
    for (uint32_t f = 0; f < p->nfunctions; f++)
        if (x->taken[f] && vm_may_be_called(p, signature, &p->functions[f]))
            more |= add(&x->called[signature], x->all[f]);
    return more;
}

static uint64_t written_by(const struct finder *x, const struct effect *e)
{
    uint8_t number = x->program->tracked[e->global];
    return number && e->uses & USE_WRITE ? (uint64_t)1 << (number - 1) : 0;
}

/* Finds what each function may write, with the functions that it calls, until nothing is added
 * any more. */
static void find_functions(struct finder *x)
{
    const struct vm_program *p = x->program;
    const struct effect *e = x->effects.data;
    for (size_t k = 0; k < x->effects.n; k++)
        add(&x->all[e[k].function], written_by(x, &e[k]));
    for (bool more = true; more;) {
        more = false;
        for (size_t s = 0; s < x->w.l->signatures.n; s++)
            more |= add_taken(x, (uint32_t)s);
        for (uint32_t f = p->nfunctions; f-- > 0;)
            for (uint32_t pc = 0; pc < p->functions[f].ncode; pc++) {
                struct vm_insn i = insn_at(&p->functions[f], pc);
                more |= add_called(x, &i, &x->all[f]);
            }
    }
}

/* ---- instructions ---------------------------------------------------------------- */

static void add_effects(struct finder *x)
{
    const struct effect *e = x->effects.data;
    for (size_t k = 0; k < x->effects.n; k++) {
        const struct vm_function *f = &x->program->functions[e[k].function];
        struct vm_insn i = insn_at(f, e[k].pc);
        if (!f->may_write)
            continue;
        add(&f->may_write[e[k].pc], written_by(x, &e[k]));
        if (is_call(&i))
            add(&x->program->calls[i.b].through, written_by(x, &e[k]));
    }
}

/* Finds what may still be written from each instruction of a function on, backwards until
 * nothing changes.  A function that longjmp may come back to may do all again. */
static void find_instructions(struct finder *x, struct vm_function *f, uint64_t all)
{
    for (bool more = true; more;) {
        more = false;
        for (uint32_t pc = f->ncode; pc-- > 0;) {
            struct vm_insn i = insn_at(f, pc);
            uint32_t two[2], *list;
            unsigned n = code_successors(&x->w, &i, pc, f->ncode, &list, two);
            for (unsigned k = 0; k < n; k++)
                more |= add(&f->may_write[pc], f->may_write[list[k]]);
            if (list != two)
                free(list);
            more |= add_called(x, &i, &f->may_write[pc]);
        }
    }
    for (uint32_t pc = 0; f->keeps_all && pc < f->ncode; pc++)
        f->may_write[pc] = all;
}

static void find_futures(struct finder *x)
{
    struct vm_program *p = x->program;
    for (uint32_t f = 0; f < p->nfunctions; f++)
        if (x->all[f])
            p->functions[f].may_write =
                load_alloc(x->w.l, p->functions[f].ncode * sizeof(uint64_t));
    add_effects(x);
    for (uint32_t f = 0; f < p->nfunctions; f++)
        if (p->functions[f].may_write)
            find_instructions(x, &p->functions[f], x->all[f]);
}

/* Tracks the variables that are loaded atomically, and accessed by name alone. */
static bool choose_tracked(struct finder *x)
{
    struct vm_program *p = x->program;
    uint8_t n = 0;
    p->tracked = load_alloc(x->w.l, p->nglobals);
    for (uint32_t g = 0; g < p->nglobals && n < VM_MAX_TRACKED; g++)
        if (x->uses[g] & USE_LOAD && !(x->uses[g] & USE_OTHER))
            p->tracked[g] = ++n;
    return n;
}

void load_may_write(struct loader *l)
{
    struct vm_program *p = l->program;
    struct finder x = {.w.l = l,
                       .program = p,
                       .effects.item = sizeof(struct effect),
                       .parameters.item = sizeof(struct parameter)};
    x.uses = vm_zeros(p->nglobals + 1, sizeof *x.uses);
    x.taken = vm_zeros(p->nfunctions + 1, sizeof *x.taken);
    x.all = vm_zeros(p->nfunctions + 1, sizeof *x.all);
    x.called = vm_zeros(l->signatures.n + 1, sizeof *x.called);
    find_names(&x);
    bool suits = !p->interrupts && !l->hid_pointer;
    if (suits && choose_tracked(&x)) {
        find_functions(&x);
        find_futures(&x);
    } else {
        p->tracked = NULL; /* freed with the arena */
    }
    free(x.effects.data);
    free(x.parameters.data);
    free(x.uses);
    free(x.taken);
    free(x.all);
    free(x.called);
}
