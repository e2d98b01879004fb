// Who calls exit has its variables until then, though it does not use them any more: what they
// point to is no leak.  Result: correct.
// -DCHILD is a child, which has what its parent allocated: correct.
// -DMEMBER has it in a structure: correct.
// -DENDED had it in a block that has ended: memory error.
// -DRETURN returns from main instead: memory error.
// -DPARENT has a child, but loses its own: memory error.
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

struct pair {
    int n;
    char *first, *second;
};

static void *lock(void *p)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return p;
}

int main(void)
{
    char *text = malloc(3);
    pthread_t thread;
    pthread_create(&thread, NULL, lock, NULL);
    pthread_join(thread, NULL);
#ifdef CHILD
    if (fork() == 0)
        _exit(1);
    wait(NULL);
#elif defined(MEMBER)
    struct pair pair = {1, malloc(2), malloc(1)};
    if (text) {
        lock(&pair);
        exit(0);
    }
    free(pair.first);
    free(pair.second);
#elif defined(ENDED)
    {
        char *inner = malloc(4);
        if (inner)
            *inner = 'x';
    }
    lock(NULL);
    exit(0);
#elif defined(RETURN)
    return 0;
#elif defined(PARENT)
    free(text);
    text = malloc(2);
    if (fork() == 0) {
        free(text);
        _exit(0);
    }
    wait(NULL);
    return 0;
#else
    if (text) {
        lock(NULL);
        exit(0);
    }
#endif
    free(text);
    return 0;
}
