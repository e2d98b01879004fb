// What stands in an atomic section races with what stands in none.  Result: data race.
// -DREADS it only reads: data race.
// -DATOMIC it uses an atomic variable, of which another thread makes a copy: data race.
// -DFREES it frees what another thread reads: memory error.
// -DLOCAL it leaves a function with a variable that another thread reads: memory error.
// -DLATER only what comes after it does: data race.
// -DBOTH both are in sections: correct.
// -DTOLD the other thread is told of it first: correct.
// -DGONE the address of a variable that has ended in it is used: memory error.
#include <divm.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static int x, told;
static atomic_int counter;
static int *_Atomic pointer;
static int *ended;

__attribute__((noinline)) static void have_local(void)
{
    int local = 1;
#ifdef GONE
    ended = &local;
#else
    atomic_store(&pointer, &local);
    divm_atomic_end();
    atomic_load(&counter);
    divm_atomic_begin();
#endif
}

static void *in_section(void *arg)
{
    divm_atomic_begin();
#if defined READS
    int y = x;
    (void)y;
#elif defined ATOMIC
    counter++;
#elif defined FREES
    free(pointer);
#elif defined LOCAL || defined GONE
    have_local();
#elif !defined LATER
    x++;
    told = 1;
#endif
    divm_atomic_end();
#ifdef LATER
    x++;
#endif
#ifdef GONE
    int *other = malloc(sizeof *other);
    *other = *ended;
    free(other);
#endif
    return arg;
}

static void *in_none(void *arg)
{
#if defined ATOMIC
    int copy;
    memcpy(&copy, &counter, sizeof copy);
#elif defined FREES || defined LOCAL
    if (pointer)
        x = *pointer;
#elif defined BOTH
    divm_atomic_begin();
    x++;
    divm_atomic_end();
#elif defined TOLD
    divm_atomic_begin();
    int go = told;
    divm_atomic_end();
    if (go)
        x++;
#elif !defined GONE
    x++;
#endif
    return arg;
}

int main(void)
{
    pthread_t a, b;
    (void)have_local, (void)told, (void)ended;
#ifdef FREES
    pointer = calloc(1, sizeof *pointer);
#endif
    pthread_create(&a, NULL, in_section, NULL);
    pthread_create(&b, NULL, in_none, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
