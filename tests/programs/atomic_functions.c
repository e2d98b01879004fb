// Functions whose names begin with __VERIFIER_atomic_ are atomic sections, as in SV-COMP.
// Result: correct.
// -DOTHER with another name: data race.
// -DSTEPS one by one: assertion violation.
// -DLEFT after one has been left by longjmp, it has ended: data race.
// Options: -std=gnu17 -Xclang -w
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>

static int n, locked;
static atomic_int a, b;

#ifdef OTHER
#define ADD VERIFIER_atomic_add
#else
#define ADD __VERIFIER_atomic_add
#endif

void ADD(void)
{
    n++;
}

static int __VERIFIER_atomic_add_both(int by)
{
    ADD();
    a += by;
    if (by > 5)
        return 0;
    b += by;
    return b;
}

void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static void __VERIFIER_atomic_lock()
{
    __VERIFIER_assume(!locked);
    locked = 1;
}

static void __VERIFIER_atomic_unlock()
{
    locked = 0;
}

static jmp_buf back;

static void __VERIFIER_atomic_leave(void)
{
    longjmp(back, 1);
}

static int plain;

static void *work(void *arg)
{
    ADD();
#ifdef STEPS
    a++;
    b++;
#else
    __VERIFIER_atomic_add_both(1);
#endif
    __VERIFIER_atomic_lock();
    plain++;
    __VERIFIER_atomic_unlock();
    return arg;
}

static void look(void)
{
    __VERIFIER_atomic_begin();
    assert(a == b);
    __VERIFIER_atomic_end();
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
#ifdef LEFT
    if (!setjmp(back))
        __VERIFIER_atomic_leave();
    n++;
#endif
    ADD();
    __VERIFIER_atomic_add_both(2);
    look();
    __VERIFIER_atomic_lock();
    plain++;
    __VERIFIER_atomic_unlock();
    pthread_join(t, NULL);
    return n - 4 || a - 3 || plain - 2;
}
