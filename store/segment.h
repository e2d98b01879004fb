/* segment.h - the segments of the table of states.  Internal.
 *
 * Slots stand in groups of 16: their fingerprints, then their links.  A fingerprint's
 * home is a group, and its low bits say where in the group one begins to look; what
 * finds no empty slot there is in the next group, the first after the last.  Homes are
 * in the order of fingerprints: all that begin with the same bits are near each other,
 * and a segment that grows is gone through in order.
 *
 * The first bits of a fingerprint say in which segment it is.  In their place a slot has the
 * level in which its state was found: so nobody need tell it when that level is over.
 *
 * Which groups are full is noted beside them, a bit for each: so little that it stays near, and
 * whoever will look for a fingerprint knows beforehand in which groups.  It is only a hint, of
 * when the segment grew: what is noted is so, but not all is noted, lest all who put something
 * in write what all look at.  (Of the bytes of groups a 1536th, not counted.)
 *
 * All segments have the same memory: its first row has the first groups of each, and so on.
 * They are about as long as each other, so that a segment that grows gets the next rows, which
 * the others need soon; nothing is moved elsewhere, no address is kept, and all is in huge
 * pages.  What is counted are the groups that segments have; where some have grown already,
 * the others' part of the last rows may be in memory before it is counted: at most 9/64 of all,
 * until they have grown, too.
 *
 * Threads: put, find, candidate and make_ready may be called by many at once, the last one also
 * while the segment grows; grow and the others by one, while nobody else is in the segment. */
#ifndef STORE_SEGMENT_H
#define STORE_SEGMENT_H

#include <assert.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdint.h>

#include "pages.h"
#include "store.h"

enum { STORE_GROUP = 16 };

/* There are many segments, since threads go on with the others while one of them grows. */
enum { STORE_SEGMENT_BITS = 10, STORE_SEGMENTS = 1 << STORE_SEGMENT_BITS };

/* Levels are numbered from 1 up to the last number that there is room for, and then from 1
 * again, after those of all slots were set to 0.  0: no link of that state is lowered any
 * more. */
enum { STORE_LEVEL_SHIFT = 64 - STORE_SEGMENT_BITS, STORE_LAST_LEVEL = STORE_SEGMENTS - 1 };

/* A link has the top bits of the parent's fingerprint, which are not all 0 (of a root they
 * are), and one that is set.  0: the slot was just taken; whoever comes first sets the link. */
enum { STORE_LINK_BITS = 31, STORE_LINK_SHIFT = 64 - STORE_LINK_BITS, STORE_LINK_ROOT = 1 };

enum { STORE_CACHE_LINE = 64 };

struct store_group {
    /* The bits of the fingerprint below the level; 0: empty.  Set once, but for the level and
     * for growing. */
    alignas(STORE_CACHE_LINE) _Atomic uint64_t print[STORE_GROUP];
    _Atomic uint32_t link[STORE_GROUP];
};

/* Bits of a head. */
enum {
    STORE_GROWING = 1,
    STORE_STUCK = 2, /* there is no memory for more: it never grows again */
    STORE_HEAD_SHIFT = 2,
};

/* Slots taken or reserved: in a cache line of its own, since all threads that put something in
 * write it. */
struct store_used {
    alignas(STORE_CACHE_LINE) _Atomic size_t n;
};

struct store_segments {
    uint64_t level; /* that goes on, or 0: as in slots; changes when nobody is in any segment */
    unsigned users; /* how many threads put something in; immutable, as the next ones */
    struct store_group *groups; /* in rows: a few groups of each segment, and the next few */
    _Atomic uint16_t *full;     /* store_full_at; of each segment written by the thread that
                                 * grows it */
    _Atomic size_t *heads;      /* groups, and bits of a head; written by the thread that grows
                                 * it */
    struct store_used *used;
    size_t bytes; /* bytes for which there are addresses */
    struct store_budget *budget;
    pthread_mutex_t lock; /* protects the rest */
    size_t open;          /* bytes that may be written */
};

/* Slots of a segment that one thread has reserved, and that have no state yet: several at once,
 * so that threads are not in each other's way at each of their states.  Only that thread writes
 * it; others may read it. */
typedef _Atomic uint8_t store_reserve;

struct store_slot {
    struct store_group *group; /* NULL: none */
    unsigned i;
};

/* The answers to a search in a segment.  NEW_OF_FEW: new as well, but there are few slots left,
 * so the segment is to be made ready to grow. */
enum store_probe {
    STORE_PROBE_NEW,
    STORE_PROBE_NEW_OF_FEW,
    STORE_PROBE_FOUND,
    STORE_PROBE_NO_ROOM,
};

/* Can it be a fingerprint?  Neither the bits that its slot keeps are 0, nor the link to it. */
static inline bool store_is_print(uint64_t print)
{
    return print << STORE_SEGMENT_BITS && print >> STORE_LINK_SHIFT;
}

