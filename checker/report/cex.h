/* cex.h - a counterexample: what happened on the way to an error, as collected while it is
 * executed again.
 *
 * cex_begin and cex_on_event are given to check_replay.  All texts are the counterexample's,
 * and freed with it: they outlive the machine. */
#ifndef CHECKER_CEX_H
#define CHECKER_CEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "checker/search/check.h"
#include "vm/vm.h"

struct cex_place {
    char *function, *file;
    unsigned line;
    bool library;
};

struct cex_stack {
    struct cex_place *places; /* innermost first */
    size_t n;
};

enum cex_kind {
    CEX_ACTION,
    CEX_OUTPUT,
    CEX_NOTE,
    CEX_SIGNAL,
    CEX_ACCESS,
    CEX_CHOICE,
    CEX_THROW
};

struct cex_event {
    enum cex_kind kind;
    uint64_t tid;
    uint64_t order;      /* its number among the machine's events */
    struct cex_place at; /* the user's line, not the library's below it */
    enum vm_action action;
    uint64_t addr;
    bool queried;         /* a query reads what it is about */
    char *object;         /* "" if none */
    char *type;           /* the type of the object, or NULL */
    bool ends;            /* of a join: it is over, and object names the threads */
    char *call;           /* the library's function that the user called, or NULL */
    char *cxx_name;       /* what a C++ programmer calls it: "std::mutex::lock", or NULL */
    bool framework;       /* a test framework does it */
    bool inside;          /* the action is a part of that, which nobody but the library knows */
    char *read, *written; /* values, or NULL; written: also what was chosen */
    char *last;        /* the value that was stored last, if it is not one of these; or NULL */
    size_t last_store; /* the event that stored that value, counted from 1 on; 0: none did */
    bool last_waits;   /* in a store buffer: it is not in memory yet */
    bool relaxed;      /* an atomic access that orders nothing */
    bool spurious;     /* a compare-exchange has failed although it found what it expected */
    char *text; /* of output (may hold any bytes but ends at len), note, or choice: NULL if
                   that is a number; of a throw, whose object is the type: who catches it */
    size_t len;
    int descriptor;
};

enum { CEX_READY, CEX_WAITING, CEX_FINISHED };

struct cex_thread {
    uint64_t tid;
    char *entry;           /* the function it started in, or NULL */
    char *name;            /* pthread_setname_np, or NULL */
    uint64_t process;      /* 0 while there is only one */
    unsigned started_line; /* where it was created, 0: unknown */
    int state;
    enum vm_action action; /* that it waits to do, or VM_ACT_NONE */
    char *object;          /* it waits for, "" if none */
    uint64_t owner;        /* of the object, or 0 */
    struct cex_stack stack;
};

struct cex_lock {
    uint64_t tid; /* the thread that holds it */
    char *object;
};

/* A cause of the error: something that was done before to the object that the error is about.
 */
struct cex_side {
    char *what; /* "read", "write", "free", "allocation", or "end", of a variable */
    char *object;
    uint64_t tid;
    uint64_t order; /* it came before the event of this number */
    struct cex_stack stack;
};

/* A call by which a thread joined another: it may have gone on, and wait elsewhere
 * (os/thread.h). */
struct cex_join {
    uint64_t tid, joined;
    bool over;      /* and that was told */
    uint64_t order; /* of the event */
    struct cex_stack stack;
};

/* A place where a thread goes on for ever, in an endless run. */
struct cex_loop {
    uint64_t tid;
    struct cex_stack stack;
};

struct cex {
    struct vm *vm; /* while re-executing */
    bool accesses; /* plain ones of shared objects in the program's own code are wanted; set
                      before cex_begin */
    struct cex_event *events;
    size_t nevents, max_events;
    struct cex_thread *threads; /* as they are at the error */
    size_t nthreads, max_threads;
    struct cex_lock *locks;
    size_t nlocks, max_locks;
    struct cex_join *joins; /* that were begun */
    size_t njoins, max_joins;
    uint64_t created;         /* how many threads */
    bool joined;              /* one was joined or detached */
    size_t creating;          /* 1 + index of the last creation whose thread did not run yet */
    struct cex_threads_made { /* where threads were created, by tid */
        uint64_t tid;
        unsigned line;
    } *made;
    size_t nmade, max_made;
    uint64_t tid; /* the thread that runs, 0 before the first and in a deadlock */
    bool failed;
    enum vm_fault_kind kind;
    size_t query;           /* of NEVER and REACH: its number, from 1 on; else 0 */
    char *message;          /* without the kind's text */
    char *values;           /* in the condition that failed, or NULL */
    char *about;            /* the object the error is about, or NULL */
    struct cex_stack stack; /* where it happened */
    struct cex_side *sides; /* in the order of time */
    size_t nsides, max_sides;
    struct cex_loop *loops;
    size_t nloops, max_loops;
    struct cex_touch {
        uint64_t tid, addr;
    } *touches; /* what they act on there */
    size_t ntouches, max_touches;
    uint64_t heard; /* so many events of the machine */
    size_t naccesses;
};

