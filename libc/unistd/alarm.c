/* alarm.c - musl's sets a timer; our kernel's clocks stand still, and an alarm may
 * ring at any moment. */
#include <unistd.h>

#include "os_error.h"
#include "syscall.h"

unsigned alarm(unsigned seconds)
{
    os_async();
    return syscall(SYS_alarm, seconds);
}
