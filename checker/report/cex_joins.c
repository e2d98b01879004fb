/* cex_joins.c - what is told of joins: a thread may go on before those that it has joined have
 * ended, and what it then tells came after their ends for all that it knows. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "checker/memory.h"
#include "checker/report/cex.h"

char *cex_joined_text(struct cex *cex, uint64_t tid)
{
    char *line = NULL;
    size_t size, n = 0;
    FILE *text = check_text_stream(&line, &size);
    for (size_t i = 0; i < cex->njoins; i++)
        n += cex->joins[i].tid == tid && !cex->joins[i].over;
    fputs(n == 1 ? "thread " : "threads ", text);
    for (size_t i = 0, k = 0; i < cex->njoins; i++)
        if (cex->joins[i].tid == tid && !cex->joins[i].over) {
            fprintf(text, "%s%" PRIu64, k++ ? ", " : "", cex->joins[i].joined);
            cex->joins[i].over = true;
        }
    fclose(text);
    return line;
}

uint64_t cex_first_open_join(const struct cex *cex, uint64_t tid)
{
    for (size_t i = 0; i < cex->njoins; i++)
        if (cex->joins[i].tid == tid && !cex->joins[i].over)
            return cex->joins[i].order;
    return UINT64_MAX;
}

void cex_forget_attempt(struct cex *cex)
{
    const struct cex_event *added = &cex->events[cex->nevents - 1];
    for (size_t i = cex->nevents - 1; added->action == VM_ACT_JOIN && i-- > 0;) {
        struct cex_event *before = &cex->events[i];
        if (before->tid != added->tid)
            continue;
        if (before->action == VM_ACT_JOIN && before->addr == added->addr)
            before->action = VM_ACT_NONE;
        return;
    }
}

/* Moves an event behind the last one, and keeps what says where the others are. */
static void move_to_end(struct cex *cex, size_t at)
{
    struct cex_event event = cex->events[at];
    event.order = cex->events[cex->nevents - 1].order;
    memmove(&cex->events[at], &cex->events[at + 1], (cex->nevents - at - 1) * sizeof event);
    cex->events[cex->nevents - 1] = event;
    for (size_t i = 0; i < cex->nevents; i++)
        cex->events[i].last_store -= cex->events[i].last_store > at + 1;
    cex->creating -= cex->creating > at + 1;
}

void cex_put_late_behind(struct cex *cex, uint64_t tid, uint64_t begun)
{
    for (size_t i = 0, n = cex->nevents; i < n;) {
        const struct cex_event *event = &cex->events[i];
        bool late = event->tid == tid && event->order > begun &&
                    (event->kind == CEX_NOTE || event->kind == CEX_CHOICE);
        if (late) {
            move_to_end(cex, i);
            n--;
        } else {
            i++;
        }
    }
}
