/* store.c - a hash table in segments, each with linear probing, each growing by
 * itself.
 *
 * The top bits of a fingerprint choose the segment, the others the slot, as
 * (rest * slots) >> 64: so a segment may have any number of slots, grows by
 * 3/16 instead of doubling, and is copied in order when it grows.
 *
 * Inserting is one compare-and-swap of an empty slot.  Growing a segment is done
 * by one thread while nobody is inside the segment: see enter and grow.  The
 * others work on in the other 63.  docs/MEMORY_ORDER.md has the argument. */
#include "store.h"

#include <assert.h>
#include <sched.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { SEGMENT_BITS = 6, NSEGMENTS = 1 << SEGMENT_BITS };
enum { FIRST_SLOTS = 16, DOUBLE_BELOW = 64 };
enum { CACHE_LINE = 64, PAGES_FROM = 64 << 10, HUGE_PAGE = 2 << 20 };

/* The low two bits of a link tell how final it is. */
enum phase {
    PHASE_UNSET = 0, /* the slot was just taken; whoever comes first sets the link */
    PHASE_FINAL = 1,
    PHASE_LEVEL = 2, /* and 3: found in a level of this parity */
    PHASE_MASK = 3,
};

struct slot {
    _Atomic uint64_t print; /* 0: empty; never changes once set */
    _Atomic uint64_t link;  /* parent without its low bits, and the phase */
};

struct segment {
    /* Changed by the grower while nobody is inside; read inside, or to prefetch. */
    alignas(CACHE_LINE) _Atomic(struct slot *) slots;
    _Atomic size_t nslots;
    _Atomic bool stuck; /* the limit was hit: it never grows again */
    _Atomic bool growing;
    alignas(CACHE_LINE) _Atomic size_t used; /* taken or reserved */
};

struct store_user {
    alignas(CACHE_LINE) _Atomic(struct segment *) inside; /* written by the owner only */
    struct store *store;                                  /* immutable */
};

struct store {
    struct segment segments[NSEGMENTS];
    alignas(CACHE_LINE) _Atomic size_t bytes;
    _Atomic size_t peak;
    size_t max_bytes; /* immutable after open, as the rest */
    unsigned nusers;
    struct store_user *users;
};

enum probe { PROBE_NEW, PROBE_FOUND, PROBE_NO_ROOM };

/* ---- memory ---------------------------------------------------------------- */

