// An execution with an error is told of as it was found, also where a thread does not stop at
// loads of what nobody writes.  Result: assertion violation.
// Options: --search=dpor
// Expect: assertion failed: x != 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, never;

static void *work(void *unused)
{
    x = 1;
    (void)never;
    return unused;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, work, NULL);
    pthread_create(&u, NULL, work, NULL);
    x++;
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    assert(x != 1);
}
