// fflush(NULL) flushes the streams of others, which they may close meanwhile.  Result: correct.
// -DSEVERAL there is another stream in the list: correct.
// -DFLUSHED what was written before is in the file then: correct.
// -DEARLY without fflush: assertion violation.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/stat.h>

static sem_t written;

static void *work(void *arg)
{
    FILE *f = fopen("/tmp/one", "w");
    fputs("x", f);
#if defined FLUSHED || defined EARLY
    sem_post(&written);
#endif
    fclose(f);
    return arg;
}

int main(void)
{
    pthread_t t;
    sem_init(&written, 0, 0);
#ifdef SEVERAL
    FILE *f = fopen("/tmp/two", "w");
    putc('y', f);
#endif
    pthread_create(&t, NULL, work, NULL);
#if defined FLUSHED || defined EARLY
    sem_wait(&written);
#endif
#ifndef EARLY
    fflush(NULL);
#endif
#if defined FLUSHED || defined EARLY
    struct stat status;
    stat("/tmp/one", &status);
    assert(status.st_size == 1);
#endif
    pthread_join(t, NULL);
#ifdef SEVERAL
    fclose(f);
#endif
    return 0;
}
