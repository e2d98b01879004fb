/* dpor_order.c - which thread goes first where any will do.
 *
 * Which it is has no effect on what is found, nor on how many executions there are, but on how
 * long they are: what comes after a race is executed again for each of its orders.  So what
 * races should come last, and what races for one place together: then a race has little after
 * it but what it decides.  It is known what races once some executions have shown it.  Where
 * threads hold locks meanwhile that others wait for, this can be worse than the order in which
 * they stand; so both are tried for some executions, and the better one is gone on with. */
#include <assert.h>

#include "dpor_tree.h"

enum { TRIAL = 32 }; /* executions after the first */

/* Of a thread's event with a number: the place for which it raced, or 0.  Two that share an
 * entry are mistaken for each other, which does no harm. */
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

bool dpor_try_order(struct dpor *dpor)
{
    struct order *order = &dpor->order;
    uint64_t over = dpor->stats.executions + dpor->stats.cut;
    if (over == 1)
        order->first = dpor->stats.transitions;
    if (over != 1 + TRIAL || order->trial == THE_BETTER)
        return false;
    order->length[order->contested_last] = dpor->stats.transitions - order->first;
    if (order->trial == AS_THEY_STAND) {
        order->trial = CONTESTED_LAST;
        order->contested_last = is_contested(order);
        return order->contested_last;
    }
    order->trial = THE_BETTER;
    order->contested_last = order->length[true] < order->length[false];
    return !order->contested_last;
}

int dpor_pick(const struct dpor *dpor, const struct frame *frame)
{
    uint32_t last = last_proc(dpor);
    uint64_t least = 0;
    int best = -1;
    for (int i = 0; i < frame->n; i++) {
        uint32_t proc = frame->a[i].proc;
        if (frame->a[i].asleep)
            continue;
        uint64_t place =
            dpor->order.contested_last
                ? dpor->order.contested[entry(proc, causal_number(&dpor->causal, proc) + 1)]
                : 0;
        if (best >= 0 && (place > least || (place == least && proc != last)))
            continue;
        best = i;
        least = place;
    }
    return best;
}
