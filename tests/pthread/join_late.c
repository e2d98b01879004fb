// Threads that are joined one after the other are waited for at once, where nobody can tell.
// Result: correct.
// -DENDED one asks for another that has ended, but was not joined yet: correct.
// -DJOINED one asks for another that was joined: pthread misuse.
// -DTWICE a thread is joined again before anything else is done: pthread misuse.
// -DPLAIN main reads what they have written: correct.
// -DEARLY main reads it before it joins the second: data race.
// -DASSUME main gives up after it has joined them; a thread fails: assertion violation.
// -DNULLED main goes wrong after it has joined them: memory error.
// -DRETURNED their arguments are gone when the function that joins them returns: correct.
// -DTHROWN the same by longjmp: correct.
// -DSTUCK one waits for a lock that another left, while a third does not end: deadlock.
// -DRESULT of the second the result is asked for: correct.
// -DBYVAL a struct that they write is passed on by value: correct.
// -DLIBRARY main looks at what the library keeps, and a thread has changed: correct.
// -DFENCED main looks at it behind a fence: correct.
// -DSECTION main looks at it in an atomic section: correct.
// -DFREED main frees what they have written to, after it has asked for its size: correct.
// -DCYCLES main reads the counter of cycles, and looks at it then: correct.
// -DEXITED main exits with what they have written: correct.
// -DPROTECTED main may read no more what they have written: memory error.
// -DOWN main looks at a variable of its own, of which a thread has the address: correct.
// -DLOOP main computes for long before it looks at anything: correct.
#define _GNU_SOURCE
#include <assert.h>
#include <divm.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifdef FREED
#include <malloc.h>
#endif
#ifdef PROTECTED
#include <sys/mman.h>
#endif
#ifdef CYCLES
#include <x86intrin.h>
#endif

static pthread_t t[3];
static atomic_int count, ready, stop;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct pair {
    int x, y;
} pair;
#ifdef PROTECTED
static char *page;
#endif
#ifdef FREED
static char *block;
#endif
#ifdef OWN
static int *own;
#endif

#if defined ENDED || defined JOINED
static void ask_for(int k)
{
    char name[16];
    if (atomic_load(&ready))
        pthread_getname_np(t[k], name, sizeof name);
}
#endif

static void *first(void *arg)
{
    *(int *)arg += 1;
    pair.x = 1;
#ifdef PROTECTED
    mprotect(page, 4096, PROT_NONE);
#endif
#ifdef FREED
    block = realloc(block, 64);
    block[63] = 1;
#endif
#ifdef OWN
    *own += 1;
#endif
    atomic_fetch_add(&count, 1);
#ifdef ENDED
    ask_for(1);
#endif
#ifdef ASSUME
    assert(atomic_load(&count) == 1);
#endif
#ifdef STUCK
    pthread_mutex_lock(&mutex);
#endif
    return NULL;
}

static void *second(void *arg)
{
    *(int *)arg += 1;
    pair.y = 1;
    atomic_fetch_add(&count, 1);
#ifdef LIBRARY
    srand(5);
#endif
#ifdef JOINED
    ask_for(0);
#endif
#ifdef STUCK
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
#endif
    return arg;
}

#ifdef STUCK
static void *third(void *arg)
{
    while (!atomic_load(&stop))
        ;
    return arg;
}
#endif

#ifdef BYVAL
__attribute__((noinline)) static int sum(struct pair p)
{
    return p.x + p.y;
}
#endif

/* Only where there are several threads are they joined late. */
static void *idle(void *arg)
{
    static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&own);
    pthread_mutex_unlock(&own);
    return arg;
}

static jmp_buf out;

static int both(int next)
{
    (void)next;
    int a = 0, b = 0;
    pthread_t idles[2];
    for (int k = 0; k < 2; k++)
        pthread_create(&idles[k], NULL, idle, NULL);
    void *result = &b;
    pthread_create(&t[0], NULL, first, &a);
    pthread_create(&t[1], NULL, second, &b);
#ifdef STUCK
    pthread_create(&t[2], NULL, third, NULL);
#endif
    pthread_t one = t[0], two = t[1]; /* others can see t */
#if defined ENDED || defined JOINED
    atomic_store(&ready, 1);
#endif
    pthread_join(one, NULL);
#ifdef TWICE
    pthread_join(one, NULL);
#endif
#ifdef EARLY
    assert(pair.y <= 1);
#endif
#ifdef RESULT
    pthread_join(two, &result);
#else
    pthread_join(two, NULL);
#endif
    assert(result == &b);
    for (int k = 0; k < 2; k++)
        pthread_join(idles[k], NULL);
#ifdef LIBRARY
    assert(rand() == next);
#endif
#ifdef THROWN
    longjmp(out, 1);
#endif
#ifdef RETURNED
    return 2;
#else
    return a + b;
#endif
}

int main(void)
{
    if (setjmp(out))
        return 0;
    int next = 0;
#ifdef PROTECTED
    char *mine = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    page = mine;
#endif
#ifdef FREED
    block = malloc(16);
#endif
#ifdef OWN
    int x = 1;
    own = &x;
#endif
#ifdef LIBRARY
    srand(5);
    next = rand();
    srand(1);
#endif
    int n = both(next);
    assert(n == 2);
#ifdef ASSUME
    divm_assume(0);
#endif
#ifdef FENCED
    atomic_thread_fence(memory_order_seq_cst);
    assert(atomic_load_explicit(&count, memory_order_relaxed) == 2);
#endif
#ifdef SECTION
    divm_atomic_begin();
    assert(pair.x + pair.y == 2);
    divm_atomic_end();
#endif
#ifdef FREED
    assert(malloc_usable_size(block) == 64);
    free(block);
#endif
#ifdef CYCLES
    unsigned long long before = __rdtsc();
    assert(__rdtsc() > before && pair.x + pair.y == 2);
#endif
#ifdef EXITED
    exit(pair.x + pair.y - 2);
#endif
#ifdef PROTECTED
    mine[0] = 1;
#endif
#ifdef OWN
    assert(x == 2);
#endif
#ifdef NULLED
    int *nothing = n == 2 ? NULL : &n;
    *nothing = 1;
#endif
#ifdef LOOP
    for (unsigned k = 1; k < 200000; k++)
        n += k % 3 == 0;
    assert(n == 66668);
#endif
#ifdef PLAIN
    assert(pair.x + pair.y == 2);
#endif
#ifdef BYVAL
    assert(sum(pair) == 2);
#endif
    assert(atomic_load(&count) == 2);
    return 0;
}
