// A writer waits until nobody reads; two readers take turns, so that somebody always does.
// Result: livelock.  -DGATE: a writer who waits keeps new readers out: correct.
// Options: --fair
#include <pthread.h>
#include <stdatomic.h>

static atomic_int readers, waiting, written;

static void *read_on(void *arg)
{
    while (!written) {
#ifdef GATE
        while (waiting && !written)
            ;
#endif
        readers++;
        readers--;
    }
    return arg;
}

int main(void)
{
    pthread_t reader[2];
    for (int k = 0; k < 2; k++)
        pthread_create(&reader[k], NULL, read_on, NULL);
    waiting = 1;
    while (readers)
        ;
    written = 1;
    for (int k = 0; k < 2; k++)
        pthread_join(reader[k], NULL);
}
