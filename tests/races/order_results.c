/* Who joins a thread knows all that it did: also what it returns and nobody could reach before,
 * where there are weaker orders.  Result: correct.
 * -DMAIN a thread that joins main: correct.
 * -DLATER a thread that does not join it: data race.
 * Options: --memory=c11 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int made;
static int plain;

static void *make(void *arg)
{
    int *result = malloc(sizeof *result);
    (void)arg;
    *result = 7;
    atomic_fetch_add_explicit(&made, 1, memory_order_relaxed);
    *result = 8;
    return result;
}

static void *look(void *thread)
{
#ifndef LATER
    pthread_join(*(pthread_t *)thread, NULL);
#endif
    assert(plain == 5 || plain == 0);
    return thread;
}

int main(void)
{
    static pthread_t self, thread[2];
    for (int k = 0; k < 2; k++)
        pthread_create(&thread[k], NULL, make, NULL);
    for (int k = 0; k < 2; k++) {
        void *result;
        pthread_join(thread[k], &result);
        assert(*(int *)result == 8);
        free(result);
    }
#if defined MAIN || defined LATER
    self = pthread_self();
    pthread_create(&thread[0], NULL, look, &self);
    plain = 5;
    pthread_exit(NULL);
#endif
    return 0;
}
