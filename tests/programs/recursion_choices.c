// A recursion that chooses at each level: the ways of one transition would be 2 to the power of
// its depth, and most of them come to the same.  Result: correct. -DBUG is wrong after all ways
// but one: assertion violation. -DTHREADS has two threads do so: correct. -DSECTION does so in
// a section that nothing interrupts, and less deep: correct.
// Options: --max-time=15s --max-memory=1G
// Expect-BUG: assertion failed: count != DEPTH
#include <assert.h>
#include <divm.h>
#include <pthread.h>

#ifdef SECTION
enum { DEPTH = 10 };
#else
enum { DEPTH = 24 };
#endif

/* How often 1 was chosen, up to a few. */
static int descend(int depth, int count)
{
    if (depth == 0)
        return count;
#ifdef BUG
    return descend(depth - 1, count + divm_choose(2));
#else
    int more = divm_choose(2);
    return descend(depth - 1, count + more > 2 ? 2 : count + more);
#endif
}

static void *work(void *arg)
{
#ifdef SECTION
    __VERIFIER_atomic_begin();
#endif
    int count = descend(DEPTH, 0);
#ifdef SECTION
    __VERIFIER_atomic_end();
#endif
#ifdef BUG
    assert(count != DEPTH);
#else
    assert(count >= 0 && count <= 2);
#endif
    return arg;
}

int main(void)
{
#if defined THREADS || defined SECTION
    pthread_t other;
    pthread_create(&other, NULL, work, NULL);
    work(NULL);
    pthread_join(other, NULL);
#else
    work(NULL);
#endif
    return 0;
}
