// Who waits for the other side of a pipe with a name is interrupted, or the other side comes
// first. Result: correct. -DBUG=1 claims that a signal never ends the call, -DBUG=2 that it
// always does: assertion violation. -DRESTART has the call go on: correct. -DSTUCK it goes on,
// and nobody comes: deadlock. -DCANCEL it is a cancellation point: correct.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>
#ifndef BUG
#define BUG 0
#endif

static const char path[] = "/tmp/divm-fifo";

static sigjmp_buf place;

static void handle(int signal)
{
    (void)signal;
#ifdef JUMP
    siglongjmp(place, 1);
#endif
}

static void *work(void *arg)
{
#ifdef JUMP
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    if (sigsetjmp(place, 0))
        return arg;
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
#endif
#if defined CANCEL && CANCEL == 2
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
#endif
    int fd = open(path, O_RDONLY);
    assert(fd >= 0 || errno == EINTR);
#ifdef RESTART
    assert(fd >= 0);
#endif
    assert(fd < 0 ? BUG != 1 : BUG != 2);
#ifndef CANCEL
    if (fd < 0)
        assert(open("/dev/null", O_RDONLY) <= 4); // no descriptor is lost
#endif
    return arg;
}

int main(void)
{
    pthread_t t;
    struct sigaction action = {.sa_handler = handle};
#if defined RESTART || defined STUCK || defined JUMP
    action.sa_flags = SA_RESTART;
#endif
    sigaction(SIGUSR1, &action, NULL);
    assert(mkfifo(path, 0600) == 0);
#ifdef JUMP
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
#endif
    pthread_create(&t, NULL, work, NULL);
#ifdef CANCEL
    void *result;
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED);
#else
    pthread_kill(t, SIGUSR1);
#if !defined STUCK && !defined JUMP
    open(path, O_RDWR);
#endif
    pthread_join(t, NULL);
#endif
#if defined CANCEL || defined JUMP
    assert(open(path, O_WRONLY | O_NONBLOCK) == -1 && errno == ENXIO); // it reads no more
    assert(open("/dev/null", O_RDONLY) == 3);
#endif
    unlink(path);
    return 0;
}
