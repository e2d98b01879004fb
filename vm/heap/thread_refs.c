/* thread_refs.c - see thread_refs.h. */
#include "thread_refs.h"

#include <stdlib.h>
#include <string.h>

#include "heap.h"
#include "memory.h"

struct target {
    const struct vm_inchash *inchash;
    bool names;
};

/* Marks the object if the pointer may lead to a thread's object: an object without an id now
 * may be a thread's in another state. */
static inline void mark_target(void *context, uint64_t p)
{
    struct target *target = context;
    uint64_t id = vm_stable_id(target->inchash, p);
    target->names |= id < VM_THREAD_IDS || vm_ptr_region(p) == VM_ID_FRAME;
}

static bool refers_to_thread(const struct vm_inchash *s, uint32_t index, const struct vm_obj *o)
{
    struct target target = {s, o->kind == VM_OBJ_STACK}; /* an alloca is a frame's */
    if (vm_stable_id(s, vm_ptr(VM_ID_HEAP, index, 0)) < VM_THREAD_IDS)
        return false;
    if (!(o->flags & VM_HASHED) || o->edges)
        vm_obj_each_edge(o, mark_target, &target);
    return target.names;
}

static void note(void *heap, uint32_t index, const struct vm_obj *o)
{
    struct vm_heap *h = heap;
    uint64_t *word = &h->thread_refs.bits[index / 64], bit = (uint64_t)1 << index % 64;
    if (o && refers_to_thread(&h->inchash, index, o))
        *word |= bit;
    else
        *word &= ~bit;
}

static void reserve(struct vm_thread_refs *thread_refs, uint32_t n)
{
    uint32_t nwords = n / 64 + 1;
    if (nwords <= thread_refs->nwords)
        return;
    thread_refs->bits = vm_resize(thread_refs->bits, nwords * sizeof *thread_refs->bits);
    memset(thread_refs->bits + thread_refs->nwords, 0,
           (nwords - thread_refs->nwords) * sizeof *thread_refs->bits);
    thread_refs->nwords = nwords;
}

void vm_thread_refs_update(struct vm_heap *h)
{
    struct vm_thread_refs *thread_refs = &h->thread_refs;
    struct vm_base *last = thread_refs->base, *base = h->origin.base;
    uint64_t preconcurrent = h->inchash.stable_ids->preconcurrent;
    if (last == base && thread_refs->preconcurrent == preconcurrent)
        return;
    const struct vm_tree *to = &base->tree[VM_ID_HEAP];
    bool begin = !last || thread_refs->preconcurrent != preconcurrent ||
                 last->tree[VM_ID_HEAP].levels != to->levels;
    if (begin && thread_refs->nwords)
        memset(thread_refs->bits, 0, thread_refs->nwords * sizeof *thread_refs->bits);
    reserve(thread_refs, (uint32_t)1 << to->levels * VM_FANOUT_BITS);
    thread_refs->preconcurrent = preconcurrent;
    vm_tree_differ(begin ? NULL : last->tree[VM_ID_HEAP].root, to->root, to->levels, note, h);
    thread_refs->base = vm_base_retain(base);
    vm_base_release(last);
}

void vm_thread_refs_fini(struct vm_thread_refs *thread_refs)
{
    vm_base_release(thread_refs->base);
    free(thread_refs->bits);
}
