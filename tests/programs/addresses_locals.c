// Where a program looks at addresses, states in which the locals of two threads have changed
// places are different ones, though nobody points to the locals any more: else the way to the
// error is not always found.
// Result: assertion violation.
// -DBEGIN=1..8 counted from there: assertion violation.
// -DALL without an error: correct.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef BEGIN
#define BEGIN 0
#endif

static atomic_int count = BEGIN;

static void set(uintptr_t *at)
{
    *at = (uintptr_t)at / 3;
}

static void with_locals(void)
{
    uintptr_t locals[2];
    set(locals);
    atomic_fetch_add(&count, 1);
    atomic_fetch_add(&count, 1);
}

static void *work(void *arg)
{
    atomic_fetch_add(&count, 1);
    with_locals();
    atomic_fetch_add(&count, 1);
    return arg;
}

int main(void)
{
    pthread_t t[3];
    for (int k = 0; k < 3; k++)
        pthread_create(&t[k], NULL, work, NULL);
    for (int k = 0; k < 3; k++)
        pthread_join(t[k], NULL);
#ifdef ALL
    assert(count == BEGIN + 12);
#else
    assert(count != BEGIN + 12);
#endif
    return 0;
}