static inline size_t store_segment_of(uint64_t print)
{
    return print >> STORE_LEVEL_SHIFT;
}

static inline uint64_t store_level_in(uint64_t slot)
{
    return slot >> STORE_LEVEL_SHIFT << STORE_LEVEL_SHIFT;
}

/* Returns the bits of a fingerprint that its slot keeps, for a state that was found in a level;
 * below, the fingerprint of a slot. */
static inline uint64_t store_in_slot(uint64_t print, uint64_t level)
{
    return level | (print & (((uint64_t)1 << STORE_LEVEL_SHIFT) - 1));
}

static inline uint64_t store_print_in(size_t segment, uint64_t slot)
{
    return store_in_slot(slot, (uint64_t)segment << STORE_LEVEL_SHIFT);
}

/* Returns the group where the search for a fingerprint begins, by the fingerprint or by what
 * its slot keeps. */
static inline size_t store_home(uint64_t print, size_t ngroups)
{
    __extension__ typedef unsigned __int128 wide;
    return (size_t)((wide)(print << STORE_SEGMENT_BITS) * ngroups >> 64);
}

enum { STORE_ROW = 16 }; /* groups of each segment */

/* Rows of one segment whose bits are side by side, in a cache line: the thread that grows it
 * writes a few. */
enum { STORE_FULL_ROWS = 32 };

static inline struct store_group *store_group_at(const struct store_segments *all,
                                                 size_t segment, size_t g)
{
    size_t row = g / STORE_ROW * STORE_SEGMENTS + segment;
    return all->groups + row * STORE_ROW + g % STORE_ROW;
}

/* Prefetches what is written soon, most likely by this thread: so it comes at once from the
 * cache of another thread that wrote it, and is not asked for again.  (Processors that don't
 * know the instruction do nothing.) */
static inline void store_prefetch_to_write(const void *at)
{
    __asm__ volatile("prefetchw %0" : : "m"(*(const char *)at));
}

static inline void store_prefetch_group(const struct store_segments *all, size_t segment,
                                        size_t g)
{
    const struct store_group *group = store_group_at(all, segment, g);
    for (size_t at = 0; at < sizeof *group; at += STORE_CACHE_LINE)
        store_prefetch_to_write((const char *)group + at);
}

static inline _Atomic uint16_t *store_full_at(const struct store_segments *all, size_t segment,
                                              size_t g)
{
    static_assert(STORE_ROW == 16, "a bit for each group");
    size_t row = g / STORE_ROW, line = row / STORE_FULL_ROWS * STORE_SEGMENTS + segment;
    return all->full + (line * STORE_FULL_ROWS + row % STORE_FULL_ROWS);
}

static inline bool store_is_full(const struct store_segments *all, size_t segment, size_t g)
{
    return atomic_load_explicit(store_full_at(all, segment, g), memory_order_relaxed) >>
               g % STORE_ROW &
           1;
}

static inline size_t store_head(const struct store_segments *all, size_t segment)
{
    return atomic_load_explicit(&all->heads[segment], memory_order_relaxed);
}

/* Opens segments of one group each, for so many threads.  False if there is no memory. */
bool store_segments_open(struct store_segments *all, unsigned users,
                         struct store_budget *budget);
void store_segments_close(struct store_segments *all);
/* Goes on to the next level, while nobody is in any segment. */
void store_segments_next_level(struct store_segments *all);
/* Puts a fingerprint into the segment.  The search goes on from `place`, unless it is NULL. */
enum store_probe store_segment_put(const struct store_segments *all, size_t segment,
                                   store_reserve *reserve, uint64_t print, uint32_t link,
                                   const struct store_place *from);
/* Updates the link of a fingerprint that is there.  If it is not, returns false: the slots that
 * would be written are prefetched, and `place` says where store_segment_put goes on. */
bool store_segment_offer(const struct store_segments *all, size_t segment, uint64_t print,
                         uint32_t link, struct store_place *place);
struct store_slot store_segment_find(const struct store_segments *all, size_t segment,
                                     uint64_t print);
/* Returns the lowest fingerprint above `after` with these first STORE_LINK_BITS; 0 if there is
 * none. */
uint64_t store_segment_candidate(const struct store_segments *all, size_t segment,
                                 uint64_t bits, uint64_t after);
/* Takes the memory with which the segment grows next from the system, which may last a hundred
 * times longer than growing, if the budget allows it. */
void store_segment_make_ready(struct store_segments *all, size_t segment);
/* Grows the segment if it is still full.  Returns what its head is to be, which is not written;
 * then there is room, or it is stuck. */
size_t store_segment_grow(struct store_segments *all, size_t segment);
/* Widens an empty segment to so many groups.  False if there is no room. */
bool store_segment_widen(struct store_segments *all, size_t segment, size_t ngroups);

#endif
