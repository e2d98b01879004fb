/* assumption.c - the assumptions of a search (assumption.def), and the options of a search
 * without them. */
#include <assert.h>

#include "machine.h"

/* A search by executions takes it that allocations commute, so it must not see addresses as
 * numbers. */
static bool needs_no_addresses(const struct vm *vm)
{
    const struct vm_options *options = &vm->options;
    bool told = options->addresses_matter || (!options->heap_symmetry && !vm->forks);
    return !told || options->names;
}

static bool is_assumed(const struct vm *vm, enum vm_assumption a)
{
    const struct vm_options *options = &vm->options;
    switch (a) {
    case VM_ASSUMES_PRIVATE: return !vm->heap.share_all && !options->hides_pointers;
    case VM_ASSUMES_UNEXPOSED: return !vm->heap.share_all && options->hides_pointers;
    case VM_ASSUMES_ADDRESSES: return needs_no_addresses(vm);
    case VM_ASSUMES_JOINS: return options->deferred_joins;
    case VM_ASSUMES_FORKS: return !vm->forks;
    case VM_ASSUMES_DEAD: return !options->keep_dead_registers;
    case VM_ASSUMES_SYMMETRY: return options->thread_symmetry && !options->names;
    case VM_ASSUMES_IDS: return !options->next_id_matters;
    case VM_ASSUMES_APART: return vm->race.order && !options->mixed_accesses;
    case VM_ASSUMES_ENDS: return vm->race.order && !options->atomic_uses;
    case VM_ASSUMES_WHOLE: return vm->race.order && !vm->heap.share_all;
    case VM_ASSUMPTIONS: break;
    }
    return false;
}

unsigned vm_broken(const struct vm *vm)
{
    unsigned broken = 0, seen = vm->broken;
    if (vm->heap.hidden)
        seen |= 1u << VM_ASSUMES_PRIVATE | 1u << VM_ASSUMES_UNEXPOSED;
    for (unsigned a = 0; seen >> a; a++)
        if (seen >> a & 1 && is_assumed(vm, (enum vm_assumption)a))
            broken |= 1u << a;
    return broken;
}

/* Drops an assumption, with all options that rest on it.  Returns the assumptions that are
 * dropped with it. */
static unsigned do_without(struct vm_options *options, enum vm_assumption a)
{
    unsigned more = 0;
    switch (a) {
    case VM_ASSUMES_PRIVATE:
        options->hides_pointers = true;
        if (options->all_exposed)
            more = do_without(options, VM_ASSUMES_UNEXPOSED);
        break;
    case VM_ASSUMES_UNEXPOSED:
        options->private_objects = options->hides_pointers = false;
        break;
    case VM_ASSUMES_ADDRESSES:
        options->heap_symmetry = options->deferred_joins = false;
        options->spurious_failures &= options->spurious_anyway;
        options->addresses_matter = true;
        break;
    case VM_ASSUMES_JOINS: options->deferred_joins = false; break;
    case VM_ASSUMES_FORKS: options->without_forks = false; break;
    case VM_ASSUMES_DEAD: options->keep_dead_registers = true; break;
    case VM_ASSUMES_SYMMETRY: options->thread_symmetry = false; break;
    case VM_ASSUMES_IDS:
        options->heap_symmetry = false;
        options->spurious_failures &= options->spurious_anyway;
        options->next_id_matters = true;
        break;
    case VM_ASSUMES_APART: options->mixed_accesses = true; break;
    case VM_ASSUMES_ENDS: options->atomic_uses = true; break;
    case VM_ASSUMES_WHOLE: options->private_objects = options->hides_pointers = false; break;
    case VM_ASSUMPTIONS: assert(!"an assumption");
    }
    return more | 1u << a;
}

unsigned vm_drop_assumption(struct vm_options *options, unsigned broken)
{
    assert(broken && !(broken >> VM_ASSUMPTIONS));
    return do_without(options, (enum vm_assumption)__builtin_ctz(broken));
}

const char *vm_unfit_for_executions(unsigned broken)
{
    static const char *const why[] = {
#define VM_ASSUMES(id, executions) executions,
#include "assumption.def"
    };
    for (unsigned a = 0; broken >> a; a++)
        if (broken >> a & 1 && why[a])
            return why[a];
    return NULL;
}
