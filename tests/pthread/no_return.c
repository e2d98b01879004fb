// Thread functions that end without a return statement: that is undefined only where their
// result is used (C17 6.9.1p12).  The kernel and the libraries pass it on, as memory does.
// Result: correct.
// -DUSED the result of one is looked at: undefined value.
// -DUSED_C11 likewise: undefined value.
// Options: -Xclang -w
// Expect-USED: no_return.c:@used
// Expect-USED_C11: no_return.c:@used_c11
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>

static pthread_key_t key;
static _Thread_local int calls;
static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    ++count;
    pthread_mutex_unlock(&lock);
}

static void *keeps(void *arg)
{
    (void)arg;
    calls++;
    pthread_setspecific(key, malloc(1));
}

static int add_c11(void *arg)
{
    (void)arg;
}

static void c11(void)
{
    thrd_t thread;
    int result, copy;
    thrd_create(&thread, add_c11, NULL);
    thrd_join(thread, NULL);
    thrd_create(&thread, add_c11, NULL);
    thrd_join(thread, &result);
    copy = result;
#ifdef USED_C11
    if (copy) // @used_c11
        abort();
#endif
    thrd_create(&thread, add_c11, NULL);
    thrd_detach(thread);
}

int main(void)
{
    enum { N = 4 };
    pthread_t thread[N];
    void *result;
    for (int k = 0; k < N; k++)
        pthread_create(&thread[k], NULL, add, NULL);
    pthread_detach(thread[0]);
    pthread_join(thread[1], NULL);
    pthread_join(thread[2], &result);
    if (pthread_tryjoin_np(thread[3], &result))
        pthread_join(thread[3], NULL);
    pthread_key_create(&key, free);
    pthread_create(&thread[0], NULL, keeps, NULL);
    pthread_join(thread[0], &result);
#ifdef USED
    if (result) // @used
        abort();
#endif
    c11();
    return 0;
}
