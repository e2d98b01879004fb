#include "counter.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

void counter_add(int n)
{
    pthread_mutex_lock(&lock);
    value += n;
    pthread_mutex_unlock(&lock);
}

int counter_value(void)
{
    pthread_mutex_lock(&lock);
    int now = value;
    pthread_mutex_unlock(&lock);
    return now;
}
