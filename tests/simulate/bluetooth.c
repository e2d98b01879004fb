/* A driver counts the requests that it works on, and stops when there are none: after KISS
 * (Qadeer and Wu 2004).  A request looks whether the driver stops and then counts itself;
 * in between the driver can have stopped.  Eight threads make requests.
 * Result: assertion violation. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { REQUESTERS = 8, REQUESTS = 4 };

static atomic_int pending = 1;
static atomic_bool stopping, stopped;

static void leave(void)
{
    if (atomic_fetch_sub(&pending, 1) == 1)
        atomic_store(&stopped, true);
}

static void *request(void *arg)
{
    for (int i = 0; i < REQUESTS; i++) {
        if (atomic_load(&stopping))
            break;
        atomic_fetch_add(&pending, 1);
        assert(!atomic_load(&stopped));
        leave();
    }
    return arg;
}

static void *stop(void *arg)
{
    atomic_store(&stopping, true);
    leave();
    return arg;
}

int main(void)
{
    pthread_t thread[REQUESTERS], stopper;
    for (int i = 0; i < REQUESTERS; i++)
        pthread_create(&thread[i], NULL, request, NULL);
    pthread_create(&stopper, NULL, stop, NULL);
    for (int i = 0; i < REQUESTERS; i++)
        pthread_join(thread[i], NULL);
    pthread_join(stopper, NULL);
    return 0;
}
