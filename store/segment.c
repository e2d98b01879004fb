/* segment.c - see segment.h. */
#include "segment.h"

#include <assert.h>
#include <stdlib.h>

enum { DOUBLE_BELOW = 4 };

static struct store_group *groups_of(const struct store_segment *segment)
{
    return atomic_load_explicit(&segment->groups, memory_order_relaxed);
}

static size_t ngroups_of(const struct store_segment *segment)
{
    return atomic_load_explicit(&segment->ngroups, memory_order_relaxed);
}

static uint64_t get_print(const struct store_group *group, unsigned i)
{
    return atomic_load_explicit(&group->print[i], memory_order_relaxed);
}

bool store_segment_open(struct store_segment *segment, unsigned bits,
                        struct store_budget *budget)
{
    if (!store_pages_grow(&segment->pages, sizeof(struct store_group), budget))
        return false;
    atomic_init(&segment->groups, segment->pages.at);
    atomic_init(&segment->ngroups, 1);
    segment->bits = (uint8_t)bits;
    return true;
}

/* ---- looking up and putting in ---------------------------------------------- */

/* The lowest link of the level wins, over an unset one any.  Relaxed: the link is
 * one word, and is only read as one. */
static void offer_link(struct store_group *group, unsigned i, uint32_t link)
{
    uint32_t seen = atomic_load_explicit(&group->link[i], memory_order_relaxed);
    for (;;) {
        bool lower = link < seen && link & STORE_PHASE_LEVEL &&
                     (seen & STORE_PHASE_MASK) == (link & STORE_PHASE_MASK);
        if ((seen & STORE_PHASE_MASK) != STORE_PHASE_UNSET && !lower)
            return;
        if (atomic_compare_exchange_weak_explicit(&group->link[i], &seen, link,
                                                  memory_order_relaxed, memory_order_relaxed))
            return;
    }
}

/* Of so many slots at most 29 in 32 are used before it grows, which makes 16 bytes a
 * state even after it has grown by 3/16. */
static size_t room(size_t ngroups, bool stuck)
{
    size_t slots = ngroups * STORE_GROUP;
    return stuck ? slots - slots / 16 : slots - slots * 3 / 32;
}

/* How many slots are reserved at once: a small part of all. */
static size_t portion(size_t ngroups)
{
    enum { PART = 512 };
    size_t n = ngroups * STORE_GROUP / PART;
    return n == 0 ? 1 : n > UINT8_MAX ? UINT8_MAX : n;
}

static void set_aside(store_reserve *reserve, size_t n)
{
    atomic_store_explicit(reserve, (uint8_t)n, memory_order_relaxed);
}

/* Reserving before taking a slot keeps at least one slot empty, so that every
 * probe ends. */
static bool reserve_slot(struct store_segment *segment, store_reserve *reserve, size_t ngroups)
{
    size_t have = atomic_load_explicit(reserve, memory_order_relaxed);
    if (have == 0) {
        bool stuck = atomic_load_explicit(&segment->stuck, memory_order_relaxed);
        size_t n = portion(ngroups), most = room(ngroups, stuck);
        size_t used = atomic_fetch_add_explicit(&segment->used, n, memory_order_relaxed);
        have = used >= most ? 0 : used + n > most ? most - used : n;
        if (have < n)
            atomic_fetch_sub_explicit(&segment->used, n - have, memory_order_relaxed);
        if (have == 0)
            return false;
    }
    set_aside(reserve, have - 1);
    return true;
}

static void keep_slot(store_reserve *reserve)
{
    set_aside(reserve, atomic_load_explicit(reserve, memory_order_relaxed) + 1u);
}

/* Relaxed: a fingerprint is one word that never changes, and tells nothing of other
 * memory. */
