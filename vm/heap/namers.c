/* namers.c - see namers.h. */
#include "namers.h"

#include <stdlib.h>
#include <string.h>

#include "heap.h"
#include "memory.h"

struct look {
    const struct vm_settled *settled;
    bool names;
};

/* What has no id now may be a thread's in another state. */
static inline void look_at_id(void *context, uint64_t p)
{
    struct look *look = context;
    uint64_t id = vm_settled_id(look->settled, p);
    look->names |= id < VM_NAMES || vm_ptr_region(p) == VM_ID_FRAME;
}

static bool names_thread(const struct vm_settled *s, uint32_t index, const struct vm_obj *o)
{
    struct look look = {s, o->kind == VM_OBJ_STACK}; /* which is a frame's */
    if (vm_settled_id(s, vm_ptr(VM_ID_HEAP, index, 0)) < VM_NAMES)
        return false;
    if (!(o->flags & VM_HASHED) || o->edges)
        vm_obj_each_edge(o, look_at_id, &look);
    return look.names;
}

static void note(void *heap, uint32_t index, const struct vm_obj *o)
{
    struct vm_heap *h = heap;
    uint64_t *word = &h->namers.bits[index / 64], bit = (uint64_t)1 << index % 64;
    if (o && names_thread(&h->settled, index, o))
        *word |= bit;
    else
        *word &= ~bit;
}

static void reserve(struct vm_namers *namers, uint32_t n)
{
    uint32_t nwords = n / 64 + 1;
    if (nwords <= namers->nwords)
        return;
    namers->bits = vm_resize(namers->bits, nwords * sizeof *namers->bits);
    memset(namers->bits + namers->nwords, 0, (nwords - namers->nwords) * sizeof *namers->bits);
    namers->nwords = nwords;
}

void vm_namers_update(struct vm_heap *h)
{
    struct vm_namers *namers = &h->namers;
    struct vm_trunk *last = namers->trunk, *trunk = h->base.trunk;
    uint64_t old = h->settled.numbers->old;
    if (last == trunk && namers->old == old)
        return;
    const struct vm_tree *to = &trunk->tree[VM_ID_HEAP];
    bool begin = !last || namers->old != old || last->tree[VM_ID_HEAP].levels != to->levels;
    if (begin && namers->nwords)
        memset(namers->bits, 0, namers->nwords * sizeof *namers->bits);
    reserve(namers, (uint32_t)1 << to->levels * VM_FANOUT_BITS);
    namers->old = old;
    vm_tree_differ(begin ? NULL : last->tree[VM_ID_HEAP].root, to->root, to->levels, note, h);
    namers->trunk = vm_trunk_retain(trunk);
    vm_trunk_release(last);
}

void vm_namers_fini(struct vm_namers *namers)
{
    vm_trunk_release(namers->trunk);
    free(namers->bits);
}
