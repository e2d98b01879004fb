// A local variable is gone when its function returns, or its thread ends, while another thread
// may use it.  Result: memory error.
// -DEXIT its thread ends: memory error.
// -DJUMP longjmp leaves its function: memory error.
// -DBLOCK an array of variable length, which is gone at the end of its block: memory error.
// -DLATER the other thread goes on to do something else meanwhile: memory error.
// -DEXIT_LATER the same where its thread ends: memory error.
// -DATOMIC the other thread uses it atomically: memory error.
// -DEXIT_ATOMIC the same where its thread ends: memory error.
// -DTOLD the function waits until the other thread says that it is done: correct.
// -DEXIT_TOLD the thread waits likewise before it ends: correct.
// -DOTHERS only the other one's neighbour is used: correct.
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>

static pthread_t t;
static atomic_int done, x;
static jmp_buf out;

static void *work(void *arg)
{
#if defined ATOMIC || defined EXIT_ATOMIC
    atomic_fetch_add((atomic_int *)arg, 1);
#else
    *(int *)arg += 1;
#endif
#if defined LATER || defined EXIT_LATER
    atomic_load(&x);
#endif
    atomic_store(&done, 1);
    return NULL;
}

static void wait_for_it(void)
{
#if defined TOLD || defined EXIT_TOLD
    while (!atomic_load(&done))
        ;
#else
    atomic_store(&x, 1);
#endif
}

static void function(int n)
{
    int one = 0, other = 0;
    int *p = &one;
    (void)n;
#ifdef OTHERS
    static int stays;
    p = &stays;
    int *volatile kept = &other;
    *kept = 1;
#else
    (void)other;
#endif
#ifdef BLOCK
    for (int k = 0; k < 2; k++) {
        int many[n];
        many[0] = k;
        if (k == 0)
            pthread_create(&t, NULL, work, many);
        else
            atomic_store(&x, many[0]);
    }
    pthread_join(t, NULL);
    return;
#endif
    pthread_create(&t, NULL, work, p);
    wait_for_it();
#if defined EXIT || defined EXIT_TOLD || defined EXIT_LATER || defined EXIT_ATOMIC
    pthread_exit(NULL);
#endif
#ifdef JUMP
    longjmp(out, 1);
#endif
}

int main(void)
{
    if (!setjmp(out))
        function(3);
    pthread_join(t, NULL);
    return 0;
}
