// Waits until a clock shows a later time, which stands still.  Result: incomplete.
// Options: --fair
// Expect: only as long as the clock stands still
#include <pthread.h>
#include <time.h>

static void *work(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    time_t begin = time(NULL);
    while (time(NULL) == begin)
        ;
    pthread_join(thread, NULL);
}
