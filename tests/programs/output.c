// Output is no state: what a thread prints adds no interleavings of its own.
// Result: correct.
#include <pthread.h>
#include <stdio.h>

static void *work(void *arg)
{
    for (int k = 0; k < 20; k++)
        printf("%s %d\n", (char *)arg, k);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, "thread");
    work("main");
    pthread_join(t, NULL);
    return 0;
}
