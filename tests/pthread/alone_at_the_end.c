// What would have effects that accesses do not tell has none while nobody else is left:
// signals, keys and semaphores that main has done with when all threads have ended.
//
// Result: correct.
// Options: --search=dpor
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>

static sem_t s;
static pthread_key_t key;
static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int n[2];
static volatile sig_atomic_t caught;

static void *work(void *arg)
{
    int k = *(int *)arg;
    pthread_mutex_lock(&m[k]);
    n[k]++;
    pthread_mutex_unlock(&m[k]);
    sem_post(&s);
    return NULL;
}

static void handler(int number)
{
    caught = number;
}

int main(void)
{
    static int number[2] = {0, 1};
    pthread_t t[2];
    sem_init(&s, 0, 0);
    pthread_key_create(&key, NULL);
    for (int k = 0; k < 2; k++)
        pthread_create(&t[k], NULL, work, &number[k]);
    for (int k = 0; k < 2; k++)
        pthread_join(t[k], NULL);
    assert(n[0] + n[1] == 2);
    sem_wait(&s);
    sem_destroy(&s);
    pthread_key_delete(key);
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
    assert(caught == SIGUSR1);
}
