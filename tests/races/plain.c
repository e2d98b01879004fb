// Two threads write the same variable without any order.  Result: data race.
// -DREAD one only reads: data race.
// -DREADS both only read: correct.
// -DSAME both write the same value, which is a race all the same: data race.
// Expect: data race
// Expect: plain.c:@here
#include <pthread.h>

static int x;

static void access(int me)
{
#if defined READS
    int seen = x + me;
    (void)seen;
#elif defined READ
    if (me)
        x = 1;
    else if (x)
        x = x;
#elif defined SAME
    x = me ? 7 : 7;
#else
    x = me; // @here
#endif
}

static void *one(void *arg)
{
    access(1);
    return arg;
}

static void *two(void *arg)
{
    access(0);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
