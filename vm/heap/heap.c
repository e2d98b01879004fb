/* heap.c - tables, copy on write, undo. */
#include "heap.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "protect.h"

enum { MAX_INDEX = 0x1fffffff };
static const uint64_t NEVER = ~0ull;

void vm_table_reserve(struct vm_table *t, uint32_t n)
{
    if (n <= t->capacity)
        return;
    uint32_t capacity = t->capacity ? t->capacity : 64;
    while (capacity < n)
        capacity *= 2;
    t->obj = vm_resize(t->obj, (size_t)capacity * sizeof *t->obj);
    memset(t->obj + t->capacity, 0, (size_t)(capacity - t->capacity) * sizeof *t->obj);
    t->logged = vm_resize(t->logged, (size_t)capacity * sizeof *t->logged);
    memset(t->logged + t->capacity, 0, (size_t)(capacity - t->capacity) * sizeof *t->logged);
    t->summed = vm_resize(t->summed, (size_t)capacity * sizeof *t->summed);
    memset(t->summed + t->capacity, 0, (size_t)(capacity - t->capacity) * sizeof *t->summed);
    t->capacity = capacity;
}

uint64_t vm_leak_term(const struct vm_obj *o)
{
    uint64_t x = (o->site ^ (uint64_t)o->size << 32) * 0x9e3779b97f4a7c15ull;
    return (x ^ x >> 29) * 0xbf58476d1ce4e5b9ull + 1;
}

void vm_undo_reserve(struct vm_heap *h, size_t n)
{
    if (h->nlog + n <= h->log_capacity)
        return;
    h->log_capacity = 2 * (h->nlog + n);
    h->log = vm_resize(h->log, h->log_capacity * sizeof *h->log);
}

/* Logs that the object at (region, index) is about to change in the open part of the log.  old
 * is what undo brings back; the table's reference to it is the log's from now on.  Returns
 * false if the part has logged the index already: later changes are to objects that the part
 * owns or has put there. */
static inline bool log_change(struct vm_heap *h, unsigned region, uint32_t index,
                              struct vm_obj *old)
{
    struct vm_table *t = vm_table_of(h, region);
    if (t->logged[index] == h->segment)
        return false;
    t->logged[index] = h->segment;
    if (__builtin_expect(h->nlog == h->log_capacity, 0))
        vm_undo_reserve(h, 1);
    h->log[h->nlog++] = (struct vm_undo){region, index, old};
    return true;
}

void vm_heap_init(struct vm_heap *h, const struct vm_program *program, bool share_all,
                  bool whole)
{
    *h = (struct vm_heap){
        .program = program, .share_all = share_all, .segment = 1, .summed = true};
    vm_import_init(&h->import);
    h->frame_hint = VM_HOMES;
    h->table[VM_ID_CONST].obj = program->const_objs;
    h->table[VM_ID_CONST].n = program->nconsts;
    h->table[VM_ID_HEAP].n = 1; /* NULL */
    vm_table_reserve(&h->table[VM_ID_HEAP], 1);
    vm_table_reserve(&h->table[VM_ID_GLOBAL], program->nglobals);
    h->table[VM_ID_GLOBAL].n = program->nglobals;
    h->origin.base = vm_base_new();
    h->origin.base->owner = h;
    /* The initial globals are the program's; they stand in the log as written
     * so that the first snapshot takes them up. */
    for (uint32_t i = 0; i < program->nglobals; i++) {
        struct vm_obj *o = vm_obj_copy(program->globals[i].init);
        h->bytes += o->size;
        if (!whole && vm_pages_suit(o)) {
            vm_pages_add(h, i, o);
            continue;
        }
        if (share_all && o->kind == VM_OBJ_GLOBAL)
            o->flags |= VM_SHARED;
        log_change(h, VM_ID_GLOBAL, i, NULL);
        h->table[VM_ID_GLOBAL].obj[i] = o;
        o->flags |= VM_OWNED;
    }
    for (unsigned r = 0; r < VM_REGIONS; r++)
        h->origin.n[r] = h->origin.base->tree[r].n = vm_table_of(h, r)->n;
}

