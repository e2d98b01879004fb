/* happens.c - see happens.h.
 *
 * In the heap: how many threads have had a release fence, and these; then, of each access, its
 * thread, object, range, kind and number of holders, and two words for each of the holders. */
#include "happens.h"

#include <stdlib.h>
#include <string.h>

#include "vm/heap/memory.h"
#include "vm/machine.h"

enum holder_kind {
    OF_THREAD,  /* what happened before its next action */
    OF_ACQUIRE, /* what an acquire fence would add to that */
    OF_RELEASE, /* what its last release fence fixed; there is one if there was such a fence */
    OF_PLACE,   /* what the present value of an atomic place passes on */
    OF_KERNEL,
};

struct holder {
    uint64_t p; /* of a thread's record, or a place; 0: of the kernel */
    uint32_t size;
    enum holder_kind kind;
};

enum { NONE = UINT32_MAX, HOLDER_WORDS = 2, WORD_BITS = 64 };

struct vm_happens {
    bool fences; /* the program has fences */
    bool changed;
    struct holder *holders;
    size_t nholders, max_holders;
    struct vm_entry *entries;
    size_t nentries, max_entries;
    uint64_t *known; /* of each entry: a bit for each holder */
    size_t stride, max_known;
};

struct vm_happens *vm_happens_new(bool fences)
{
    struct vm_happens *h = vm_zeros(1, sizeof *h);
    h->fences = fences;
    h->stride = 1;
    return h;
}

static void drop_arrays(struct vm_happens *h)
{
    free(h->holders);
    free(h->entries);
    free(h->known);
}

void vm_happens_free(struct vm_happens *h)
{
    if (!h)
        return;
    drop_arrays(h);
    free(h);
}

void vm_happens_reset(struct vm_happens *h)
{
    h->nholders = h->nentries = 0;
    h->stride = 1;
    h->changed = false;
}

static void *duplicate(const void *from, size_t bytes)
{
    return bytes ? memcpy(vm_alloc(bytes), from, bytes) : NULL;
}

struct vm_happens *vm_happens_copy(const struct vm_happens *h)
{
    struct vm_happens *copy = duplicate(h, sizeof *h);
    copy->max_holders = h->nholders;
    copy->max_entries = h->nentries;
    copy->max_known = h->nentries * h->stride;
    copy->holders = duplicate(h->holders, h->nholders * sizeof *h->holders);
    copy->entries = duplicate(h->entries, h->nentries * sizeof *h->entries);
    copy->known = duplicate(h->known, copy->max_known * sizeof *h->known);
    return copy;
}

void vm_happens_restore(struct vm_happens *h, const struct vm_happens *copy)
{
    struct vm_happens *fresh = vm_happens_copy(copy);
    drop_arrays(h);
    *h = *fresh;
    free(fresh);
}

/* ---- sets ------------------------------------------------------------------------------- */

static bool has(const struct vm_happens *h, size_t entry, uint32_t holder)
{
    return holder != NONE &&
           h->known[entry * h->stride + holder / WORD_BITS] >> holder % WORD_BITS & 1;
}

static void put(struct vm_happens *h, size_t entry, uint32_t holder, bool knows)
{
    uint64_t *word = &h->known[entry * h->stride + holder / WORD_BITS];
    uint64_t bit = (uint64_t)1 << holder % WORD_BITS;
    h->changed |= knows != ((*word & bit) != 0);
    *word = knows ? *word | bit : *word & ~bit;
}

static bool is_known_to(const struct vm_happens *h, size_t entry, uint32_t only)
{
    for (size_t w = 0; w < h->stride; w++) {
        uint64_t expected = only / WORD_BITS == w ? (uint64_t)1 << only % WORD_BITS : 0;
        if (h->known[entry * h->stride + w] != expected)
            return false;
    }
    return true;
}

static void reserve(struct vm_happens *h)
{
    if (h->nentries * h->stride <= h->max_known && h->max_known)
        return;
    h->max_known = 2 * h->nentries * h->stride + WORD_BITS;
    h->known = vm_resize(h->known, h->max_known * sizeof *h->known);
}