void cex_begin(void *cex, struct vm *vm);
void cex_on_event(void *cex, const struct vm_event *event);
void cex_fini(struct cex *cex);

/* Adds an event of the running thread, with its place; its texts are not set.  fini frees what
 * it owns. */
struct cex_event *cex_add_event(struct cex *cex, enum cex_kind kind,
                                const struct vm_event *event);
void cex_fini_event(struct cex_event *event);
/* cex_told.c: adds what the program tells (VM_TRACE_NOTE, OUTPUT, SIGNAL, CHOICE, THROW). */
void cex_on_told(struct cex *cex, const struct vm_event *event);

/* Is the counterexample an infinite run? */
bool cex_is_endless(const struct cex *cex);
/* Notes that the monitor has failed in this frame, and no thread. */
void cex_learn_monitor(struct cex *cex, uint64_t frame);
/* Does the counterexample show a query that holds, and no error of the program? */
bool cex_is_query(const struct cex *cex);
/* Are both errors of the same kind and at the same place?  The sides of a race may come in
 * either order; of deadlocks with a circle of locks the circles are compared. */
bool cex_is_same_error(const struct cex *a, const struct cex *b);
/* Returns the earlier access to the object by another thread; NULL if none is known. */
const struct cex_side *cex_other(const struct cex *cex);
/* Does the program fork on the way to the error? */
bool cex_forks(const struct cex *cex);
/* Returns where the object that the error is about was allocated; NULL likewise. */
const struct cex_side *cex_allocation(const struct cex *cex);
/* Returns the innermost place of the user's code; NULL if there is none. */
const struct cex_place *cex_user_place(const struct cex_stack *stack);
/* Returns the library's function that the user's innermost one called, or NULL. */
const char *cex_call(const struct cex_stack *stack);
const struct cex_thread *cex_thread(const struct cex *cex, uint64_t tid);
/* Did this thread go wrong?  In a deadlock, or an endless run, none did. */
bool cex_has_failed(const struct cex *cex, const struct cex_thread *thread);
/* Is it the race of an access and the end of what is accessed? */
bool cex_is_end_race(const struct cex *cex);
/* The objects that at least two threads touch, to be freed with free(at); sorted. */
struct cex_shared {
    struct cex_touch *at;
    size_t n;
};
struct cex_shared cex_shared_of(const struct cex *cex);
/* Do they include the object of this address, or is it not known whose it is? */
bool cex_is_shared(const struct cex_shared *shared, uint64_t addr);
/* Returns kind and message, malloc'ed: "data race: work at counter.c:23 and ...". */
char *cex_error_text(const struct cex *cex);

/* Returns the places of a frame and its callers, innermost first. */
struct cex_stack cex_stack_of(const struct vm *vm, uint64_t frame);
struct cex_stack cex_copy_stack(const struct cex_stack *stack);
void cex_free_stack(struct cex_stack *stack);

/* cex_loops.c: finds where the threads of an endless run, to which this path leads, run
 * forever; the first of these places is the error's. */
void cex_go_on(struct cex *cex, const struct vm_program *program,
               const struct vm_options *machine, const struct check_path *path);
/* Is the thread one of those? */
bool cex_is_in_loop(const struct cex *cex, uint64_t tid);

/* cex_stores.c: returns the last store of the place, for an event whose `last` is set, as its
 * last_store; waits_in: the record of the thread whose store buffer has it, or 0. */
size_t cex_find_last_store(const struct cex *cex, const struct cex_event *event,
                           uint64_t waits_in);

/* cex_joins.c: lists the threads whose joins were begun and not told of as over, malloc'ed:
 * "threads 2, 3"; now they are. */
char *cex_joined_text(struct cex *cex, uint64_t tid);
/* Returns the order of the first of these joins; UINT64_MAX: there is none. */
uint64_t cex_first_open_join(const struct cex *cex, uint64_t tid);
/* Drops the attempt of a join that had to wait: the table need not say it. */
void cex_forget_attempt(struct cex *cex);
/* Moves what a thread has told after a join was begun (an event of that order), and before it
 * was over, behind all other events. */
void cex_put_late_behind(struct cex *cex, uint64_t tid, uint64_t begun);

/* cxx_names.c: returns the C++ library's function that acts, malloc'ed, or NULL if it is none;
 * *inside: the action is one of several that the function is made of. */
char *cex_cxx_name(const struct cex_stack *stack, bool *inside);
/* Returns the function of the C++ library that a thread waits in, if the wait is only a part of
 * what that does: "std::shared_mutex::lock", malloc'ed; or NULL. */
char *cex_waits_in(const struct cex_thread *thread);

/* demangle.c: returns the text with its C++ symbols as the source has them, malloc'ed. */
char *cex_demangle(const char *text);
/* Names functions that test frameworks make as the user knows them: TEST_CASE, and the test's
 * class (Stack_Empty_Test); in place. */
void cex_name_tests(char *text);

#endif