void vm_heap_fini(struct vm_heap *h)
{
    vm_heap_undo_all(h);
    h->nlog = h->norigin = 0;
    vm_import_fini(h);
    vm_thread_refs_fini(&h->thread_refs);
    vm_reach_fini(&h->reach);
    vm_root_release(&h->origin);
    vm_rebase_release(&h->rebase);
    for (unsigned r = 0; r < VM_REGIONS; r++) {
        free(vm_table_of(h, r)->obj);
        free(vm_table_of(h, r)->logged);
        free(vm_table_of(h, r)->summed);
    }
    vm_readset_free(h);
    vm_pages_fini(h);
    vm_inchash_release(&h->inchash);
    free(h->log);
    free(h->found);
    vm_namer_fini(&h->namer);
}

void vm_heap_log_accesses(struct vm_heap *h, struct vm_namer namer)
{
    h->namer = namer;
}

static bool is_free(const struct vm_heap *h, uint32_t frame)
{
    return !vm_heap_get(h, vm_ptr(VM_ID_FRAME, frame, 0));
}

/* Returns the first frame of a block; a block is left when its first frame is. */
static uint32_t further_block(struct vm_heap *h)
{
    vm_readset_abort(h); /* the hint depends on more than it looks at */
    uint32_t i = h->frame_hint;
    while (!is_free(h, i))
        i += VM_BLOCK;
    h->frame_hint = i;
    return i;
}

static uint64_t make(struct vm_heap *h, unsigned region, uint32_t i, uint32_t size,
                     uint8_t kind, uint64_t site)
{
    struct vm_table *t = &h->table[region];
    if (i > MAX_INDEX)
        return 0;
    vm_readset_note_new(h, region, i, size);
    if (i >= t->n) {
        vm_table_reserve(t, i + 1);
        t->n = i + 1;
    }
    struct vm_obj *o = vm_obj_new(size, kind);
    o->site = site;
    o->flags = VM_OWNED;
    if (h->share_all && kind != VM_OBJ_KERNEL && kind != VM_OBJ_FRAME)
        o->flags |= VM_SHARED;
    if (h->namer.names && region == VM_ID_HEAP) {
        vm_namer_forget(&h->namer, i);
        if (kind == VM_OBJ_KERNEL)
            o->flags |= VM_LOGGED;
        if (o->flags & (VM_LOGGED | VM_SHARED))
            vm_namer_give(&h->namer, i);
    }
    log_change(h, region, i, NULL);
    t->obj[i] = o;
    h->made++;
    h->bytes += size;
    if (vm_obj_is_heap(o)) {
        h->leak_sum += vm_leak_term(o);
        h->nheap++;
    }
    return vm_ptr(region, i, 0);
}

uint64_t vm_heap_make(struct vm_heap *h, uint32_t size, uint8_t kind, uint64_t site)
{
    if (kind == VM_OBJ_FRAME)
        return make(h, VM_ID_FRAME, further_block(h), size, kind, site);
    return make(h, VM_ID_HEAP, h->table[VM_ID_HEAP].n, size, kind, site);
}

uint64_t vm_heap_make_frame(struct vm_heap *h, uint32_t size, uint32_t at)
{
    uint32_t i = is_free(h, at) ? at : further_block(h);
    return make(h, VM_ID_FRAME, i, size, VM_OBJ_FRAME, 0);
}

uint64_t vm_heap_make_first(struct vm_heap *h, uint32_t size, uint64_t thread)
{
    bool has_home = thread && thread < VM_DEEPER / VM_BLOCK;
    return vm_heap_make_frame(h, size,
                              has_home ? (uint32_t)thread * VM_BLOCK : further_block(h));
}