/* Room for twice as many holders. */
static void widen(struct vm_happens *h)
{
    size_t old = h->stride;
    h->stride *= 2;
    reserve(h);
    for (size_t e = h->nentries; e-- > 0;) {
        uint64_t *to = h->known + e * h->stride;
        memmove(to, h->known + e * old, old * sizeof *to);
        memset(to + old, 0, old * sizeof *to);
    }
}

static uint32_t find_holder(const struct vm_happens *h, struct holder wanted)
{
    for (uint32_t k = 0; k < h->nholders; k++) {
        const struct holder *is = &h->holders[k];
        if (is->kind == wanted.kind && is->p == wanted.p && is->size == wanted.size)
            return k;
    }
    return NONE;
}

static uint32_t make_holder(struct vm_happens *h, struct holder wanted)
{
    uint32_t found = find_holder(h, wanted);
    if (found != NONE)
        return found;
    if (h->nholders == h->max_holders) {
        h->max_holders = h->max_holders ? 2 * h->max_holders : 16;
        h->holders = vm_resize(h->holders, h->max_holders * sizeof *h->holders);
    }
    if (h->nholders == h->stride * WORD_BITS)
        widen(h);
    h->holders[h->nholders] = wanted;
    return (uint32_t)h->nholders++;
}

static size_t make_entry(struct vm_happens *h, uint64_t owner, struct vm_range range)
{
    if (h->nentries == h->max_entries) {
        h->max_entries = h->max_entries ? 2 * h->max_entries : 16;
        h->entries = vm_resize(h->entries, h->max_entries * sizeof *h->entries);
    }
    h->entries[h->nentries++] = (struct vm_entry){owner, range};
    reserve(h);
    memset(h->known + (h->nentries - 1) * h->stride, 0, h->stride * sizeof *h->known);
    h->changed = true;
    return h->nentries - 1;
}

static void drop_entry(struct vm_happens *h, size_t entry)
{
    size_t last = --h->nentries;
    h->entries[entry] = h->entries[last];
    memmove(h->known + entry * h->stride, h->known + last * h->stride,
            h->stride * sizeof *h->known);
    h->changed = true;
}

/* What `from` knows, `to` knows as well. */
static void join(struct vm_happens *h, uint32_t to, uint32_t from)
{
    if (from == NONE || to == from)
        return;
    for (size_t e = 0; e < h->nentries; e++)
        if (has(h, e, from))
            put(h, e, to, true);
}

static void forget(struct vm_happens *h, uint32_t holder)
{
    for (size_t e = 0; holder != NONE && e < h->nentries; e++)
        put(h, e, holder, false);
}

/* ---- holders ------------------------------------------------------------------------------
 */

static uint64_t running(const struct vm *vm)
{
    return vm->s.reg[VM_REG_USER];
}

static struct holder of_running(const struct vm *vm, enum holder_kind kind)
{
    return (struct holder){.p = running(vm), .kind = kind};
}

static uint32_t present(struct vm *vm)
{
    return make_holder(vm->race.happens, of_running(vm, OF_THREAD));
}

/* NONE if the thread has had no release fence. */
static uint32_t fixed(const struct vm *vm)
{
    return find_holder(vm->race.happens, of_running(vm, OF_RELEASE));
}

static const struct holder of_kernel = {.kind = OF_KERNEL};

static bool overlaps(const struct holder *holder, uint64_t p, uint64_t size)
{
    return holder->kind == OF_PLACE && vm_ptr_object(holder->p) == vm_ptr_object(p) &&
           (uint32_t)holder->p < (uint32_t)p + size &&
           (uint32_t)p < (uint32_t)holder->p + holder->size;
}

/* ---- accesses -----------------------------------------------------------------------------
 */

static bool meets(const struct vm_range *a, const struct vm_range *b)
{
    return a->object == b->object && a->start < b->end && b->start < a->end;
}

static bool covers(const struct vm_range *a, const struct vm_range *b)
{
    return a->object == b->object && a->start <= b->start && b->end <= a->end;
}

