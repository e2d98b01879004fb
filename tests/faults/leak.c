// An allocation that nothing points to at the end.  Result: memory error.
// -DCHAIN neither is the one that it points to: memory error.
// -DTHREAD the thread that held the pointer has ended: memory error.
// -DREACHABLE a global variable points to it: correct.
// -DLINKED something that a global points to does: correct.
// -DEXIT main's own variable does when the program exits: correct.
// Expect: memory leak: 8 bytes .*, allocated at leak.c:@made
// Expect: has ended the process
// Expect-CHAIN: memory leak
// Expect-THREAD: memory leak
#include <pthread.h>
#include <stdlib.h>

static void **global;

static void *forget(void *arg)
{
    void **p = malloc(sizeof *p);
    if (p)
        *p = NULL;
    return arg;
}

int main(void)
{
    void **p = malloc(sizeof *p); // @made
    if (!p)
        return 0;
    *p = NULL;
#if defined CHAIN
    *p = malloc(3);
#elif defined THREAD
    pthread_t t;
    free(p);
    pthread_create(&t, NULL, forget, NULL);
    pthread_join(t, NULL);
#elif defined REACHABLE
    global = p;
#elif defined LINKED
    global = p;
    *global = malloc(1);
#elif defined EXIT
    exit(0);
#endif
    (void)forget;
    (void)global;
    return 0;
}