/* Zeroed; whole pages from PAGES_FROM on, on a 2 MB boundary if they are that many. */
static void *map_pages(size_t bytes)
{
    if (bytes < PAGES_FROM)
        return calloc(1, bytes);
    size_t slack = bytes >= HUGE_PAGE ? HUGE_PAGE : 0;
    char *p = mmap(NULL, bytes + slack, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    if (slack) {
        size_t head = -(uintptr_t)p & (HUGE_PAGE - 1);
        if (head)
            munmap(p, head);
        if (slack - head)
            munmap(p + head + bytes, slack - head);
        p += head;
        madvise(p, bytes, MADV_HUGEPAGE);
    }
    return p;
}

static void give_back(struct store *store, struct slot *slots, size_t nslots)
{
    if (!slots)
        return;
    if (nslots * sizeof *slots < PAGES_FROM)
        free(slots);
    else
        munmap(slots, nslots * sizeof *slots);
    atomic_fetch_sub_explicit(&store->bytes, nslots * sizeof *slots, memory_order_relaxed);
}

static struct slot *take_slots(struct store *store, size_t nslots)
{
    size_t bytes = nslots * sizeof(struct slot);
    size_t now = atomic_fetch_add_explicit(&store->bytes, bytes, memory_order_relaxed) + bytes;
    struct slot *slots = NULL;
    if (!store->max_bytes || now <= store->max_bytes)
        slots = map_pages(bytes);
    if (!slots) {
        atomic_fetch_sub_explicit(&store->bytes, bytes, memory_order_relaxed);
        return NULL;
    }
    size_t peak = atomic_load_explicit(&store->peak, memory_order_relaxed);
    while (now > peak &&
           !atomic_compare_exchange_weak_explicit(&store->peak, &peak, now,
                                                  memory_order_relaxed, memory_order_relaxed))
        continue;
    return slots;
}

/* ---- open and close -------------------------------------------------------- */

struct store *store_open(const struct store_options *options)
{
    assert(options->users > 0);
    struct store *store = aligned_alloc(CACHE_LINE, sizeof *store);
    if (!store)
        return NULL;
    memset(store, 0, sizeof *store);
    store->max_bytes = options->max_bytes;
    store->nusers = options->users;
    store->users = aligned_alloc(CACHE_LINE, options->users * sizeof *store->users);
    if (!store->users)
        goto fail;
    for (unsigned i = 0; i < options->users; i++) {
        atomic_init(&store->users[i].inside, NULL);
        store->users[i].store = store;
    }
    for (size_t i = 0; i < NSEGMENTS; i++) {
        struct slot *slots = take_slots(store, FIRST_SLOTS);
        if (!slots)
            goto fail;
        atomic_init(&store->segments[i].slots, slots);
        atomic_init(&store->segments[i].nslots, FIRST_SLOTS);
    }
    return store;
fail:
    store_close(store);
    return NULL;
}

void store_close(struct store *store)
{
    if (!store)
        return;
    for (size_t i = 0; i < NSEGMENTS; i++) {
        struct segment *seg = &store->segments[i];
        give_back(store, atomic_load_explicit(&seg->slots, memory_order_relaxed),
                  atomic_load_explicit(&seg->nslots, memory_order_relaxed));
    }
    free(store->users);
    free(store);
}

struct store_user *store_user(struct store *store, unsigned i)
{
    assert(i < store->nusers);
    return &store->users[i];
}

/* ---- fingerprints ---------------------------------------------------------- */

/* Ids below 4 would be no id once their low bits are cut off. */
store_id store_id_of(const uint64_t hash[2])
{
    return hash[0] > PHASE_MASK ? hash[0] : hash[0] + PHASE_MASK + 1;
}

static struct segment *segment_of(struct store *store, uint64_t print)
{
    return &store->segments[print >> (64 - SEGMENT_BITS)];
}

static size_t home(uint64_t print, size_t nslots)
{
    __extension__ typedef unsigned __int128 wide;
    return (size_t)((wide)(print << SEGMENT_BITS) * nslots >> 64);
}

void store_prefetch(const struct store *store, const store_id *ids, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct segment *seg = &store->segments[ids[i] >> (64 - SEGMENT_BITS)];
        /* Slots and nslots may not belong together: a prefetch may go anywhere. */
        const struct slot *slots = atomic_load_explicit(&seg->slots, memory_order_relaxed);
        size_t nslots = atomic_load_explicit(&seg->nslots, memory_order_relaxed);
        uintptr_t at = (uintptr_t)slots + home(ids[i], nslots) * sizeof *slots;
        __builtin_prefetch((const void *)at, 1);
    }
}

/* ---- entering and growing a segment ----------------------------------------- */

/* Either we see `growing` and step back, or the grower sees us inside and waits:
 * both sides write one word and read the other's, all seq_cst (Dekker).  The
 * load also acquires what the last grower released: the new slots. */
static void enter(struct store_user *user, struct segment *seg)
{
    for (;;) {
        atomic_store_explicit(&user->inside, seg, memory_order_seq_cst);
        if (!atomic_load_explicit(&seg->growing, memory_order_seq_cst))
            return;
        atomic_store_explicit(&user->inside, NULL, memory_order_release);
        while (atomic_load_explicit(&seg->growing, memory_order_relaxed))
            sched_yield();
    }
}

/* Releases what we wrote to the slots to the grower (wait_until_empty). */
static void leave(struct store_user *user)
{
    atomic_store_explicit(&user->inside, NULL, memory_order_release);
}

static void wait_until_empty(struct store *store, struct segment *seg)
{
    for (unsigned i = 0; i < store->nusers; i++)
        while (atomic_load_explicit(&store->users[i].inside, memory_order_seq_cst) == seg)
            sched_yield();
}

static size_t more_slots(size_t nslots)
{
    size_t more = nslots < DOUBLE_BELOW ? 2 * nslots : nslots / 16 * 19;
    return (more + FIRST_SLOTS - 1) / FIRST_SLOTS * FIRST_SLOTS;
}

static size_t room(size_t nslots, bool stuck)
{
    return stuck ? nslots - nslots / 16 : nslots / 5 * 4;
}

static void copy_slot(struct slot *to, size_t nslots, const struct slot *from)
{
    uint64_t print = atomic_load_explicit(&from->print, memory_order_relaxed);
    if (!print)
        return;
    size_t i = home(print, nslots);
    while (atomic_load_explicit(&to[i].print, memory_order_relaxed))
        i = i + 1 == nslots ? 0 : i + 1;
    atomic_store_explicit(&to[i].print, print, memory_order_relaxed);
    atomic_store_explicit(&to[i].link, atomic_load_explicit(&from->link, memory_order_relaxed),
                          memory_order_relaxed);
}

