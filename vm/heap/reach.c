/* reach.c - see reach.h. */
#include "reach.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "heap.h"
#include "memory.h"

static void reserve(struct vm_heap *h)
{
    struct vm_reach *r = &h->reach;
    size_t all = 0;
    for (unsigned k = 0; k < 2; k++) {
        size_t n = h->table[k].n;
        if (n > r->capacity[k]) {
            r->met[k] = vm_resize(r->met[k], 2 * n * sizeof *r->met[k]);
            memset(r->met[k] + r->capacity[k], 0, (2 * n - r->capacity[k]) * sizeof *r->met[k]);
            r->capacity[k] = 2 * n;
        }
        all += n;
    }
    if (all > r->queue_capacity) { /* each object is queued once */
        r->queue_capacity = 2 * all;
        r->queue = vm_resize(r->queue, r->queue_capacity * sizeof *r->queue);
    }
}

void vm_reach_meet(struct vm_heap *h, uint64_t p)
{
    struct vm_reach *r = &h->reach;
    unsigned region = vm_ptr_region(p);
    uint32_t i = vm_ptr_index(p);
    assert(region < 2);
    if (i >= h->table[region].n || r->met[region][i] >> 32 == r->walk)
        return;
    r->queue[r->nqueue++] = vm_ptr_object(p);
    r->met[region][i] = (uint64_t)r->walk << 32 | r->nqueue;
}

static void meet(void *heap, uint64_t p)
{
    vm_reach_meet(heap, p);
}

void vm_reach_from(struct vm_heap *h, const struct vm_obj *o)
{
    vm_obj_each_edge(o, meet, h);
}

/* Meets what a large variable leads to, by its pages if they are all there. */
static void reach_pages(struct vm_heap *h, const struct vm_obj *o)
{
    struct vm_obj *const *page = h->pages.obj + o->link;
    uint32_t n = vm_pages_of(o), made = 0;
    while (made < n && page[made])
        made++;
    if (made < n)
        vm_reach_from(h, o);
    for (uint32_t k = 0; made == n && k < n; k++)
        vm_reach_from(h, page[k]);
}

static void reach_globals(struct vm_heap *h)
{
    const struct vm_table *t = &h->table[VM_ID_GLOBAL];
    for (uint32_t i = 0; i < t->n; i++)
        if (t->obj[i]->flags & VM_PAGED)
            reach_pages(h, t->obj[i]);
        else
            vm_reach_from(h, t->obj[i]);
}

void vm_reach_begin(struct vm_heap *h)
{
    struct vm_reach *r = &h->reach;
    reserve(h);
    r->nqueue = r->nfollowed = 0;
    if (++r->walk == 0) {
        for (unsigned k = 0; k < 2; k++)
            memset(r->met[k], 0, r->capacity[k] * sizeof *r->met[k]);
        r->walk = 1;
    }
    reach_globals(h);
}

void vm_reach_follow(struct vm_heap *h, bool (*leads_nowhere)(uint64_t p))
{
    struct vm_reach *r = &h->reach;
    for (; r->nfollowed < r->nqueue; r->nfollowed++) {
        uint64_t p = r->queue[r->nfollowed];
        const struct vm_obj *o = vm_heap_get(h, p);
        if (o && !(leads_nowhere && leads_nowhere(p)))
            vm_reach_from(h, o);
    }
}

void vm_reach_mark(struct vm_heap *h, uint64_t root)
{
    vm_reach_begin(h);
    if (root)
        vm_reach_meet(h, root);
    vm_reach_follow(h, NULL);
}

uint32_t vm_reach_number(const struct vm_heap *h, uint64_t p)
{
    uint64_t met = h->reach.met[vm_ptr_region(p)][vm_ptr_index(p)];
    return met >> 32 == h->reach.walk ? (uint32_t)met : 0;
}

uint64_t vm_next_leak(struct vm_heap *h, uint64_t root, uint64_t after)
{
    vm_readset_abort(h); /* it looks at all there is */
    if (!h->nheap)
        return 0;
    vm_reach_mark(h, root);
    const struct vm_table *t = &h->table[VM_ID_HEAP];
    for (uint32_t i = vm_ptr_index(after) + 1; i < t->n; i++) {
        uint64_t p = vm_ptr(VM_ID_HEAP, i, 0);
        if (t->obj[i] && vm_obj_is_heap(t->obj[i]) && !vm_reach_number(h, p))
            return p;
    }
    return 0;
}

void vm_reach_fini(struct vm_reach *r)
{
    for (unsigned k = 0; k < 2; k++)
        free(r->met[k]);
    free(r->queue);
}
