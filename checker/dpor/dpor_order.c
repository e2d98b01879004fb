/* dpor_order.c - decides which thread goes first where any will do.
 *
 * The choice has no effect on what is found, nor on the number of executions, but on their
 * length: everything after a race is executed again for each of the race's orders. So events
 * that race should come last, and events that race for one place should come together; then
 * little follows a race but what it decides. The first executions show which events race.
 * Places are ordered by their addresses, upwards or downwards; where threads hold locks that
 * others wait for, both can be worse than the order of the threads themselves. So each order is
 * tried, and the best one is kept.
 *
 * The last choices of an execution are alike in all orders, and the first executions differ
 * only in these. So the trial of an order explores a few executions at each of the first
 * choices; whatever else it would have to explore is dropped, and the search begins again in
 * the next order. */
#include <assert.h>
#include <math.h>

#include "dpor_tree.h"

enum {
    FIRST = 32, /* executions by which it is seen what races */
    PROBES = 4, /* first choices to begin at */
    PROBE = 4,  /* executions of each, after the one that begins there */
};

/* Returns where the place is kept for which an event of a thread, by its number, raced; 0: it
 * did not.  Two events that share an entry are mistaken for each other, which does no harm. */
static size_t entry(uint32_t proc, uint32_t number)
{
    return (proc * 64 + number) % CONTESTED;
}

void dpor_note_contest(struct dpor *dpor, const struct frame *frame)
{
    assert(dpor->sequence.n);
    const struct causal_event *event = &dpor->causal.events[frame->event];
    const struct wakeup_item *last = &dpor->sequence.items[dpor->sequence.n - 1];
    const struct causal_log log = dpor_log(dpor, frame->event);
    uint64_t place = log.n ? log.at[0].addr : 1;
    dpor->order.contested[entry(event->proc, event->number)] = place;
    dpor->order.contested[entry(last->proc, last->number)] = place;
}

static bool is_contested(const struct order *order)
{
    for (size_t k = 0; k < CONTESTED; k++)
        if (order->contested[k])
            return true;
    return false;
}

/* Returns the transitions of an execution that was tried out in this order. */
static double length_of(const struct order *order, enum order_kind kind)
{
    return order->tried[kind] ? order->transitions[kind] / order->tried[kind] : HUGE_VAL;
}

/* Begins to try the next order: all that was to be tried in this one has been. */
static void next_order(struct order *order)
{
    order->probes = order->executions = 0;
    if (++order->kind < ORDERS)
        return;
    order->stage = DECIDED;
    order->kind = AS_THEY_STAND;
    for (enum order_kind kind = 0; kind < ORDERS; kind++)
        if (length_of(order, kind) < length_of(order, order->kind))
            order->kind = kind;
}

static enum order_turn next_probe(struct order *order)
{
    order->executions = 0;
    if (order->probes++ < PROBES)
        return GO_FAR_BACK;
    next_order(order);
    return BEGIN_AGAIN;
}

enum order_turn dpor_order_turn(struct dpor *dpor)
{
    struct order *order = &dpor->order;
    uint64_t length = dpor->stats.transitions - order->before;
    order->before = dpor->stats.transitions;
    if (order->stage == DECIDED)
        return GO_BACK;
    if (order->stage == LOOKING) {
        if (++order->executions <= FIRST)
            return GO_BACK;
        order->stage = is_contested(order) ? PROBING : DECIDED;
        return order->stage == PROBING ? next_probe(order) : GO_BACK;
    }
    if (!order->probes) /* the first execution in this order */
        return next_probe(order);
    if (order->executions++) {
        order->transitions[order->kind] += (double)length;
        order->tried[order->kind]++;
    }
    return order->executions <= PROBE ? GO_BACK : next_probe(order);
}

bool dpor_order_ran_out(struct dpor *dpor)
{
    if (dpor->order.stage != PROBING)
        return false;
    next_order(&dpor->order);
    return true;
}

/* Returns where the next event of this thread comes among those that may come: the least
 * first. */
static uint64_t rank(const struct dpor *dpor, uint32_t proc)
{
    const struct order *order = &dpor->order;
    if (order->kind == AS_THEY_STAND)
        return 0;
    uint64_t place = order->contested[entry(proc, causal_number(&dpor->causal, proc) + 1)];
    return order->kind == HIGHEST_PLACE_FIRST ? -place : place;
}

int dpor_pick(const struct dpor *dpor, const struct frame *frame)
{
    uint32_t last = last_proc(dpor);
    uint64_t least = 0;
    int best = -1;
    for (int i = 0; i < frame->n; i++) {
        uint32_t proc = frame->a[i].proc;
        if (frame->a[i].asleep || frame->a[i].held || frame->a[i].retries)
            continue;
        uint64_t now = rank(dpor, proc);
        if (best >= 0 && (now > least || (now == least && proc != last)))
            continue;
        best = i;
        least = now;
    }
    return best;
}
