// A pipe with a name between processes; each has its own mask.
// Result: correct.
// -DKILLED the child is ended while it waits in open, and reads no more: correct.
// -DBEFORE a child that was made meanwhile has not the descriptor that another thread waits
// for: correct. -DGONE the child ends without opening it: deadlock.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char path[] = "/tmp/divm-fifo";

#ifdef BEFORE
static void *work(void *arg)
{
    int fd = open(path, O_RDONLY);
    char byte;
    assert(fd >= 0 && read(fd, &byte, 1) == 0);
    close(fd);
    return arg;
}
#endif

int main(void)
{
    struct stat s;
    char text[4] = "";
    int status;
    umask(027);
    assert(mkfifo(path, 0666) == 0);
    assert(stat(path, &s) == 0 && (s.st_mode & 07777) == 0640);
#ifdef BEFORE
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pid_t pid = fork();
    if (pid == 0) {
        // alone, it reads nothing: who opened the pipe has not been copied
        int fd = open("/dev/null", O_RDONLY);
        _exit(fd == 3 ? 0 : 1);
    }
    assert(waitpid(pid, &status, 0) == pid && status == 0);
    int fd = open(path, O_WRONLY);
    assert(fd >= 0 && close(fd) == 0);
    pthread_join(t, NULL);
    (void)text;
#else
    pid_t pid = fork();
    if (pid == 0) {
        umask(0);
#ifndef GONE
        int fd = open(path, O_WRONLY);
        assert(fd >= 0 && write(fd, "abc", 3) == 3);
#endif
        _exit(0);
    }
#ifdef KILLED
    kill(pid, SIGKILL);
    assert(waitpid(pid, &status, 0) == pid && WTERMSIG(status) == SIGKILL);
    int fd = open(path, O_RDONLY | O_NONBLOCK);
    assert(fd >= 0 && read(fd, text, 4) == 0);
#else
    int fd = open(path, O_RDONLY);
    assert(fd >= 0 && read(fd, text, 4) == 3 && text[2] == 'c');
    assert(read(fd, text, 4) == 0);
    assert(waitpid(pid, &status, 0) == pid && status == 0);
#endif
    close(fd);
    assert(umask(0) == 027);
#endif
    unlink(path);
    return 0;
}