/* Nobody else is inside. */
static void rehash(struct store *store, struct segment *seg)
{
    size_t nslots = atomic_load_explicit(&seg->nslots, memory_order_relaxed);
    if (atomic_load_explicit(&seg->used, memory_order_relaxed) < room(nslots, false))
        return; /* somebody grew it before us */
    size_t more = more_slots(nslots);
    struct slot *old = atomic_load_explicit(&seg->slots, memory_order_relaxed);
    struct slot *new = take_slots(store, more);
    if (!new) {
        atomic_store_explicit(&seg->stuck, true, memory_order_relaxed);
        return;
    }
    for (size_t i = 0; i < nslots; i++)
        copy_slot(new, more, &old[i]);
    atomic_store_explicit(&seg->slots, new, memory_order_relaxed);
    atomic_store_explicit(&seg->nslots, more, memory_order_relaxed);
    give_back(store, old, nslots);
}

/* The caller is not inside.  Afterwards there is room, or the segment is stuck. */
static void grow(struct store *store, struct segment *seg)
{
    bool growing = false;
    if (!atomic_compare_exchange_strong_explicit(&seg->growing, &growing, true,
                                                 memory_order_seq_cst, memory_order_relaxed))
        return; /* enter waits for the one who does it */
    wait_until_empty(store, seg);
    rehash(store, seg);
    /* Pairs with the load in enter: who goes in next sees the new slots. */
    atomic_store_explicit(&seg->growing, false, memory_order_release);
}

/* ---- looking up and putting in ---------------------------------------------- */

/* The lowest link of the level wins, over an unset one any.  Relaxed: the link is
 * one word, and is only read as one. */
static void offer_link(struct slot *slot, uint64_t link)
{
    uint64_t seen = atomic_load_explicit(&slot->link, memory_order_relaxed);
    for (;;) {
        bool lower =
            link < seen && link & PHASE_LEVEL && (seen & PHASE_MASK) == (link & PHASE_MASK);
        if ((seen & PHASE_MASK) != PHASE_UNSET && !lower)
            return;
        if (atomic_compare_exchange_weak_explicit(&slot->link, &seen, link,
                                                  memory_order_relaxed, memory_order_relaxed))
            return;
    }
}

/* Reserving before taking a slot keeps at least one slot empty, so that every
 * probe ends. */
static bool reserve(struct segment *seg, size_t nslots)
{
    bool stuck = atomic_load_explicit(&seg->stuck, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&seg->used, 1, memory_order_relaxed) < room(nslots, stuck))
        return true;
    atomic_fetch_sub_explicit(&seg->used, 1, memory_order_relaxed);
    return false;
}

/* Inside the segment.  Relaxed: a fingerprint is one word that never changes,
 * and tells nothing of other memory. */
static enum probe put(struct segment *seg, uint64_t print, uint64_t link)
{
    struct slot *slots = atomic_load_explicit(&seg->slots, memory_order_relaxed);
    size_t nslots = atomic_load_explicit(&seg->nslots, memory_order_relaxed);
    bool reserved = false;
    for (size_t i = home(print, nslots);; i = i + 1 == nslots ? 0 : i + 1) {
        uint64_t seen = atomic_load_explicit(&slots[i].print, memory_order_relaxed);
        if (!seen) {
            if (!reserved && !(reserved = reserve(seg, nslots)))
                return PROBE_NO_ROOM;
            if (atomic_compare_exchange_strong_explicit(&slots[i].print, &seen, print,
                                                        memory_order_relaxed,
                                                        memory_order_relaxed)) {
                offer_link(&slots[i], link);
                return PROBE_NEW;
            }
        }
        if (seen == print) {
            if (reserved)
                atomic_fetch_sub_explicit(&seg->used, 1, memory_order_relaxed);
            offer_link(&slots[i], link);
            return PROBE_FOUND;
        }
    }
}

enum store_put store_find_or_put(struct store_user *user, const uint64_t hash[2],
                                 store_id parent, int level, store_id *id)
{
    uint64_t print = store_id_of(hash);
    uint64_t phase = level < 0 ? PHASE_FINAL : PHASE_LEVEL | ((unsigned)level & 1);
    uint64_t link = (parent & ~(uint64_t)PHASE_MASK) | phase;
    struct segment *seg = segment_of(user->store, print);
    *id = print;
    for (;;) {
        enter(user, seg);
        bool stuck = atomic_load_explicit(&seg->stuck, memory_order_relaxed);
        enum probe probe = put(seg, print, link);
        leave(user);
        if (probe != PROBE_NO_ROOM)
            return probe == PROBE_NEW ? STORE_NEW : STORE_FOUND;
        if (stuck)
            return STORE_FULL;
        grow(user->store, seg);
    }
}

