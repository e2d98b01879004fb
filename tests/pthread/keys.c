// Each thread has its own value; destructors get it, again and again while they
// set a new one, but not without end.  Result: correct.
#include <assert.h>
#include <limits.h>
#include <pthread.h>

static pthread_key_t key[2];
static int calls;

static void again(void *value)
{
    assert(pthread_getspecific(key[1]) == NULL);
    calls++;
    pthread_setspecific(key[1], value);
}

static void *work(void *arg)
{
    assert(pthread_getspecific(key[0]) == NULL);
    assert(pthread_getspecific(key[1]) == NULL);
    assert(pthread_setspecific(key[0], arg) == 0);
    assert(pthread_setspecific(key[1], arg) == 0);
    assert(pthread_getspecific(key[0]) == arg);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int value;
    assert(pthread_key_create(&key[0], NULL) == 0);
    assert(pthread_key_create(&key[1], again) == 0);
    pthread_setspecific(key[0], &calls);
    pthread_create(&t, NULL, work, &value);
    pthread_join(t, NULL);
    assert(calls == PTHREAD_DESTRUCTOR_ITERATIONS);
    assert(pthread_getspecific(key[0]) == &calls);
    assert(pthread_getspecific(key[1]) == NULL);
    assert(pthread_key_delete(key[0]) == 0);
    assert(pthread_key_create(&key[0], NULL) == 0);
    assert(pthread_getspecific(key[0]) == NULL);
    return 0;
}
