/* h_errno.c - musl's asks its thread structure whether the thread is set up yet. */
#include <netdb.h>

#include "pthread_impl.h"

#undef h_errno
int h_errno;

int *__h_errno_location(void)
{
    return &__pthread_self()->h_errno_val;
}
