#include "counter.h"

#include <pthread.h>
#include <stdio.h>

static void *work(void *arg)
{
    counter_add(1);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t threads[2];
    for (int k = 0; k < 2; k++)
        pthread_create(&threads[k], NULL, work, NULL);
    for (int k = 0; k < 2; k++)
        pthread_join(threads[k], NULL);
    for (int k = 1; k < argc; k++)
        printf("%s\n", argv[k]);
    return counter_get() == 2 ? 0 : 1;
}
