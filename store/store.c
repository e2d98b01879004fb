/* store.c - a hash table in segments, each with linear probing over groups of slots, each
 * growing by itself.
 *
 * The top bits of a fingerprint choose the segment, the others the group, as
 * (rest * groups) >> 64: so a segment may have any number of groups, grows by
 * 9/64 instead of doubling, and is gone through in order when it grows (segment.c).
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

struct store_user {
    /* A segment's number + 1; written by the owner only. */
    alignas(STORE_CACHE_LINE) _Atomic size_t inside;
    struct store *store;     /* immutable */
    store_reserve *reserve;  /* of each segment; the array is the user's */
    bool full;               /* the owner's: contents got no number */
    struct store_fold *fold; /* the owner's; NULL: the store is not exact */
};

struct store {
    struct store_budget budget;
    alignas(STORE_CACHE_LINE) unsigned nusers; /* immutable after open, as the rest */
    struct store_segments segments;
    struct store_user *users;
    struct store_exact *exact; /* or NULL */
};

/* ---- open and close -------------------------------------------------------------- */

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

/* Makes a list in cache lines of its own. */
static store_reserve *new_reserve(void)
{
    enum { SIZE = STORE_SEGMENTS * sizeof(store_reserve) };
    store_reserve *reserve = aligned_alloc(STORE_CACHE_LINE, SIZE);
    if (reserve)
        memset(reserve, 0, SIZE);
    return reserve;
}

struct store *store_open(const struct store_options *options)
{
    assert(options->users > 0);
    struct store *store = aligned_alloc(STORE_CACHE_LINE, sizeof *store);
    if (!store)
        return NULL;
    memset(store, 0, sizeof *store);
    store->budget.max = options->max_bytes;
    store->nusers = options->users;
    store->users = aligned_alloc(STORE_CACHE_LINE, options->users * sizeof *store->users);
    if (!store->users)
        goto fail;
    for (unsigned i = 0; i < options->users; i++) {
        atomic_init(&store->users[i].inside, 0);
        store->users[i].store = store;
        store->users[i].fold = NULL;
        store->users[i].full = false;
        store->users[i].reserve = NULL;
    }
    for (unsigned i = 0; i < options->users; i++)
        if (!(store->users[i].reserve = new_reserve()))
            goto fail;
    if (options->exact && !open_exact(store))
        goto fail;
    if (!store_segments_open(&store->segments, options->users, &store->budget))
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
    store_segments_close(&store->segments);
    if (store->exact)
        close_exact(store);
    for (unsigned i = 0; store->users && i < store->nusers; i++)
        free(store->users[i].reserve);
    free(store->users);
    free(store);
}

struct store_user *store_user(struct store *store, unsigned i)
{
    assert(i < store->nusers);
    return &store->users[i];
}

/* ---- fingerprints ---------------------------------------------------------------- */

/* Makes the id of a hash: one bit that is both in what a slot has of a fingerprint and in a
 * link makes sure that it is a fingerprint. */
