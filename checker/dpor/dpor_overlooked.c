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
 * of which it is not known are remembered by their bytes, by their threads, and by the threads
 * whose reads they could race with.  If such a write is found after a read of its bytes was
 * left out, all begins again, and that read stays.
 *
 * A write that comes before an atomic store of its thread on which the read depends comes
 * before the read.  Such stores are counted: leaving reads out does not change their numbers,
 * as it does those of events.  So a thread that fills in an object and passes it on, by a
 * compare-exchange that is tried again and again, does not keep others from trying again with
 * what they find there. */
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
    free(overlooked->stores);
    free(overlooked);
}

/* ---- sets ------------------------------------------------------------------------ */

static struct number_of *slot_of(const struct keys *keys, uint64_t key)
{
    size_t at = key & (keys->max - 1);
    while (keys->at[at].key && keys->at[at].key != key)
        at = (at + 1) & (keys->max - 1);
    return &keys->at[at];
}

/* The number of a key, or NULL. */
static const uint32_t *number_of(const struct keys *keys, uint64_t key)
{
    const struct number_of *slot = keys->max ? slot_of(keys, key) : NULL;
    return slot && slot->key ? &slot->number : NULL;
}

static void make_room(struct keys *keys)
{
    struct keys old = *keys;
    if (2 * keys->n < keys->max)
        return;
    keys->max = old.max ? 2 * old.max : 64;
    keys->at = array_zeroed(keys->max, sizeof *keys->at);
    for (size_t k = 0; k < old.max; k++)
        if (old.at[k].key)
            *slot_of(keys, old.at[k].key) = old.at[k];
    free(old.at);
}

/* The number of a key, which is `number` if there was none. */
static uint32_t *make_number(struct keys *keys, uint64_t key, uint32_t number)
{
    make_room(keys);
    struct number_of *slot = slot_of(keys, key);
    if (!slot->key) {
        *slot = (struct number_of){key, number};
        keys->n++;
    }
    return &slot->number;
}

/* What a key stands for: bytes that are written while a thread may have read them, or that are
 * written by atomic accesses (whoever reads them). */
enum what { BY_ANYBODY, BY_THREAD };

/* Of a write by one thread, for the reads of another one.  The number is that of the writer's
 * next atomic store, the greatest of all such writes; where reads were left out, how many of
 * the writer's stores they depend on, the least of all such reads.  writer: ANY, the number is
 * how many threads were known then. */
enum { ANY = CAUSAL_NONE };

static uint64_t key_of(enum what what, uint32_t reader, uint32_t writer, uint64_t place)
{
    uint64_t threads = (uint64_t)writer << 32 | (what == BY_THREAD ? reader + 1 : 0);
    uint64_t h = (place ^ threads * 0xd6e8feb86659fd93) * 0x9e3779b97f4a7c15;
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
    o->stores = array_grow(o->stores, n - 1, &o->max_stores, sizeof *o->stores);
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
                   !(a->orders & (VM_ACCESS_OLD | VM_ACCESS_SAME));
    }
    return false;
}

/* Returns the thread of which all comes before the access, or CAUSAL_NONE: it is said so, or
 * the access frees the thread's record, as whoever joins it does. */
static uint32_t ended_before(struct causal *causal, const struct vm_access *a)
{
    if (a->kind == VM_ACCESS_ENDED)
        return causal_known_proc(causal, a->addr);
    bool frees = a->kind == VM_ACCESS_KERNEL && a->write && (uint32_t)a->addr == VM_EXISTENCE;
    return frees ? causal_known_proc(causal, a->addr - VM_EXISTENCE) : (uint32_t)CAUSAL_NONE;
}

