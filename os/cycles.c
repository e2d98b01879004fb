/* cycles.c - the processor's counter of cycles: each thread has its own, which moves when the
 * thread reads it, and with nothing else. */
#include "os/clock.h"
#include "os/error.h"
#include "os/mode.h"
#include "os/state.h"
#include "os/thread.h"

enum { MOST = 1 << 20 };

/* Returns by how much the counter moves: a million, so that a loop which waits for a number of
 * cycles soon ends.  With --clock=choice it may also be a million times as many. */
static uint64_t step(void)
{
    const uint64_t little = 1 << 20, much = 1ull << 40;
    static const char told[] = "much time passes";
    if (!(os_state()->options & VM_BOOT_CLOCK) || !__divm_choose(2, NULL))
        return little;
    __divm_trace(VM_TRACE_CHOICE, told, sizeof told - 1);
    return much;
}

uint64_t __os_cycles(void)
{
    os_stay_late(); /* nobody else has to do with it */
    struct os_thread *self = os_enter();
    struct os_more *more = os_more(self);
    if (more->readings == MOST)
        __os_error(VM_FAULT_LIMIT, "a thread has read the counter of cycles 1048576 times");
    more->readings++;
    uint64_t read = more->cycles += step();
    os_leave();
    return read;
}
