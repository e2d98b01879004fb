// Locks of parts of a file, of processes against each other: no two write at once, who
// waits is woken by unlocking, closing and ending, a circle is refused.
//
// Result: correct.  -DRACE locks parts that don't overlap: assertion violation.
// -DCIRCLE two processes wait for each other: correct.  -DFOREVER: deadlock.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef RACE
#define RACE 0
#else
#undef RACE
#define RACE 1
#endif

static int fd;

static int part(int command, int type, long start, long length)
{
    struct flock lock = {
        .l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
    return fcntl(fd, command, &lock) == 0 ? 0 : errno;
}

/* Who has a lock that stands against this one; 0: nobody. */
static pid_t holder(int type, long start, long length, long *from, long *size)
{
    struct flock lock = {
        .l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
    assert(fcntl(fd, F_GETLK, &lock) == 0);
    if (lock.l_type == F_UNLCK)
        return 0;
    assert(lock.l_whence == SEEK_SET);
    *from = lock.l_start;
    *size = lock.l_len;
    return lock.l_pid;
}

#ifdef CIRCLE
static void circle(void)
{
    int status;
    assert(part(F_SETLK, F_WRLCK, 0, 1) == 0);
    pid_t pid = fork();
    if (pid == 0) {
        assert(part(F_SETLKW, F_WRLCK, 1, 1) == 0);
        int error = part(F_SETLKW, F_WRLCK, 0, 1);
        assert(error == 0 || error == EDEADLK);
        _exit(error == EDEADLK);
    }
    int error = part(F_SETLKW, F_WRLCK, 1, 1);
    assert(error == 0 || error == EDEADLK);
    assert(part(F_SETLK, F_UNLCK, 0, 0) == 0);
    assert(waitpid(pid, &status, 0) == pid);
    assert(!(error && WEXITSTATUS(status)));
}
#elif defined FOREVER
static void forever(void)
{
    assert(part(F_SETLK, F_WRLCK, 0, 1) == 0);
    if (fork() == 0)
        part(F_SETLKW, F_RDLCK, 0, 0);
    else
        wait(NULL);
}
#else
static void add_one(int k)
{
    char byte;
    assert(part(F_SETLKW, F_WRLCK, RACE ? 10 + k : 10, 1) == 0);
    assert(pread(fd, &byte, 1, 0) == 1);
    byte++;
    assert(pwrite(fd, &byte, 1, 0) == 1);
    if (k)
        assert(part(F_SETLK, F_UNLCK, 0, 0) == 0);
    else
        assert(close(dup(fd)) == 0); /* gives it back as well */
}

static void exclusion(void)
{
    char byte;
    assert(pwrite(fd, "", 1, 0) == 1);
    if (fork() == 0) {
        add_one(1);
        _exit(0);
    }
    add_one(0);
    wait(NULL);
    assert(pread(fd, &byte, 1, 0) == 1 && byte == 2);
}

static void child(pid_t parent)
{
    long from = -1, size = -1;
    assert(holder(F_WRLCK, 0, 5, &from, &size) == 0);
    assert(holder(F_RDLCK, 0, 20, &from, &size) == parent && from == 12 && size == 3);
    assert(holder(F_WRLCK, 0, 0, &from, &size) == parent && from == 10 && size == 2);
    assert(holder(F_WRLCK, 30, 1, &from, &size) == parent && from == 30 && size == 0);
    assert(part(F_SETLK, F_WRLCK, 10, 1) == EAGAIN);
    assert(part(F_SETLK, F_RDLCK, 10, 2) == 0);
    assert(part(F_SETLK, F_RDLCK, 10, 3) == EAGAIN);
    assert(part(F_SETLK, F_WRLCK, 15, 5) == 0);
    assert(part(F_SETLK, F_WRLCK, 19, -4) == 0);
    _exit(0); /* and gives them back */
}

static void parts(void)
{
    int status;
    assert(part(F_SETLK, F_RDLCK, 10, 20) == 0);
    assert(part(F_SETLK, F_WRLCK, 12, 3) == 0);
    assert(part(F_SETLK, F_UNLCK, 15, 15) == 0);
    assert(part(F_SETLK, F_WRLCK, 30, 0) == 0);
    assert(part(F_SETLK, F_WRLCK, -1, 1) == EINVAL);
    assert(part(F_SETLK, 9, 0, 1) == EINVAL);
    pid_t own = getpid(), pid = fork();
    if (pid == 0)
        child(own);
    assert(waitpid(pid, &status, 0) == pid && status == 0);
    assert(part(F_SETLK, F_WRLCK, 0, 0) == 0);
    assert(part(F_SETLK, F_UNLCK, 0, 0) == 0);
    fd = open("/tmp/lock", O_RDONLY);
    assert(part(F_SETLK, F_WRLCK, 0, 0) == EBADF);
    assert(part(F_SETLK, F_RDLCK, 0, 0) == 0);
    assert(lockf(fd, F_TEST, 1) == 0);
    close(fd);
}
#endif

int main(void)
{
    fd = open("/tmp/lock", O_RDWR | O_CREAT, 0600);
    assert(fd >= 0);
#ifdef CIRCLE
    circle();
#elif defined FOREVER
    forever();
#else
    exclusion();
    parts();
#endif
    return 0;
}
