/* cover.c - see cover.h.
 *
 * Marks are the caller's (options.covered), and are never taken back: what a rollback undoes
 * was executed all the same.  A transition that the cache knows was executed by the machine
 * that has the cache, so its marks are set. */
#include "vm/exec/cover.h"

#include <string.h>

#include "vm/exec/register.h"

static void mark(struct vm *vm, uint64_t k)
{
    _Atomic unsigned char *at = &vm->options.covered[k];
    if (!atomic_load_explicit(at, memory_order_relaxed)) /* workers would share its line */
        atomic_store_explicit(at, 1, memory_order_relaxed);
}

/* Returns which mark a switch sets: the last of n + 1 is that of no case. */
static uint64_t way_of(const struct vm *vm, const struct vm_insn *i, uint64_t value)
{
    const struct vm_case *c = &vm->program->cases[i->d];
    uint64_t k = 0;
    while (k < i->b && c[k].value != value)
        k++;
    return k;
}

void vm_cover(struct vm *vm, const struct vm_insn *i, const struct vm_obj *frame)
{
    if (!vm->options.covered)
        return;
    if (i->op == VM_OP_COVER)
        mark(vm, i->k);
    else if (vm_mask(frame, i->a) == ~0ull) /* else the branch is a fault */
        mark(vm, i->k + (i->op == VM_OP_COVER_BR ? !(frame->data[i->a] & 1)
                                                 : way_of(vm, i, frame->data[i->a])));
}

/* ---- what the marks are ---------------------------------------------------------- */

size_t vm_cover_marks(const struct vm_program *program)
{
    return program->covers ? program->nsites : 0;
}

struct vm_cover_mark vm_cover_mark(const struct vm_program *program, size_t k)
{
    static const enum vm_cover_kind kinds[] = {
        ['f'] = VM_COVER_FUNCTION, ['l'] = VM_COVER_LINE, ['b'] = VM_COVER_BRANCH};
    const struct vm_site *site = &program->sites[k];
    const struct vm_loc *loc = &program->locs[site->loc];
    while (loc->library && loc->inlined_at)
        loc = &program->locs[loc->inlined_at];
    return (struct vm_cover_mark){.kind = kinds[(unsigned char)*site->name],
                                  .file = loc->file,
                                  .function = loc->function,
                                  .line = loc->line,
                                  .column = loc->column,
                                  .ways = site->edges};
}
