/* store.c - a hash table in segments, each with linear probing over groups of slots, each
 * growing by itself.
 *
 * The top bits of a fingerprint choose the segment, the others the group, as
 * (rest * groups) >> 64: so a segment may have any number of groups, grows by
 * 3/16 instead of doubling, and is gone through in order when it grows (segment.c).
 *
 * Inserting is one compare-and-swap of an empty slot.  Growing a segment is done
 * by one thread while nobody is inside the segment: see enter and grow.  The
 * others work on in the other segments.  docs/MEMORY_ORDER.md has the argument. */
#include "store.h"

#include <assert.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "exact.h"
#include "segment.h"

enum {
    ALONE_BITS = 6,
    SHARED_BITS =
        10, /* more segments, which are sooner through with growing while others wait */
    CACHE_LINE = 64,
};

struct store_user {
    alignas(CACHE_LINE) _Atomic(struct store_segment *) inside; /* written by the owner only */
    struct store *store;                                        /* immutable */
    store_reserve *reserve;  /* of each segment; the array is the user's */
    bool full;               /* the owner's: contents got no number */
    struct store_fold *fold; /* the owner's; NULL: the store is not exact */
};

struct store {
    struct store_budget budget;
    alignas(CACHE_LINE) unsigned nusers; /* immutable after open, as the rest */
    unsigned bits;                       /* the first of a fingerprint choose its segment */
    size_t nsegments;
    struct store_segment *segments;
    struct store_user *users;
    struct store_exact *exact; /* or NULL */
};

/* ---- open and close -------------------------------------------------------- */

static bool open_exact(struct store *store)
{
    store->exact = malloc(sizeof *store->exact);
    if (!store->exact)
        return false;
    store_exact_open(store->exact, &store->budget);
    for (unsigned i = 0; i < store->nusers; i++)
        if (!(store->users[i].fold = calloc(1, sizeof *store->users[i].fold)))
            return false;
    return true;
}

static void close_exact(struct store *store)
{
    for (unsigned i = 0; i < store->nusers; i++)
        if (store->users[i].fold) {
            store_fold_fini(store->users[i].fold);
            free(store->users[i].fold);
        }
    store_exact_close(store->exact);
    free(store->exact);
}

/* In cache lines of its own. */
static store_reserve *new_reserve(size_t nsegments)
{
    size_t size =
        (nsegments * sizeof(store_reserve) + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    store_reserve *reserve = aligned_alloc(CACHE_LINE, size);
    if (reserve)
        memset(reserve, 0, size);
    return reserve;
}

struct store *store_open(const struct store_options *options)
{
    assert(options->users > 0);
    struct store *store = aligned_alloc(CACHE_LINE, sizeof *store);
    if (!store)
        return NULL;
    memset(store, 0, sizeof *store);
    store->budget.max = options->max_bytes;
    store->nusers = options->users;
    store->bits = options->users > 1 ? SHARED_BITS : ALONE_BITS;
    store->nsegments = (size_t)1 << store->bits;
    store->segments = aligned_alloc(CACHE_LINE, store->nsegments * sizeof *store->segments);
    if (!store->segments)
        goto fail;
    memset(store->segments, 0, store->nsegments * sizeof *store->segments);
    store->users = aligned_alloc(CACHE_LINE, options->users * sizeof *store->users);
    if (!store->users)
        goto fail;
    for (unsigned i = 0; i < options->users; i++) {
        atomic_init(&store->users[i].inside, NULL);
        store->users[i].store = store;
        store->users[i].fold = NULL;
        store->users[i].full = false;
        store->users[i].reserve = NULL;
    }
    for (unsigned i = 0; i < options->users; i++)
        if (!(store->users[i].reserve = new_reserve(store->nsegments)))
            goto fail;
    if (options->exact && !open_exact(store))
        goto fail;
    for (size_t i = 0; i < store->nsegments; i++)
        if (!store_segment_open(&store->segments[i], store->bits, &store->budget))
            goto fail;
    return store;
fail:
    store_close(store);
    return NULL;
}

void store_close(struct store *store)
{
    if (!store)
        return;
    for (size_t i = 0; store->segments && i < store->nsegments; i++)
        store_pages_free(&store->segments[i].pages, &store->budget);
    if (store->exact)
        close_exact(store);
    for (unsigned i = 0; store->users && i < store->nusers; i++)
        free(store->users[i].reserve);
    free(store->segments);
    free(store->users);
    free(store);
}

struct store_user *store_user(struct store *store, unsigned i)
{
    assert(i < store->nusers);
    return &store->users[i];
}

/* ---- fingerprints ---------------------------------------------------------- */

/* The bits of a fingerprint that a link keeps are not all 0: such a link is none. */
store_id store_id_of(const uint64_t hash[2])
{
    return hash[0] >> STORE_LINK_SHIFT ? hash[0] : hash[0] | (uint64_t)1 << STORE_LINK_SHIFT;
}

uint32_t store_contents(struct store_user *user, const void *bytes, size_t n)
{
    uint32_t number = store_exact_contents(user->store->exact, bytes, n);
    user->full |= !number;
    return number;
}

bool store_graph(struct store_user *user, bool tag, const uint64_t *words, size_t n,
                 uint64_t hash[2])
{
    bool full = user->full;
    user->full = false;
    hash[1] = 0;
    if (full)
        return false;
    hash[0] = store_exact_graph(user->store->exact, user->fold, tag, words, n);
    return hash[0];
}

static size_t segment_number(const struct store *store, uint64_t print)
{
    return print >> (64 - store->bits);
}

static struct store_segment *segment_of(struct store *store, uint64_t print)
{
    return &store->segments[segment_number(store, print)];
}

void store_prefetch(const struct store *store, const store_id *ids, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct store_segment *segment = segment_of((struct store *)store, ids[i]);
        /* Groups and ngroups may not belong together: a prefetch may go anywhere. */
        uintptr_t groups =
            (uintptr_t)atomic_load_explicit(&segment->groups, memory_order_relaxed);
        size_t ngroups = atomic_load_explicit(&segment->ngroups, memory_order_relaxed);
        uintptr_t at =
            groups + store_home(ids[i], store->bits, ngroups) * sizeof(struct store_group);
        uintptr_t print = at + ids[i] % STORE_GROUP * sizeof(uint64_t);
        __builtin_prefetch((const void *)print, 1);
        __builtin_prefetch((const void *)(at + offsetof(struct store_group, link)), 1);
    }
}

