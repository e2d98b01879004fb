// Standard output is given to a file while another thread prints.  Result: correct.
// -DIN claims that it gets into the file: assertion violation.
// -DOUT claims that it does not: assertion violation.
// -DFREOPEN=1 the same with freopen: assertion violation.
// -DFREOPEN=2 and with printf: assertion violation.
// -DEARLY no file was opened before: assertion violation.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void *work(void *arg)
{
#if FREOPEN == 2
    printf("x");
#else
    write(1, "x", 1);
#endif
    return arg;
}

int main(void)
{
    pthread_t t;
    struct stat status;
#ifndef EARLY
    int fd = open("/tmp/file", O_CREAT | O_RDWR, 0600);
#endif
    pthread_create(&t, NULL, work, NULL);
#ifdef EARLY
    int fd = open("/tmp/file", O_CREAT | O_RDWR, 0600);
#endif
#ifdef FREOPEN
    freopen("/tmp/file", "w", stdout);
#else
    dup2(fd, 1);
#endif
    pthread_join(t, NULL);
    fstat(fd, &status);
#ifdef IN
    assert(status.st_size == 1);
#elif defined OUT || defined FREOPEN || defined EARLY
    assert(status.st_size == 0);
#else
    assert(status.st_size < 2);
#endif
    return 0;
}
