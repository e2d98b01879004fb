#include "counter.h"

#include <pthread.h>

#ifndef BUG
#define BUG 0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

void counter_add(int n)
{
    if (!BUG)
        pthread_mutex_lock(&lock);
    counter += n;
    if (!BUG)
        pthread_mutex_unlock(&lock);
}

int counter_get(void)
{
    return counter;
}
