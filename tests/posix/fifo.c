// A pipe with a name between two threads: who opens one side waits for the other.
// Result: correct.  -DALONE nobody opens the other side: deadlock.
// -DREADERS nobody writes: deadlock.
// -DCLOSED the reader has gone before the last write: exit status.
// -DORDER two threads open two of them in different orders: deadlock.
// -DSHORT the writer comes and goes, and is noticed all the same: correct.
// -DBOTH who opens both sides waits for nobody: correct.
// -DRESERVED the descriptor is taken while open waits: correct.
// -DNEVER claims that the reader always comes first: assertion violation.
// Expect-CLOSED: SIGPIPE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

static const char path[] = "/tmp/divm-fifo", other[] = "/tmp/divm-fifo-2";

static void *work(void *arg)
{
#ifdef NEVER
    int fd = open(path, O_WRONLY | O_NONBLOCK);
    assert(fd >= 0);
#elif defined ORDER
    int second = open(other, O_WRONLY), fd = open(path, O_WRONLY);
    close(second);
#elif defined READERS
    int fd = open(path, O_RDONLY);
#else
    int fd = open(path, O_WRONLY);
#endif
    assert(fd >= 0);
#ifndef SHORT
    assert(write(fd, "ab", 2) == 2);
#endif
#ifdef CLOSED
    assert(write(fd, "c", 1) == 1);
#endif
    close(fd);
    return arg;
}

static void fill(void)
{
    int fd = open(path, O_RDWR);
    char text[4] = "";
    assert(fd >= 0 && write(fd, "ab", 2) == 2 && read(fd, text, 4) == 2 && text[1] == 'b');
    close(fd);
}

int main(void)
{
    pthread_t t;
    char text[4] = "";
    umask(0);
    assert(mkfifo(path, 0600) == 0 && mkfifo(other, 0600) == 0);
#ifdef BOTH
    fill();
    (void)t, (void)text, (void)work;
#else
    (void)fill;
#ifndef ALONE
    pthread_create(&t, NULL, work, NULL);
#else
    (void)work;
#endif
#ifdef RESERVED
    int null = open("/dev/null", O_RDONLY); // beside the worker, which may have 3 by now
    assert(null == 3 || (null == 4 && close(3) == -1 && errno == EBADF));
    assert(null == 3 || (dup2(null, 3) == -1 && errno == EBUSY));
    close(null);
#endif
    int fd = open(path, O_RDONLY);
    assert(fd >= 0);
#ifdef ORDER
    int second = open(other, O_RDONLY);
    close(second);
#endif
    int n = 0, got;
#ifndef CLOSED
    while ((got = (int)read(fd, text + n, 4 - (size_t)n)) > 0)
        n += got;
    assert(got == 0);
#ifdef SHORT
    assert(n == 0);
#else
    assert(n == 2 && text[1] == 'b');
#endif
#else
    (void)text, (void)n, (void)got;
#endif
    close(fd);
#ifndef ALONE
    pthread_join(t, NULL);
#endif
#endif
    assert(unlink(path) == 0 && unlink(other) == 0);
    return 0;
}
