/* clock.c - the clocks.  They stand still, unless a time limit that passes is to set them
 * (--clock=choice), or passes only when no thread can go on (--clock=prompt): then the least
 * limit is the next to pass, and nothing else takes time. */
#include "os/clock.h"
#include "os/mode.h"
#include "os/state.h"
#include "os/thread.h"
#include "os/wait.h"

enum { BILLION = 1000000000 };

static long *clock(void)
{
    struct os_state *state = os_state();
    if (!state->clock) {
        state->clock = __divm_obj_make(2 * sizeof *state->clock, VM_OBJ_KERNEL);
        state->clock[0] = OS_NOW;
        state->clock[1] = 0;
    }
    return state->clock;
}

static bool moves(void)
{
    return os_state()->options & VM_BOOT_CLOCK;
}

bool os_is_prompt(void)
{
    return os_state()->options & VM_BOOT_PROMPT;
}

void os_limit_begin(long seconds, long nanoseconds, const int *word, uint32_t wait)
{
    if (!os_is_prompt())
        return;
    struct os_more *more = os_more(os_self());
    more->limit = (struct os_limit){{seconds, nanoseconds}, word, wait};
    os_state()->special += OS_URGENT;
}

struct os_limit os_limit_exchange(struct os_thread *thread, struct os_limit limit)
{
    struct os_limit before = thread->more->limit;
    thread->more->limit = limit;
    os_state()->special += ((limit.time[0] != 0) - (before.time[0] != 0)) * OS_URGENT;
    return before;
}

static bool is_before(const long *a, const long *b)
{
    return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);
}

void os_limit_end(bool passed)
{
    struct os_thread *self = os_self();
    struct os_more *more = self->more;
    if (!os_is_prompt() || !more || !more->limit.time[0])
        return;
    struct os_limit limit = os_limit_exchange(self, (struct os_limit){0});
    long *now = clock();
    if (passed && is_before(now, limit.time)) {
        now[0] = limit.time[0];
        now[1] = limit.time[1];
    }
    os_less(self);
}

void os_time_out(bool passed)
{
    static const char told[] = "the time limit passes";
    os_limit_end(passed);
    if (passed)
        __divm_trace(VM_TRACE_CHOICE, told, sizeof told - 1);
}

/* Computes, in the kernel, the time that a sleep of this length ends at. */
void os_clock_after(long *seconds, long *nanoseconds)
{
    const long *now = os_state()->clock;
    long sum = *nanoseconds + (now ? now[1] : 0);
    *seconds += (now ? now[0] : OS_NOW) + sum / BILLION;
    *nanoseconds = sum % BILLION;
}

static void act(void)
{
    os_enter();
    os_act(VM_ACT_SYSCALL, os_state(), sizeof(struct os_state));
}

void os_clock_until(long seconds, long nanoseconds)
{
    if (!moves())
        return;
    act();
    long *now = clock();
    if (seconds > now[0] || (seconds == now[0] && nanoseconds > now[1])) {
        now[0] = seconds;
        now[1] = nanoseconds;
    }
    os_leave();
}

void os_clock_add(long seconds, long nanoseconds)
{
    if (!moves())
        return;
    act();
    long *now = clock();
    now[0] += seconds + (now[1] + nanoseconds) / BILLION;
    now[1] = (now[1] + nanoseconds) % BILLION;
    os_leave();
}

void os_clock_noted(void)
{
    __divm_control(VM_REG_FLAGS, VM_OR, VM_FLAG_CLOCK);
}

/* Reads a clock.  Also a clock that moves stands still if no thread waits with a limit. */
void os_clock_read(long *seconds, long *nanoseconds)
{
    *seconds = OS_NOW;
    *nanoseconds = 0;
    if (!moves() && !os_is_prompt()) {
        os_clock_noted();
        return;
    }
    act();
    const long *now = os_state()->clock;
    long read[2] = {now ? now[0] : OS_NOW, now ? now[1] : 0};
    os_clock_noted();
    os_leave();
    *seconds = read[0];
    *nanoseconds = read[1];
}
