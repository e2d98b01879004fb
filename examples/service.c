/* A service that answers requests for ever.
 *
 * docs/QUERIES.md asks whether each request is answered.  Result: correct.
 * Options: --endless=allow */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int request, answer;

static void *serve(void *arg)
{
    for (;;) {
        while (!request)
            ;
        request = 0;
        answer = 1;
    }
    return arg;
}

int main(void)
{
    pthread_t service;
    pthread_create(&service, NULL, serve, NULL);
    for (;;) {
        answer = 0;
        request = 1;
        while (!answer)
            ;
    }
}
