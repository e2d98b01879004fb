// Functions of the C library that need not be safe for threads (POSIX XSH 2.9.1) have variables
// that nothing protects.  -DFUNCTION, of two threads.  Result: correct.
// -DSTRTOK where each has got to: data race.
// -DRAND the seed: data race.
// -DLOCALTIME the result, which the next call overwrites: data race.
// -DSETENV an environment that changes while it is read: data race.
// -DENVIRON the program's own accesses to environ: data race.
// -DGETOPT the program's own accesses to optind: data race.
// -DORDERED the same under a lock: correct.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *mine[] = {"A=1", NULL};

static void use(const char *letter)
{
#if defined STRTOK
    char text[] = "? ?";
    text[0] = text[2] = *letter;
    strtok(text, " ");
    const char *next = strtok(NULL, " ");
    assert(next && *next == *letter);
#elif defined RAND
    assert(rand() >= 0);
#elif defined LOCALTIME
    time_t t = *letter;
    assert(localtime(&t));
#elif defined SETENV
    if (*letter == 'a')
        assert(!setenv("A", "longer", 1));
    else
        assert(getenv("PATH") != letter);
#elif defined ENVIRON
    if (*letter == 'a')
        environ = mine;
    else
        assert(environ);
#elif defined GETOPT
    optind = *letter;
#elif defined ORDERED
    pthread_mutex_lock(&lock);
    char text[] = "? ?";
    text[0] = text[2] = *letter;
    strtok(text, " ");
    const char *next = strtok(NULL, " ");
    assert(next && *next == *letter && rand() >= 0);
    time_t t = *letter;
    assert(localtime(&t)->tm_sec == *letter % 60);
    pthread_mutex_unlock(&lock);
#endif
}

static void *other(void *arg)
{
    use("b");
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    use("a");
    pthread_join(t, NULL);
    return 0;
}
