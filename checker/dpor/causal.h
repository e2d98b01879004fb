/* causal.h - one execution as a partial order of events.
 *
 * An event is a transition of one thread.  Two events are dependent if one writes
 * what the other accesses, visibly: by atomics or in the kernel.  The partial order
 * is the transitive closure of each thread's own order and of the order of dependent
 * events; it is kept as a vector clock per event (Mattern 1989; Flanagan and
 * Godefroid 2005).  Plain accesses order nothing: those that conflict and are not
 * ordered by the rest are a data race.
 *
 * Events are added at the end and taken away from the end.  Belongs to one search. */
#ifndef CHECKER_CAUSAL_H
#define CHECKER_CAUSAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vm/vm.h"

enum { CAUSAL_NONE = UINT32_MAX, CAUSAL_LATELY = 64 };
/* The most events in an execution.  A thread's number of events is in two bytes of a clock, as
 * an int16_t: of these the host compares eight at once. */
enum { CAUSAL_MOST_EVENTS = INT16_MAX - 1 };

struct causal_event {
    uint32_t proc, number; /* the thread, and which of its events this is, from 1 */
    uint32_t before;       /* its event before this one, or CAUSAL_NONE */
    size_t entries;        /* of the history, before this event */
};

struct causal_proc {
    uint64_t thread; /* as vm_thread has it */
    uint32_t last;   /* its last event, or CAUSAL_NONE */
};

/* An access to some bytes of an aligned word of 8; the others to the word hang on it. */
struct causal_entry {
    uint64_t word;
    uint32_t event;
    uint32_t below;       /* the entry before this one, or CAUSAL_NONE */
    uint32_t below_write; /* the nearest below that is a write */
    uint8_t mask;
    uint8_t kind; /* enum vm_access_kind */
    bool write;
};

struct causal_word {
    uint64_t word;  /* address / 8 */
    uint32_t top;   /* CAUSAL_NONE: no access is left */
    uint32_t plain; /* how many of them are VM_ACCESS_PLAIN */
    bool used;
};

/* The accesses of an event that order it with others; the array is owned, or a part of another
 * one. */
struct causal_log {
    struct vm_access *at;
    size_t n, max;
    uint64_t touched, written; /* a bit for each of 64 classes of words */
    bool ends;                 /* the process: that depends on everything */
};

struct causal {
    struct causal_event *events;
    size_t nevents, max_events;
    struct causal_proc *procs;
    size_t nprocs, max_procs;
    uint32_t lately[CAUSAL_LATELY]; /* that were asked for, by their threads */
    uint16_t *clocks;               /* `stride` for each event */
    size_t stride, max_clocks;
    struct causal_entry *entries;
    size_t nentries, max_entries;
    struct causal_word *words; /* a hash table */
    size_t nwords, max_words;  /* a power of two */
    uint16_t *origin;          /* what a thread's event begins with that does not follow its
                                  last one alone: the first, and where another woke it */
    /* Found by causal_add and causal_blocked, as long as no event or thread is added: */
    uint16_t *clock;      /* of the event */
    const uint16_t *base; /* that it began with */
    uint32_t *conflicts;  /* events on which the last one depends directly */
    size_t nconflicts, max_conflicts;
    uint32_t racer; /* an event that races with the last one, or CAUSAL_NONE */
    uint16_t *race_clock;
};

void causal_init(struct causal *causal);
void causal_fini(struct causal *causal);
/* Rebuilds what follows from the arrays, after these, their sizes and the stride have been read
 * from a file. */
void causal_was_read(struct causal *causal);

uint32_t causal_find_proc(struct causal *causal, uint64_t thread);
uint32_t causal_make_proc(struct causal *causal, uint64_t thread);
static inline uint32_t *causal_lately(struct causal *causal, uint64_t thread)
{
    return &causal->lately[(thread >> 32) % CAUSAL_LATELY];
}
/* Returns the number of a thread, or CAUSAL_NONE if it has none. */
static inline uint32_t causal_known_proc(struct causal *causal, uint64_t thread)
{
    uint32_t lately = *causal_lately(causal, thread);
    if (lately < causal->nprocs && causal->procs[lately].thread == thread)
        return lately;
    return causal_find_proc(causal, thread);
}
/* Returns the number of a thread, which gets one if it has none. */
static inline uint32_t causal_proc(struct causal *causal, uint64_t thread)
{
    uint32_t proc = causal_known_proc(causal, thread);
    return proc == CAUSAL_NONE ? causal_make_proc(causal, thread) : proc;
}
/* Returns how many events of this thread there are. */
static inline uint32_t causal_number(const struct causal *causal, uint32_t proc)
{
    uint32_t last = causal->procs[proc].last;
    return last == CAUSAL_NONE ? 0 : causal->events[last].number;
}
/* Adds an event of this thread, one of CAUSAL_MOST_EVENTS.  An event that ends the process
 * depends on all.  waker: the event without which it could not have come, or CAUSAL_NONE. */
void causal_add(struct causal *causal, uint32_t proc, uint32_t waker,
                const struct vm_access *accesses, size_t n, bool ends);
/* Computes the clock that the thread's next event begins with. */
void causal_blocked(struct causal *causal, uint32_t proc, uint32_t waker);
/* Keeps the first n events. */
void causal_cut(struct causal *causal, size_t n);

/* Is a conflict, one of those just found, not implied by another?  Then the two events could
 * have come in the other order. */
bool causal_reversible(const struct causal *causal, uint32_t event);
/* Did `event` come before what the clock belongs to? */
static inline bool causal_knows(const struct causal *causal, const uint16_t *clock,
                                uint32_t event)
{
    const struct causal_event *e = &causal->events[event];
    return clock[e->proc] >= e->number;
}
static inline uint16_t *causal_clock(const struct causal *causal, size_t event)
{
    return causal->clocks + event * causal->stride;
}

void causal_log_add(struct causal_log *log, const struct vm_access *accesses, size_t n);
/* Adds all that another log has. */
void causal_log_join(struct causal_log *log, const struct causal_log *more);
/* Does one write something that the other accesses? */
bool causal_conflict(const struct causal_log *a, const struct causal_log *b);
/* Makes of `log`, whose room is used, the log that `now` would be if `then` had not come before
 * it. */
void causal_log_without(struct causal_log *log, const struct causal_log *now,
                        const struct causal_log *then);
/* Do two transitions depend on each other: by their accesses, or since one ends the process? */
bool causal_dependent(const struct causal_log *a, const struct causal_log *b);
/* Returns the last event before `end` that may have written this word of 4 bytes, visibly;
 * CAUSAL_NONE if there is none. */
uint32_t causal_last_write(const struct causal *causal, uint64_t word, uint32_t end);
/* Returns the last event that has written some of these up to 8 bytes of an aligned word,
 * visibly; or CAUSAL_NONE. */
uint32_t causal_last_store(const struct causal *causal, uint64_t place, uint32_t size);
/* Is this word of 4 bytes written? */
bool causal_writes(const struct causal_log *log, uint64_t word);

#endif
