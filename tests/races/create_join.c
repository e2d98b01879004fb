// Creating and joining a thread order what was before and after.  Result: correct.
// -DAFTER the parent writes after creating: data race.
// -DBEFORE the parent reads before joining: data race.
// -DSIBLING a thread reads what its sibling wrote, joined by nobody yet: data race.
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *work(void *arg)
{
    assert(x == 1);
    y = 2;
    return arg;
}

static void *sibling(void *arg)
{
#ifdef SIBLING
    int seen = y;
    (void)seen;
#endif
    return arg;
}

int main(void)
{
    pthread_t t, s;
    x = 1;
    pthread_create(&t, NULL, work, NULL);
    pthread_create(&s, NULL, sibling, NULL);
#ifdef AFTER
    x = 1;
#endif
#ifdef BEFORE
    int seen = y;
    (void)seen;
#endif
    pthread_join(t, NULL);
    pthread_join(s, NULL);
    assert(y == 2);
    return 0;
}
