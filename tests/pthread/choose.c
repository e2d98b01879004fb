// divm_choose tries each alternative, divm_assume drops executions, an atomic
// section is one step.  Result: correct.
// -DBUG has one alternative too many: assertion violation.
// -DWIDE asks for any int: refused.
#include <assert.h>
#include <divm.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef BUG
enum { N = 4 };
#else
enum { N = 3 };
#endif

static atomic_int a, b;

static void *work(void *arg)
{
    divm_atomic_begin();
    a++;
    b++;
    divm_atomic_end();
    return arg;
}

int main(void)
{
    pthread_t t;
    int k = divm_choose(N);
    divm_note("chosen: %d", k);
    assert(k < 3);
#ifdef WIDE
    k = __VERIFIER_nondet_int();
#endif
    divm_assume(k == 2 || __VERIFIER_nondet_bool());
    pthread_create(&t, NULL, work, NULL);
    divm_atomic_begin();
    int equal = a == b;
    divm_atomic_end();
    assert(equal);
    pthread_join(t, NULL);
    return 0;
}
