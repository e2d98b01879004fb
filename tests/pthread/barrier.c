// Three threads meet twice; each time one is told that it is the serial thread.
// Result: correct.  -DBUG lets one stay away the second time: deadlock.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int serial;
static int part[3];

static void meet(void)
{
    int result = pthread_barrier_wait(&barrier);
    assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    if (result)
        serial++;
}

static void *work(void *arg)
{
    int *mine = arg;
    *mine = 1;
    meet();
    assert(part[0] + part[1] + part[2] == 3);
#ifdef BUG
    if (mine == part)
        return NULL;
#endif
    meet();
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    assert(pthread_barrier_init(&barrier, NULL, 0) == EINVAL);
    pthread_barrier_init(&barrier, NULL, 3);
    for (int k = 0; k < 2; k++)
        pthread_create(&t[k], NULL, work, &part[k]);
    work(&part[2]);
    for (int k = 0; k < 2; k++)
        pthread_join(t[k], NULL);
    assert(serial == 2);
    pthread_barrier_destroy(&barrier);
    return 0;
}
