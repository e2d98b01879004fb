// A function that is defined without a prototype ignores arguments that it does not take, with
// every ABI.  Result: correct.
// -DPROTOTYPE with a prototype it is an error: bad call.
// -DFEWER so are too few arguments: bad call.
// -DOTHER and other types: bad call.
// Options: -std=gnu17 -Xclang -w
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>

struct large {
    long at[5];
};

static int handled;

static void *work()
{
    return &handled;
}

static void handle()
{
    handled++;
}

static int first(a)
int a;
{
    return a;
}

static void *prototyped(void)
{
    return NULL;
}

static int (*const call)() = first;

int main(void)
{
    struct large large = {{1}};
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, &result);
    assert(result == &handled);
    signal(SIGUSR1, handle);
    raise(SIGUSR1);
    assert(handled == 1);
    assert(first(1, 2) == 1 && call(2, "a", large, 0.5) == 2 && call(3) == 3);
#ifdef PROTOTYPE
    pthread_create(&thread, NULL, (void *(*)(void *))prototyped, NULL);
#elif defined FEWER
    call();
#elif defined OTHER
    call(0.5, 1);
#endif
    return prototyped() != NULL;
}
