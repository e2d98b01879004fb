/* orders_explain.c - --explain-orders: finds which stronger order would forbid an error.
 *
 * First all orders are seq_cst: an error that is still there is none of orders.  Then one at a
 * time is one step stronger, beginning with the accesses on the trace that read an older store;
 * then pairs that make a message of a store and a load of the same place; then seq_cst fences
 * stand before all loads of the trace, or all its accesses are seq_cst, and one after the other
 * is left as it was. */
#include <stdlib.h>
#include <string.h>

#include "checker/array.h"
#include "checker/cli/orders.h"
#include "checker/cli/verification.h"
#include "checker/memory.h"

struct candidate {
    size_t k;      /* of series->at */
    uint64_t addr; /* of the last access on the trace, or 0 */
};

struct candidates {
    struct candidate *at;
    size_t n, max;
};

static bool reads(enum vm_ordered_kind kind)
{
    return kind != VM_ORDERED_STORE;
}

static bool writes(enum vm_ordered_kind kind)
{
    return kind != VM_ORDERED_LOAD && kind != VM_ORDERED_FAILURE;
}

/* Returns the next stronger order; seq_cst of itself. */
static enum vm_memory_order stronger(enum vm_ordered_kind kind, enum vm_memory_order order)
{
    switch (order) {
    case VM_MEMORY_RELAXED:
        return !writes(kind)              ? VM_MEMORY_ACQUIRE
               : kind == VM_ORDERED_STORE ? VM_MEMORY_RELEASE
                                          : VM_MEMORY_ACQ_REL;
    case VM_MEMORY_CONSUME:
    case VM_MEMORY_ACQUIRE: return writes(kind) ? VM_MEMORY_ACQ_REL : VM_MEMORY_SEQ_CST;
    case VM_MEMORY_RELEASE: return reads(kind) ? VM_MEMORY_ACQ_REL : VM_MEMORY_SEQ_CST;
    case VM_MEMORY_ACQ_REL:
    case VM_MEMORY_SEQ_CST: break;
    }
    return VM_MEMORY_SEQ_CST;
}

/* ---- what there is to try -------------------------------------------------------- */

static bool does(enum vm_ordered_kind kind, enum vm_action action)
{
    static const enum vm_action actions[] = {
        [VM_ORDERED_LOAD] = VM_ACT_LOAD,       [VM_ORDERED_STORE] = VM_ACT_STORE,
        [VM_ORDERED_RMW] = VM_ACT_RMW,         [VM_ORDERED_EXCHANGE] = VM_ACT_CMPXCHG,
        [VM_ORDERED_FAILURE] = VM_ACT_CMPXCHG, [VM_ORDERED_FENCE] = VM_ACT_FENCE,
    };
    return actions[kind] == action;
}

static void add(struct candidates *list, size_t k, uint64_t addr)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->at[i].k == k)
            return;
    ARRAY_PUSH(list->at, list->n, list->max, ((struct candidate){k, addr}));
}

static bool can_be_stronger(const struct vm_ordered *at)
{
    return !at->varies && at->order != VM_MEMORY_SEQ_CST;
}

static void add_event(const struct order_series *series, const struct cex_event *event,
                      struct candidates *list)
{
    for (size_t k = 0; event->kind == CEX_ACTION && event->at.file && k < series->n; k++) {
        const struct vm_ordered *at = &series->at[k];
        if (can_be_stronger(at) && does(at->kind, event->action) &&
            at->line == event->at.line && !strcmp(at->file, event->at.file))
            add(list, k, event->addr);
    }
}

/* Lists the orders to try: first accesses that read older stores, then others on the trace, the
 * last first.  Behind them come fences, which are no steps of a trace, and all others. */
static struct candidates find(const struct order_series *series)
{
    const struct cex *cex = &series->first->cex;
    struct candidates list = {0};
    for (int old = 1; old >= 0; old--)
        for (size_t i = cex->nevents; i-- > 0;)
            if ((cex->events[i].last != NULL) == old)
                add_event(series, &cex->events[i], &list);
    for (int fences = 1; fences >= 0; fences--)
        for (size_t k = 0; k < series->n; k++)
            if ((series->at[k].kind == VM_ORDERED_FENCE) == fences &&
                can_be_stronger(&series->at[k]))
                add(&list, k, 0);
    return list;
}

/* ---- trying ---------------------------------------------------------------------- */

/* Is there no error any more with all orders of the program seq_cst? */
static bool depends_on_orders(struct order_series *series)
{
    size_t *k = check_zeros(series->n, sizeof *k), n = 0;
    int *order = check_zeros(series->n, sizeof *order);
    for (size_t i = 0; i < series->n; i++)
        if (can_be_stronger(&series->at[i])) {
            k[n] = i;
            order[n++] = VM_MEMORY_SEQ_CST;
        }
    enum order_outcome outcome = orders_search(series, k, order, n);
    series->out->trials[series->out->n - 1].all = true;
    free(k);
    free(order);
    return outcome == ORDERS_NO_ERROR || outcome == ORDERS_INCOMPLETE;
}

