// Bytes side by side are different memory locations.  Result: correct.
// -DWIDE one thread reads both by one wide access: data race.
// -DBITS bit-fields side by side are one location: data race.
// -DSPLIT a field of width 0 between them makes two: correct.
// -DMEMBERS different members of a struct: correct.
// -DWHOLE one thread copies the whole struct: data race.
#include <pthread.h>
#include <string.h>

static struct {
#if defined BITS
    unsigned a : 4, b : 4;
#elif defined SPLIT
    unsigned a : 4;
    unsigned : 0;
    unsigned b : 4;
#elif defined MEMBERS || defined WHOLE
    int a;
    short b;
#else
    char a, b;
#endif
} s;

static void *first(void *arg)
{
    s.a = 1;
    return arg;
}

static void *second(void *arg)
{
#if defined WIDE
    short both;
    memcpy(&both, &s, sizeof both);
    (void)both;
#elif defined WHOLE
    __typeof__(s) copy = s;
    (void)copy;
#else
    s.b = 1;
#endif
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
