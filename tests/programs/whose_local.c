// Whose local variable a pointer leads to is a part of the state, also where no register has
// its address any more.  Result: memory error. -DFIRST ends the other of the two threads:
// memory error. -DBOTH lets them wait for each other: correct.
// Expect: read of y of second, which ended at
// Expect-FIRST: read of x of first, which ended at
#include <pthread.h>
#include <stdatomic.h>

#ifdef FIRST
enum { FIRST_STAYS = 0, SECOND_STAYS = 1 };
#elif defined(BOTH)
enum { FIRST_STAYS = 1, SECOND_STAYS = 1 };
#else
enum { FIRST_STAYS = 1, SECOND_STAYS = 0 };
#endif

static _Atomic(int *) latest;
static atomic_int done, go;

static void *first(void *p)
{
    int x = 1;
    latest = &x;
    done++;
    done++;
    while (FIRST_STAYS && !go)
        ;
    return p;
}

static void *second(void *p)
{
    int y = 1;
    latest = &y;
    done++;
    done++;
    while (SECOND_STAYS && !go)
        ;
    return p;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    while (done < 4)
        ;
    if (!FIRST_STAYS)
        pthread_join(a, NULL);
    if (!SECOND_STAYS)
        pthread_join(b, NULL);
    int v = *latest;
    go = 1;
    if (FIRST_STAYS)
        pthread_join(a, NULL);
    if (SECOND_STAYS)
        pthread_join(b, NULL);
    return v != 1;
}