/* Merges into the clock what happens before an access of the last event. */
static void follow(const struct dpor *dpor, uint16_t *clock, const struct vm_access *a)
{
    struct causal *causal = (struct causal *)&dpor->causal;
    uint32_t last = (uint32_t)causal->nevents - 1;
    uint32_t proc = ended_before(causal, a);
    if (proc != CAUSAL_NONE) {
        uint32_t end = causal->procs[proc].last;
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

/* A write of a thread, which comes before its atomic store of that number. */
struct write {
    enum what what;
    uint32_t reader, writer;
    uint32_t number;
};

static void note_place(struct overlooked *o, const struct write *write, uint64_t place)
{
    uint64_t key = key_of(write->what, write->reader, write->writer, place);
    uint32_t *most = make_number(&o->written, key, write->number);
    if (*most < write->number)
        *most = write->number;
    const uint32_t *depends = number_of(&o->left_out, key);
    const uint32_t *known =
        number_of(&o->left_out, key_of(write->what, write->reader, ANY, place));
    o->again |= (depends && *depends < write->number) || (known && *known <= write->writer);
}

static void note_places(struct overlooked *o, const struct write *write,
                        const struct places_of *places)
{
    if (places->many)
        note_place(o, write, places->object);
    else
        for (uint64_t k = places->first; k <= places->last; k++)
            note_place(o, write, k);
}

/* An event of the last one's thread that comes next will be its atomic store of this number, if
 * the last one is none. */
static uint32_t next_store(const struct dpor *dpor)
{
    uint32_t before = dpor->causal.events[dpor->causal.nevents - 1].before;
    return 1 + (before == CAUSAL_NONE ? 0 : dpor->overlooked->stores[before]);
}

/* Notes a write that could race with what other threads have read before. */
static void note_write(struct dpor *dpor, uint32_t self, const uint16_t *clock,
                       const struct vm_access *a)
{
    const struct causal *causal = &dpor->causal;
    const uint16_t *all = causal_clock(causal, causal->nevents - 1);
    struct places_of places = places_of(a->addr, a->size);
    struct write write = {.writer = self, .number = next_store(dpor)};
    if (a->kind == VM_ACCESS_ATOMIC || a->kind == VM_ACCESS_CHECK) { /* races with plain ones */
        note_places(dpor->overlooked, &write, &places);
        return;
    }
    write.what = BY_THREAD;
    for (write.reader = 0; write.reader < causal->nprocs; write.reader++)
        if (write.reader != self && causal->procs[write.reader].thread &&
            all[write.reader] > clock[write.reader])
            note_places(dpor->overlooked, &write, &places);
}

/* Is it a store that cannot be left out? */
static bool is_store(const struct vm_access *access)
{
    return access->kind == VM_ACCESS_ATOMIC && access->write &&
           !(access->orders & VM_ACCESS_SAME);
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
    bool stores = false;
    for (size_t k = 0; k < n; k++) {
        follow(dpor, clock, &accesses[k]);
        stores |= is_store(&accesses[k]);
        if (accesses[k].write && accesses[k].size)
            note_write(dpor, event->proc, clock, &accesses[k]);
    }
    dpor->overlooked->stores[dpor->causal.nevents - 1] =
        (uint16_t)(next_store(dpor) - 1 + stores);
}

/* ---- reads ----------------------------------------------------------------------- */

/* How many atomic stores of a thread come before an event, since it depends on them. */
static uint32_t stores_before(const struct dpor *dpor, uint32_t event, uint32_t proc)
{
    const struct causal *causal = &dpor->causal;
    const uint16_t *clock = causal_clock(causal, event);
    uint32_t last = causal->procs[proc].last;
    while (last != CAUSAL_NONE && causal->events[last].number > clock[proc])
        last = causal->events[last].before;
    return last == CAUSAL_NONE ? 0 : dpor->overlooked->stores[last];
}

/* A read by one thread, and another one that may write. */
struct pair {
    const struct read *read;
    uint32_t reader, writer;
    uint32_t number;
};

typedef bool ask(struct overlooked *o, uint64_t key, uint32_t number);

static bool ask_place(struct overlooked *o, const struct pair *pair, uint64_t place, ask *ask)
{
    return ask(o, key_of(BY_THREAD, pair->reader, pair->writer, place), pair->number) ||
           (pair->read->plain &&
            ask(o, key_of(BY_ANYBODY, pair->reader, pair->writer, place), pair->number));
}

/* Calls `ask` with each key by which a write is known that could race with the read, until that
 * says yes. */
static bool any_place(struct overlooked *o, const struct pair *pair, ask *ask)
{
    struct places_of places = places_of(pair->read->addr, pair->read->size);
    if (ask_place(o, pair, places.object, ask))
        return true;
    for (uint64_t k = places.first; k <= places.last; k++)
        if (ask_place(o, pair, k, ask))
            return true;
    return false;
}

static bool is_written(struct overlooked *o, uint64_t key, uint32_t number)
{
    const uint32_t *most = number_of(&o->written, key);
    return most && *most > number;
}

static bool leave_out(struct overlooked *o, uint64_t key, uint32_t number)
{
    uint32_t *least = make_number(&o->left_out, key, number);
    if (*least > number)
        *least = number;
    return false;
}

/* Asks about the reads, and each thread that may write. */
static bool any_read(struct dpor *dpor, uint32_t proc, const struct read *reads, size_t n,
                     ask *ask)
{
    for (size_t k = 0; k < n; k++) {
        struct pair pair = {.read = &reads[k], .reader = proc};
        for (; reads[k].size && pair.writer < dpor->causal.nprocs; pair.writer++) {
            if (pair.writer == proc)
                continue;
            pair.number = stores_before(dpor, reads[k].event, pair.writer);
            if (any_place(dpor->overlooked, &pair, ask))
                return true;
        }
    }
    return false;
}

bool dpor_may_leave_out(struct dpor *dpor, uint32_t proc, const struct read *reads, size_t n)
{
    struct overlooked *o = dpor->overlooked;
    if (!o)
        return true;
    if (o->beginnings == MOST_BEGINNINGS || any_read(dpor, proc, reads, n, is_written))
        return false;
    any_read(dpor, proc, reads, n, leave_out);
    for (size_t k = 0; k < n; k++)
        if (reads[k].size)
            any_place(o,
                      &(struct pair){.read = &reads[k],
                                     .reader = proc,
                                     .writer = ANY,
                                     .number = (uint32_t)dpor->causal.nprocs},
                      leave_out);
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