uint64_t vm_heap_make_callee(struct vm_heap *h, uint32_t size, uint64_t caller)
{
    uint32_t at = vm_ptr_index(caller) + 1;
    if (at % VM_BLOCK == 0)
        at = at <= VM_DEEPER ? at - VM_BLOCK + VM_DEEPER : further_block(h);
    return vm_heap_make_frame(h, size, at);
}

void vm_heap_give_id(struct vm_heap *h, uint64_t p, uint64_t number)
{
    struct vm_obj *o = h->table[VM_ID_HEAP].obj[vm_ptr_index(p)];
    if (number >= VM_THREAD_IDS)
        return;
    o->flags |= VM_STABLE;
    o->link = (uint32_t)number;
    h->nstable++;
}

void vm_heap_free(struct vm_heap *h, uint64_t p)
{
    unsigned region = vm_ptr_region(p);
    uint32_t i = vm_ptr_index(p);
    struct vm_obj *o = vm_heap_get(h, p);
    h->bytes -= o->size;
    if (vm_obj_is_heap(o)) {
        h->leak_sum -= vm_leak_term(o);
        h->nheap--;
    }
    if (region == VM_ID_FRAME && i >= VM_HOMES && i < h->frame_hint && i % VM_BLOCK == 0) {
        vm_readset_abort(h);
        h->frame_hint = i;
    }
    if (!log_change(h, region, i, o))
        vm_obj_release(o);
    h->table[region].obj[i] = NULL;
}

void vm_heap_forget(struct vm_heap *h, uint64_t p, uint32_t from)
{
    struct vm_table *t = &h->table[VM_ID_HEAP];
    vm_readset_note_end(h);
    if (vm_ptr_region(p) == VM_ID_HEAP && vm_ptr_index(p) + 1 == t->n &&
        vm_ptr_index(p) >= from && vm_namer_call(&h->namer, p) == p)
        t->n--;
}

void vm_heap_touch(struct vm_heap *h, uint32_t page)
{
    struct vm_obj **at = &h->pages.obj[page];
    if (log_change(h, VM_PAGES, page, *at))
        *at = NULL;
}

struct vm_obj *vm_heap_copy_on_write(struct vm_heap *h, uint64_t p)
{
    unsigned region = vm_ptr_region(p);
    uint32_t i = vm_ptr_index(p);
    assert(region <= VM_ID_GLOBAL);
    struct vm_obj **at = &h->table[region].obj[i], *o = *at;
    if (__builtin_expect(!o, 0)) {
        at = vm_readset_place(h, region, i);
        o = *at;
    }
    if (o->flags & VM_PAGED) {
        vm_pages_touch(h, o, 0, o->size);
        return o;
    }
    struct vm_obj *copy = vm_obj_copy(o);
    copy->flags |= VM_OWNED;
    h->copied++;
    h->bytes_copied += o->size;
    if (!log_change(h, region, i, o))
        vm_obj_release(o);
    *at = copy;
    return copy;
}

void vm_heap_put(struct vm_heap *h, uint64_t p, struct vm_obj *o)
{
    unsigned region = vm_ptr_region(p);
    uint32_t i = vm_ptr_index(p);
    struct vm_table *t = &h->table[region];
    if (i >= t->n) {
        vm_table_reserve(t, i + 1);
        t->n = i + 1;
    }
    struct vm_obj *old = t->obj[i];
    if (!log_change(h, region, i, old) && old)
        vm_obj_release(old);
    t->obj[i] = o ? vm_obj_retain(o) : NULL;
}

