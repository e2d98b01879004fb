// While cancelling is disabled a request only waits; the functions check what they
// are given.  Result: correct.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void *work(void *arg)
{
    int old;
    assert(pthread_setcancelstate(7, &old) == EINVAL);
    assert(pthread_setcanceltype(7, NULL) == EINVAL);
    assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0);
    assert(old == PTHREAD_CANCEL_ENABLE);
    pthread_cancel(pthread_self());
    pthread_testcancel();
    assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0);
    assert(old == PTHREAD_CANCEL_DISABLE);
    *(int *)arg = 1;
    pthread_testcancel();
    *(int *)arg = 2;
    return NULL;
}

int main(void)
{
    pthread_t t;
    void *result;
    int passed = 0;
    pthread_create(&t, NULL, work, &passed);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED && passed == 1);
    return 0;
}
