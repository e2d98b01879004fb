/* dpor_tree.h - the state of the search by executions.  Internal to dpor*.c. */
#ifndef CHECKER_DPOR_TREE_H
#define CHECKER_DPOR_TREE_H

#include "causal.h"
#include "dpor.h"
#include "wakeup.h"

struct alternative {
    uint32_t proc;
    bool done, asleep;
    bool retries;          /* it does not go on in this execution */
    bool held;             /* it ends the process, and waits until no other can go on */
    struct vm_await await; /* the word for which it waits */
    struct causal_log log; /* the log of its accesses here, in all its own choices */
};

struct frame {
    size_t event;             /* the event that is chosen, or makes a choice of its own */
    size_t nvalues;           /* values chosen before */
    uint64_t runs;            /* dpor->runs, up to this choice */
    int next, n;              /* alternatives 0 .. n - 1: the next one of values, */
    struct alternative *a;    /* or the threads */
    struct alternative *room; /* what a may be; kept when the frame is dropped, as all here */
    size_t max;               /* of room */
    uint32_t now;             /* the alternative that is being looked at */
    bool loose;               /* as dpor->loose was */
    struct wakeup *wakeup;    /* still to be looked at; of values: after each of them */
};

/* A thread whose next event would only lead to what was explored. */
struct sleeper {
    uint32_t proc;
    const struct causal_log *log;
};

/* The thread of an event as it is after the event (dpor_retry.c). */
struct own {
    uint64_t place;     /* where the thread has stopped */
    uint64_t state[2];  /* its own state there, if it is known */
    size_t reads;       /* what the event has read: dpor->reads from here on */
    size_t allocations; /* how many there are after its transition, */
    size_t published;   /* and objects that others can reach */
    bool known;
    bool tries;   /* the event has done nothing but read, and write plainly */
    bool retries; /* the thread does not go on in this execution */
};

/* Something that a thread has read, and what it was; or written plainly, and what is there. */
struct read {
    uint64_t what;
    uint64_t addr;
    uint32_t event; /* of the present execution */
    uint32_t size;  /* 0: it is a fence */
    uint8_t orders;
    bool plain;
    bool written;
};

/* An event, beside its place in the partial order. */
struct step {
    size_t frame;                  /* that chose its thread, NO_FRAME or ALONE */
    size_t sleepers, awake;        /* dpor->sleepers before it: from .. to */
    size_t values;                 /* its choices: dpor->values from here on */
    size_t accesses;               /* dpor->accesses from here on */
    uint64_t touched, written;     /* of its log, */
    bool ends;                     /* as this */
    bool last;                     /* it ends the process, when no other thread can go on */
    struct vm_await before, after; /* the words for which its thread waited, before and after */
    struct own own;
};

/* Values of steps[].frame: NO_FRAME: its thread was run without being asked; ALONE: no other
 * could run. */
static const size_t NO_FRAME = SIZE_MAX, ALONE = SIZE_MAX - 1;

enum { EXECUTIONS_RECENT = 8 };

/* At 1, 2, 4, ... executions: how many transitions there seemed to be in all. */
struct executions {
    double before; /* transitions of executions that were tried (dpor_order.c) */
    size_t n;
    double all[64];
    /* The last figures of transitions in all, the latest first, and after how many. */
    double recent[EXECUTIONS_RECENT], after[EXECUTIONS_RECENT];
    size_t nrecent;
};

/* dpor_progress, for other threads (relaxed: these are figures). */
struct told {
    _Atomic uint64_t executions, transitions;
    _Atomic unsigned depth;
    _Atomic double all, least, most;
};

/* The numbers of objects (vm_objects) in the first transitions with several threads. */
struct dpor_sample {
    uint64_t transitions, objects;
};

enum { CONTESTED = 4096 };