enum store_probe store_segment_put(struct store_segment *segment, store_reserve *reserve,
                                   uint64_t print, uint32_t link)
{
    struct store_group *groups = groups_of(segment);
    size_t ngroups = ngroups_of(segment), g = store_home(print, segment->bits, ngroups);
    bool reserved = false;
    __builtin_prefetch(groups[g].link, 1); /* while the fingerprints come */
    for (unsigned k = 0;; k++) {
        if (k == STORE_GROUP) {
            k = 0;
            g = g + 1 == ngroups ? 0 : g + 1;
        }
        unsigned i = (unsigned)(print + k) % STORE_GROUP;
        uint64_t seen = get_print(&groups[g], i);
        if (!seen) {
            if (!reserved && !(reserved = reserve_slot(segment, reserve, ngroups)))
                return STORE_PROBE_NO_ROOM;
            if (atomic_compare_exchange_strong_explicit(&groups[g].print[i], &seen, print,
                                                        memory_order_relaxed,
                                                        memory_order_relaxed)) {
                offer_link(&groups[g], i, link);
                return STORE_PROBE_NEW;
            }
        }
        if (seen == print) {
            if (reserved)
                keep_slot(reserve);
            offer_link(&groups[g], i, link);
            return STORE_PROBE_FOUND;
        }
    }
}

struct store_slot store_segment_find(struct store_segment *segment, uint64_t print)
{
    struct store_group *groups = groups_of(segment);
    size_t ngroups = ngroups_of(segment), g = store_home(print, segment->bits, ngroups);
    for (;; g = g + 1 == ngroups ? 0 : g + 1)
        for (unsigned k = 0; k < STORE_GROUP; k++) {
            unsigned i = (unsigned)(print + k) % STORE_GROUP;
            uint64_t seen = get_print(&groups[g], i);
            if (seen == print)
                return (struct store_slot){&groups[g], i};
            if (!seen)
                return (struct store_slot){NULL, 0};
        }
}

static bool is_full(const struct store_group *group)
{
    unsigned empty = 0;
    for (unsigned i = 0; i < STORE_GROUP; i++)
        empty += !get_print(group, i);
    return !empty;
}

uint64_t store_segment_candidate(struct store_segment *segment, uint64_t bits, uint64_t after)
{
    struct store_group *groups = groups_of(segment);
    size_t ngroups = ngroups_of(segment);
    size_t last = store_home(((bits + 1) << STORE_LINK_SHIFT) - 1, segment->bits, ngroups);
    bool passed = false;
    uint64_t best = 0;
    for (size_t g = store_home(bits << STORE_LINK_SHIFT, segment->bits, ngroups);;
         g = g + 1 == ngroups ? 0 : g + 1) {
        for (unsigned i = 0; i < STORE_GROUP; i++) {
            uint64_t seen = get_print(&groups[g], i);
            if (seen >> STORE_LINK_SHIFT == bits && seen > after && (!best || seen < best))
                best = seen;
        }
        passed |= g == last;
        if (passed && !is_full(&groups[g]))
            return best;
    }
}

/* ---- growing ------------------------------------------------------------------
 *
 * A run is a group that is not full and the full ones before it: whatever stands in a run
 * has its home in it.  With more groups, no home is further down than it was.  So runs are
 * taken out and put in anew from the last to the first: what was put in stays where it is,
 * and what is put in meets only what was, or emptiness.  The run of the last group, which
 * may go on in the first ones, is taken out before and put in after all others; these
 * cannot come to the end of the table then, as they are no more than what fitted there. */

struct taken {
    uint64_t print;
    uint32_t link;
};

/* A table to put things in. */
struct table {
    struct store_group *groups;
    size_t ngroups;
    unsigned bits;
};

static void place(const struct table *table, const struct taken *taken)
{
    struct store_group *groups = table->groups;
    size_t ngroups = table->ngroups, g = store_home(taken->print, table->bits, ngroups);
    for (;; g = g + 1 == ngroups ? 0 : g + 1)
        for (unsigned k = 0; k < STORE_GROUP; k++) {
            unsigned i = (unsigned)(taken->print + k) % STORE_GROUP;
            if (get_print(&groups[g], i))
                continue;
            atomic_store_explicit(&groups[g].print[i], taken->print, memory_order_relaxed);
            atomic_store_explicit(&groups[g].link[i], taken->link, memory_order_relaxed);
            return;
        }
}

