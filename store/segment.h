/* segment.h - one segment of the table of states.  Internal.
 *
 * Slots stand in groups of 16: their fingerprints, then their links.  A fingerprint's
 * home is a group, and its low bits say where in the group one begins to look; what
 * finds no empty slot there is in the next group, the first after the last.  Homes are
 * in the order of fingerprints: all that begin with the same bits are near each other,
 * and a segment that grows is gone through in order.
 *
 * Threads: put, find and candidate may be called by many at once; grow and the others by
 * one, while nobody else is in the segment. */
#ifndef STORE_SEGMENT_H
#define STORE_SEGMENT_H

#include <stdalign.h>
#include <stdint.h>

#include "pages.h"

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

struct store_segment {
    /* Changed by the grower while nobody is inside; read inside, or to prefetch. */
    alignas(64) _Atomic(struct store_group *) groups;
    _Atomic size_t ngroups;
    _Atomic bool stuck; /* there is no memory for more: it never grows again */
    _Atomic bool growing;
    uint8_t bits;                    /* so many first ones chose it; immutable after open */
    struct store_pages pages;        /* the groups; the grower's */
    alignas(64) _Atomic size_t used; /* slots taken or reserved */
};

/* Slots of a segment that one thread has reserved, and no state has yet: several at once, so
 * that threads are not in each other's way at each of their states.  Its own; others may read
 * it. */
typedef _Atomic uint8_t store_reserve;

struct store_slot {
    struct store_group *group; /* NULL: none */
    unsigned i;
};

enum store_probe { STORE_PROBE_NEW, STORE_PROBE_FOUND, STORE_PROBE_NO_ROOM };

static inline size_t store_home(uint64_t print, unsigned bits, size_t ngroups)
{
    __extension__ typedef unsigned __int128 wide;
    return (size_t)((wide)(print << bits) * ngroups >> 64);
}

/* Of the fingerprints that begin with some bits.  False if there is no memory. */
bool store_segment_open(struct store_segment *segment, unsigned bits,
                        struct store_budget *budget);
enum store_probe store_segment_put(struct store_segment *segment, store_reserve *reserve,
                                   uint64_t print, uint32_t link);
struct store_slot store_segment_find(struct store_segment *segment, uint64_t print);
/* The lowest fingerprint above `after` with these first STORE_LINK_BITS; 0 if there is none. */
uint64_t store_segment_candidate(struct store_segment *segment, uint64_t bits, uint64_t after);
/* If it is still full: afterwards there is room, or it is stuck. */
void store_segment_grow(struct store_segment *segment, struct store_budget *budget);

#endif