static struct vm_range range_of(const struct vm *vm, uint64_t p, uint64_t size, bool write)
{
    return (struct vm_range){
        .object = vm_ptr_object(vm_address_space_place(vm, p)),
        .start = (uint32_t)p,
        .end = (uint32_t)((uint32_t)p + size),
        .kind = write ? VM_WRITES : VM_READS,
    };
}

const struct vm_entry *vm_happens_conflict(const struct vm *vm, uint64_t p, uint64_t size,
                                           bool write)
{
    const struct vm_happens *h = vm->race.happens;
    struct vm_range now = range_of(vm, p, size, write);
    uint32_t me = find_holder(h, of_running(vm, OF_THREAD));
    for (size_t e = 0; e < h->nentries; e++) {
        const struct vm_entry *then = &h->entries[e];
        if (then->owner != running(vm) && meets(&then->range, &now) &&
            (write || then->range.kind == VM_WRITES) && !has(h, e, me))
            return then;
    }
    return NULL;
}

/* Does the thread's own entry say so already, and is the rest of what it says the same? */
static bool is_said(const struct vm *vm, const struct vm_range *now, uint32_t me)
{
    const struct vm_happens *h = vm->race.happens;
    for (size_t e = 0; e < h->nentries; e++)
        if (h->entries[e].owner == running(vm) && h->entries[e].range.kind >= now->kind &&
            covers(&h->entries[e].range, now) && is_known_to(h, e, me))
            return true;
    return false;
}

/* What races with an earlier access that happened before this one races with this one, too. */
static void supersede(struct vm_happens *h, const struct vm_range *now, uint32_t me)
{
    for (size_t e = h->nentries; e-- > 0;)
        if (covers(now, &h->entries[e].range) && h->entries[e].range.kind <= now->kind &&
            has(h, e, me))
            drop_entry(h, e);
}

/* Entries that only this thread knows, of one kind and next to each other, are one. */
static void unite(const struct vm *vm, struct vm_range *now, uint32_t me)
{
    struct vm_happens *h = vm->race.happens;
    for (size_t e = h->nentries; e-- > 0;) {
        const struct vm_range *r = &h->entries[e].range;
        if (h->entries[e].owner != running(vm) || r->kind != now->kind ||
            r->object != now->object || r->start > now->end || now->start > r->end ||
            !is_known_to(h, e, me))
            continue;
        now->start = r->start < now->start ? r->start : now->start;
        now->end = r->end > now->end ? r->end : now->end;
        drop_entry(h, e);
    }
}

void vm_happens_add(struct vm *vm, uint64_t p, uint64_t size, bool write)
{
    struct vm_happens *h = vm->race.happens;
    struct vm_range now = range_of(vm, p, size, write);
    uint32_t me = present(vm);
    if (is_said(vm, &now, me))
        return;
    vm_note_access(vm, &now);
    supersede(h, &now, me);
    unite(vm, &now, me);
    put(h, make_entry(h, running(vm), now), me, true);
}

/* One of its accesses is not known to the kernel yet. */
bool vm_happens_is_open(const struct vm *vm)
{
    const struct vm_happens *h = vm->race.happens;
    uint32_t kernel = find_holder(h, of_kernel);
    for (size_t e = 0; e < h->nentries; e++)
        if (h->entries[e].owner == running(vm) && !has(h, e, kernel))
            return true;
    return false;
}

void vm_happens_share(struct vm *vm, uint64_t p, uint32_t size)
{
    struct vm_happens *h = vm->race.happens;
    if (!size || !running(vm) || vm->s.alone || vm->s.reg[VM_REG_FLAGS] & VM_FLAG_ALONE)
        return; /* there is nobody whom it would not happen before */
    struct vm_range now = range_of(vm, vm_ptr_object(p), size, true);
    bool kernel = vm_masked(vm) && !vm_in_section(vm);
    uint32_t me = present(vm), fence = fixed(vm);
    vm_note_access(vm, &now);
    size_t entry = make_entry(h, running(vm), now);
    put(h, entry, me, true);
    if (fence != NONE) /* where it stood among the writes is not known */
        put(h, entry, fence, true);
    if (kernel)
        put(h, entry, make_holder(h, of_kernel), true);
}