void vm_heap_exchange(struct vm_heap *h, uint64_t p, uint64_t q)
{
    vm_readset_abort(h);
    struct vm_obj **a = &h->table[vm_ptr_region(p)].obj[vm_ptr_index(p)];
    struct vm_obj **b = &h->table[vm_ptr_region(q)].obj[vm_ptr_index(q)];
    struct vm_obj *of_a = *a, *of_b = *b;
    if (log_change(h, vm_ptr_region(p), vm_ptr_index(p), of_a))
        vm_obj_retain(of_a);
    if (log_change(h, vm_ptr_region(q), vm_ptr_index(q), of_b))
        vm_obj_retain(of_b);
    *a = of_b;
    *b = of_a;
}

/* Puts another object in place of one that is owned. */
static void replace(struct vm_heap *h, uint64_t p, struct vm_obj *o, struct vm_obj *other)
{
    h->table[vm_ptr_region(p)].obj[vm_ptr_index(p)] = other;
    vm_obj_release(o);
}

/* May all pages be read and written?  Then nothing is protected. */
static bool is_open(const struct vm_obj *o)
{
    uint32_t k = 0, n = vm_obj_pages(o->size);
    while (k < n && vm_page_rights(vm_page_at(o, k)) == VM_PAGE_RIGHTS)
        k++;
    return k == n;
}

void vm_heap_protect(struct vm_heap *h, uint64_t p, uint32_t page, uint32_t n, uint64_t word)
{
    struct vm_obj *o = vm_heap_own(h, p, vm_heap_get(h, p));
    if (!(o->kind & VM_OBJ_PROTECTED)) {
        struct vm_obj *other = vm_obj_of_kind(o, o->kind | VM_OBJ_PROTECTED);
        vm_readset_note_new(h, vm_ptr_region(p), vm_ptr_index(p), o->size);
        replace(h, p, o, other);
        o = other;
    }
    for (uint32_t k = 0; k < n; k++)
        vm_page_set(o, page + k, word);
    if (is_open(o))
        replace(h, p, o, vm_obj_of_kind(o, vm_obj_kind(o)));
}

void vm_heap_resize(struct vm_heap *h, uint64_t p, uint32_t size)
{
    struct vm_obj *o = vm_heap_own(h, p, vm_heap_get(h, p));
    vm_readset_note_new(h, vm_ptr_region(p), vm_ptr_index(p), size);
    struct vm_obj *other = vm_obj_new(size, o->kind);
    other->flags = o->flags;
    other->site = o->site;
    other->link = o->link;
    if (o->kind == VM_OBJ_STACK)
        vm_obj_set_owner(other, vm_obj_owner(o));
    for (uint32_t k = 0; o->kind & VM_OBJ_PROTECTED && k < vm_obj_pages(size); k++)
        vm_page_set(other, k,
                    k < vm_obj_pages(o->size) ? vm_page_at(o, k) : vm_page(VM_PAGE_RIGHTS, 0));
    if (vm_obj_is_heap(o))
        h->leak_sum += vm_leak_term(other) - vm_leak_term(o);
    vm_obj_move(other, 0, o, 0, o->size < size ? o->size : size);
    h->bytes += size;
    h->bytes -= o->size;
    replace(h, p, o, other);
}

static bool may_share(const struct vm_obj *o)
{
    return !(o->flags & VM_SHARED) && !(o->kind & VM_OBJ_HIDDEN) && o->kind != VM_OBJ_LIBRARY &&
           o->kind != VM_OBJ_CONST;
}

void vm_heap_doubt(struct vm_heap *h, const struct vm_obj *o)
{
    h->hidden |= may_share(o) && !h->owners;
}

static bool is_piece(uint16_t shadow)
{
    return shadow >> 8 && shadow >> 8 != 0xff && shadow >> 8 != VM_DERIVED;
}

/* Suspects an object whose pointer is in pieces: if it is copied byte by byte, it is so for a
 * while only. */
static void suspect(struct vm_heap *h, uint64_t p)
{
    uint64_t object = vm_ptr_object(p);
    if (h->nsuspects && h->suspects[h->nsuspects - 1] == object)
        return;
    if (h->nsuspects == VM_SUSPECTS)
        vm_heap_check_suspects(h);
    h->suspects[h->nsuspects++] = object;
}

