// A pipe between two threads: who reads waits for bytes, and for the end.
// Result: correct.  -DBUG forgets to close the other end: deadlock.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int p[2];

static void *work(void *arg)
{
    assert(write(p[1], "ab", 2) == 2);
    assert(write(p[1], "c", 1) == 1);
#ifndef BUG
    close(p[1]);
#endif
    return arg;
}

int main(void)
{
    pthread_t t;
    char text[4] = "";
    int n = 0, got;
    assert(pipe(p) == 0);
    pthread_create(&t, NULL, work, NULL);
    while ((got = (int)read(p[0], text + n, 4 - (size_t)n)) > 0)
        n += got;
    assert(got == 0 && n == 3 && text[0] == 'a' && text[2] == 'c');
    pthread_join(t, NULL);
    close(p[0]);
    return 0;
}