/* ---- what orders --------------------------------------------------------------------------
 */

static void acquire(struct vm *vm, uint64_t p, uint64_t size, bool at_once)
{
    struct vm_happens *h = vm->race.happens;
    if (!at_once && !h->fences)
        return;
    uint32_t to = at_once ? present(vm) : make_holder(h, of_running(vm, OF_ACQUIRE));
    for (uint32_t k = 0; k < h->nholders; k++)
        if (overlaps(&h->holders[k], p, size))
            join(h, to, k);
}

/* A store ends what earlier ones passed on; a read-modify-write goes on with it (C++20: also
 * one of the same thread is no part of a release sequence unless it is a read-modify-write). */
static void release(struct vm *vm, uint64_t p, uint64_t size, bool at_once, bool goes_on)
{
    struct vm_happens *h = vm->race.happens;
    uint32_t from = at_once ? present(vm) : fixed(vm);
    for (uint32_t k = 0; k < h->nholders && !goes_on; k++)
        if (overlaps(&h->holders[k], p, size) && h->holders[k].p >= p &&
            (uint32_t)h->holders[k].p + h->holders[k].size <= (uint32_t)p + size)
            forget(h, k);
    if (from != NONE)
        join(h,
             make_holder(h, (struct holder){.p = p, .size = (uint32_t)size, .kind = OF_PLACE}),
             from);
}

void vm_happens_atomic(struct vm *vm, const struct vm_insn *i, uint64_t p, uint64_t size,
                       bool wrote)
{
    struct vm_happens *h = vm->race.happens;
    bool exchange = i->op == VM_OP_CMPXCHG;
    bool acquires = i->flags & (exchange && !wrote ? VM_FAIL_ACQUIRES : VM_ACQUIRES);
    if (!h->nentries && fixed(vm) == NONE)
        return;
    p = vm_address_space_place(vm, p);
    if (i->op != VM_OP_ASTORE)
        acquire(vm, p, size, acquires);
    if (i->flags & VM_GUARD) /* the kernel has made the variable */
        join(h, present(vm), find_holder(h, of_kernel));
    if (wrote)
        release(vm, p, size, i->flags & VM_RELEASES, i->op != VM_OP_ASTORE);
}

void vm_happens_fence(struct vm *vm, const struct vm_insn *i)
{
    struct vm_happens *h = vm->race.happens;
    uint32_t me = present(vm);
    if (i->flags & VM_ACQUIRES) {
        uint32_t pending = find_holder(h, of_running(vm, OF_ACQUIRE));
        join(h, me, pending);
        forget(h, pending);
    }
    if (i->flags & VM_RELEASES) {
        h->changed |= fixed(vm) == NONE;
        join(h, make_holder(h, of_running(vm, OF_RELEASE)), me);
    }
}

void vm_happens_arrive(struct vm *vm)
{
    struct vm_happens *h = vm->race.happens;
    if (h->nentries)
        join(h, present(vm), find_holder(h, of_kernel));
}

void vm_happens_call(struct vm *vm)
{
    struct vm_happens *h = vm->race.happens;
    vm_happens_arrive(vm);
    if (h->nentries)
        join(h, make_holder(h, of_kernel), present(vm));
}

/* ---- what is forgotten at the end of a transition ------------------------------------------
 */

static const struct vm_saved *saved_at(const struct vm *vm, uint64_t thread)
{
    const struct vm_obj *o = vm_heap_get(&vm->heap, thread);
    bool whole = o && (uint64_t)(uint32_t)thread + sizeof(struct vm_saved) <= o->size;
    return whole ? (const void *)((const char *)o->data + (uint32_t)thread) : NULL;
}

/* A thread that has not begun will know what the kernel knows. */
static bool has_begun(const struct vm *vm, const struct vm_saved *saved)
{
    const struct vm_obj *o = vm_heap_get(&vm->heap, (uint64_t)saved->frame);
    return !o || (uint32_t)o->data[1] != 0;
}

