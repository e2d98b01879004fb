/* load_pair.c - finds the instructions that are done at once; see pair.def.  The last
 * step: nothing but the number of an instruction changes. */
#include <stdlib.h>

#include "vm/heap/memory.h"
#include "vm/load/code/load_code.h"
#include "vm/load/code/load_improve.h"
#include "vm/load/lowering.h"

static uint8_t *jump_targets(struct lowering *w)
{
    uint32_t n = (uint32_t)w->code.n;
    const struct vm_insn *code = w->code.data;
    uint8_t *targets = vm_zeros(n + 1, 1);
    for (uint32_t at = 0; at < n; at++) {
        uint32_t two[2], *list;
        if (!code_ends_block(w, &code[at]))
            continue;
        unsigned count = code_successors(w, &code[at], at, n, &list, two);
        for (unsigned k = 0; k < count; k++)
            targets[list[k]] = 1;
        if (list != two)
            free(list);
    }
    return targets;
}

static bool is_access(unsigned op)
{
    return op == VM_OP_LOADX4 || op == VM_OP_LOADX8;
}

/* Is the index of an access the sum just computed, and neither the base nor needed
 * afterwards?  An access that must be aligned more than it is by nature is none of a pair. */
static bool is_index(const struct vm_insn *sum, const struct vm_insn *access)
{
    uint64_t bytes = access->op == VM_OP_LOADX4 ? 4 : 8;
    return access->b == sum->d && access->d == sum->d && access->a != sum->d &&
           access->w == sum->w && access->k == bytes << 32 && access->flags < bytes;
}

/* May the sum wrap around?  Only ints that must not overflow are added in a pair. */
static bool wraps(const struct vm_insn *i)
{
    return i->w != 32 || i->flags & VM_NUW || !(i->flags & VM_NSW);
}

static uint32_t length_of(unsigned op)
{
    switch (op) {
    case VM_OP_MUL_ADD_LOADX8: return 3;
    case VM_OP_FMUL_FADD: return 2;
    case VM_OP_MUL_ADD_LOADX8_FMUL_FADD: return 5;
    default: return 1;
    }
}

static bool is_jumped_to(const uint8_t *targets, uint32_t from, uint32_t to)
{
    while (from < to && !targets[from])
        from++;
    return from < to;
}

/* Do the operands of a pair depend on each other as the interpreter supposes? */
static bool fits(const struct vm_insn *code, uint32_t at, const uint16_t *pair)
{
    unsigned op = pair[0], first = pair[1], second = pair[2], third = pair[3];
    const struct vm_insn *x = &code[at], *y = x + length_of(first), *z = x + 2;
    if (second == VM_OP_MUL_ADD_LOADX8_FMUL_FADD)
        return y[3].a == x->d;
    if (second == VM_OP_FMUL_FADD)
        return y->b == x->d && y->a != x->d && y[1].a != x->d; /* an element, once */
    if (first == VM_OP_FMUL64)
        return (op == VM_OP_FMUL_FADD ? y->b : y->a) == x->d &&
               (op == VM_OP_FMUL_FADD ? y->a : y->b) != x->d;
    if (wraps(x))
        return false;
    if (second == VM_OP_LOOP) {
        const struct vm_insn *branch = &code[y->k];
        return branch->op == third && branch->w == x->w &&
               (third == VM_OP_BR_SLE ? branch->b : branch->a) == x->d;
    }
    if (is_access(second))
        return is_index(x, y);
    return !wraps(y) && y->a == x->d && y->b != x->d && y->d == x->d && y->w == x->w &&
           is_index(y, z);
}

static unsigned pair_at(const struct vm_insn *code, uint32_t n, const uint8_t *targets,
                        uint32_t at)
{
    static const uint16_t table[][4] = {
#define VM_PAIR(name, first, second, third) \
    {VM_OP_##name, VM_OP_##first, VM_OP_##second, VM_OP_##third},
#include "vm/pair.def"
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        const uint16_t *t = table[k];
        bool three = is_access(t[3]);
        uint32_t second = at + length_of(t[1]), end = second + length_of(t[2]) + three;
        if (end > n || code[at].op != t[1] || code[second].op != t[2] ||
            (three && code[second + 1].op != t[3]) || is_jumped_to(targets, at + 1, end))
            continue;
        if (fits(code, at, t))
            return t[0];
    }
    return code[at].op;
}

void load_pairs(struct lowering *w)
{
    struct vm_insn *code = w->code.data;
    uint8_t *targets = jump_targets(w);
    for (int pass = 0; pass < 3; pass++) /* pairs of pairs come last */
        for (uint32_t at = 0; at < w->code.n; at++)
            code[at].op = (uint16_t)pair_at(code, (uint32_t)w->code.n, targets, at);
    free(targets);
}