void vm_heap_check_suspects(struct vm_heap *h)
{
    while (h->nsuspects) {
        struct vm_obj *o = vm_heap_get(h, h->suspects[--h->nsuspects]);
        for (uint32_t w = 0; o && !h->hidden && w < vm_obj_words(o); w++)
            h->hidden = is_piece(vm_obj_shadow(o)[w]);
    }
}

/* Objects that became shared while what they point to is not shared yet. */
struct worklist {
    uint64_t *at;
    size_t n, capacity;
};

static void share(struct vm_heap *h, uint64_t p, struct vm_obj *o)
{
    vm_heap_own(h, p, o)->flags |= VM_SHARED;
    if (h->namer.names && vm_ptr_region(p) == VM_ID_HEAP)
        vm_namer_give(&h->namer, vm_ptr_index(p));
    if (h->on_share)
        h->on_share(h->machine, p, o->size);
}

static void share_pointees(struct vm_heap *h, uint64_t p, uint32_t end, struct worklist *list)
{
    const struct vm_obj *o =
        end == UINT32_MAX ? vm_heap_get(h, p) : vm_heap_part(h, p, end - (uint32_t)p);
    const uint16_t *s = vm_obj_shadow((struct vm_obj *)o);
    for (uint32_t w = (uint32_t)p / 8; w < vm_obj_words(o) && w * 8 < end; w++) {
        struct vm_obj *to = s[w] >> 8 == 0xff ? vm_heap_get(h, o->data[w]) : NULL;
        if (is_piece(s[w]) && !h->owners)
            suspect(h, p);
        if (!to || !may_share(to))
            continue;
        share(h, o->data[w], to);
        if (list->n == list->capacity) {
            list->capacity = list->capacity ? 2 * list->capacity : 16;
            list->at = vm_resize(list->at, list->capacity * sizeof *list->at);
        }
        list->at[list->n++] = vm_ptr_object(o->data[w]);
    }
}

void vm_heap_spread(struct vm_heap *h, uint64_t p, uint32_t n)
{
    struct worklist list = {0};
    share_pointees(h, p, (uint32_t)p + n, &list);
    while (list.n)
        share_pointees(h, list.at[--list.n], UINT32_MAX, &list);
    free(list.at);
}

void vm_heap_share(struct vm_heap *h, uint64_t p)
{
    struct vm_obj *o = vm_heap_get(h, p);
    if (!o)
        return;
    if (o->kind == VM_OBJ_KERNEL || o->kind == VM_OBJ_LIBRARY) {
        vm_heap_spread(h, vm_ptr_object(p), o->size);
        vm_heap_check_suspects(h); /* it may be gone at the end of the transition */
    } else if (may_share(o)) {
        share(h, p, o);
        vm_heap_spread(h, vm_ptr_object(p), o->size);
    }
}

/* Closes the open part of the log: nothing stays OWNED, so what is written from now on is
 * copied and logged. */
void vm_heap_close(struct vm_heap *h)
{
    vm_pages_make(h);
    vm_pages_disown(h);
    for (size_t k = h->log_open; k < h->nlog; k++) {
        struct vm_obj *o = vm_table_of(h, h->log[k].region)->obj[h->log[k].index];
        if (o && o->flags & VM_OWNED) /* else it may be in a state that others look at */
            o->flags &= (uint8_t)~VM_OWNED;
    }
    h->log_open = h->nlog;
    h->segment++;
}

void vm_heap_mark(struct vm_heap *h, struct vm_heap_mark *mark)
{
    vm_heap_close(h);
    *mark = (struct vm_heap_mark){.nlog = h->nlog,
                                  .ngiven = h->namer.ngiven,
                                  .leak_sum = h->leak_sum,
                                  .nheap = h->nheap,
                                  .nstable = h->nstable,
                                  .bytes = h->bytes,
                                  .nsums = h->nsums,
                                  .stable_ids = h->inchash.stable_ids};
    for (unsigned r = 0; r < VM_REGIONS; r++)
        mark->n[r] = vm_table_of(h, r)->n;
}

