// Which of several threads is waited for first matters after all.  Result: correct.
// -DENDS the second one waits for a lock that main has, the first one ends the process:
// correct. -DSPINS the same, but the first one never ends: endless run. -DLEAK the first one
// ends the process; main would free something later: correct. -DGIVEN the same, and the second
// one has given back memory: correct. -DNUMBER a new thread gets the number of the first one:
// assertion violation. -DSIZE main asks for the size of what the thread has freed: assertion
// violation. -DAGAIN a spin lock is left behind by one whose number another has got: deadlock.
#define _GNU_SOURCE
#include <assert.h>
#include <divm.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t spin;
static atomic_int go;

static void *ends(void *arg)
{
#ifdef SPINS
    while (!atomic_load(&go))
        ;
#elif defined ENDS || defined LEAK || defined GIVEN
    exit(0);
#endif
    return arg;
}

static void *locks(void *arg)
{
    (void)arg;
#if defined ENDS || defined SPINS
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
#elif defined GIVEN
    return malloc(4);
#endif
    return NULL;
}

#ifdef NUMBER
static int numbers[2];

static void *number(void *arg)
{
    *(int *)arg = gettid();
    return NULL;
}

static void *makes(void *arg)
{
    pthread_t t;
    atomic_store(&go, 1);
    pthread_create(&t, NULL, number, arg);
    pthread_join(t, NULL);
    return NULL;
}
#endif

static void *frees(void *arg)
{
    free(arg);
    return NULL;
}

static void *leaves(void *arg)
{
    pthread_spin_lock(&spin);
    return arg;
}

static void *spins(void *arg)
{
    while (!atomic_load(&go))
        ;
    return arg;
}

/* Only where there are several threads are they joined late. */
static void *idle(void *arg)
{
    static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&own);
    pthread_mutex_unlock(&own);
    return arg;
}

int main(void)
{
    pthread_t a, b, idles[2];
    for (int k = 0; k < 2; k++) {
        pthread_create(&idles[k], NULL, idle, NULL);
        pthread_detach(idles[k]);
    }
    (void)frees;
    (void)leaves;
    (void)spins;
#ifdef SIZE
    char *p = malloc(8);
    if (!p)
        return 0;
    pthread_create(&a, NULL, frees, p);
    pthread_join(a, NULL);
    assert(malloc_usable_size(p) == 8);
#elif defined NUMBER
    pthread_create(&a, NULL, number, &numbers[0]);
    pthread_create(&b, NULL, makes, &numbers[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(numbers[0] != numbers[1]);
#elif defined AGAIN
    pthread_t c, d;
    void *result;
    pthread_spin_init(&spin, 0);
    pthread_create(&a, NULL, leaves, NULL);
    pthread_join(a, &result);
    pthread_create(&b, NULL, locks, NULL);
    pthread_create(&c, NULL, leaves, NULL);
    pthread_create(&d, NULL, spins, NULL);
    pthread_join(c, &result);
    pthread_join(b, &result);
    pthread_join(d, &result);
#else
#ifdef LEAK
    char *p = malloc(8);
#endif
    pthread_mutex_lock(&mutex);
    pthread_create(&a, NULL, ends, NULL);
    pthread_create(&b, NULL, locks, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
#ifdef LEAK
    if (divm_choose(2))
        free(p);
#endif
    pthread_mutex_unlock(&mutex);
#endif
    return 0;
}
