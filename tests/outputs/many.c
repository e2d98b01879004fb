// A deadlock, a failed assertion, a data race and a leak: --continue reports each of them once.
// Result: deadlock.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
atomic_int x;
int shared;
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    atomic_fetch_add(&x, 1);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return NULL;
}
static void *two(void *arg)
{
    (void)arg;
    assert(atomic_load(&x) == 0);
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    shared = 1;
    return NULL;
}
static void *three(void *arg)
{
    (void)arg;
    if (atomic_load(&x))
        shared = 2;
    return NULL;
}
int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, one, NULL);
    pthread_create(&t[1], NULL, two, NULL);
    pthread_create(&t[2], NULL, three, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    if (shared == 2)
        (void)!malloc(7);
    return 0;
}