/* Sets the sum back to the origin's if it is that of a memory that is undone.  What was stable
 * at the mark stays stable. */
static void undo_sum(struct vm_heap *h, const struct vm_heap_mark *mark)
{
    if (h->nsums == mark->nsums)
        return;
    if (mark->stable_ids != h->origin.inchash.stable_ids) {
        h->summed = false;
        return;
    }
    vm_inchash_set(&h->inchash, &h->origin.inchash);
    h->summed = true;
    h->nsummed = h->norigin;
}

/* Undoes the log down to its first n entries. */
static void undo_log(struct vm_heap *h, size_t n)
{
    assert(n >= h->norigin);
    while (h->nlog > n) {
        struct vm_undo *u = &h->log[--h->nlog];
        struct vm_obj **at = &vm_table_of(h, u->region)->obj[u->index];
        if (*at)
            vm_obj_release(*at);
        *at = u->old;
        if (u->region == VM_PAGES && u->old)
            vm_pages_load(h, u->old);
    }
}

void vm_heap_undo(struct vm_heap *h, const struct vm_heap_mark *mark)
{
    undo_log(h, mark->nlog);
    vm_pages_disown(h);
    for (unsigned r = 0; r < VM_REGIONS; r++)
        vm_table_of(h, r)->n = mark->n[r];
    vm_namer_undo(&h->namer, mark->ngiven);
    h->leak_sum = mark->leak_sum;
    h->nheap = mark->nheap;
    h->nstable = mark->nstable;
    h->bytes = mark->bytes;
    undo_sum(h, mark);
    h->frame_hint = VM_HOMES;
    h->log_open = mark->nlog;
    h->segment++;
}

void vm_heap_undo_all(struct vm_heap *h)
{
    struct vm_heap_mark start = {.nlog = h->norigin,
                                 .leak_sum = h->origin.leak_sum,
                                 .nheap = h->origin.nheap,
                                 .nstable = h->origin.nstable,
                                 .bytes = h->origin.bytes,
                                 .nsums = NEVER,
                                 .stable_ids = h->origin.inchash.stable_ids};
    for (unsigned r = 0; r < VM_REGIONS; r++)
        start.n[r] = h->origin.n[r];
    vm_heap_undo(h, &start);
}

void vm_heap_valid(const struct vm_heap *h)
{
    uint64_t leak_sum = 0, nheap = 0, bytes = 0;
    for (unsigned r = 0; r <= VM_ID_GLOBAL; r++)
        for (uint32_t i = 0; i < h->table[r].n; i++) {
            const struct vm_obj *o = h->table[r].obj[i];
            if (!o)
                continue;
            vm_obj_valid(o);
            bytes += o->size;
            if (vm_obj_is_heap(o))
                leak_sum += vm_leak_term(o), nheap++;
        }
    assert(leak_sum == h->leak_sum && nheap == h->nheap);
    assert(bytes == h->bytes);
    vm_pages_valid(h);
    if (h->summed && h->nsummed == h->nlog)
        vm_inchash_valid(h, &h->inchash);
    assert(h->norigin <= h->log_open && h->norigin <= h->nsummed);
    for (size_t k = 0; k < h->log_open; k++) {
        const struct vm_obj *o =
            vm_table_of((struct vm_heap *)h, h->log[k].region)->obj[h->log[k].index];
        bool again = false;
        for (size_t j = h->log_open; j < h->nlog && !again; j++)
            again = h->log[j].region == h->log[k].region && h->log[j].index == h->log[k].index;
        assert(!o || again || !(o->flags & VM_OWNED));
    }
}
