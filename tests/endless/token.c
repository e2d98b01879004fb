// Three threads give a token to the next one, twice around.  Result: correct.
// -DLOST: who sees it last keeps it, and the others wait on: endless run.
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 3, ROUNDS = 2 };
static atomic_int token;

static void *work(void *arg)
{
    int me = (int)(long)arg;
    for (int i = 0; i < ROUNDS; i++) {
        while (token != me)
            ;
#ifdef LOST
        if (i + 1 == ROUNDS)
            return NULL;
#endif
        token = (me + 1) % THREADS;
    }
    return NULL;
}

int main(void)
{
    pthread_t thread[THREADS - 1];
    for (long i = 1; i < THREADS; i++)
        pthread_create(&thread[i - 1], NULL, work, (void *)i);
    work(NULL);
    for (int i = 0; i + 1 < THREADS; i++)
        pthread_join(thread[i], NULL);
}
