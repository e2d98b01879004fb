"""Random programs whose threads wait for one another to wake them: on condition variables, at
barriers, for futexes, and for pipes and events by way of poll."""

from grammar import Family

# Of what is written, and of who is woken.
CHOICES = """
value
    0
    2x 1
    2
bit
    0
    1
wake
    signal
    broadcast
"""

QUEUES = Family(
    head="""
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>

enum { FUTEX_WAIT, FUTEX_WAKE };
static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c0 = PTHREAD_COND_INITIALIZER, c1 = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t b0;
static sem_t e0;
static atomic_int a0, a1, f0;
static int p0, p1, event;

static void leave(unsigned n)
{
    ENDED(n);
    _Exit(0);
}

static int ready(int wait)
{
    struct pollfd p = {event, POLLIN, 0};
    return poll(&p, 1, wait ? -1 : 0);
}
""",
    setup="""
    pthread_barrier_init(&b0, NULL, 2);
    sem_init(&e0, 0, 0);
    event = eventfd(0, EFD_NONBLOCK);
""",
    grammar="""
statement
    4x pthread_mutex_lock(&m0); while (p0 == 0) pthread_cond_wait(&c0, &m0); $within
            pthread_mutex_unlock(&m0);
    2x pthread_mutex_lock(&m0); if (p0 == $value) pthread_cond_wait(&$cond, &m0); $within
            pthread_mutex_unlock(&m0);
    3x pthread_mutex_lock(&m0); $within pthread_cond_$wake(&$cond); pthread_mutex_unlock(&m0);
    3x pthread_mutex_lock(&m0); $within pthread_mutex_unlock(&m0); pthread_cond_$wake(&$cond);
    2x pthread_cond_$wake(&$cond);
    { struct timespec x = {0, 0}; pthread_mutex_lock(&m0);
            $register += pthread_cond_timedwait(&$cond, &m0, &x) != 0; $within
            pthread_mutex_unlock(&m0); }
    pthread_mutex_lock(&m1); p1 += $value; if (p1 == 1) pthread_cond_wait(&c1, &m1);
            $register += p1; pthread_mutex_unlock(&m1);
    pthread_mutex_lock(&m1); p1++; pthread_cond_$wake(&c1); pthread_mutex_unlock(&m1);
    2x pthread_mutex_lock(&m0); $within pthread_mutex_unlock(&m0);
    if (!pthread_mutex_trylock(&m0)) { $within pthread_mutex_unlock(&m0); }
    $register += pthread_barrier_wait(&b0) != 0;
    if (f0 == $value) syscall(SYS_futex, &f0, FUTEX_WAIT, $value, NULL);
    f0 = $value; $register += (int)syscall(SYS_futex, &f0, FUTEX_WAKE, 1 + $bit);
    eventfd_write(event, 1);
    { eventfd_t x = 0; $register += eventfd_read(event, &x); }
    $register += ready($bit);
    sem_post(&e0);
    sem_wait(&e0);
    2x a$bit++;
    2x $register += a$bit;
    if ($register == $value) { $block }
    if (a$bit == $value) leave($value);
    if ($register == $value) { pthread_mutex_lock(&m0); if (p0 == 1) leave(2); p0 = 0;
            pthread_mutex_unlock(&m0); }
within
    2x p0 = 1;
    p0 = 0;
    p0++;
    $register += p0;
    $register = a$bit;
cond
    3x c0
    c1
""" + CHOICES,
    budget=4, threads=(1, 2, 2, 3), options=((), (), ("--spurious-wakeups",)),
    last="(unsigned)a0 + 3 * (unsigned)a1 + 5 * (unsigned)p0 + (unsigned)p1 + 7 * (unsigned)f0")