/* See dpor_order.c. */
enum order_kind { AS_THEY_STAND, LOWEST_PLACE_FIRST, HIGHEST_PLACE_FIRST, ORDERS };
struct order {
    enum order_kind kind;
    enum { LOOKING, PROBING, DECIDED } stage;
    unsigned probes, executions;   /* that were begun; of the present one */
    double transitions[ORDERS];    /* of executions that were tried out, */
    double tried[ORDERS];          /* and how many these were */
    uint64_t before;               /* transitions before the present execution */
    uint64_t contested[CONTESTED]; /* places, by event */
};

struct dpor {
    const struct vm_program *program;
    struct vm_options machine;
    struct vm *vm;
    const struct vm_stats *counts; /* the machine's */
    struct causal causal;
    struct frame *frames;
    size_t nframes, max_frames;
    struct sleeper *sleepers;
    size_t nsleepers, max_sleepers;
    struct step *steps; /* one more than there are events: the present one */
    size_t nsteps, max_steps;
    int *values;
    size_t nvalues, max_values;
    struct vm_access *accesses; /* of all events, those that order them */
    size_t naccesses, max_accesses;
    struct read *reads;
    size_t nreads, max_reads;
    struct retries *retries;       /* NULL: the reduction is off */
    struct overlooked *overlooked; /* NULL: nothing is, or races are those of neighbours */
    struct wakeup *follow;         /* the sequences of which one is being followed */
    bool loose; /* a value was chosen on the way: these may be of others, in which case
                   nothing is lost where they cannot be followed */
    struct wakeup_sequence sequence;
    struct causal_log reversed; /* of its last event */
    uint32_t arrived;           /* the thread of the last event, and what it waits for now */
    struct vm_await awaited;
    uint64_t runs;                /* calls of vm_run in the present execution */
    uint64_t instructions_before; /* by the search that this one goes on with, less what the
                                     machine has executed again (it may wrap around) */
    bool has_values;              /* loads may read older stores */
    bool started, unsuited, halted;
    bool stuck; /* the execution is over, and it may be that no thread can ever leave a loop */
    const char *why; /* it does not suit the program, if that is known */
    struct order order;
    struct dpor_stats stats;
    struct executions forecast;
    struct told told;
    struct dpor_sample sample;
    struct check_path path;
};

static inline struct frame *frame_of(const struct dpor *dpor, const struct step *step)
{
    return step->frame < ALONE ? &dpor->frames[step->frame] : NULL;
}

static inline struct step *present(const struct dpor *dpor)
{
    return &dpor->steps[dpor->nsteps - 1];
}

/* Returns the accesses of an event. */
static inline struct causal_log dpor_log(const struct dpor *dpor, size_t event)
{
    const struct step *step = &dpor->steps[event];
    return (struct causal_log){
        .at = dpor->accesses + step->accesses,
        .n = step[1].accesses - step->accesses,
        .touched = step->touched,
        .written = step->written,
        .ends = step->ends,
    };
}

/* Returns the thread of the last event. */
static inline uint32_t last_proc(const struct dpor *dpor)
{
    const struct causal *causal = &dpor->causal;
    return causal->nevents ? causal->events[causal->nevents - 1].proc : (uint32_t)CAUSAL_NONE;
}

/* ---- dpor.c ---------------------------------------------------------------------- */

/* Returns the one thread that a choice need not be asked about, or -1 if it gets a frame. */
int dpor_only_candidate(const struct dpor *dpor, const struct vm_choice *choice);

/* ---- dpor_races.c: what must be looked at because of a race ---------------------- */

/* Finds the sequences in which the last event comes before what it depends on. */
void dpor_reverse_races(struct dpor *dpor, uint32_t proc);
/* Returns the event without which the thread's next one could not come, since it waited for
 * just that; or CAUSAL_NONE. */
uint32_t dpor_waker(const struct dpor *dpor, uint32_t proc);
/* Finds races of the thread that ran last, and that waits and cannot go on. */
void dpor_reverse_blocked(struct dpor *dpor);
/* Finds races of threads that events from this one on have woken and that have to wait for
 * something else. */
void dpor_reverse_woken(struct dpor *dpor, size_t first);
/* Wants executions in which others come first: the last event, chosen by this frame, has
 * changed what others wait for, who could run there, or has ended the process. */
