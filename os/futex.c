/* futex.c - threads that wait on a word of the program's: they are queued on it. */
#include "os/clock.h"
#include "os/error_number.h"
#include "os/mode.h"
#include "os/queue.h"
#include "os/signal.h"
#include "os/state.h"
#include "os/syscall.h"
#include "os/wait.h"

#define SYSCALL(number, name) SYS_##name = number,
enum {
#include "os/syscall.def"
};

static void begin_limit(struct os_time limit, bool until)
{
    if (!until)
        os_clock_after(&limit.seconds, &limit.fraction);
    os_limit_begin(limit.seconds, limit.fraction, NULL, 0);
}

static long futex_wait(int *word, int value, const struct os_time *limit, bool until)
{
    struct os_time copy = limit ? *limit : (struct os_time){0};
    struct os_thread *self = os_enter();
    os_act(VM_ACT_FUTEX, word, sizeof *word);
    long result = -EAGAIN_;
    os_has_seen(word);
    if (*word == value) { /* with a limit it is always ready: time may be over */
        os_enqueue(self, word);
        if (limit)
            begin_limit(copy, until);
        os_wait_open(VM_ACT_FUTEX, word, sizeof *word, &self->running,
                     (limit ? OS_ALWAYS : OS_FOR_EVER) | OS_BY_SIGNAL);
        bool woken = !os_leave_queue(self);
        if (limit)
            os_time_out(!woken);
        result = woken ? 0 : limit ? -ETIMEDOUT_ : -EINTR_;
    }
    os_leave();
    if (result == -EINTR_)
        os_signal_take();
    if (result == -ETIMEDOUT_)
        (until ? os_clock_until : os_clock_add)(copy.seconds, copy.fraction);
    return result;
}

static long futex_wake(const int *word, int count)
{
    os_enter();
    os_act(VM_ACT_FUTEX, word, sizeof *word);
    int woken = 0;
    for (int n; woken < count && (n = os_queue_length(word)); woken++)
        os_wake(os_queued(word, n > 1 ? __divm_choose(n, NULL) : 0), word);
    os_leave();
    return woken;
}

long os_futex_syscall(int *word, long operation, long value, const void *limit)
{
    enum { WAIT, WAKE, WAIT_BITSET = 9, WAKE_BITSET = 10, PRIVATE = 128, REALTIME = 256 };
    switch (operation & ~(PRIVATE | REALTIME)) {
    case WAIT: return futex_wait(word, (int)value, limit, false);
    case WAIT_BITSET: return futex_wait(word, (int)value, limit, true);
    case WAKE:
    case WAKE_BITSET: return futex_wake(word, (int)value);
    default: os_refuse(SYS_futex, ", but for waiting and waking");
    }
}
