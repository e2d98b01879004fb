// A long computation costs few states.  Result: correct.
#include <assert.h>
#include <pthread.h>

static void *work(void *arg)
{
    unsigned long sum = 0;
    for (unsigned k = 0; k < 200000; k++)
        sum += k * k % 7;
    assert(sum == 528689);
    (void)sum;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
