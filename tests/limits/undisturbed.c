// Unless options ask for it, allocations do not fail, and condition variables do not wake up on
// their own; and weak compare-exchanges do not fail spuriously if an option says so: see
// docs/LIMITS.md.  Result: correct.
// Options: --spurious-failures=no
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *wake(void *arg)
{
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t thread;
    atomic_int number = 1;
    int one = 1;
    int *memory = malloc(sizeof *memory);
    assert(memory);
    free(memory);
    assert(atomic_compare_exchange_weak_explicit(&number, &one, 2, memory_order_relaxed,
                                                 memory_order_relaxed));
    pthread_mutex_lock(&lock);
    pthread_create(&thread, NULL, wake, NULL);
    pthread_cond_wait(&changed, &lock);
    assert(ready);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
