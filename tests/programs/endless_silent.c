// One thread loops for ever without doing anything that others could see; that is
// no error of safety, and the search ends all the same.  Result: correct.
#include <pthread.h>
#include <stdlib.h>

static void *work(void *arg)
{
    unsigned n = 0;
    while (1)
        n ^= 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_detach(t);
    exit(0);
}