store_id store_id_of(const uint64_t hash[2])
{
    static_assert(STORE_LINK_SHIFT < STORE_LEVEL_SHIFT, "there is such a bit");
    return store_is_print(hash[0]) ? hash[0] : hash[0] | (uint64_t)1 << STORE_LINK_SHIFT;
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

void store_prefetch(const struct store *store, store_id id)
{
    const struct store_segments *all = &store->segments;
    size_t segment = store_segment_of(id);
    size_t ngroups = store_head(all, segment) >> STORE_HEAD_SHIFT;
    size_t g = store_home(id, ngroups);
    store_prefetch_group(all, segment, g);
    if (store_is_full(all, segment, g))
        store_prefetch_group(all, segment, g + 1 == ngroups ? 0 : g + 1);
}

/* ---- entering and growing a segment ---------------------------------------------- */

/* Enters a segment.  A single user has nobody to wait for.  Of several, either we see that it
 * grows and step back, or the grower sees us inside and waits: both sides write one word and
 * read the other's, all seq_cst (Dekker).  The load also acquires what the last grower
 * released: the new slots. */
static void enter(struct store_user *user, size_t segment)
{
    _Atomic size_t *head = &user->store->segments.heads[segment];
    if (user->store->nusers == 1)
        return;
    for (;;) {
        atomic_store_explicit(&user->inside, segment + 1, memory_order_seq_cst);
        if (!(atomic_load_explicit(head, memory_order_seq_cst) & STORE_GROWING))
            return;
        atomic_store_explicit(&user->inside, 0, memory_order_release);
        while (atomic_load_explicit(head, memory_order_relaxed) & STORE_GROWING)
            sched_yield();
    }
}

/* Leaves the segment, which releases what we wrote to the slots to the grower
 * (wait_until_empty). */
static void leave(struct store_user *user)
{
    atomic_store_explicit(&user->inside, 0, memory_order_release);
}

static void wait_until_empty(struct store *store, size_t segment)
{
    for (unsigned i = 0; i < store->nusers; i++)
        while (atomic_load_explicit(&store->users[i].inside, memory_order_seq_cst) ==
               segment + 1)
            sched_yield();
}

/* Grows a segment; the caller is not inside.  Afterwards there is room, or the segment is
 * stuck. */
static void grow(struct store *store, size_t segment)
{
    _Atomic size_t *head = &store->segments.heads[segment];
    size_t seen = atomic_load_explicit(head, memory_order_relaxed);
    if (seen & STORE_GROWING ||
        !atomic_compare_exchange_strong_explicit(head, &seen, seen | STORE_GROWING,
                                                 memory_order_seq_cst, memory_order_relaxed))
        return; /* enter waits for the thread that grows it */
    wait_until_empty(store, segment);
    /* Pairs with the load in enter: who goes in next sees the new groups. */
    atomic_store_explicit(head, store_segment_grow(&store->segments, segment),
                          memory_order_release);
}

/* ---- looking up and putting in --------------------------------------------------- */

static uint32_t link_to(store_id parent)
{
    return (uint32_t)(parent >> STORE_LINK_SHIFT << 1) | STORE_LINK_ROOT;
}

void store_next_level(struct store *store)
{
    store_segments_next_level(&store->segments);
}

enum store_put store_find_or_put(struct store_user *user, const uint64_t hash[2],
                                 store_id parent, const struct store_place *place, store_id *id)
{
    uint64_t print = store_id_of(hash);
    const struct store_segments *all = &user->store->segments;
    size_t segment = store_segment_of(print);
    *id = print;
    for (;;) {
        enter(user, segment);
        bool stuck = store_head(all, segment) & STORE_STUCK;
        enum store_probe probe = store_segment_put(all, segment, &user->reserve[segment], print,
                                                   link_to(parent), place);
        leave(user);
        if (probe == STORE_PROBE_NEW_OF_FEW)
            store_segment_make_ready(&user->store->segments, segment);
        if (probe != STORE_PROBE_NO_ROOM)
            return probe == STORE_PROBE_FOUND ? STORE_FOUND : STORE_NEW;
        if (stuck)
            return STORE_FULL;
        grow(user->store, segment);
    }
}

/* Prefetches what putting a state in will write beside slots, if none is reserved. */
static void prefetch_count(const struct store_user *user, size_t segment)
{
    if (atomic_load_explicit(&user->reserve[segment], memory_order_relaxed) == 0)
        store_prefetch_to_write(&user->store->segments.used[segment]);
}

bool store_find(struct store_user *user, store_id id, store_id parent,
                struct store_place *place)
{
    size_t segment = store_segment_of(id);
    enter(user, segment);
    bool found =
        store_segment_offer(&user->store->segments, segment, id, link_to(parent), place);
    leave(user);
    if (!found)
        prefetch_count(user, segment);
    return found;
}

/* Reads the link of a state; false if the state is not there. */
static bool get_link(struct store_user *user, store_id id, uint32_t *link)
{
    size_t segment = store_segment_of(id);
    enter(user, segment);
    struct store_slot slot = store_segment_find(&user->store->segments, segment, id);
    if (slot.group)
        *link = atomic_load_explicit(&slot.group->link[slot.i], memory_order_relaxed);
    leave(user);
    return slot.group;
}

bool store_has(struct store_user *user, store_id id)
{
    uint32_t link;
    return store_is_print(id) && get_link(user, id, &link);
}

/* Returns the age of a state.  Level 0 is of slots whose level is not known. */
enum store_age store_age(struct store_user *user, store_id id)
{
    const struct store_segments *all = &user->store->segments;
    const uint64_t one = (uint64_t)1 << STORE_LEVEL_SHIFT;
    size_t segment = store_segment_of(id);
    uint64_t level = 0;
    enter(user, segment);
    struct store_slot slot = store_segment_find(all, segment, id);
    if (slot.group)
        level = store_level_in(
            atomic_load_explicit(&slot.group->print[slot.i], memory_order_relaxed));
    leave(user);
    if (!level)
        return STORE_LONG_AGO;
    return level == all->level         ? STORE_NOW
           : level + one == all->level ? STORE_BEFORE
                                       : STORE_LONG_AGO;
}

bool store_is_root(struct store_user *user, store_id id)
{
    uint32_t link = 0;
    bool found = get_link(user, id, &link);
    assert(found);
    return found && link == STORE_LINK_ROOT;
}

store_id store_next_parent(struct store_user *user, store_id id, store_id after)
{
    uint32_t link = 0;
    if (!get_link(user, id, &link) || link == STORE_LINK_ROOT)
        return STORE_NONE;
    uint64_t bits = link >> 1;
    size_t segment = store_segment_of(bits << STORE_LINK_SHIFT);
    enter(user, segment);
    store_id parent = store_segment_candidate(&user->store->segments, segment, bits, after);
    leave(user);
    return parent;
}

/* ---- statistics and invariants --------------------------------------------------- */

/* Returns how many states a segment has; nobody may be in it. */
static size_t states_in(const struct store *store, size_t segment)
{
    size_t n = atomic_load_explicit(&store->segments.used[segment].n, memory_order_relaxed);
    for (unsigned i = 0; i < store->nusers; i++)
        n -= atomic_load_explicit(&store->users[i].reserve[segment], memory_order_relaxed);
    return n;
}

static size_t groups_in(const struct store *store, size_t segment)
{
    return store_head(&store->segments, segment) >> STORE_HEAD_SHIFT;
}

/* ---- as bytes -------------------------------------------------------------------- */

static bool move(const struct store_stream *stream, void *bytes, size_t n)
{
    return stream->move(stream->context, bytes, n);
}

/* Moves the groups of a segment, those that stand side by side at once. */
static bool move_groups(struct store *store, size_t segment, const struct store_stream *stream)
{
    size_t ngroups = groups_in(store, segment);
    for (size_t g = 0; g < ngroups; g += STORE_ROW) {
        size_t n = ngroups - g < STORE_ROW ? ngroups - g : STORE_ROW;
        struct store_group *group = store_group_at(&store->segments, segment, g);
        if (!move(stream, group, n * sizeof *group))
            return false;
    }
    return true;
}

bool store_save(struct store *store, const struct store_stream *to)
{
    bool good = move(to, &store->segments.level, sizeof store->segments.level);
    for (size_t i = 0; good && i < STORE_SEGMENTS; i++) {
        size_t counts[] = {groups_in(store, i), states_in(store, i)};
        good = move(to, counts, sizeof counts) && move_groups(store, i, to);
    }
    return good && (!store->exact || (store_table_save(&store->exact->pairs, to) &&
                                      store_table_save(&store->exact->contents, to)));
}

bool store_load(struct store *store, const struct store_stream *from)
{
    bool good = move(from, &store->segments.level, sizeof store->segments.level);
    for (size_t i = 0; good && i < STORE_SEGMENTS; i++) {
        size_t counts[2];
        good = move(from, counts, sizeof counts) &&
               store_segment_widen(&store->segments, i, counts[0]) &&
               move_groups(store, i, from);
        if (good)
            atomic_store_explicit(&store->segments.used[i].n, counts[1], memory_order_relaxed);
    }
    return good && (!store->exact || (store_table_load(&store->exact->pairs, from) &&
                                      store_table_load(&store->exact->contents, from)));
}

/* ---- figures, and invariants ----------------------------------------------------- */

struct store_stats store_stats(const struct store *store)
{
    struct store_stats stats = {
        .bytes = atomic_load_explicit(&store->budget.bytes, memory_order_relaxed),
        .peak_bytes = atomic_load_explicit(&store->budget.peak, memory_order_relaxed),
    };
    for (size_t i = 0; i < STORE_SEGMENTS; i++) {
        stats.states += states_in(store, i);
        stats.slots += STORE_GROUP * groups_in(store, i);
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

static void valid_slot(struct store *store, size_t segment, struct store_slot slot)
{
    uint64_t seen = atomic_load_explicit(&slot.group->print[slot.i], memory_order_relaxed);
    require(store_level_in(seen) <= store->segments.level);
    uint64_t print = store_print_in(segment, seen);
    require(store_is_print(print));
    struct store_slot found = store_segment_find(&store->segments, segment, print);
    require(found.group == slot.group && found.i == slot.i); /* from home, and only once */
    uint32_t link = atomic_load_explicit(&slot.group->link[slot.i], memory_order_relaxed);
    require(link);
    struct store_user *user = &store->users[0];
    require(store_is_root(user, print) ||
            store_next_parent(user, print, STORE_NONE) != STORE_NONE);
}

static void valid_segment(struct store *store, size_t segment)
{
    size_t ngroups = groups_in(store, segment), used = 0;
    require((char *)(store_group_at(&store->segments, segment, ngroups - 1) + 1) <=
            (char *)store->segments.groups + store->segments.open);
    for (size_t g = 0; g < ngroups; g++) {
        struct store_group *group = store_group_at(&store->segments, segment, g);
        size_t used_before = used;
        for (unsigned i = 0; i < STORE_GROUP; i++)
            if (atomic_load_explicit(&group->print[i], memory_order_relaxed)) {
                used++;
                valid_slot(store, segment, (struct store_slot){group, i});
            }
        require(!store_is_full(&store->segments, segment, g) ||
                used - used_before == STORE_GROUP);
    }
    require(used == states_in(store, segment));
    require(used < ngroups * STORE_GROUP);
    require(!(store_head(&store->segments, segment) & STORE_GROWING));
}

void store_valid(struct store *store)
{
    size_t bytes = 0;
    if (store->exact)
        bytes = store_table_bytes(&store->exact->pairs) +
                store_table_bytes(&store->exact->contents);
    for (size_t i = 0; i < STORE_SEGMENTS; i++) {
        valid_segment(store, i);
        bytes += groups_in(store, i) * sizeof(struct store_group);
    }
    require(bytes == atomic_load_explicit(&store->budget.bytes, memory_order_relaxed));
    require(!store->budget.max || bytes <= store->budget.max);
    for (unsigned i = 0; i < store->nusers; i++)
        require(!atomic_load_explicit(&store->users[i].inside, memory_order_relaxed));
}
