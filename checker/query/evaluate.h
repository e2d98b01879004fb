/* evaluate.h - values in a state, for checker/query alone.  An evaluation lives as long as one
 * call. */
#ifndef CHECKER_QUERY_EVALUATE_H
#define CHECKER_QUERY_EVALUATE_H

#include "checker/query/tree.h"

/* A frame that stands for all of its function; frame 0: a thread, for its thread-local
 * variables. */
struct binding {
    const struct binding *outer;
    uint32_t function;
    uint64_t frame, tid;
};

struct evaluation {
    const struct vm *vm;
    enum vm_fault_kind error;
    struct query_why *why; /* or NULL */
    const struct binding *bindings;
    bool of_run; /* query_holds_in_run */
    bool bad;    /* something was not known but for want of a local variable or its value */
};

/* An integer or a pointer, with all of its 64 bits; or a float. */
struct value {
    bool known;
    uint64_t i;
    double f;
};

struct value query_value(struct evaluation *e, const struct node *node);
struct value query_place(struct evaluation *e, const struct node *node);

/* Returns a local variable in the node of which no frame is bound, or NULL. */
const struct node *query_unbound(const struct evaluation *e, const struct node *node);
/* Binds each frame of its function, or each thread, in turn, as long as see returns true; false
 * if it did not.
 */
typedef bool query_bound(struct evaluation *e, void *context);
bool query_each_frame(struct evaluation *e, const struct node *variable, query_bound *see,
                      void *context);

#endif