static bool try_singles(struct order_series *series, const struct candidates *list)
{
    bool found = false;
    for (size_t i = 0; i < list->n && orders_go_on(series); i++) {
        const struct vm_ordered *at = &series->at[list->at[i].k];
        int order = stronger(at->kind, at->order);
        found |= orders_search(series, &list->at[i].k, &order, 1) == ORDERS_NO_ERROR;
    }
    return found;
}

/* Are they a store and a load of the same place, which then synchronize?  A compare-exchange is
 * no message to its own failure. */
static bool is_message(const struct order_series *series, const struct candidate *store,
                       const struct candidate *load)
{
    const struct vm_ordered *s = &series->at[store->k], *l = &series->at[load->k];
    bool here = s->line == l->line && s->column == l->column;
    return !here && store->addr && store->addr == load->addr && writes(s->kind) &&
           reads(l->kind) && s->kind != VM_ORDERED_FENCE && l->kind != VM_ORDERED_FENCE;
}

/* Returns an order that is strong enough to send a message, or to receive one. */
static int strong_enough(const struct vm_ordered *at, bool sends)
{
    if (at->order == VM_MEMORY_RELAXED || at->order == VM_MEMORY_CONSUME)
        return sends ? VM_MEMORY_RELEASE : VM_MEMORY_ACQUIRE;
    bool receives = at->order == VM_MEMORY_ACQUIRE;
    return at->order == VM_MEMORY_ACQ_REL || receives != sends ? (int)at->order
                                                               : VM_MEMORY_ACQ_REL;
}

/* Tries pairs.  An order that one of the two has already was tried with the other one alone. */
static bool try_pairs(struct order_series *series, const struct candidates *list)
{
    for (size_t i = 0; i < list->n; i++)
        for (size_t j = 0; j < list->n; j++) {
            const struct candidate *a = &list->at[i], *b = &list->at[j];
            const struct vm_ordered *sends = &series->at[a->k], *receives = &series->at[b->k];
            const size_t k[] = {a->k, b->k};
            const int order[] = {strong_enough(sends, true), strong_enough(receives, false)};
            if (!is_message(series, a, b) || order[0] == (int)sends->order ||
                order[1] == (int)receives->order)
                continue;
            if (!orders_go_on(series))
                return false;
            if (orders_search(series, k, order, 2) == ORDERS_NO_ERROR)
                return true;
        }
    return false;
}

/* Tries all of the list but one with seq_cst, or with a fence before them. */
static bool try_without(struct order_series *series, const struct candidates *list, size_t but,
                        int to)
{
    size_t *k = check_zeros(list->n + 1, sizeof *k), n = 0;
    int *order = check_zeros(list->n + 1, sizeof *order);
    for (size_t i = 0; i < list->n; i++)
        if (i != but) {
            k[n] = list->at[i].k;
            order[n++] = to;
        }
    bool found = orders_search(series, k, order, n) == ORDERS_NO_ERROR;
    free(k);
    free(order);
    return found;
}

/* Tries a group; the least relevant is the first to be left as it was. */
static bool try_group(struct order_series *series, const struct candidates *all, int to)
{
    struct candidates list = {check_zeros(all->n + 1, sizeof *list.at), all->n, all->n};
    memcpy(list.at, all->at, all->n * sizeof *list.at);
    bool found = list.n && orders_go_on(series) && try_without(series, &list, list.n, to);
    for (size_t i = list.n; found && i-- > 0 && list.n > 1 && orders_go_on(series);)
        if (try_without(series, &list, i, to)) {
            memmove(&list.at[i], &list.at[i + 1], (list.n - i - 1) * sizeof *list.at);
            list.n--;
        }
    free(list.at);
    return found;
}

/* Tries fences before loads: in store buffering, each thread stores before it. */
static bool try_fences(struct order_series *series, const struct candidates *all)
{
    struct candidates list = {0};
    for (size_t i = 0; i < all->n; i++)
        if (series->at[all->at[i].k].kind == VM_ORDERED_LOAD)
            ARRAY_PUSH(list.at, list.n, list.max, all->at[i]);
    bool found = try_group(series, &list, ORDER_FENCE_BEFORE);
    free(list.at);
    return found;
}

void orders_explain(struct order_series *series)
{
    struct candidates list = find(series);
    if (orders_go_on(series) && depends_on_orders(series) && !try_singles(series, &list) &&
        !try_pairs(series, &list) && !try_fences(series, &list))
        try_group(series, &list, VM_MEMORY_SEQ_CST);
    free(list.at);
}
