/* dpor_overlooked.c - races of reads that are left out (`retry` in docs/REDUCTIONS.md).
 *
 * A thread that only tries again goes no further, since it goes on in another execution that
 * leaves some of its reads out.  Whatever was done before it stopped was there with these
 * reads; but what is done later, since it went on, only meets the others.  So such a read is
 * left out only if no write that could race with it comes later.
 *
 * That is known of a write if the program's orders let all events of the thread happen before
 * it on which it depends.  Here that is looked at in a simple way, which may say no too often:
 * by joining threads, and by acquiring the last store of a place, if that releases.  The writes
 * of which it is not known are remembered by their bytes, and by the threads whose reads they
 * could race with.  If such a write is found after a read of its bytes was left out, all begins
 * again, and that read stays. */
#include <stdlib.h>
#include <string.h>

#include "checker/array.h"
#include "dpor_overlooked.h"
#include "dpor_tree.h"

enum { GRANULE = 4, MOST_GRANULES = 16, MOST_BEGINNINGS = 32 };

struct overlooked *dpor_overlooked_new(void)
{
    return array_zeroed(1, sizeof(struct overlooked));
}

void dpor_overlooked_free(struct overlooked *overlooked)
{
    if (!overlooked)
        return;
    free(overlooked->written.at);
    free(overlooked->left_out.at);
    free(overlooked->clocks);
    free(overlooked);
}

/* ---- sets ------------------------------------------------------------------------ */

static uint64_t *slot_of(const struct keys *keys, uint64_t key)
{
    size_t at = key & (keys->max - 1);
    while (keys->at[at] && keys->at[at] != key)
        at = (at + 1) & (keys->max - 1);
    return &keys->at[at];
}

static bool has(const struct keys *keys, uint64_t key)
{
    return keys->max && *slot_of(keys, key);
}

static void make_room(struct keys *keys)
{
    struct keys old = *keys;
    if (2 * keys->n < keys->max)
        return;
    keys->max = old.max ? 2 * old.max : 64;
    keys->at = array_zeroed(keys->max, sizeof *keys->at);
    for (size_t k = 0; k < old.max; k++)
        if (old.at[k])
            *slot_of(keys, old.at[k]) = old.at[k];
    free(old.at);
}

/* Adds a key; false if it was there. */
static bool add(struct keys *keys, uint64_t key)
{
    if (has(keys, key))
        return false;
    make_room(keys);
    *slot_of(keys, key) = key;
    keys->n++;
    return true;
}

/* What a key stands for: bytes that are written while a thread may have read them, or that are
 * written by atomic accesses (whoever reads them). */
enum what { BY_ANYBODY, BY_THREAD };

static uint64_t key_of(enum what what, uint32_t proc, uint64_t place)
{
    uint64_t h =
        (place ^ ((uint64_t)proc << 2 | what) * 0xd6e8feb86659fd93) * 0x9e3779b97f4a7c15;
    h = (h ^ h >> 32) * 0xbf58476d1ce4e5b9;
    return (h ^ h >> 29) | 1;
}

/* The places by which the bytes of an access are known: all of an object stands for many. */
struct places_of {
    uint64_t first, last, object;
    bool many;
};

static struct places_of places_of(uint64_t addr, uint64_t size)
{
    uint64_t first = addr / GRANULE, last = (addr + size - 1) / GRANULE;
    return (struct places_of){.first = first,
                              .last = last,
                              .object = (addr >> 32) | (uint64_t)1 << 63,
                              .many = last - first >= MOST_GRANULES};
}

/* ---- what happens before an event ------------------------------------------------ */

static uint16_t *clock_of(const struct overlooked *overlooked, size_t event)
{
    return overlooked->clocks + event * overlooked->stride;
}

/* Makes room for one more event, of as many threads as there are. */
static void make_clocks(struct dpor *dpor)
{
    struct overlooked *o = dpor->overlooked;
    size_t old = o->stride, stride = dpor->causal.stride, n = dpor->causal.nevents;
    if (n * stride > o->max_clocks || stride != old) {
        uint16_t *clocks = array_zeroed(2 * n * stride, sizeof *clocks);
        for (size_t k = 0; k + 1 < n; k++)
            memcpy(clocks + k * stride, o->clocks + k * old, old * sizeof *clocks);
        free(o->clocks);
        o->clocks = clocks;
        o->stride = stride;
        o->max_clocks = 2 * n * stride;
    }
}

static void join(const struct overlooked *o, uint16_t *clock, uint32_t event)
{
    const uint16_t *other = clock_of(o, event);
    for (size_t k = 0; k < o->stride; k++)
        if (clock[k] < other[k])
            clock[k] = other[k];
}

/* Has the event stored there last of all, and released? */
static bool releases(const struct dpor *dpor, uint32_t event, const struct vm_access *read)
{
    const struct causal_log log = dpor_log(dpor, event);
    for (size_t k = log.n; k-- > 0;) {
        const struct vm_access *a = &log.at[k];
        if (a->write && a->addr == read->addr && a->size == read->size)
            return a->kind == VM_ACCESS_ATOMIC && a->orders & VM_ACCESS_RELEASES &&
                   !(a->orders & VM_ACCESS_OLD);
    }
    return false;
}

