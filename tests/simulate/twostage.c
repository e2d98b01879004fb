/* A value is written under one lock, and what is derived from it under another one.
 * Readers take the locks one after the other, and so can see the first without the second.
 * Result: assertion violation.
 * -DWRITERS=16: assertion violation. */
#include <assert.h>
#include <pthread.h>

#ifndef WRITERS
#define WRITERS 5
#endif
enum { READERS = 5 };

static pthread_mutex_t value_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t derived_lock = PTHREAD_MUTEX_INITIALIZER;
static int value, derived;

static void *write_both(void *arg)
{
    pthread_mutex_lock(&value_lock);
    value = 1;
    pthread_mutex_unlock(&value_lock);
    pthread_mutex_lock(&derived_lock);
    derived = 2;
    pthread_mutex_unlock(&derived_lock);
    return arg;
}

static void *read_both(void *arg)
{
    pthread_mutex_lock(&value_lock);
    int first = value;
    pthread_mutex_unlock(&value_lock);
    if (!first)
        return arg;
    pthread_mutex_lock(&derived_lock);
    assert(derived == first + 1);
    pthread_mutex_unlock(&derived_lock);
    return arg;
}

int main(void)
{
    pthread_t writer[WRITERS], reader[READERS];
    for (int i = 0; i < READERS; i++)
        pthread_create(&reader[i], NULL, read_both, NULL);
    for (int i = 0; i < WRITERS; i++)
        pthread_create(&writer[i], NULL, write_both, NULL);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(writer[i], NULL);
    for (int i = 0; i < READERS; i++)
        pthread_join(reader[i], NULL);
    return 0;
}
