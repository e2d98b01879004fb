// Spin locks don't spin here: few states.  Result: correct.
// -DBUG unlocks twice: pthread misuse.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int count;

static void *work(void *arg)
{
    pthread_spin_lock(&lock);
    count++;
    pthread_spin_unlock(&lock);
#ifdef BUG
    pthread_spin_unlock(&lock);
#endif
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t, NULL, work, NULL);
    while (pthread_spin_trylock(&lock) == EBUSY)
        ;
    count++;
    pthread_spin_unlock(&lock);
    pthread_join(t, NULL);
    assert(count == 2);
    pthread_spin_destroy(&lock);
    return 0;
}
