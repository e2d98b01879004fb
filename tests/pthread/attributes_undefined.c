// Attributes that were never initialised, that were destroyed, or that are garbage, given to
// each function that looks at them: the error names them and the line of that call.
//
// Result: correct.
// -DNEVER=1..18 were never initialised: undefined value used.
// -DGONE=1..18 were destroyed: undefined value used.
// -DGARBAGE=1..18 are bytes of something else: pthread misuse.
// Expect-NEVER=1: from m of main .main at attributes_undefined.c:@case1
// Expect-NEVER=2: from c of main .main at attributes_undefined.c:@case2
// Expect-NEVER=3: from r of main .main at attributes_undefined.c:@case3
// Expect-NEVER=4: from b of main .main at attributes_undefined.c:@case4
// Expect-GONE=5: from a of main .main at attributes_undefined.c:@case5
// Expect-GONE=6: from m of main .main at attributes_undefined.c:@case6
// Expect-GARBAGE=1: pthread_mutex_init: not a set of attributes: was it initialised\?
#include <pthread.h>
#include <string.h>

#if defined NEVER
#define CASE NEVER
#define SET(x, kind) (void)0
#elif defined GONE
#define CASE GONE
#define SET(x, kind) (pthread_##kind##_init(x), pthread_##kind##_destroy(x))
#elif defined GARBAGE
#define CASE GARBAGE
#define SET(x, kind) memset(x, 0xa5, sizeof *(x))
#else
#define CASE ONE
#define SET(x, kind) pthread_##kind##_init(x)
#endif

static void *work(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_mutexattr_t m;
    pthread_condattr_t c;
    pthread_rwlockattr_t r;
    pthread_barrierattr_t b;
    pthread_attr_t a;
    pthread_mutex_t mutex;
    pthread_cond_t cond;
    pthread_rwlock_t rwlock;
    pthread_barrier_t barrier;
    pthread_t thread;
    clockid_t clock;
    int value;
    size_t size;
    SET(&m, mutexattr);
    SET(&c, condattr);
    SET(&r, rwlockattr);
    SET(&b, barrierattr);
    SET(&a, attr);
    enum { ONE = 0 };
    switch (CASE) {
    case 0:
        pthread_mutex_init(&mutex, &m);
        pthread_cond_init(&cond, &c);
        pthread_rwlock_init(&rwlock, &r);
        pthread_barrier_init(&barrier, &b, 1);
        pthread_create(&thread, &a, work, NULL);
        pthread_join(thread, NULL);
        pthread_mutexattr_destroy(&m);
        pthread_condattr_destroy(&c);
        pthread_rwlockattr_destroy(&r);
        pthread_barrierattr_destroy(&b);
        pthread_attr_destroy(&a);
        pthread_attr_init(&a);
        pthread_create(&thread, &a, work, NULL);
        return pthread_join(thread, NULL);
    case 1: return pthread_mutex_init(&mutex, &m);                         // @case1
    case 2: return pthread_cond_init(&cond, &c);                           // @case2
    case 3: return pthread_rwlock_init(&rwlock, &r);                       // @case3
    case 4: return pthread_barrier_init(&barrier, &b, 1);                  // @case4
    case 5: return pthread_create(&thread, &a, work, NULL);                // @case5
    case 6: return pthread_mutexattr_settype(&m, PTHREAD_MUTEX_RECURSIVE); // @case6
    case 7: return pthread_mutexattr_gettype(&m, &value);
    case 8: return pthread_mutexattr_setrobust(&m, PTHREAD_MUTEX_ROBUST);
    case 9: return pthread_condattr_setclock(&c, CLOCK_MONOTONIC);
    case 10: return pthread_condattr_getclock(&c, &clock);
    case 11: return pthread_rwlockattr_setpshared(&r, PTHREAD_PROCESS_SHARED);
    case 12: return pthread_barrierattr_getpshared(&b, &value);
    case 13: return pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
    case 14: return pthread_attr_setstacksize(&a, 1 << 20);
    case 15: return pthread_attr_getstacksize(&a, &size);
    case 16: return pthread_attr_destroy(&a);
    case 17: return pthread_mutexattr_destroy(&m);
    case 18: return pthread_condattr_destroy(&c);
    }
}