/* Empties n groups from g on, the first after the last; returns how many slots were taken. */
static size_t take_out(struct store_group *groups, size_t ngroups, size_t g, size_t n,
                       struct taken *out)
{
    size_t taken = 0;
    for (; n > 0; n--, g = g + 1 == ngroups ? 0 : g + 1)
        for (unsigned i = 0; i < STORE_GROUP; i++) {
            uint64_t print = get_print(&groups[g], i);
            if (!print)
                continue;
            out[taken++] = (struct taken){
                print, atomic_load_explicit(&groups[g].link[i], memory_order_relaxed)};
            atomic_store_explicit(&groups[g].print[i], 0, memory_order_relaxed);
            atomic_store_explicit(&groups[g].link[i], 0, memory_order_relaxed);
        }
    return taken;
}

/* What is in the table before it grows. */
struct shape {
    size_t first, last; /* of the run of the last group */
    size_t ends;        /* how many groups it has */
    size_t longest;     /* groups of a run */
};

static struct shape shape_of(const struct store_group *groups, size_t ngroups)
{
    struct shape shape = {.first = ngroups - 1};
    size_t run = 0;
    while (shape.first > 0 && is_full(&groups[shape.first - 1]))
        shape.first--;
    shape.ends = ngroups - shape.first;
    if (is_full(&groups[ngroups - 1]))
        do {
            shape.ends++;
        } while (is_full(&groups[shape.last++]));
    shape.longest = shape.ends;
    for (size_t g = shape.last; g < shape.first; g++) {
        run++;
        if (run > shape.longest)
            shape.longest = run;
        if (!is_full(&groups[g]))
            run = 0;
    }
    return shape;
}

/* To a table of the same groups, and more, that had ngroups. */
static void spread(const struct table *to, size_t ngroups, const struct shape *shape,
                   struct taken *out)
{
    struct store_group *groups = to->groups;
    struct taken *ends = out + shape->longest * STORE_GROUP;
    size_t nends = take_out(groups, ngroups, shape->first, shape->ends, ends);
    for (size_t end = shape->first; end > shape->last;) {
        size_t start = end - 1;
        while (start > shape->last && is_full(&groups[start - 1]))
            start--;
        size_t n = take_out(groups, ngroups, start, end - start, out);
        for (size_t i = 0; i < n; i++)
            place(to, &out[i]);
        end = start;
    }
    for (size_t i = 0; i < nends; i++)
        place(to, &ends[i]);
}

static size_t more_bytes(size_t ngroups)
{
    size_t step = ngroups / 16 * 3 + ngroups % 16 * 3 / 16;
    size_t more = ngroups < DOUBLE_BELOW ? 2 * ngroups : ngroups + (step ? step : 1);
    size_t bytes = more * sizeof(struct store_group);
    if (bytes < STORE_PAGES_FROM)
        return bytes;
    size_t whole = bytes / STORE_PAGE * STORE_PAGE;
    return whole > ngroups * sizeof(struct store_group) ? whole : whole + STORE_PAGE;
}

static bool grow(struct store_segment *segment, struct store_budget *budget)
{
    size_t ngroups = ngroups_of(segment), bytes = more_bytes(ngroups);
    size_t more = bytes / sizeof(struct store_group);
    struct shape shape = shape_of(groups_of(segment), ngroups);
    struct taken *out = malloc((shape.longest + shape.ends) * STORE_GROUP * sizeof *out);
    if (!out)
        return false;
    bool grown = store_pages_grow(&segment->pages, bytes, budget);
    if (grown) {
        struct table to = {segment->pages.at, more, segment->bits};
        spread(&to, ngroups, &shape, out);
        atomic_store_explicit(&segment->groups, segment->pages.at, memory_order_relaxed);
        atomic_store_explicit(&segment->ngroups, more, memory_order_relaxed);
    }
    free(out);
    return grown;
}

void store_segment_grow(struct store_segment *segment, struct store_budget *budget)
{
    size_t used = atomic_load_explicit(&segment->used, memory_order_relaxed);
    if (used < room(ngroups_of(segment), false))
        return; /* somebody grew it before us */
    if (!grow(segment, budget))
        atomic_store_explicit(&segment->stuck, true, memory_order_relaxed);
}
