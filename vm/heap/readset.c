/* readset.c - see readset.h. */
#include "readset.h"

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

/* Returns a hash of what all parts of an object have in common. */
static uint64_t head_of(const struct vm_obj *o)
{
    enum { KEPT = VM_SHARED | VM_VARIADIC | VM_STABLE };
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

/* Returns the label of a part; 0 if there is none: an object that has other parts now has none
 * of these. */
static uint64_t label_of_part(const struct vm_obj *o, uint32_t part)
{
    uint32_t w = part - VM_READ_WORD;
    if (!has_head(o) || (part >= VM_READ_WORD && (!has_words(o) || w >= vm_obj_words(o))))
        return 0;
    uint64_t label = head_of(o);
    if (part >= VM_READ_WORD)
        label = vm_fold(vm_fold(label ^ o->data[w]) ^ vm_obj_shadow((struct vm_obj *)o)[w]);
    return label ? label : 1;
}

uint64_t vm_read_label(const struct vm_heap *h, uint32_t at, uint32_t part)
{
    if (at == VM_READ_END)
        return NOTHING + h->table[VM_ID_HEAP].n;
    if (at == VM_READ_MAY_WRITE)
        return h->tracked(h->tracker, part);
    const struct vm_obj *o = vm_heap_peek(h, (uint64_t)at << 32);
    return part == VM_READ_ALL ? label_of(o) : label_of_part(o, part);
}

static const struct vm_read_entry *noted_before(const struct vm_readset *readset, uint32_t at,
                                                uint32_t part)
{
    for (uint32_t k = 0; k < readset->n; k++)
        if (readset->at[k].at == at && readset->at[k].part == part)
            return &readset->at[k];
    return NULL;
}

bool vm_readset_has_all(const struct vm_readset *readset, uint32_t at)
{
    return noted_before(readset, at, VM_READ_ALL);
}

static void note(struct vm_heap *h, struct vm_read_entry entry)
{
    struct vm_readset *readset = &h->readset;
    if (!entry.label || readset->n == VM_MAX_READS)
        vm_readset_abort(h);
    else
        readset->at[readset->n++] = entry;
}

void vm_readset_begin(struct vm_heap *h, bool ends_at_list)
{
    struct vm_readset *readset = &h->readset;
    assert(!readset->recording);
    readset->recording = true;
    readset->aborted = readset->listed = false;
    readset->ends_at_list = ends_at_list;
    readset->n = 0;
    for (unsigned r = 0; r < VM_READ_REGIONS; r++) {
        struct vm_table *t = &h->table[r];
        if (readset->capacity[r] < t->capacity) {
            readset->seen[r] =
                vm_resize(readset->seen[r], t->capacity * sizeof *readset->seen[r]);
            memset(readset->seen[r], 0, t->capacity * sizeof *readset->seen[r]);
            readset->capacity[r] = t->capacity;
        }
        readset->all[r] = t->obj;
        t->obj = readset->seen[r];
    }
}

void vm_readset_finish(struct vm_heap *h)
{
    struct vm_readset *readset = &h->readset;
    if (!readset->recording)
        return;
    readset->recording = false;
    for (uint32_t k = 0; k < readset->n; k++) {
        unsigned r = vm_id_region(readset->at[k].at);
        uint32_t i = vm_id_index(readset->at[k].at);
        if (!vm_read_is_object(&readset->at[k]) || readset->at[k].part != VM_READ_ALL ||
            i >= h->table[r].capacity)
            continue;
        readset->all[r][i] = readset->seen[r][i];
        readset->seen[r][i] = NULL;
    }
    for (unsigned r = 0; r < VM_READ_REGIONS; r++)
        h->table[r].obj = readset->all[r];
}

void vm_readset_abort(struct vm_heap *h)
{
    h->readset.aborted = true;
    vm_readset_finish(h);
}

void vm_readset_list(struct vm_heap *h)
{
    assert(!h->readset.listed || !h->readset.recording);
    if (h->readset.ends_at_list)
        vm_readset_finish(h);
    else
        vm_readset_abort(h);
    h->readset.listed = true;
}

void vm_readset_free(struct vm_heap *h)
{
    for (unsigned r = 0; r < VM_READ_REGIONS; r++)
        free(h->readset.seen[r]);
}

/* Returns what an object was before the transition: an object of which parts were read may have
 * been changed there. */
static struct vm_obj *was_of(const struct vm_readset *readset, uint32_t at, struct vm_obj *now)
{
    for (uint32_t k = 0; k < readset->n; k++)
        if (readset->at[k].at == at)
            return readset->at[k].was;
    return now;
}

struct vm_obj *vm_readset_note(struct vm_heap *h, uint64_t p)
{
    struct vm_readset *readset = &h->readset;
    unsigned r = vm_ptr_region(p);
    uint32_t i = vm_ptr_index(p), at = vm_ptr_id(p);
    assert(readset->recording);
    if (r >= VM_READ_REGIONS || noted_before(readset, at, VM_READ_ALL))
        return NULL;
    struct vm_obj *o = i < h->table[r].n ? readset->all[r][i] : NULL;
    struct vm_obj *was = was_of(readset, at, o);
    note(h, (struct vm_read_entry){at, VM_READ_ALL, label_of(was), was});
    if (o)
        h->table[r].obj[i] = o;
    return o;
}

struct vm_obj *vm_readset_note_part(struct vm_heap *h, uint64_t p, uint64_t n)
{
    struct vm_readset *readset = &h->readset;
    unsigned r = vm_ptr_region(p);
    uint32_t i = vm_ptr_index(p), at = vm_ptr_id(p), off = (uint32_t)p;
    assert(readset->recording);
    if (readset->whole || r >= VM_READ_REGIONS || i >= h->table[r].n ||
        noted_before(readset, at, VM_READ_ALL))
        return vm_readset_note(h, p);
    struct vm_obj *o = readset->all[r][i], *was = was_of(readset, at, o);
    if (!(n ? has_words(was) : has_head(was)) || was->flags & VM_OWNED || off + n > o->size ||
        n > VM_WHOLE_WORDS * 8)
        return vm_readset_note(h, p);
    uint32_t first = n ? VM_READ_WORD + off / 8 : VM_READ_HEAD;
    uint32_t last = n ? VM_READ_WORD + (uint32_t)(off + n - 1) / 8 : VM_READ_HEAD;
    for (uint32_t part = first; part <= last && readset->recording; part++)
        if (!noted_before(readset, at, part))
            note(h, (struct vm_read_entry){at, part, label_of_part(was, part), was});
    return o;
}

struct vm_obj **vm_readset_place(struct vm_heap *h, unsigned region, uint32_t index)
{
    struct vm_obj **at = &h->table[region].obj[index];
    return *at || !h->readset.recording ? at : &h->readset.all[region][index];
}

void vm_readset_note_end(struct vm_heap *h)
{
    if (h->readset.recording && !noted_before(&h->readset, VM_READ_END, VM_READ_ALL))
        note(h, (struct vm_read_entry){VM_READ_END, VM_READ_ALL,
                                       vm_read_label(h, VM_READ_END, 0), NULL});
}

void vm_readset_note_may_write(struct vm_heap *h, uint32_t number)
{
    if (h->readset.recording && !noted_before(&h->readset, VM_READ_MAY_WRITE, number))
        note(h, (struct vm_read_entry){VM_READ_MAY_WRITE, number,
                                       vm_read_label(h, VM_READ_MAY_WRITE, number), NULL});
}

void vm_readset_note_new(struct vm_heap *h, unsigned region, uint32_t index, uint32_t size)
{
    uint32_t at = vm_ptr_id(vm_ptr(region, index, 0));
    if (!h->readset.recording)
        return;
    if (index >= h->table[region].capacity || size > VM_READ_NEW_SIZE) {
        vm_readset_abort(h);
        return;
    }
    if (region == VM_ID_HEAP)
        vm_readset_note_end(h);
    if (h->readset.recording && !noted_before(&h->readset, at, VM_READ_ALL))
        note(h, (struct vm_read_entry){at, VM_READ_ALL, NOTHING, NULL});
}
