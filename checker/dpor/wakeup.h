/* wakeup.h - wakeup trees: which sequences of events are still to be looked at from
 * a state, in which order (Abdulla et al., POPL 2014, Section 6).
 *
 * A node is an event: its thread, and what it accesses as far as that is known.  A
 * sequence stands for all executions that have its events in an equivalent order. */
#ifndef CHECKER_WAKEUP_H
#define CHECKER_WAKEUP_H

#include "causal.h"

struct wakeup {
    uint32_t proc, number; /* of its thread's events */
    bool unknown;          /* its accesses are not known: it depends on everything */
    struct causal_log log; /* of what is behind it in memory */
    struct wakeup *child;  /* the nodes that come after it, the first first; NULL: anything */
    struct wakeup *next;   /* the node that is explored after it */
    struct vm_access accesses[];
};

/* Makes a node without others; what is in the log is copied. */
struct wakeup *wakeup_new(uint32_t proc, uint32_t number, bool unknown,
                          const struct causal_log *log);
void wakeup_drop(struct wakeup *list);
/* Replaces nodes of the list whose events have come in this execution by their children (some
 * events come without a turn of their own). */
void wakeup_pass(struct wakeup **list, const struct causal *causal);
struct wakeup *wakeup_copy(const struct wakeup *list);

/* One event of a sequence.  The clock and what is in the log are borrowed. */
struct wakeup_item {
    uint32_t proc, number;
    bool unknown;
    struct causal_log log;
    const uint16_t *clock;
};

struct wakeup_sequence {
    struct wakeup_item *items;
    size_t n, max;
};

/* Could an event of this thread, with these accesses, come before the sequence, or
 * has it to come first in it?  (The thread is a weak initial of the sequence.) */
bool wakeup_is_initial(const struct wakeup_sequence *sequence, uint32_t proc, bool unknown,
                       const struct causal_log *log);
/* Is the thread's first event of the sequence there, and can it come first? */
bool wakeup_begins_with(const struct wakeup_sequence *sequence, uint32_t proc);
/* Adds a branch for a sequence at the end of the tree, unless a sequence in the tree contains
 * it.  Changes the sequence. */
void wakeup_insert(struct wakeup **list, struct wakeup_sequence *sequence);

#endif
