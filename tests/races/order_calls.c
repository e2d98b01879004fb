// Beside a counter that is relaxed, all that the libraries order is ordered: threads that begin
// and are joined, locks, conditions, semaphores, barriers, once, thread-local ends.
// Result: correct.
// -DFORGOTTEN reads without the lock what is written under it: data race.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int calls;
static int before, locked, posted, parted[2], made, sent;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t s;

static void make(void)
{
    made = 1;
}

static void count(void)
{
    atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
}

static void *other(void *arg)
{
    int *own = arg;
    count();
    assert(before == 1 && *own == 3);
    pthread_mutex_lock(&m);
    locked++;
    sent = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&m);
    posted = 1;
    sem_post(&s);
    parted[0] = 1;
    pthread_barrier_wait(&barrier);
    assert(parted[1] == 1);
    pthread_once(&once, make);
    assert(made == 1);
    *own = 4;
    return NULL;
}

int main(void)
{
    pthread_t t;
    int own = 3;
    sem_init(&s, 0, 0);
    pthread_barrier_init(&barrier, NULL, 2);
    before = 1;
    pthread_create(&t, NULL, other, &own);
    count();
#ifdef FORGOTTEN
    assert(locked < 2);
#endif
    pthread_mutex_lock(&m);
    while (!sent)
        pthread_cond_wait(&changed, &m);
    locked++;
    pthread_mutex_unlock(&m);
    sem_wait(&s);
    assert(posted == 1);
    parted[1] = 1;
    pthread_barrier_wait(&barrier);
    assert(parted[0] == 1);
    pthread_once(&once, make);
    assert(made == 1);
    pthread_join(t, NULL);
    assert(own == 4 && atomic_load_explicit(&calls, memory_order_relaxed) == 2);
    return 0;
}
