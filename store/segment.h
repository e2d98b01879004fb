/* segment.h - the segments of the table of states.  Internal.
 *
 * Slots stand in groups of 16: their fingerprints, then their links.  A fingerprint's
 * home is a group, and its low bits say where in the group one begins to look; what
 * finds no empty slot there is in the next group, the first after the last.  Homes are
 * in the order of fingerprints: all that begin with the same bits are near each other,
 * and a segment that grows is gone through in order.
 *
 * Which groups are full is noted beside them, a bit for each: so little that it stays near, and
 * whoever will look for a fingerprint knows beforehand in which groups.  It is only a hint:
 * what is noted is so, but not all is noted.  (Of the bytes of groups a 1536th, not counted.)
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

/* A link has the top bits of the parent's fingerprint, and two that tell how final it is. */
enum { STORE_LINK_BITS = 30, STORE_LINK_SHIFT = 64 - STORE_LINK_BITS };
enum store_phase {
    STORE_PHASE_UNSET = 0, /* the slot was just taken; whoever comes first sets the link */
    STORE_PHASE_FINAL = 1,
    STORE_PHASE_LEVEL = 2, /* and 3: found in a level of this parity */
    STORE_PHASE_MASK = 3,
};

struct store_group {
    alignas(64) _Atomic uint64_t print[STORE_GROUP]; /* 0: empty; never changes once set */
    _Atomic uint32_t link[STORE_GROUP];
};

/* What a head says. */
enum {
    STORE_GROWING = 1,
    STORE_STUCK = 2, /* there is no memory for more: it never grows again */
    STORE_HEAD_SHIFT = 2,
};

/* Slots taken or reserved: in a cache line of its own, since all who put something in write it.
 */
struct store_used {
    alignas(64) _Atomic size_t n;
};

struct store_segments {
    unsigned bits;  /* so many first ones of a fingerprint choose its segment; immutable, as the
                       next ones */
    unsigned users; /* who put something in */
    struct store_group *groups; /* in rows: a few groups of each segment, and the next few */
    size_t bytes;               /* for which there are addresses */
    _Atomic uint16_t *full;     /* in the same rows: of the groups of each segment */
    struct store_budget *budget;
    _Atomic size_t *heads; /* groups, and what is above; written by who grows it */
    struct store_used *used;
    pthread_mutex_t lock; /* protects the rest */
    size_t open;          /* bytes that may be written */
};

/* Slots of a segment that one thread has reserved, and no state has yet: several at once, so
 * that threads are not in each other's way at each of their states.  Its own; others may read
 * it. */
typedef _Atomic uint8_t store_reserve;

struct store_slot {
    struct store_group *group; /* NULL: none */
    unsigned i;
};

/* Of few: new, too, and there are few slots left: the segment is to be made ready to grow. */
enum store_probe {
    STORE_PROBE_NEW,
    STORE_PROBE_NEW_OF_FEW,
    STORE_PROBE_FOUND,
    STORE_PROBE_NO_ROOM,
};

static inline size_t store_home(uint64_t print, unsigned bits, size_t ngroups)
{
    __extension__ typedef unsigned __int128 wide;
    return (size_t)((wide)(print << bits) * ngroups >> 64);
}

enum { STORE_ROW = 16 }; /* groups of each segment */

static inline struct store_group *store_group_at(const struct store_segments *all,
                                                 size_t segment, size_t g)
{
    return all->groups + ((g / STORE_ROW << all->bits | segment) * STORE_ROW + g % STORE_ROW);
}

static inline _Atomic uint16_t *store_full_at(const struct store_segments *all, size_t segment,
                                              size_t g)
{
    static_assert(STORE_ROW == 16, "a bit for each group");
    return all->full + (g / STORE_ROW << all->bits | segment);
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

/* 1 << bits segments of one group each, for so many threads.  False if there is no memory. */
bool store_segments_open(struct store_segments *all, unsigned bits, unsigned users,
                         struct store_budget *budget);
void store_segments_close(struct store_segments *all);
/* From where it was looked for already (or NULL). */
enum store_probe store_segment_put(const struct store_segments *all, size_t segment,
                                   store_reserve *reserve, uint64_t print, uint32_t link,
                                   const struct store_place *from);
/* The same if it is there, else false: then what is to be written if it is put in comes near,
 * and the place is where to go on. */
bool store_segment_offer(const struct store_segments *all, size_t segment, uint64_t print,
                         uint32_t link, struct store_place *place);
struct store_slot store_segment_find(const struct store_segments *all, size_t segment,
                                     uint64_t print);
/* The lowest fingerprint above `after` with these first STORE_LINK_BITS; 0 if there is none. */
uint64_t store_segment_candidate(const struct store_segments *all, size_t segment,
                                 uint64_t bits, uint64_t after);
/* The memory with which it grows next is taken from the system, which may last a hundred times
 * longer than growing, if the budget allows it. */
void store_segment_make_ready(struct store_segments *all, size_t segment);
/* If it is still full: what its head is to be, which is not written; then there is room, or it
 * is stuck. */
size_t store_segment_grow(struct store_segments *all, size_t segment);

#endif
