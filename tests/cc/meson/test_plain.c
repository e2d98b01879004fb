#include "counter.h"

#include <assert.h>
#include <pthread.h>

static void *add(void *n)
{
    counter_add(*(int *)n);
    return 0;
}

int main(void)
{
    int one = 1, two = 2;
    pthread_t thread;
    pthread_create(&thread, 0, add, &one);
    add(&two);
    pthread_join(thread, 0);
    assert(counter_value() == 3);
    return 0;
}