/* Inside the segment: the slot of a fingerprint, or NULL. */
static struct slot *find(struct segment *seg, uint64_t print)
{
    struct slot *slots = atomic_load_explicit(&seg->slots, memory_order_relaxed);
    size_t nslots = atomic_load_explicit(&seg->nslots, memory_order_relaxed);
    for (size_t i = home(print, nslots);; i = i + 1 == nslots ? 0 : i + 1) {
        uint64_t seen = atomic_load_explicit(&slots[i].print, memory_order_relaxed);
        if (seen == print)
            return &slots[i];
        if (!seen)
            return NULL;
    }
}

/* Only the thread that expands a state makes its link final, and no other
 * changes the link then: the level in which it was found is over. */
void store_expanded(struct store_user *user, store_id id)
{
    struct segment *seg = segment_of(user->store, id);
    enter(user, seg);
    struct slot *slot = find(seg, id);
    assert(slot);
    uint64_t link = atomic_load_explicit(&slot->link, memory_order_relaxed);
    atomic_store_explicit(&slot->link, (link & ~(uint64_t)PHASE_MASK) | PHASE_FINAL,
                          memory_order_relaxed);
    leave(user);
}

static bool get(struct store_user *user, store_id id, uint64_t *link)
{
    struct segment *seg = segment_of(user->store, id);
    enter(user, seg);
    const struct slot *slot = find(seg, id);
    if (slot)
        *link = atomic_load_explicit(&slot->link, memory_order_relaxed);
    leave(user);
    return slot;
}

bool store_has(struct store_user *user, store_id id)
{
    uint64_t link;
    return id > PHASE_MASK && get(user, id, &link);
}

/* The low bits of the parent are not kept: it is the one of the four that is in
 * the store.  (That two are is as unlikely as a collision.) */
store_id store_parent(struct store_user *user, store_id id)
{
    uint64_t link = 0;
    bool found = get(user, id, &link);
    assert(found);
    (void)found;
    store_id parent = link & ~(uint64_t)PHASE_MASK;
    if (!parent)
        return STORE_NONE;
    for (store_id low = 0; low <= PHASE_MASK; low++)
        if (store_has(user, parent | low))
            return parent | low;
    return STORE_NONE;
}

/* ---- statistics and invariants ---------------------------------------------- */

struct store_stats store_stats(const struct store *store)
{
    struct store_stats stats = {
        .bytes = atomic_load_explicit(&store->bytes, memory_order_relaxed),
        .peak_bytes = atomic_load_explicit(&store->peak, memory_order_relaxed),
    };
    for (size_t i = 0; i < NSEGMENTS; i++) {
        const struct segment *seg = &store->segments[i];
        stats.states += atomic_load_explicit(&seg->used, memory_order_relaxed);
        stats.slots += atomic_load_explicit(&seg->nslots, memory_order_relaxed);
    }
    return stats;
}

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void valid_segment(struct store *store, struct segment *seg)
{
    const struct slot *slots = atomic_load_explicit(&seg->slots, memory_order_relaxed);
    size_t nslots = atomic_load_explicit(&seg->nslots, memory_order_relaxed);
    size_t used = 0;
    for (size_t i = 0; i < nslots; i++) {
        uint64_t print = atomic_load_explicit(&slots[i].print, memory_order_relaxed);
        if (!print)
            continue;
        used++;
        require(segment_of(store, print) == seg);
        require(find(seg, print) == &slots[i]); /* reached from home, and only once */
        uint64_t link = atomic_load_explicit(&slots[i].link, memory_order_relaxed);
        require((link & PHASE_MASK) != PHASE_UNSET);
        if (link > PHASE_MASK)
            require(store_parent(&store->users[0], print) != STORE_NONE);
    }
    require(used == atomic_load_explicit(&seg->used, memory_order_relaxed));
    require(used < nslots);
    require(!atomic_load_explicit(&seg->growing, memory_order_relaxed));
}

void store_valid(struct store *store)
{
    size_t bytes = 0;
    for (size_t i = 0; i < NSEGMENTS; i++) {
        valid_segment(store, &store->segments[i]);
        bytes += sizeof(struct slot) *
                 atomic_load_explicit(&store->segments[i].nslots, memory_order_relaxed);
    }
    require(bytes == atomic_load_explicit(&store->bytes, memory_order_relaxed));
    require(!store->max_bytes || bytes <= store->max_bytes);
    for (unsigned i = 0; i < store->nusers; i++)
        require(!atomic_load_explicit(&store->users[i].inside, memory_order_relaxed));
}
