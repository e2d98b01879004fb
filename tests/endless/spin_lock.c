// A lock that is spun for.  Result: correct.
// -DFORGOTTEN does not give it back where the counter is odd: endless run.
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int counter;

static void *work(void *arg)
{
    (void)arg;
    while (atomic_flag_test_and_set(&lock))
        ;
    counter++;
#ifdef FORGOTTEN
    if (counter % 2)
        return NULL;
#endif
    atomic_flag_clear(&lock);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
}