/* Merges into the clock what happens before an access of the last event. */
static void follow(const struct dpor *dpor, uint16_t *clock, const struct vm_access *a)
{
    struct causal *causal = (struct causal *)&dpor->causal;
    uint32_t last = (uint32_t)causal->nevents - 1;
    if (a->kind == VM_ACCESS_ENDED) {
        uint32_t proc = causal_known_proc(causal, a->addr);
        uint32_t end = proc == CAUSAL_NONE ? (uint32_t)CAUSAL_NONE : causal->procs[proc].last;
        if (end != CAUSAL_NONE && end != last)
            join(dpor->overlooked, clock, end);
    } else if (a->kind == VM_ACCESS_ATOMIC && a->orders & VM_ACCESS_ACQUIRES &&
               !(a->orders & VM_ACCESS_OLD)) {
        uint32_t store = causal_last_write(causal, a->addr, last);
        if (store != CAUSAL_NONE && releases(dpor, store, a))
            join(dpor->overlooked, clock, store);
    }
}

/* ---- writes ---------------------------------------------------------------------- */

static void note_key(struct overlooked *o, uint64_t key)
{
    add(&o->written, key);
    o->again |= has(&o->left_out, key);
}

static void note_places(struct overlooked *o, enum what what, uint32_t proc,
                        const struct places_of *places)
{
    if (places->many)
        note_key(o, key_of(what, proc, places->object));
    else
        for (uint64_t k = places->first; k <= places->last; k++)
            note_key(o, key_of(what, proc, k));
}

/* Notes a write that could race with what other threads have read before. */
static void note_write(struct dpor *dpor, uint32_t self, const uint16_t *clock,
                       const struct vm_access *a)
{
    const struct causal *causal = &dpor->causal;
    const uint16_t *all = causal_clock(causal, causal->nevents - 1);
    struct places_of places = places_of(a->addr, a->size);
    if (a->kind == VM_ACCESS_ATOMIC || a->kind == VM_ACCESS_CHECK) { /* races with plain ones */
        note_places(dpor->overlooked, BY_ANYBODY, 0, &places);
        return;
    }
    for (uint32_t proc = 0; proc < causal->nprocs; proc++)
        if (proc != self && causal->procs[proc].thread && all[proc] > clock[proc])
            note_places(dpor->overlooked, BY_THREAD, proc, &places);
}

void dpor_note_writes(struct dpor *dpor, const struct vm_access *accesses, size_t n)
{
    const struct causal_event *event = &dpor->causal.events[dpor->causal.nevents - 1];
    if (!dpor->overlooked)
        return;
    make_clocks(dpor);
    uint16_t *clock = clock_of(dpor->overlooked, dpor->causal.nevents - 1);
    memset(clock, 0, dpor->overlooked->stride * sizeof *clock);
    if (event->before != CAUSAL_NONE)
        join(dpor->overlooked, clock, event->before);
    clock[event->proc] = (uint16_t)event->number;
    for (size_t k = 0; k < n; k++) {
        follow(dpor, clock, &accesses[k]);
        if (accesses[k].write && accesses[k].size)
            note_write(dpor, event->proc, clock, &accesses[k]);
    }
}

/* ---- reads ----------------------------------------------------------------------- */

/* Calls `ask` with each key by which a write is known that could race with the read, until that
 * says yes. */
static bool any_key(struct overlooked *o, uint32_t proc, const struct read *read,
                    bool (*ask)(struct overlooked *o, uint64_t key))
{
    struct places_of places = places_of(read->addr, read->size);
    if (ask(o, key_of(BY_THREAD, proc, places.object)) ||
        (read->plain && ask(o, key_of(BY_ANYBODY, 0, places.object))))
        return true;
    for (uint64_t k = places.first; k <= places.last; k++)
        if (ask(o, key_of(BY_THREAD, proc, k)) ||
            (read->plain && ask(o, key_of(BY_ANYBODY, 0, k))))
            return true;
    return false;
}

static bool is_written(struct overlooked *o, uint64_t key)
{
    return has(&o->written, key);
}

static bool leave_out(struct overlooked *o, uint64_t key)
{
    add(&o->left_out, key);
    return false;
}

bool dpor_may_leave_out(struct dpor *dpor, uint32_t proc, const struct read *reads, size_t n)
{
    struct overlooked *o = dpor->overlooked;
    if (!o)
        return true;
    if (o->beginnings == MOST_BEGINNINGS)
        return false;
    for (size_t k = 0; k < n; k++)
        if (reads[k].size && any_key(o, proc, &reads[k], is_written))
            return false;
    for (size_t k = 0; k < n; k++)
        if (reads[k].size)
            any_key(o, proc, &reads[k], leave_out);
    return true;
}

bool dpor_overlooks(const struct dpor *dpor)
{
    return dpor->overlooked && dpor->overlooked->again;
}

void dpor_overlook_nothing(struct dpor *dpor)
{
    struct overlooked *o = dpor->overlooked;
    if (!o)
        return;
    if (o->left_out.max)
        memset(o->left_out.at, 0, o->left_out.max * sizeof *o->left_out.at);
    o->left_out.n = 0;
    o->beginnings += o->again;
    o->again = false;
}