/* ---- entering and growing a segment ----------------------------------------- */

/* Either we see `growing` and step back, or the grower sees us inside and waits:
 * both sides write one word and read the other's, all seq_cst (Dekker).  The
 * load also acquires what the last grower released: the new slots. */
static void enter(struct store_user *user, struct store_segment *segment)
{
    for (;;) {
        atomic_store_explicit(&user->inside, segment, memory_order_seq_cst);
        if (!atomic_load_explicit(&segment->growing, memory_order_seq_cst))
            return;
        atomic_store_explicit(&user->inside, NULL, memory_order_release);
        while (atomic_load_explicit(&segment->growing, memory_order_relaxed))
            sched_yield();
    }
}

/* Releases what we wrote to the slots to the grower (wait_until_empty). */
static void leave(struct store_user *user)
{
    atomic_store_explicit(&user->inside, NULL, memory_order_release);
}

static void wait_until_empty(struct store *store, struct store_segment *segment)
{
    for (unsigned i = 0; i < store->nusers; i++)
        while (atomic_load_explicit(&store->users[i].inside, memory_order_seq_cst) == segment)
            sched_yield();
}

/* The caller is not inside.  Afterwards there is room, or the segment is stuck. */
static void grow(struct store *store, struct store_segment *segment)
{
    bool growing = false;
    if (!atomic_compare_exchange_strong_explicit(&segment->growing, &growing, true,
                                                 memory_order_seq_cst, memory_order_relaxed))
        return; /* enter waits for the one who does it */
    wait_until_empty(store, segment);
    store_segment_grow(segment, &store->budget);
    /* Pairs with the load in enter: who goes in next sees the new groups. */
    atomic_store_explicit(&segment->growing, false, memory_order_release);
}

/* ---- looking up and putting in ---------------------------------------------- */

static uint32_t link_to(store_id parent, unsigned phase)
{
    return (uint32_t)(parent >> STORE_LINK_SHIFT << 2) | phase;
}

enum store_put store_find_or_put(struct store_user *user, const uint64_t hash[2],
                                 store_id parent, int level, store_id *id)
{
    uint64_t print = store_id_of(hash);
    unsigned phase =
        level < 0 ? (unsigned)STORE_PHASE_FINAL : STORE_PHASE_LEVEL | ((unsigned)level & 1);
    size_t number = segment_number(user->store, print);
    struct store_segment *segment = &user->store->segments[number];
    *id = print;
    for (;;) {
        enter(user, segment);
        bool stuck = atomic_load_explicit(&segment->stuck, memory_order_relaxed);
        enum store_probe probe =
            store_segment_put(segment, &user->reserve[number], print, link_to(parent, phase));
        leave(user);
        if (probe != STORE_PROBE_NO_ROOM)
            return probe == STORE_PROBE_NEW ? STORE_NEW : STORE_FOUND;
        if (stuck)
            return STORE_FULL;
        grow(user->store, segment);
    }
}

/* Only the thread that expands a state makes its link final, and no other
 * changes the link then: the level in which it was found is over. */
void store_expanded(struct store_user *user, store_id id)
{
    struct store_segment *segment = segment_of(user->store, id);
    enter(user, segment);
    struct store_slot slot = store_segment_find(segment, id);
    assert(slot.group);
    _Atomic uint32_t *at = &slot.group->link[slot.i];
    uint32_t link = atomic_load_explicit(at, memory_order_relaxed);
    atomic_store_explicit(at, (link & ~(uint32_t)STORE_PHASE_MASK) | STORE_PHASE_FINAL,
                          memory_order_relaxed);
    leave(user);
}

