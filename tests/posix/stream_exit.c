// Streams that other threads use while the process ends.  Result: correct.
// -DCLOSE one is closed meanwhile: correct.
// -DREAD somebody waits for input with it: correct.
// -DHELD what is written while somebody keeps the lock for ever is waited for: deadlock.
// -DCHILD what is in the file then: correct.
// -DLOST it may not be all: assertion violation.
// -DCOOKIE a function of the program's writes it: correct.
// -DRACE which does so in a data race: data race.
// -DBUG or goes wrong: memory error.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined RACE || defined BUG
#define COOKIE
#elif defined LOST
#define CHILD
#endif

static FILE *stream;
static int count;

static void *work(void *arg)
{
#ifdef READ
    char text[4];
    fgets(text, sizeof text, stream);
#elif defined HELD
    flockfile(stream);
    putc_unlocked('x', stream);
    pause();
#elif defined COOKIE
#ifdef RACE
    count++;
#endif
#else
    putc('x', stream);
#ifdef CLOSE
    fclose(stream);
#endif
#endif
    return arg;
}

#ifdef COOKIE
static ssize_t written(void *cookie, const char *text, size_t size)
{
    (void)cookie;
    assert(size == 0 || text[0] == 'y');
    count++;
#ifdef BUG
    *(volatile int *)NULL = 1;
#endif
    return (ssize_t)size;
}
#endif

#ifdef CHILD
static void look(void)
{
    FILE *f = fopen("/tmp/file", "r");
    int first = getc(f), second = getc(f);
    assert(first == 'y');
    assert(second == 'x' || second == EOF);
#ifdef LOST
    assert(second == 'x');
#endif
    fclose(f);
}
#endif

int main(void)
{
    pthread_t t;
    int status = 0;
#ifdef READ
    int ends[2];
    assert(pipe(ends) == 0);
    stream = fdopen(ends[0], "r");
#elif defined COOKIE
    stream = fopencookie(NULL, "w", (cookie_io_functions_t){.write = written});
#else
    stream = fopen("/tmp/file", "w");
#endif
#ifdef CHILD
    if (fork()) {
        wait(&status);
        look();
        return status;
    }
#endif
#if !defined READ && !defined HELD
    putc('y', stream);
#endif
    pthread_create(&t, NULL, work, NULL);
    return status;
}
