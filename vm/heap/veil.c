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

/* What all parts of an object have in common. */
static uint64_t head_of(const struct vm_obj *o)
{
    enum { KEPT = VM_SHARED | VM_VARIADIC | VM_NAMED };
    uint64_t head = (uint64_t)o->size << 16 | (uint64_t)o->kind << 8 | (o->flags & KEPT);
    return vm_fold(head ^ vm_fold(o->site ^ vm_fold(o->link)));
}

static bool has_head(const struct vm_obj *o)
{
    return o && o->flags & VM_SHARED && !o->bits && !(o->kind & VM_OBJ_PROTECTED);
}

static bool has_words(const struct vm_obj *o)
{
    return has_head(o) && vm_obj_words(o) > VM_WHOLE_WORDS;
}

/* 0 of none: an object that has other parts now has none of these. */
static uint64_t label_of_part(const struct vm_obj *o, uint32_t part)
{
    uint32_t w = part - VM_LOOK_WORD;
    if (!has_head(o) || (part >= VM_LOOK_WORD && (!has_words(o) || w >= vm_obj_words(o))))
        return 0;
    uint64_t label = head_of(o);
    if (part >= VM_LOOK_WORD)
        label = vm_fold(vm_fold(label ^ o->data[w]) ^ vm_obj_shadow((struct vm_obj *)o)[w]);
    return label ? label : 1;
}

uint64_t vm_look(const struct vm_heap *h, uint32_t at, uint32_t part)
{
    if (at == VM_LOOK_END)
        return NOTHING + h->table[VM_ID_HEAP].n;
    if (at == VM_LOOK_FUTURE)
        return h->watched(h->watcher, part);
    const struct vm_obj *o = vm_heap_look(h, (uint64_t)at << 32);
    return part == VM_LOOK_ALL ? label_of(o) : label_of_part(o, part);
}

static const struct vm_look *seen_before(const struct vm_veil *veil, uint32_t at, uint32_t part)
{
    for (uint32_t k = 0; k < veil->n; k++)
        if (veil->at[k].at == at && veil->at[k].part == part)
            return &veil->at[k];
    return NULL;
}

bool vm_veil_saw_all(const struct vm_veil *veil, uint32_t at)
{
    return seen_before(veil, at, VM_LOOK_ALL);
}

static void note(struct vm_heap *h, struct vm_look look)
{
    struct vm_veil *veil = &h->veil;
    if (!look.label || veil->n == VM_LOOKS)
        vm_veil_tear(h);
    else
        veil->at[veil->n++] = look;
}

void vm_veil_draw(struct vm_heap *h, bool ends_at_list)
{
    struct vm_veil *veil = &h->veil;
    assert(!veil->drawn);
    veil->drawn = true;
    veil->torn = veil->listed = false;
    veil->ends_at_list = ends_at_list;
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
        if (!vm_look_is_object(&veil->at[k]) || veil->at[k].part != VM_LOOK_ALL ||
            i >= h->table[r].capacity)
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

void vm_veil_list(struct vm_heap *h)
{
    if (h->veil.ends_at_list)
        vm_veil_drop(h);
    else
        vm_veil_tear(h);
    h->veil.listed = true;
}

void vm_veil_free(struct vm_heap *h)
{
    for (unsigned r = 0; r < VM_VEILED; r++)
        free(h->veil.seen[r]);
}

/* An object of which parts were seen may have been changed there. */
static struct vm_obj *was_of(const struct vm_veil *veil, uint32_t at, struct vm_obj *now)
{
    for (uint32_t k = 0; k < veil->n; k++)
        if (veil->at[k].at == at)
            return veil->at[k].was;
    return now;
}

struct vm_obj *vm_veil_lift(struct vm_heap *h, uint64_t p)
{
    struct vm_veil *veil = &h->veil;
    unsigned r = vm_ptr_region(p);
    uint32_t i = vm_ptr_index(p), at = vm_ptr_id(p);
    if (r >= VM_VEILED || seen_before(veil, at, VM_LOOK_ALL))
        return NULL;
    struct vm_obj *o = i < h->table[r].n ? veil->all[r][i] : NULL;
    struct vm_obj *was = was_of(veil, at, o);
    note(h, (struct vm_look){at, VM_LOOK_ALL, label_of(was), was});
    if (o)
        h->table[r].obj[i] = o;
    return o;
}

struct vm_obj *vm_veil_lift_part(struct vm_heap *h, uint64_t p, uint64_t n)
{
    struct vm_veil *veil = &h->veil;
    unsigned r = vm_ptr_region(p);
    uint32_t i = vm_ptr_index(p), at = vm_ptr_id(p), off = (uint32_t)p;
    if (veil->whole || r >= VM_VEILED || i >= h->table[r].n ||
        seen_before(veil, at, VM_LOOK_ALL))
        return vm_veil_lift(h, p);
    struct vm_obj *o = veil->all[r][i], *was = was_of(veil, at, o);
    if (!(n ? has_words(was) : has_head(was)) || was->flags & VM_OWNED || off + n > o->size ||
        n > VM_WHOLE_WORDS * 8)
        return vm_veil_lift(h, p);
    uint32_t first = n ? VM_LOOK_WORD + off / 8 : VM_LOOK_HEAD;
    uint32_t last = n ? VM_LOOK_WORD + (uint32_t)(off + n - 1) / 8 : VM_LOOK_HEAD;
    for (uint32_t part = first; part <= last && veil->drawn; part++)
        if (!seen_before(veil, at, part))
            note(h, (struct vm_look){at, part, label_of_part(was, part), was});
    return o;
}

struct vm_obj **vm_veil_place(struct vm_heap *h, unsigned region, uint32_t index)
{
    struct vm_obj **at = &h->table[region].obj[index];
    return *at || !h->veil.drawn ? at : &h->veil.all[region][index];
}

void vm_veil_end(struct vm_heap *h)
{
    if (h->veil.drawn && !seen_before(&h->veil, VM_LOOK_END, VM_LOOK_ALL))
        note(h, (struct vm_look){VM_LOOK_END, VM_LOOK_ALL, vm_look(h, VM_LOOK_END, 0), NULL});
}

void vm_veil_future(struct vm_heap *h, uint32_t number)
{
    if (h->veil.drawn && !seen_before(&h->veil, VM_LOOK_FUTURE, number))
        note(h, (struct vm_look){VM_LOOK_FUTURE, number, vm_look(h, VM_LOOK_FUTURE, number),
                                 NULL});
}

void vm_veil_make(struct vm_heap *h, unsigned region, uint32_t index, uint32_t size)
{
    uint32_t at = vm_ptr_id(vm_ptr(region, index, 0));
    if (!h->veil.drawn)
        return;
    if (index >= h->table[region].capacity || size > VM_VEILED_SIZE) {
        vm_veil_tear(h);
        return;
    }
    if (region == VM_ID_HEAP)
        vm_veil_end(h);
    if (h->veil.drawn && !seen_before(&h->veil, at, VM_LOOK_ALL))
        note(h, (struct vm_look){at, VM_LOOK_ALL, NOTHING, NULL});
}