/* False if the state is not there. */
static bool get_link(struct store_user *user, store_id id, uint32_t *link)
{
    struct store_segment *segment = segment_of(user->store, id);
    enter(user, segment);
    struct store_slot slot = store_segment_find(segment, id);
    if (slot.group)
        *link = atomic_load_explicit(&slot.group->link[slot.i], memory_order_relaxed);
    leave(user);
    return slot.group;
}

bool store_has(struct store_user *user, store_id id)
{
    uint32_t link;
    return id >> STORE_LINK_SHIFT && get_link(user, id, &link);
}

bool store_is_root(struct store_user *user, store_id id)
{
    uint32_t link = 0;
    bool found = get_link(user, id, &link);
    assert(found);
    return found && link <= STORE_PHASE_MASK;
}

store_id store_next_parent(struct store_user *user, store_id id, store_id after)
{
    uint32_t link = 0;
    if (!get_link(user, id, &link) || link <= STORE_PHASE_MASK)
        return STORE_NONE;
    uint64_t bits = link >> 2;
    struct store_segment *segment = segment_of(user->store, bits << STORE_LINK_SHIFT);
    enter(user, segment);
    store_id parent = store_segment_candidate(segment, bits, after);
    leave(user);
    return parent;
}

/* ---- statistics and invariants ---------------------------------------------- */

/* All states in a segment, if nobody is in it. */
static size_t states_in(const struct store *store, size_t segment)
{
    size_t n = atomic_load_explicit(&store->segments[segment].used, memory_order_relaxed);
    for (unsigned i = 0; i < store->nusers; i++)
        n -= atomic_load_explicit(&store->users[i].reserve[segment], memory_order_relaxed);
    return n;
}

struct store_stats store_stats(const struct store *store)
{
    struct store_stats stats = {
        .bytes = atomic_load_explicit(&store->budget.bytes, memory_order_relaxed),
        .peak_bytes = atomic_load_explicit(&store->budget.peak, memory_order_relaxed),
    };
    for (size_t i = 0; i < store->nsegments; i++) {
        const struct store_segment *segment = &store->segments[i];
        if (!segment->pages.reserved)
            stats.small_bytes += segment->pages.bytes;
        stats.states += states_in(store, i);
        stats.slots +=
            STORE_GROUP * atomic_load_explicit(&segment->ngroups, memory_order_relaxed);
    }
    if (store->exact)
        stats.small_bytes += store_table_small_bytes(&store->exact->pairs) +
                             store_table_small_bytes(&store->exact->contents);
    return stats;
}

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void valid_slot(struct store *store, struct store_segment *segment,
                       struct store_slot slot)
{
    uint64_t print = atomic_load_explicit(&slot.group->print[slot.i], memory_order_relaxed);
    require(segment_of(store, print) == segment);
    struct store_slot found = store_segment_find(segment, print);
    require(found.group == slot.group && found.i == slot.i); /* from home, and only once */
    uint32_t link = atomic_load_explicit(&slot.group->link[slot.i], memory_order_relaxed);
    require((link & STORE_PHASE_MASK) != STORE_PHASE_UNSET);
    struct store_user *user = &store->users[0];
    require(store_is_root(user, print) ||
            store_next_parent(user, print, STORE_NONE) != STORE_NONE);
}

static void valid_segment(struct store *store, struct store_segment *segment)
{
    struct store_group *groups = atomic_load_explicit(&segment->groups, memory_order_relaxed);
    size_t ngroups = atomic_load_explicit(&segment->ngroups, memory_order_relaxed);
    size_t used = 0;
    require(ngroups * sizeof *groups <= segment->pages.bytes);
    for (size_t g = 0; g < ngroups; g++)
        for (unsigned i = 0; i < STORE_GROUP; i++)
            if (atomic_load_explicit(&groups[g].print[i], memory_order_relaxed)) {
                used++;
                valid_slot(store, segment, (struct store_slot){&groups[g], i});
            }
    require(used == states_in(store, (size_t)(segment - store->segments)));
    require(used < ngroups * STORE_GROUP);
    require(!atomic_load_explicit(&segment->growing, memory_order_relaxed));
}

void store_valid(struct store *store)
{
    size_t bytes = 0;
    if (store->exact)
        bytes = store_table_bytes(&store->exact->pairs) +
                store_table_bytes(&store->exact->contents);
    for (size_t i = 0; i < store->nsegments; i++) {
        valid_segment(store, &store->segments[i]);
        bytes += store->segments[i].pages.bytes;
    }
    require(bytes == atomic_load_explicit(&store->budget.bytes, memory_order_relaxed));
    require(!store->budget.max || bytes <= store->budget.max);
    for (unsigned i = 0; i < store->nusers; i++)
        require(!atomic_load_explicit(&store->users[i].inside, memory_order_relaxed));
}
