/* clock.c - what clocks show.  They stand still, unless a time limit that passes is to
 * set them (--clock=choice). */
#include "os/os.h"

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

void os_clock_read(long *seconds, long *nanoseconds)
{
    *seconds = OS_NOW;
    *nanoseconds = 0;
    if (!moves())
        return;
    act();
    const long *now = os_state()->clock;
    long read[2] = {now ? now[0] : OS_NOW, now ? now[1] : 0};
    os_leave();
    *seconds = read[0];
    *nanoseconds = read[1];
}
