// pthread_once runs the function once, and all wait for it.  Result: correct.
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int ready;

static void set_up(void)
{
    ready++;
}

static void *use(void *arg)
{
    pthread_once(&once, set_up);
    assert(ready == 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, use, NULL);
    pthread_create(&b, NULL, use, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