void dpor_want_overtaken(struct dpor *dpor, struct frame *frame, uint32_t proc,
                         const struct causal_log *log, bool ends);

/* ---- dpor_errors.c --------------------------------------------------------------- */

struct schedule;
/* Adds the present execution, up to an event, to a schedule. */
void dpor_add_to_schedule(const struct dpor *dpor, struct schedule *schedule, uint32_t event);

/* Gives up; why: as a sentence without an end. */
enum dpor_end dpor_unsuited(struct dpor *dpor, const char *why);
/* Ends the search with the error of the present execution; its last event races with
 * causal->racer, if that is not NONE. */
enum dpor_end dpor_error_found(struct dpor *dpor);
enum dpor_end dpor_race_found(struct dpor *dpor);

/* ---- dpor_retry.c: threads that only try again ----------------------------------- */

struct retries *dpor_retries_new(void);
void dpor_retries_free(struct retries *retries);
/* Notes that the thread is chosen, and perhaps has done nothing yet. */
void dpor_note_birth(struct dpor *dpor, uint32_t proc);
/* Notes the reads of a transition that has been added, as the events from `first` on. */
void dpor_note_reads(struct dpor *dpor, size_t first);
/* Does the thread go no further in this execution? */
bool dpor_retries(const struct dpor *dpor, uint32_t proc);
/* Are the threads that are left, all of which only try again, stuck?  Does each of them come
 * back to where it is, by what it reads now?  asked: the machine asks which thread runs; else a
 * transition is begun.  The execution is over after that. */
bool dpor_is_stuck(struct dpor *dpor, bool asked);

/* ---- dpor_overlooked.c: races of reads that are left out ------------------------- */

struct overlooked *dpor_overlooked_new(void);
void dpor_overlooked_free(struct overlooked *overlooked);
/* Notes the writes of the last event, which has been added with all its accesses. */
void dpor_note_writes(struct dpor *dpor, const struct vm_access *accesses, size_t n);
/* Can the thread leave out these reads?  They count as left out then. */
bool dpor_may_leave_out(struct dpor *dpor, uint32_t proc, const struct read *reads, size_t n);
/* dpor_overlooks: must the search begin again?  dpor_overlook_nothing: it has begun again. */
bool dpor_overlooks(const struct dpor *dpor);
void dpor_overlook_nothing(struct dpor *dpor);

/* ---- dpor_order.c: which thread goes first where any will do --------------------- */

/* Notes a race of the event of frame's step and the last one of the sequence that is wanted
 * there. */
void dpor_note_contest(struct dpor *dpor, const struct frame *frame);
/* The turn after an execution: GO_BACK to the latest choice that has something left;
 * GO_FAR_BACK to the first one, forgetting what is left in those after it; or BEGIN_AGAIN in
 * another order. */
enum order_turn { GO_BACK, GO_FAR_BACK, BEGIN_AGAIN };
enum order_turn dpor_order_turn(struct dpor *dpor);
/* Tells that nothing is left: true if something was forgotten, so that the search is to begin
 * again. */
bool dpor_order_ran_out(struct dpor *dpor);
/* Returns an alternative that does not sleep; -1 if all do. */
int dpor_pick(const struct dpor *dpor, const struct frame *frame);

/* ---- dpor_forecast.c ------------------------------------------------------------- */

/* Updates the forecast after an execution. */
void dpor_forecast(struct dpor *dpor);
/* Brings the figures of dpor_progress up to date. */
void dpor_tell(struct dpor *dpor);

/* Can the choice be left at its first alternatives, those of the last store?  An atomic access
 * may read older stores than the last one, or come before it.  If nothing but their both being
 * about this place orders the last store before the access, that is what the execution is in
 * which the access comes first; and so is whatever follows.  Of the executions with the same
 * values there is one with the fewest such accesses that do not come first, and it has none of
 * these: else one more could.
 */
bool dpor_is_told_by_order(struct dpor *dpor, struct vm_choice choice);

#endif
