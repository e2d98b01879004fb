/* cex_stores.c - which store comes last, where an event has read an older one or comes before
 * it. */
#include <string.h>

#include "checker/report/cex.h"

/* Returns the number of the thread with this record. */
static uint64_t tid_of(const struct cex *cex, uint64_t record)
{
    uint64_t tid = 0;
    vm_read(cex->vm, record + offsetof(struct vm_trace_run, tid), &tid);
    return tid;
}

/* The last store in modification order is the last one executed that was not put before
 * another; a store that waits in a buffer is its thread's last one. */
size_t cex_find_last_store(const struct cex *cex, const struct cex_event *event,
                           uint64_t waits_in)
{
    uint64_t tid = waits_in ? tid_of(cex, waits_in) : 0;
    for (size_t i = cex->nevents; event->last && i-- > 0;) {
        const struct cex_event *store = &cex->events[i];
        if (store != event && store->addr == event->addr && store->written && !store->last &&
            store->action != VM_ACT_DRAIN && (!tid || store->tid == tid))
            return strcmp(store->written, event->last) ? 0 : i + 1;
    }
    return 0;
}
