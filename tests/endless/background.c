// A thread runs for ever in the background; the process ends when main returns.  Result:
// correct. -DJOINED waits for that thread: endless run. -DLEFT ends the main thread only:
// endless run. -DTOLD tells it to stop, and waits for it: correct.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop, rounds;

static void *work(void *arg)
{
    while (!stop)
        rounds = !rounds;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
#ifdef TOLD
    stop = 1;
#endif
#if defined JOINED || defined TOLD
    pthread_join(thread, NULL);
#elif defined LEFT
    pthread_exit(NULL);
#endif
}
