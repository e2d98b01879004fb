// divm_choose tries every value; divm_assume drops the runs that do not count.
// Result: assertion violation.
// -DASSUMED excludes the one that fails: correct.
// -DNONE no run is left: correct.
// -DTHREADS chooses in two threads: assertion violation.
#include <assert.h>
#include <divm.h>
#include <pthread.h>
#include <stdint.h>

static void *choose(void *arg)
{
    (void)arg;
    return (void *)(intptr_t)divm_choose(3);
}

int main(void)
{
#ifdef THREADS
    pthread_t t;
    void *result;
    pthread_create(&t, NULL, choose, NULL);
    int mine = divm_choose(3);
    pthread_join(t, &result);
    assert(mine + (int)(intptr_t)result != 4);
#else
    (void)choose;
    int a = divm_choose(5), b = divm_choose(5);
    assert(a >= 0 && a < 5 && b >= 0 && b < 5);
#ifdef ASSUMED
    divm_assume(a != 3 || b != 4);
#endif
#ifdef NONE
    divm_assume(a + b > 8);
#endif
    divm_note("a = %d, b = %d", a, b);
    assert(10 * a + b != 34);
#endif
    return 0;
}
