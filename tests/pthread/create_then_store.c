// The first thing that a thread does after it made another can come too late, also
// if it was alone when it made it.  Result: assertion violation.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int x;
static atomic_int y;

static void *nothing(void *arg)
{
    return arg;
}

static void *read_y(void *arg)
{
    assert(y == 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, nothing, NULL);
    x = 1;
    pthread_create(&b, NULL, read_y, NULL);
    y = 1;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
