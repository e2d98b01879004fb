// Who writes more than a pipe holds waits for the reader.  Result: correct.
// -DBUG never reads: deadlock.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int p[2];
static char block[60000];

static void *work(void *arg)
{
    for (int k = 0; k < 2; k++)
        assert(write(p[1], block, sizeof block) == sizeof block);
    close(p[1]);
    return arg;
}

int main(void)
{
    pthread_t t;
    static char buffer[sizeof block];
    long all = 0;
    pipe(p);
    pthread_create(&t, NULL, work, NULL);
#ifndef BUG
    for (long n; (n = read(p[0], buffer, sizeof buffer)) > 0;)
        all += n;
    assert(all == 2 * sizeof block);
#endif
    pthread_join(t, NULL);
    (void)all;
    return 0;
}
