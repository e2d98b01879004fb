/* orders_weaken.c - --weaken: each order of the program's own code one step weaker, one at a
 * time. */
#include "checker/cli/orders.h"

enum { MOST = 2 };

/* Lists the next weaker orders; returns how many there are. */
static size_t weaker(enum vm_ordered_kind kind, enum vm_memory_order order, int to[MOST])
{
    bool loads = kind == VM_ORDERED_LOAD || kind == VM_ORDERED_FAILURE;
    switch (order) {
    case VM_MEMORY_RELAXED: return 0;
    case VM_MEMORY_CONSUME:
    case VM_MEMORY_ACQUIRE:
    case VM_MEMORY_RELEASE: to[0] = VM_MEMORY_RELAXED; return 1;
    case VM_MEMORY_ACQ_REL:
        to[0] = VM_MEMORY_ACQUIRE;
        to[1] = VM_MEMORY_RELEASE;
        return 2;
    case VM_MEMORY_SEQ_CST:
        to[0] = loads                      ? VM_MEMORY_ACQUIRE
                : kind == VM_ORDERED_STORE ? VM_MEMORY_RELEASE
                                           : VM_MEMORY_ACQ_REL;
        return 1;
    }
    return 0;
}

void orders_weaken(struct order_series *series)
{
    for (size_t k = 0; k < series->n; k++) {
        int to[MOST];
        size_t n =
            series->at[k].varies ? 0 : weaker(series->at[k].kind, series->at[k].order, to);
        for (size_t i = 0; i < n && orders_go_on(series); i++)
            orders_search(series, &k, &to[i], 1);
    }
}
