// One thread after another: ids and frames are used again, the states stay few.
// Result: correct.
#include <assert.h>
#include <pthread.h>

static int sum;

static void *add(void *arg)
{
    sum += 1;
    return arg;
}

int main(void)
{
    for (int k = 0; k < 50; k++) {
        pthread_t t;
        pthread_create(&t, NULL, add, NULL);
        pthread_join(t, NULL);
    }
    assert(sum == 50);
    return 0;
}
