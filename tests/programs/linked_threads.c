// Threads that create threads.  Result: correct.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int ran;

static void *spawn(void *arg)
{
    intptr_t depth = (intptr_t)arg;
    pthread_t child;
    atomic_fetch_add(&ran, 1);
    if (depth) {
        pthread_create(&child, NULL, spawn, (void *)(depth - 1));
        pthread_join(child, NULL);
    }
    return NULL;
}

int main(void)
{
    spawn((void *)3);
    assert(ran == 4);
    return 0;
}
