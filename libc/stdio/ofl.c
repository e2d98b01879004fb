/* ofl.c - musl's, but a thread that flushes all streams (fflush(NULL), exit) does not keep the
 * list's lock while it waits for a stream's: instead, a thread that closes a stream waits until
 * nobody flushes it. */
#include "lock.h"
#include "os/wait.h"
#include "stdio_list.h"

static FILE *ofl_head;
static int ofl_lock[1];

FILE **__ofl_lock(void)
{
    LOCK(ofl_lock);
    return &ofl_head;
}

void __ofl_unlock(void)
{
    UNLOCK(ofl_lock);
}

/* Returns the stream after f, which is no longer flushed (NULL: the first one); the one
 * returned will be. */
FILE *__ofl_next(FILE *f)
{
    FILE *next = *__ofl_lock();
    if (f) {
        f->flushers--;
        next = f->next;
    }
    if (next)
        next->flushers++;
    __ofl_unlock();
    return next;
}

void __ofl_remove(FILE *f)
{
    FILE **head = __ofl_lock();
    if (f->flushers)
        os_wait(VM_ACT_LOCK, &f->flushers, sizeof f->flushers, &f->flushers, OS_WHILE_NONZERO);
    if (f->prev)
        f->prev->next = f->next;
    if (f->next)
        f->next->prev = f->prev;
    if (*head == f)
        *head = f->next;
    __ofl_unlock();
}
