/* step.h - steps on the way to an error: which thread did what where, to which object, with
 * which values, and what led to the error.
 *
 * This is what the table, the list and JSON print, and whatever else shows a run step by step;
 * words and columns are their business, and step_text has the words that most of them want.
 * A struct steps is made from a counterexample and belongs to its caller; its pointers without
 * free are into the counterexample, which must outlive it. */
#ifndef CHECKER_STEP_H
#define CHECKER_STEP_H

#include <stdbool.h>
#include <stddef.h>

#include "cex.h"

enum step_kind {
    STEP_ACTION,  /* a visible action */
    STEP_OUTPUT,  /* text was printed */
    STEP_NOTE,    /* divm_note */
    STEP_SIGNAL,  /* a handler begins: text is the signal's name */
    STEP_CAUSE,   /* an access, an allocation or a free that the error goes back to */
    STEP_BLOCKED, /* where the thread waits at the error, and did not go on */
    STEP_ERROR,   /* what went wrong */
    STEP_ACCESS,  /* a plain access of a variable that threads share, if cex.accesses is set */
    STEP_CHOICE,  /* a number that divm has chosen (after), or something else (text) */
    STEP_THROW,   /* an exception: object is its type, text what catches it, or NULL */
};

struct step {
    enum step_kind kind;
    uint64_t tid;
    const struct cex_place *at;    /* line 0: nowhere in the program's own code */
    const struct cex_stack *stack; /* of a cause and the error, else NULL */
    enum vm_action action;
    const char *verb;           /* "lock", "load", "free": one or two words */
    const char *object;         /* "queue.m_", "thread 2", or "" */
    const char *type;           /* of the object, where it is known, or "" */
    const char *before, *after; /* values as the source would write them, or NULL: what was
                                   read, and what was written */
    const char *last;           /* what was stored last, if neither: an older store was read, or
                                   that store comes later; or NULL */
    const struct cex_event *last_store; /* its event, or NULL */
    bool last_waits;                    /* in a store buffer */
    const char *text;                   /* what was printed, noted, or went wrong; or NULL */
    size_t len;                         /* of the text */
    bool fails;                         /* the compare-exchange found another value */
    bool relaxed;                       /* an atomic access that orders nothing */
    bool spurious;                      /* it fails although it found what it expected */
    uint64_t owner;                     /* BLOCKED: the thread that holds the object, or 0 */
    size_t times;                       /* so often in a row */
    bool part;                          /* of what a function of the C++ library does */
    bool setup;                         /* before there was a second thread */
    uint64_t order;
};

struct steps {
    struct step *step;
    size_t n, max;
    const struct cex_event *events; /* of which they tell */
    const char *file;               /* all places are in this one, or NULL */
    size_t setup;                   /* so many of the first are set-up that may be folded */
    char **texts;                   /* owned */
    size_t ntexts, max_texts;
};

/* Returns "action", "output", "note" ...: the words of JSON and of the page. */
const char *step_kind_text(enum step_kind kind);
/* Makes the steps.  all: whatever happened, and not only what matters. */
void steps_make(struct steps *steps, const struct cex *cex, bool all);
void steps_fini(struct steps *steps);
/* Does the event become a step?  Is it something that the user's own code does, or asks for? */
bool step_matters(const struct cex *cex, const struct cex_shared *shared,
                  const struct cex_event *event, bool all);
bool step_is_of_user(const struct cex_event *event);
/* Returns "lock queue.m_", "load on = true", "use after free of session#1", malloc'ed; without
 * the place. */
char *step_text(const struct step *step);

/* Calls see for each lock that the thread holds at an event. */
void steps_held(const struct cex *cex, uint64_t tid, uint64_t order,
                void (*see)(void *context, const char *object), void *context);

#endif
