/* orbit.c - see orbit.h. */
#include "orbit.h"

#include <stdlib.h>
#include <string.h>

#include "vm/fingerprint/final.h"
#include "vm/heap/memory.h"
#include "vm/machine.h"

/* Returns the number of the symmetric thread at this pointer; 0 if it is none. */
static unsigned symmetric_at(const struct vm *vm, uint64_t p)
{
    const struct vm_stable_ids *stable_ids = vm->heap.inchash.stable_ids;
    const struct vm_obj *o = vm_heap_peek(&vm->heap, p);
    uint64_t tid = o ? vm_obj_tid(o) : 0;
    return stable_ids && tid && tid < VM_MAX_SYMMETRIC && stable_ids->symmetric >> tid & 1
               ? (unsigned)tid
               : 0;
}

/* Returns where the kernel's list of threads begins, at the end of its state. */
static uint32_t first_thread(const struct vm_obj *state)
{
    struct vm_threads threads;
    memcpy(&threads, state->data, sizeof threads);
    return state->size / 8 - (uint32_t)threads.count;
}

static struct vm_obj *state_of(const struct vm *vm)
{
    return vm_heap_peek(&vm->heap, vm->s.reg[VM_REG_STATE]);
}

/* Lists the symmetric threads.  False if there are none, or too many: then the search is to be
 * repeated without thread symmetry. */
static bool find_symmetric(struct vm *vm, struct vm_renaming *r)
{
    const struct vm_obj *state = state_of(vm);
    for (uint32_t k = first_thread(state); k < state->size / 8; k++) {
        if (!symmetric_at(vm, state->data[k]))
            continue;
        if (r->n == VM_ORBIT_THREADS) {
            vm_break(vm, VM_ASSUMES_SYMMETRY);
            return false;
        }
        r->thread[r->n++] = state->data[k];
    }
    return r->n;
}

static void put(struct vm_renaming *r, const struct vm_obj *was, struct vm_obj *is)
{
    r->was[r->nobjects] = was;
    r->is[r->nobjects++] = is;
}

static void drop_numbers(const struct vm *vm, struct vm_renaming *r)
{
    for (unsigned k = 0; k < r->n; k++) {
        struct vm_obj *record = vm_heap_peek(&vm->heap, r->thread[k]),
                      *is = vm_obj_copy(record);
        is->data[VM_TID_WORD] = 0;
        put(r, record, is);
    }
}

/* Returns an object whose entries of n words, from the first on, each begin with their thread:
 * entries of symmetric threads come last, in the order of the threads. */
static struct vm_obj *in_order(const struct vm *vm, const struct vm_renaming *r,
                               const struct vm_obj *o, uint32_t first, uint32_t n)
{
    struct vm_obj *is = vm_obj_copy(o);
    uint32_t at = first, end = vm_obj_words(o);
    for (unsigned rank = 0; rank <= r->n; rank++)
        for (uint32_t k = first; k + n <= end; k += n) {
            bool comes =
                rank ? o->data[k] == r->thread[rank - 1] : !symmetric_at(vm, o->data[k]);
            for (uint32_t w = 0; comes && w < n; w++, at++) {
                is->data[at] = o->data[k + w];
                vm_obj_shadow(is)[at] = vm_obj_shadow((struct vm_obj *)o)[k + w];
            }
        }
    return is;
}

static void order_lists(const struct vm *vm, struct vm_renaming *r)
{
    const struct vm_obj *state = state_of(vm);
    const struct vm_obj *footprints =
        vm->s.footprint ? vm_heap_peek(&vm->heap, vm->s.footprint) : NULL;
    put(r, state, in_order(vm, r, state, first_thread(state), 1));
    if (footprints)
        put(r, footprints, in_order(vm, r, footprints, 0, VM_ENTRY_WORDS));
}

static void drop_objects(struct vm_renaming *r, unsigned from)
{
    while (r->nobjects > from)
        vm_obj_release(r->is[--r->nobjects]);
}

struct vm_obj *vm_renamed(const struct vm_renaming *r, struct vm_obj *o)
{
    for (unsigned k = 0; r && k < r->nobjects; k++)
        if (r->was[k] == o)
            return r->is[k];
    return o;
}

/* Makes the next order of the symmetric threads by their places; false after the last. */
static bool next_order(uint64_t *at, unsigned n)
{
    unsigned k = n - 1;
    while (k && at[k - 1] > at[k])
        k--;
    if (!k)
        return false;
    unsigned larger = n - 1;
    while (at[larger] < at[k - 1])
        larger--;
    uint64_t swap = at[k - 1];
    at[k - 1] = at[larger];
    at[larger] = swap;
    for (unsigned i = k, j = n - 1; i < j; i++, j--) {
        swap = at[i];
        at[i] = at[j];
        at[j] = swap;
    }
    return true;
}

static void sort(uint64_t *at, unsigned n)
{
    for (unsigned k = 1; k < n; k++)
        for (unsigned j = k; j && at[j - 1] > at[j]; j--) {
            uint64_t swap = at[j];
            at[j] = at[j - 1];
            at[j - 1] = swap;
        }
}

static int compare(const uint64_t *a, size_t na, const uint64_t *b, size_t nb)
{
    if (na != nb)
        return na < nb ? -1 : 1;
    return memcmp(a, b, na * sizeof *a);
}

typedef bool (*graph_function)(struct vm *, const struct vm_renaming *, size_t *);

/* Writes the least graph of all orders into the vector; false if one has real ids. */
static bool find_least(struct vm *vm, struct vm_renaming *r, graph_function graph, size_t *n)
{
    uint64_t *least = NULL;
    size_t nleast = 0, ngraph;
    bool whole = true;
    sort(r->thread, r->n);
    do {
        unsigned records = r->nobjects;
        order_lists(vm, r);
        whole = graph(vm, r, &ngraph);
        if (whole && (!least || compare(vm->vector, ngraph, least, nleast) < 0)) {
            least = vm_resize(least, ngraph * sizeof *least);
            memcpy(least, vm->vector, (nleast = ngraph) * sizeof *least);
        }
        drop_objects(r, records);
    } while (whole && next_order(r->thread, r->n));
    if (whole) /* there is room: the last graph has as many */
        memcpy(vm->vector, least, nleast * sizeof *least);
    *n = nleast;
    free(least);
    return whole;
}

const uint64_t *vm_orbit_least(struct vm *vm, graph_function graph, size_t *n)
{
    struct vm_renaming r = {0};
    bool least = vm->options.thread_symmetry && vm_has_symmetric_threads(vm, vm->s.footprint) &&
                 vm->s.reg[VM_REG_STATE] && find_symmetric(vm, &r);
    if (least) {
        drop_numbers(vm, &r);
        least = find_least(vm, &r, graph, n);
        drop_objects(&r, 0);
    }
    if (!least)
        graph(vm, NULL, n);
    return vm->vector;
}