static bool knows(const struct vm *vm, uint64_t thread, size_t entry, uint32_t kernel)
{
    const struct vm_happens *h = vm->race.happens;
    const struct vm_saved *saved = saved_at(vm, thread);
    if (!saved || !saved->frame)
        return true; /* it has ended */
    uint32_t holder = find_holder(h, (struct holder){.p = thread, .kind = OF_THREAD});
    return has(h, entry, holder) || (has(h, entry, kernel) && !has_begun(vm, saved));
}

static bool is_known_to_all(const struct vm *vm, size_t entry)
{
    size_t n;
    const struct vm_obj *o = vm_list_threads(vm, &n);
    uint32_t kernel = find_holder(vm->race.happens, of_kernel);
    const uint64_t *end = o ? o->data + o->size / sizeof *end : NULL;
    for (size_t k = 1; o && k <= n; k++)
        if (!knows(vm, end[-(ptrdiff_t)k], entry, kernel))
            return false;
    return o;
}

/* Is the holder, or what it was about, gone? */
static bool is_gone(const struct vm *vm, const struct holder *holder)
{
    if (holder->kind == OF_KERNEL)
        return false;
    if (holder->kind == OF_PLACE)
        return !vm_heap_get(&vm->heap, vm_ptr_object(holder->p));
    const struct vm_saved *saved = saved_at(vm, holder->p);
    return !saved || !saved->frame;
}

static void drop_known(struct vm *vm)
{
    struct vm_happens *h = vm->race.happens;
    for (uint32_t k = 0; k < h->nholders; k++)
        if (is_gone(vm, &h->holders[k])) {
            forget(h, k);
            h->changed |= h->holders[k].kind == OF_RELEASE;
            h->holders[k].p = 0;
        }
    for (size_t e = h->nentries; e-- > 0;) {
        struct vm_entry *entry = &h->entries[e];
        if (!vm_heap_get(&vm->heap, entry->range.object) || is_known_to_all(vm, e)) {
            drop_entry(h, e);
        } else if (!vm_heap_get(&vm->heap, entry->owner)) {
            entry->owner = running(vm); /* who has joined it knows all that it did */
            h->changed = true;
        }
    }
}

/* ---- in the heap ---------------------------------------------------------------------------
 */

void vm_happens_begin(struct vm *vm)
{
    struct vm_happens *h = vm->race.happens;
    vm_happens_reset(h);
    const struct vm_obj *o = vm->s.footprint ? vm_heap_get(&vm->heap, vm->s.footprint) : NULL;
    if (!o)
        return;
    const uint64_t *at = o->data, *end = at + vm_obj_words(o);
    for (uint64_t n = *at++; n; n--)
        make_holder(h, (struct holder){.p = *at++, .kind = OF_RELEASE});
    while (at < end) {
        struct vm_range range = {.object = at[1],
                                 .start = (uint32_t)(at[2] >> 32),
                                 .end = (uint32_t)at[2],
                                 .kind = (uint32_t)at[3]};
        size_t entry = make_entry(h, at[0], range);
        uint64_t n = at[3] >> 32;
        for (at += VM_ENTRY_WORDS; n; n--, at += HOLDER_WORDS)
            put(h, entry,
                make_holder(h, (struct holder){.p = at[0],
                                               .size = (uint32_t)(at[1] >> 32),
                                               .kind = (enum holder_kind)(uint32_t)at[1]}),
                true);
    }
    h->changed = false;
}

/* Orders that don't depend on which of several threads came first, as far as places and kinds
 * tell; else states that could be one are two. */
static int compare_holders(const void *x, const void *y)
{
    const struct holder *a = x, *b = y;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return a->p < b->p ? -1 : a->p > b->p;
}

static int compare_entries(const void *x, const void *y)
{
    const struct vm_entry *a = x, *b = y;
    if (a->owner != b->owner)
        return a->owner < b->owner ? -1 : 1;
    if (a->range.kind != b->range.kind)
        return a->range.kind > b->range.kind ? -1 : 1;
    if (a->range.object != b->range.object)
        return a->range.object < b->range.object ? -1 : 1;
    if (a->range.start != b->range.start)
        return a->range.start < b->range.start ? -1 : 1;
    return a->range.rank < b->range.rank ? -1 : a->range.rank > b->range.rank;
}

