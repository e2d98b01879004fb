// Each function that POSIX calls a cancellation point acts upon a request that is there
// when it is called, whether it would have to wait or not.
//
// Result: correct.  -DDISABLED none does if it is not to: correct.
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <termios.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static const struct timespec none = {0, 0}, past = {1, 0};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t sem;
static pthread_t ended;
static int file, pair[2], here, listening;
static char byte;
static struct iovec vector = {&byte, 1};
static sigset_t set;

static int point(int which)
{
    struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
    struct flock lock = {.l_type = F_WRLCK};
    struct timespec left;
    struct pollfd polled = {here, POLLOUT, 0};
    siginfo_t info;
    int status;
    switch (which) {
    case 0: return close(-1);
    case 1: return connect(pair[0], NULL, 0);
    case 2: return creat("/tmp/b", 0600);
    case 3: return fcntl(file, F_SETLKW, &lock);
    case 4: return fsync(file);
    case 5: return fdatasync(file);
    case 6: return lockf(file, F_LOCK, 1);
    case 7: return nanosleep(&none, NULL);
    case 8: return clock_nanosleep(CLOCK_REALTIME, 0, &none, &left);
    case 9: return open("/tmp/a", O_RDONLY);
    case 10: return openat(AT_FDCWD, "/tmp/a", O_RDONLY);
    case 11: return poll(&polled, 1, 0);
    case 12: return pread(file, &byte, 1, 0) == 1;
    case 13: return pwrite(file, &byte, 1, 0) == 1;
    case 14: return pselect(0, NULL, NULL, NULL, &none, NULL);
    case 15: return select(0, NULL, NULL, NULL, &(struct timeval){0, 0});
    case 16: return pthread_cond_timedwait(&cond, &mutex, &past);
    case 17: return pthread_join(ended, NULL);
    case 18: pthread_testcancel(); return 0;
    case 19: return read(file, &byte, 1) == 1;
    case 20: return readv(file, &vector, 1) == 1;
    case 21: return recv(pair[0], &byte, 1, MSG_DONTWAIT) == 1;
    case 22: return recvfrom(pair[0], &byte, 1, MSG_DONTWAIT, NULL, NULL) == 1;
    case 23: return recvmsg(pair[0], &message, MSG_DONTWAIT) == 1;
    case 24: return send(pair[0], &byte, 1, 0) == 1;
    case 25: return sendto(pair[0], &byte, 1, 0, NULL, 0) == 1;
    case 26: return sendmsg(pair[0], &message, 0) == 1;
    case 27: return sem_wait(&sem);
    case 28: return sem_timedwait(&sem, &past);
    case 29: return sigtimedwait(&set, &info, &none);
    case 30: return (int)sleep(0);
    case 31: return wait(&status);
    case 32: return waitpid(-1, &status, WNOHANG);
    case 33: return waitid(P_ALL, 0, &info, WEXITED | WNOHANG);
    case 34: return write(file, &byte, 1) == 1;
    case 35: return writev(file, &vector, 1) == 1;
    case 36: return accept(listening, NULL, NULL);
    case 37: return usleep(0);
    case 38: return thrd_sleep(&none, NULL);
    case 39: return cnd_timedwait((cnd_t *)&cond, (mtx_t *)&mutex, &past);
    case 40: return msync(&byte, 0, MS_SYNC);
    case 41: return tcdrain(file);
    case 42: return ppoll(&polled, 1, &none, NULL);
#ifndef DISABLED /* these wait for ever */
    case 43: return pause();
    case 44: return sigsuspend(&set);
    case 45: return sigwait(&set, &status);
    case 46: return sigwaitinfo(&set, &info);
    case 47: return pthread_cond_wait(&cond, &mutex);
    case 48: return poll(NULL, 0, -1);
    case 49: return (int)read(here, &byte, 1);
#endif
    default: return -2;
    }
}

static void unlock(void *arg)
{
    pthread_mutex_unlock(arg);
}

static void *work(void *arg)
{
    int which = *(int *)arg;
#ifdef DISABLED
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
#endif
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, &mutex);
    pthread_cancel(pthread_self());
    if (point(which) == -2)
        *(int *)arg = -1;
    pthread_cleanup_pop(1);
    return NULL;
}

static void *nothing(void *arg)
{
    return arg;
}

int main(void)
{
    int ends[2];
    sem_init(&sem, 0, 100);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    file = open("/tmp/a", O_RDWR | O_CREAT, 0600);
    assert(pipe(ends) == 0 && socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0);
    here = ends[0];
    listening = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    int which = 0;
    for (int k = 0; which >= 0; k++) {
        pthread_t thread;
        void *result;
        which = k;
        pthread_create(&ended, NULL, nothing, NULL);
        pthread_create(&thread, NULL, work, &which);
        pthread_join(thread, &result);
#ifdef DISABLED
        assert(result == NULL);
        if (k != 17)
            pthread_join(ended, NULL);
#else
        assert((result == PTHREAD_CANCELED) == (which >= 0));
        pthread_join(ended, NULL);
#endif
    }
    return 0;
}
