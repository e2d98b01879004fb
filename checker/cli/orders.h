/* orders.h - searches of the program with other memory orders: --explain-orders and --weaken.
 *
 * Each changes one place of the program's own code, or a few, searches once more, and puts all
 * back.  A struct orders is the caller's, to be freed by orders_fini.  Single-threaded. */
#ifndef CHECKER_ORDERS_H
#define CHECKER_ORDERS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "checker/cli/cli.h"
#include "checker/search/check.h"
#include "vm/vm.h"

struct verification;

/* Beside an order: the access has its own, and a seq_cst fence stands before it. */
enum { ORDER_FENCE_BEFORE = VM_MEMORY_SEQ_CST + 1 };

struct order_change {
    struct vm_ordered at; /* its file is the program's */
    int order;            /* enum vm_memory_order, or ORDER_FENCE_BEFORE */
};

enum order_outcome {
    ORDERS_NO_ERROR,   /* and the search was complete */
    ORDERS_INCOMPLETE, /* no error so far: why */
    ORDERS_SAME_ERROR,
    ORDERS_ERROR,   /* another one: why */
    ORDERS_UNKNOWN, /* it says nothing about the orders: why */
};

struct order_trial {
    struct order_change *changes;
    size_t n;
    enum order_outcome outcome;
    char *why; /* or NULL */
    bool all;  /* every order of the program is seq_cst */
};

struct orders {
    enum { ORDERS_UNASKED, ORDERS_EXPLAINED, ORDERS_WEAKENED } what;
    struct order_trial *trials;
    size_t n, max;
    size_t limit;           /* so many searches were allowed; 0: all that there are */
    bool cut;               /* there would have been more */
    size_t places, varying; /* orders in the program; of those that are not constant */
    const char *none;       /* why nothing was tried, or NULL */
};

/* orders.c: makes the searches that the options ask for, after one that is over. */
void orders_try(struct cli *cli, struct vm_program *program, struct verification *v);
void orders_fini(struct orders *orders);
/* Returns a trial that forbids the error; NULL if none does. */
const struct order_trial *orders_remedy(const struct orders *orders);
/* Returns how many orders could be weaker, as complete searches say. */
size_t orders_spare(const struct orders *orders);

/* A series of searches (orders.c), for those that decide which ones. */
struct order_series {
    struct cli *cli;
    struct vm_program *program;
    const struct verification *first;
    struct check_options options; /* of each */
    struct vm_orders *all;
    const struct vm_ordered *at; /* n of them */
    size_t n;
    struct orders *out;
};
/* May there be one more search?  If not, that is noted. */
bool orders_go_on(struct order_series *series);
/* Searches with the changes, which are copied; k: of series->at. */
enum order_outcome orders_search(struct order_series *series, const size_t *k, const int *order,
                                 size_t n);

/* orders_explain.c, orders_weaken.c */
void orders_explain(struct order_series *series);
void orders_weaken(struct order_series *series);

/* orders_report.c */
void orders_print(FILE *out, const struct orders *orders);
/* Returns the same, malloc'ed; NULL if nobody has asked. */
char *orders_text(const struct orders *orders);
json_t *orders_json(const struct orders *orders);
/* Returns the text about orders for the last line of the report, malloc'ed; NULL: none. */
char *orders_verdict(const struct orders *orders);

#endif