/* Writes words one after the other. */
struct writer {
    struct vm_obj *o;
    uint32_t at;
};

static void write(struct writer *w, uint64_t word, bool pointer)
{
    w->o->data[w->at] = word;
    vm_obj_shadow(w->o)[w->at++] = pointer && word ? 0xffff : 0x00ff;
}

static size_t count_holders(const struct vm_happens *h, size_t entry)
{
    size_t n = 0;
    for (size_t w = 0; w < h->stride; w++)
        n += (size_t)__builtin_popcountll(h->known[entry * h->stride + w]);
    return n;
}

static void write_holders(struct writer *w, const struct vm_happens *h, size_t entry)
{
    struct holder *list = vm_alloc((h->nholders + 1) * sizeof *list);
    size_t n = 0;
    for (uint32_t k = 0; k < h->nholders; k++)
        if (has(h, entry, k))
            list[n++] = h->holders[k];
    qsort(list, n, sizeof *list, compare_holders);
    for (size_t k = 0; k < n; k++) {
        write(w, list[k].p, true);
        write(w, (uint64_t)list[k].size << 32 | (uint32_t)list[k].kind, false);
    }
    free(list);
}

/* Those that have ended were taken away: p is 0. */
static bool is_fenced(const struct holder *holder)
{
    return holder->kind == OF_RELEASE && holder->p;
}

static size_t count_fenced(const struct vm_happens *h)
{
    size_t n = 0;
    for (size_t k = 0; k < h->nholders; k++)
        n += is_fenced(&h->holders[k]);
    return n;
}

static void write_fenced(struct writer *w, const struct vm_happens *h)
{
    struct holder *list = vm_alloc((h->nholders + 1) * sizeof *list);
    size_t n = 0;
    for (size_t k = 0; k < h->nholders; k++)
        if (is_fenced(&h->holders[k]))
            list[n++] = h->holders[k];
    qsort(list, n, sizeof *list, compare_holders);
    write(w, n, false);
    for (size_t k = 0; k < n; k++)
        write(w, list[k].p, true);
    free(list);
}

static void write_entries(struct writer *w, const struct vm_happens *h)
{
    struct vm_entry *list = vm_alloc((h->nentries + 1) * sizeof *list);
    for (size_t e = 0; e < h->nentries; e++) {
        list[e] = h->entries[e];
        list[e].range.rank = (uint32_t)e;
    }
    qsort(list, h->nentries, sizeof *list, compare_entries);
    for (size_t k = 0; k < h->nentries; k++) {
        const struct vm_range *r = &list[k].range;
        write(w, list[k].owner, true);
        write(w, r->object, true);
        write(w, (uint64_t)r->start << 32 | r->end, false);
        write(w, (uint64_t)count_holders(h, r->rank) << 32 | r->kind, false);
        write_holders(w, h, r->rank);
    }
    free(list);
}

static void write_back(struct vm *vm)
{
    const struct vm_happens *h = vm->race.happens;
    size_t fenced = count_fenced(h);
    size_t words = 1 + fenced + h->nentries * VM_ENTRY_WORDS;
    for (size_t e = 0; e < h->nentries; e++)
        words += HOLDER_WORDS * count_holders(h, e);
    if (vm->s.footprint)
        vm_heap_free(&vm->heap, vm->s.footprint);
    vm->s.footprint = 0;
    if (!fenced && !h->nentries)
        return;
    vm->s.footprint = vm_heap_make_frame(&vm->heap, (uint32_t)words * 8, VM_FOOTPRINTS);
    struct writer w = {vm_heap_get(&vm->heap, vm->s.footprint), 0};
    write_fenced(&w, h);
    write_entries(&w, h);
}

void vm_happens_end(struct vm *vm)
{
    struct vm_happens *h = vm->race.happens;
    if (h->nentries || h->changed) /* a thread may have ended, or another been made */
        drop_known(vm);
    if (h->changed)
        write_back(vm);
    vm_happens_reset(h);
}
