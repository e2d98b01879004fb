// A use that nothing orders with the end of what it uses is a race of the two: both are named,
// with thread and line, whichever of them is first.  Result: memory error.
// -DWRITE a write: memory error.
// -DREALLOC the memory is moved: memory error.
// -DUNMAP a mapping is given back: memory error.
// -DLOCAL a local variable ends: memory error.
// -DTHREAD a thread-local variable ends: memory error.
// -DFIRST the free comes first, as the other thread waits: memory error.
// -DORDERED the use comes first, and the other thread waits: correct.
// Expect: race of free and use: end at free_read.c:@free \(free of p\) and use at free_read.c:@use \(read\)
// Expect: thread 1 \(main\) had read it
// Expect: called by main \(.*free_read.c:@call\)
// Expect-WRITE: race of free and use: end at free_read.c:@free .* and use at free_read.c:@write \(write\)
// Expect-WRITE: thread 1 \(main\) had written it
// Expect-REALLOC: race of free and use: end at free_read.c:@realloc .* and use at free_read.c:@use \(read\)
// Expect-UNMAP: race of free and use: end at free_read.c:@munmap \(munmap of .*\) and use at free_read.c:@use \(read\)
// Expect-LOCAL: race of the end and the use of a variable: have_local at free_read.c:@local \(end of variable of have_local\) and use at free_read.c:@local_use \(read\)
// Expect-LOCAL: thread 1 \(main\) had read it
// Expect-THREAD: variable used after its lifetime: read of own, thread-local \(use at free_read.c:@use\)
// Expect-THREAD: thread 2 \(end\) had ended it
// Expect-FIRST: use after free: read of p \(use at free_read.c:@use\)
// Expect-FIRST: thread 2 \(end\) had freed it
// Expect-FIRST: free_read.c:@free: free\(
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

static int *p;
static atomic_int told;
static _Thread_local int own;

__attribute__((noinline)) static void have_local(void)
{
    int variable = 1;
    p = &variable;
    told = 1;
    while (told != 2) {
    }
} // @local

static void *end(void *arg)
{
#ifdef REALLOC
    p = realloc(p, 64); // @realloc
    free(p);
#elif defined UNMAP
    munmap(p, 4096); // @munmap
#elif defined LOCAL
    have_local();
#elif defined THREAD
    p = &own;
    told = 1;
#else
#ifdef ORDERED
    while (!told) {
    }
#endif
    free(p); // @free
    told = 1;
#endif
    return arg;
}

static int use(void)
{
#ifdef WRITE
    return *p = 1; // @write
#elif defined ORDERED
    int value = *p; // in order
    told = 1;
    return value;
#elif defined LOCAL
    told = 2;
    return *p; // @local_use
#else
    return *p; // @use
#endif
}

int main(void)
{
    pthread_t t;
#ifdef UNMAP
    p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#elif !defined LOCAL && !defined THREAD
    p = calloc(1, 16);
    if (!p)
        return 0;
#endif
    pthread_create(&t, NULL, end, NULL);
#if defined LOCAL || defined THREAD || defined FIRST
    while (!told) {
    }
#endif
    int value = use(); // @call
    pthread_join(t, NULL);
    return value * 0;
}
