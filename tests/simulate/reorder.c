/* Setters write a pair, one half after the other; a checker reads it the other way round.
 * It is wrong only if the checker comes between the two writes of the first setters, so
 * most orders are right.
 * Result: assertion violation.
 * -DSETTERS=19: assertion violation.
 * -DSETTERS=49: assertion violation. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef SETTERS
#define SETTERS 9
#endif

static atomic_int a, b;

static void *set(void *arg)
{
    atomic_store(&a, 1);
    atomic_store(&b, -1);
    return arg;
}

static void *check(void *arg)
{
    int first = atomic_load(&a), second = atomic_load(&b);
    assert((first == 0 && second == 0) || (first == 1 && second == -1));
    return arg;
}

int main(void)
{
    pthread_t setter[SETTERS], checker;
    for (int i = 0; i < SETTERS; i++)
        pthread_create(&setter[i], NULL, set, NULL);
    pthread_create(&checker, NULL, check, NULL);
    for (int i = 0; i < SETTERS; i++)
        pthread_join(setter[i], NULL);
    pthread_join(checker, NULL);
    return 0;
}
