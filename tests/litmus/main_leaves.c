// main returns while two threads run: the process can end at any moment.  Result: correct.
// -DLOST has them forget what they have: memory error
// -DSTATUS lets each of them end the process, with status 4 or 0: exit status
// -DENDLESS has them run for ever, and main return 3: exit status
// -DEARLY has main look at what they have done: assertion
// -DLATE asserts what is wrong only where both have run to their ends: assertion
// -DBLOCKED has both wait for what nobody does: correct
// -DWRITES has main write what they read: data race
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_int done, stop;
static int plain;
static void *_Atomic place;
static sem_t never;

static void *work(void *arg)
{
    int *own = malloc(sizeof *own);
    *own = 1;
    place = own;
    atomic_fetch_add(&done, 1);
#ifdef LOST
    place = NULL;
    own = NULL;
#elif defined ENDLESS
    while (!atomic_load(&stop))
        continue;
#elif defined BLOCKED
    sem_wait(&never);
#elif defined WRITES
    plain += plain;
#endif
    atomic_fetch_add(&done, 1);
#ifdef STATUS
    _exit(atomic_load(&done) == 4 ? 4 : 0);
#elif defined LATE
    assert(atomic_fetch_add(&done, 1) < 5);
#endif
    place = NULL;
    free(own);
    return arg;
}

int main(void)
{
    pthread_t thread[2];
    sem_init(&never, 0, 0);
    for (int k = 0; k < 2; k++)
        pthread_create(&thread[k], NULL, work, NULL);
#ifdef EARLY
    assert(atomic_load(&done) != 3);
#elif defined WRITES
    plain = 1;
#elif defined ENDLESS
    return 3;
#endif
    return 0;
}
