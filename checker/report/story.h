/* story.h - what happened on the way to an error, as collected while re-executing.
 *
 * story_begin and story_hear are given to check_replay.  All texts are the story's,
 * and freed with it: they outlive the machine. */
#ifndef CHECKER_STORY_H
#define CHECKER_STORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vm/vm.h"

struct story_place {
    char *function, *file;
    unsigned line;
    bool library;
};

struct story_stack {
    struct story_place *places; /* innermost first */
    size_t n;
};

enum story_kind { STORY_ACTION, STORY_OUTPUT, STORY_NOTE };

struct story_event {
    enum story_kind kind;
    uint64_t tid;
    struct story_place at; /* the user's line, not the library's below it */
    enum vm_action action;
    uint64_t addr;
    char *object;         /* "" if none */
    char *call;           /* the library's function that the user called, or NULL */
    char *words;          /* what a C++ programmer calls it: "std::mutex::lock", or NULL */
    bool inside;          /* it is a part of that, which nobody but the library knows */
    char *read, *written; /* values, or NULL */
    char *text;           /* of output (may hold any bytes but ends at len) or note */
    size_t len;
    int descriptor;
};

enum { STORY_READY, STORY_WAITING, STORY_FINISHED };

struct story_thread {
    uint64_t tid;
    char *entry; /* the function it started in, or NULL */
    int state;
    enum vm_action action; /* that it waits to do, or VM_ACT_NONE */
    char *object;          /* it waits for, "" if none */
    uint64_t owner;        /* of the object, or 0 */
    struct story_stack stack;
};

struct story_lock {
    uint64_t tid; /* who holds it */
    char *object;
};

/* What another thread did that the error is about, too: "read", "write", "free" or "end", of a
 * variable; or NULL. */
struct story_side {
    char *what;
    uint64_t tid;
    struct story_stack stack;
};

/* Where a thread joined another: it may have gone on, and wait elsewhere (os/thread.h). */
struct story_join {
    uint64_t tid, joined;
    struct story_stack stack;
};

struct story {
    struct vm *vm; /* while re-executing */
    struct story_event *events;
    size_t nevents, max_events;
    struct story_thread *threads; /* as they are at the error */
    size_t nthreads, max_threads;
    struct story_lock *locks;
    size_t nlocks, max_locks;
    struct story_join *joins; /* that were begun */
    size_t njoins, max_joins;
    uint64_t created; /* how many threads */
    bool joined;      /* one was joined or detached */
    size_t creating;  /* 1 + index of the last creation whose thread did not run yet */
    uint64_t tid;     /* who runs, 0 before the first and in a deadlock */
    bool failed;
    enum vm_fault_kind kind;
    char *message;            /* without the kind's text */
    char *about;              /* the object the error is about, or NULL */
    struct story_stack stack; /* where it happened */
    struct story_side other;
};

void story_begin(void *story, struct vm *vm);
void story_hear(void *story, const struct vm_event *event);
void story_fini(struct story *story);

/* The innermost place of the user's code; NULL if none. */
const struct story_place *story_user_place(const struct story_stack *stack);
/* The library's function that the user's innermost one called, or NULL. */
const char *story_call(const struct story_stack *stack);
const struct story_thread *story_thread(const struct story *story, uint64_t tid);
/* Whether it is this thread that went wrong; in a deadlock it is none. */
bool story_has_failed(const struct story *story, const struct story_thread *thread);
/* Whether at least two threads touch the object of this address, or it is not
 * known whose it is. */
bool story_is_shared(const struct story *story, uint64_t addr);
/* "data race: work at counter.c:23 and ...", malloc'ed: kind and message. */
char *story_error_text(const struct story *story);

/* words.c: the C++ library's function that acts, malloc'ed, or NULL if it is none; and
 * whether the action is one of several that the function is made of. */
char *story_words(const struct story_stack *stack, bool *inside);

/* demangle.c: the text with its C++ symbols as the source has them, malloc'ed. */
char *story_demangle(const char *text);

#endif
