// Attributes of threads are checked and kept.  Result: correct.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>

int main(void)
{
    static char stack[1 << 16];
    pthread_attr_t a;
    struct sched_param param = {.sched_priority = 3};
    size_t size;
    void *at;
    int value;
    assert(pthread_attr_init(&a) == 0);
    assert(pthread_attr_getdetachstate(&a, &value) == 0 && value == PTHREAD_CREATE_JOINABLE);
    assert(pthread_attr_setdetachstate(&a, 7) == EINVAL);
    assert(pthread_attr_setstacksize(&a, 1) == EINVAL);
    assert(pthread_attr_setstacksize(&a, 1 << 20) == 0);
    assert(pthread_attr_getstacksize(&a, &size) == 0 && size == 1 << 20);
    assert(pthread_attr_setguardsize(&a, 4096) == 0);
    assert(pthread_attr_getguardsize(&a, &size) == 0 && size == 4096);
    assert(pthread_attr_setstack(&a, stack, sizeof stack) == 0);
    assert(pthread_attr_getstack(&a, &at, &size) == 0 && at == stack && size == sizeof stack);
    assert(pthread_attr_setscope(&a, PTHREAD_SCOPE_PROCESS) == ENOTSUP);
    assert(pthread_attr_setscope(&a, PTHREAD_SCOPE_SYSTEM) == 0);
    assert(pthread_attr_getscope(&a, &value) == 0 && value == PTHREAD_SCOPE_SYSTEM);
    assert(pthread_attr_setschedpolicy(&a, SCHED_RR) == 0);
    assert(pthread_attr_getschedpolicy(&a, &value) == 0 && value == SCHED_RR);
    assert(pthread_attr_setschedparam(&a, &param) == 0);
    param.sched_priority = 0;
    assert(pthread_attr_getschedparam(&a, &param) == 0 && param.sched_priority == 3);
    assert(pthread_attr_setinheritsched(&a, PTHREAD_EXPLICIT_SCHED) == 0);
    assert(pthread_attr_getinheritsched(&a, &value) == 0 && value == PTHREAD_EXPLICIT_SCHED);
    assert(pthread_attr_destroy(&a) == 0);
    return 0;
}
