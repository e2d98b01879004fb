// A system call reads or writes the program's memory, as plain code does.  The other thread
// changes it meanwhile.  Result: data race.
// -DCALL=1..16 other calls: data race.
// -DALONE the other thread has done that before: correct.
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifndef CALL
#define CALL 0
#endif

static int set, event, sock, one = 1;
static char path[20] = "/tmp/file", other[20] = "/tmp/other";
static struct pollfd list;
static struct epoll_event found;
static struct timespec limit = {1, 0};
static sigset_t signals;
static struct sched_param param;
static struct stat status;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t sem;

/* What the calls read or write. */
static void *change(void *arg)
{
    switch (CALL) {
    case 0: list.revents = 1; break;
    case 1: list.events = 0; break;
    case 2: found.events = 0; break;
    case 3:
    case 4:
    case 5:
    case 6: path[5]++; break;
    case 7: other[5]++; break;
    case 8:
    case 9:
    case 10:
    case 11: limit.tv_sec = 2; break;
    case 12: sigemptyset(&signals); break;
    case 13: one = 0; break;
    case 14: param.sched_priority = 1; break;
    case 15: status.st_mode = 0; break;
    case 16: path[0]++; break;
    }
    return arg;
}

static void call(void)
{
    switch (CALL) {
    case 0:
    case 1: poll(&list, 1, 0); break;
    case 2: epoll_wait(set, &found, 1, 0); break;
    case 3: close(open(path, O_CREAT | O_RDWR, 0600)); break;
    case 4: mkdir(path, 0700); break;
    case 5: unlinkat(AT_FDCWD, path, 0); break;
    case 6: stat(path, &status); break;
    case 7: rename(path, other); break;
    case 8: pthread_mutex_timedlock(&mutex, &limit); break;
    case 9: pthread_rwlock_timedrdlock(&lock, &limit); break;
    case 10: sem_timedwait(&sem, &limit); break;
    case 11:
        pthread_mutex_lock(&mutex);
        pthread_cond_timedwait(&cond, &mutex, &limit);
        break;
    case 12: pthread_sigmask(SIG_BLOCK, &signals, NULL); break;
    case 13: setsockopt(sock, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one); break;
    case 14: sched_getparam(0, &param); break;
    case 15: fstat(event, &status); break;
    case 16: getcwd(path, sizeof path); break;
    }
}

int main(void)
{
    pthread_t t;
    set = epoll_create1(0);
    event = eventfd(1, 0);
    sock = socket(AF_UNIX, SOCK_STREAM, 0);
    list = (struct pollfd){event, POLLIN, 0};
    epoll_ctl(set, EPOLL_CTL_ADD, event, &(struct epoll_event){.events = EPOLLIN});
    sigemptyset(&signals);
    sem_init(&sem, 0, 1);
    pthread_create(&t, NULL, change, NULL);
#ifdef ALONE
    pthread_join(t, NULL);
    call();
#else
    call();
    pthread_join(t, NULL);
#endif
    return 0;
}
