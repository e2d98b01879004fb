// What is written into a pipe orders nothing that is written to its buffer later.
// Result: data race.  -DCOPY waits for the reader: correct.
#include <pthread.h>
#include <unistd.h>

static int p[2], q[2];
static char buffer[2];

static void *work(void *arg)
{
    char c;
    read(p[0], &c, 1);
    buffer[0] = c;
    write(q[1], &c, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    char c;
    pipe(p);
    pipe(q);
    pthread_create(&t, NULL, work, NULL);
    write(p[1], "x", 1);
#ifdef COPY
    read(q[0], &c, 1);
#endif
    buffer[0]++;
    pthread_join(t, NULL);
    (void)c;
    return 0;
}
