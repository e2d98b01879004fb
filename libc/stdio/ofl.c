/* ofl.c - musl's, with a way to look at the list without the lock, for __stdio_exit. */
#include "lock.h"
#include "stdio_impl.h"

static FILE *ofl_head;
static int ofl_lock[1];

FILE **__ofl_head(void);

FILE **__ofl_head(void)
{
    return &ofl_head;
}

FILE **__ofl_lock(void)
{
    LOCK(ofl_lock);
    return &ofl_head;
}

void __ofl_unlock(void)
{
    UNLOCK(ofl_lock);
}
