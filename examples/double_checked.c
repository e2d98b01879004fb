// Double-checked locking as it was taught for years: the first look at the
// pointer is made without the lock, while another thread may be writing it.
// Result: data race.
// -DFIXED makes the pointer atomic: correct.
// Expect: data race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#ifdef FIXED
static _Atomic(int *) instance;
#else
static int *instance;
#endif

static int *get(void)
{
    int *p = instance;
    if (p)
        return p;
    pthread_mutex_lock(&lock);
    if (!instance) {
        p = malloc(sizeof *p);
        if (!p)
            abort();
        *p = 42;
        instance = p;
    }
    pthread_mutex_unlock(&lock);
    return instance;
}

static void *use(void *arg)
{
    assert(*get() == 42);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, use, NULL);
    pthread_create(&b, NULL, use, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(instance);
    return 0;
}
