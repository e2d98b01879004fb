// What was written before a thread is made, it may read: also if all others have
// ended in between, so that its creator was alone.  Result: correct.
#include <assert.h>
#include <pthread.h>

static int x;

static void *nothing(void *arg)
{
    return arg;
}

static void *read_x(void *arg)
{
    assert(x == 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, nothing, NULL);
    x = 1;
    pthread_create(&b, NULL, read_x, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
