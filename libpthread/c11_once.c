/* c11_once.c - call_once is pthread_once. */
#include "libpthread/internal.h"

void call_once(once_flag *flag, void (*function)(void))
{
    pthread_once(flag, function);
}
