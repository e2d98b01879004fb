// A key is deleted while another thread may still use it.  Result: pthread misuse.
// -DSET the thread sets its value: pthread misuse.
// -DENDS the thread ends, and the destructor may run: correct.
// -DRUNS claims that it does: assertion violation.
// -DDOES_NOT claims that it does not: assertion violation.
// -DLEAKS the value is lost then: memory error.
// -DTSS the same with C11's functions: assertion violation.
// -DLATE the key is deleted after the thread has ended: correct.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>

static pthread_key_t key;
static sem_t is_set;
static int ran;

static void destructor(void *value)
{
    ran = 1;
#ifdef LEAKS
    free(value);
#else
    (void)value;
#endif
}

static void *work(void *arg)
{
#ifdef LEAKS
    pthread_setspecific(key, malloc(3));
#else
    pthread_setspecific(key, &ran);
#endif
    sem_post(&is_set);
#if defined SET
    pthread_setspecific(key, NULL);
#elif !defined ENDS && !defined RUNS && !defined DOES_NOT && !defined LEAKS && !defined TSS
    pthread_getspecific(key);
#endif
    return arg;
}

int main(void)
{
    pthread_t t;
    sem_init(&is_set, 0, 0);
    pthread_key_create(&key, destructor);
    pthread_create(&t, NULL, work, NULL);
    sem_wait(&is_set);
#ifdef LATE
    pthread_join(t, NULL);
    pthread_key_delete(key);
    assert(ran);
#else
#ifdef TSS
    tss_delete(key);
#else
    pthread_key_delete(key);
#endif
    pthread_join(t, NULL);
#if defined RUNS || defined TSS
    assert(ran);
#elif defined DOES_NOT
    assert(!ran);
#endif
#endif
    return 0;
}
