/* veil.c - see veil.h. */
#include "veil.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "heap.h"
#include "memory.h"

static const uint64_t NOTHING = 0x9e3779b97f4a7c15; /* the label of no object: any constant */

static uint64_t label_of(const struct vm_obj *o)
{
    if (!o)
        return NOTHING;
    return o->flags & VM_HASHED && !(o->flags & VM_PAGED) ? o->key : 0;
}

uint64_t vm_look(const struct vm_heap *h, uint32_t at)
{
    if (at == VM_LOOK_END)
        return NOTHING + h->table[VM_ID_HEAP].n;
    return label_of(vm_heap_look(h, (uint64_t)at << 32));
}

static bool was_seen(const struct vm_veil *veil, uint32_t at)
{
    for (uint32_t k = 0; k < veil->n; k++)
        if (veil->at[k].at == at)
            return true;
    return false;
}

static void note(struct vm_heap *h, uint32_t at, uint64_t label, struct vm_obj *was)
{
    struct vm_veil *veil = &h->veil;
    if (!label || veil->n == VM_LOOKS)
        vm_veil_tear(h);
    else
        veil->at[veil->n++] = (struct vm_look){at, label, was};
}

void vm_veil_draw(struct vm_heap *h)
{
    struct vm_veil *veil = &h->veil;
    assert(!veil->drawn);
    veil->drawn = true;
    veil->torn = false;
    veil->n = 0;
    for (unsigned r = 0; r < VM_VEILED; r++) {
        struct vm_table *t = &h->table[r];
        if (veil->capacity[r] < t->capacity) {
            veil->seen[r] = vm_resize(veil->seen[r], t->capacity * sizeof *veil->seen[r]);
            memset(veil->seen[r], 0, t->capacity * sizeof *veil->seen[r]);
            veil->capacity[r] = t->capacity;
        }
        veil->all[r] = t->obj;
        t->obj = veil->seen[r];
    }
}

void vm_veil_drop(struct vm_heap *h)
{
    struct vm_veil *veil = &h->veil;
    if (!veil->drawn)
        return;
    veil->drawn = false;
    for (uint32_t k = 0; k < veil->n; k++) {
        unsigned r = veil->at[k].at >> 29;
        uint32_t i = veil->at[k].at & 0x1fffffff;
        if (veil->at[k].at == VM_LOOK_END || i >= h->table[r].capacity)
            continue;
        veil->all[r][i] = veil->seen[r][i];
        veil->seen[r][i] = NULL;
    }
    for (unsigned r = 0; r < VM_VEILED; r++)
        h->table[r].obj = veil->all[r];
}

void vm_veil_tear(struct vm_heap *h)
{
    h->veil.torn = true;
    vm_veil_drop(h);
}

void vm_veil_free(struct vm_heap *h)
{
    for (unsigned r = 0; r < VM_VEILED; r++)
        free(h->veil.seen[r]);
}

struct vm_obj *vm_veil_lift(struct vm_heap *h, uint64_t p)
{
    struct vm_veil *veil = &h->veil;
    unsigned r = vm_ptr_region(p);
    uint32_t i = vm_ptr_index(p), at = (uint32_t)(p >> 32);
    if (r >= VM_VEILED || was_seen(veil, at))
        return NULL;
    struct vm_obj *o = i < h->table[r].n ? veil->all[r][i] : NULL;
    note(h, at, label_of(o), o);
    if (o)
        h->table[r].obj[i] = o;
    return o;
}

void vm_veil_end(struct vm_heap *h)
{
    if (h->veil.drawn && !was_seen(&h->veil, VM_LOOK_END))
        note(h, VM_LOOK_END, vm_look(h, VM_LOOK_END), NULL);
}

void vm_veil_make(struct vm_heap *h, unsigned region, uint32_t index, uint32_t size)
{
    uint32_t at = (uint32_t)(vm_ptr(region, index, 0) >> 32);
    if (!h->veil.drawn)
        return;
    if (index >= h->table[region].capacity || size > VM_VEILED_SIZE) {
        vm_veil_tear(h);
        return;
    }
    if (region == VM_ID_HEAP)
        vm_veil_end(h);
    if (h->veil.drawn && !was_seen(&h->veil, at))
        note(h, at, NOTHING, NULL);
}
