// POSIX does not say in which order the destructors of two keys are called, so each order
// is tried.  Result: correct.
// -DBUG=1 relies on the order in which the keys were made: assertion violation.
// -DBUG=2 relies on the other order: assertion violation.
// -DBUG=3 uses, in one destructor, what the other one frees: memory error.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t name, log_of;
static int ended;

static void end_name(void *value)
{
    (void)value;
#if BUG == 1
    assert(ended == 0);
#elif BUG == 2
    assert(ended == 1);
#elif BUG == 3
    *(int *)pthread_getspecific(log_of) += 1;
#endif
    ended++;
}

static void end_log(void *value)
{
    free(value);
    ended++;
}

static void *work(void *arg)
{
    pthread_setspecific(name, arg);
    pthread_setspecific(log_of, calloc(1, sizeof(int)));
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_key_create(&name, end_name);
    pthread_key_create(&log_of, end_log);
    pthread_create(&t, NULL, work, &t);
    pthread_join(t, NULL);
    assert(ended == 2);
    return 0;
}
