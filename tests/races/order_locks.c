// Three threads take a test-and-set lock, which is given back by a release store: by
// executions, who tries in vain goes no further.  Result: correct. -DTAKE=acquire: correct.
// -DTAKE=acq_rel: correct.
// -DTAKE=relaxed: data race.
// -DGIVE=relaxed: data race.
// -DOR=seq_cst, a bit is set, not the whole: correct.
// -DOR=acquire: correct.
// -DFLAG, a flag of C11 with its default order: correct.
// -DFIRST: and one of the threads cannot be the first: assertion violation.
// -DMESSAGE, who tries in vain passes on what it has done, but not who is lucky: data race.
// Options: --memory=c11
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define ORDER(name) CONCATENATED(memory_order_, name)
#define CONCATENATED(a, b) a##b
#ifdef OR
#define TAKE OR
#endif
#ifndef TAKE
#define TAKE seq_cst
#endif
#ifndef GIVE
#define GIVE release
#endif

static int data, first, message;

#ifdef FLAG
static atomic_flag locked = ATOMIC_FLAG_INIT;
static bool take(void)
{
    return !atomic_flag_test_and_set(&locked);
}
static void give(void)
{
    atomic_flag_clear_explicit(&locked, ORDER(GIVE));
}
#else
static atomic_int locked;
static bool take(void)
{
#ifdef OR
    return !(atomic_fetch_or_explicit(&locked, 1, ORDER(TAKE)) & 1);
#else
    return !atomic_exchange_explicit(&locked, 1, ORDER(TAKE));
#endif
}
static void give(void)
{
    atomic_store_explicit(&locked, 0, ORDER(GIVE));
}
#endif

static void *adds(void *arg)
{
#ifdef MESSAGE
    if (arg)
        message = 1;
#endif
    while (!take()) {
    }
#ifdef MESSAGE
    if (!arg)
        first = message;
#endif
    if (!data++)
        first = arg != NULL;
    give();
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, adds, &data);
    pthread_create(&b, NULL, adds, NULL);
    adds(NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(data == 3);
#ifdef FIRST
    assert(!first);
#endif
}
