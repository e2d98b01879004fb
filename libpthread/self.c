/* self.c - pthread_self and pthread_equal. */
#include "libpthread/internal.h"
#include "os/state.h"

pthread_t pthread_self(void)
{
    return (pthread_t)os_self();
}

int(pthread_equal)(pthread_t a, pthread_t b)
{
    return a == b;
}
