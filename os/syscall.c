/* syscall.c - what libc asks of Linux.
 *
 * Output is trace, not state.  Input is empty.  Time stands still, since nothing
 * that depends on how long things take can be relied upon; sleeping is a chance
 * for the others to go on.  The process is always the same. */
#include "os/os.h"

enum {
#define SYSCALL(number, name) SYS_##name = number,
#include "syscall.def"
};

enum { EBADF_ = 9, EINVAL_ = 22, ENOTTY_ = 25, ESPIPE_ = 29 }; /* errno.h is libc's */

/* Saturday, 1 January 2000: what every clock shows */
enum { NOW = 946684800, USER = 1000, PROCESSORS = 2 };

struct time { long seconds, fraction; }; /* struct timespec and timeval */
struct vector { const char *base; size_t size; }; /* struct iovec */

static _Noreturn void refuse(long number)
{
    static const char names[] =
#define SYSCALL(number, name) #name "\0"
#include "syscall.def"
        ;
    static const short numbers[] = {
#define SYSCALL(number, name) number,
#include "syscall.def"
    };
    char message[80], *end = os_put(message, "system call ");
    const char *name = names;
    size_t k = 0, count = sizeof numbers / sizeof *numbers;
    for (; k < count && numbers[k] != number; k++)
        while (*name++)
            ;
    end = k < count ? os_put(end, name) : os_put_number(end, (unsigned long)number);
    os_put(end, " is not supported");
    __os_error(VM_FAULT_SYSCALL, message);
}

static long output(long fd, const char *data, size_t size)
{
    if (fd != 1 && fd != 2)
        return -EBADF_;
    if (size)
        __divm_trace(VM_TRACE_OUTPUT + ((int)fd << 8), data, size);
    return (long)size;
}

static long output_vector(long fd, const struct vector *vector, long count)
{
    long done = 0;
    for (long k = 0; k < count; k++) {
        long result = output(fd, vector[k].base, vector[k].size);
        if (result < 0)
            return result;
        done += result;
    }
    return done;
}

static long tell_time(struct time *time)
{
    if (time)
        *time = (struct time){NOW, 0};
    return 0;
}

static long tell_resolution(struct time *time)
{
    if (time)
        *time = (struct time){0, 1};
    return 0;
}

static long pass(int action)
{
    os_enter();
    os_act(action, NULL, 0);
    os_leave();
    return 0;
}

static long sleep_for(const struct time *time)
{
    if ((unsigned long)time->fraction >= 1000000000 || time->seconds < 0)
        return -EINVAL_;
    return pass(VM_ACT_SLEEP);
}

/* A fixed sequence: the same in every run. */
static long random_bytes(unsigned char *bytes, long size)
{
    unsigned value = 1;
    for (long k = 0; k < size; k++) {
        value = value * 1103515245 + 12345;
        bytes[k] = (unsigned char)(value >> 16);
    }
    return size;
}

static long affinity(unsigned char *mask, long size)
{
    if (size < 8)
        return -EINVAL_;
    for (int k = 0; k < 8; k++)
        mask[k] = 0;
    mask[0] = (1 << PROCESSORS) - 1;
    return 8;
}

static long on_standard_stream(long fd, long result)
{
    return fd >= 0 && fd <= 2 ? result : -EBADF_;
}

long __os_syscall(long number, long a, long b, long c, long d, long e, long f)
{
    (void)d;
    (void)e;
    (void)f;
    switch (number) {
    case SYS_write: return output(a, (const char *)b, (size_t)c);
    case SYS_writev: return output_vector(a, (const struct vector *)b, c);
    case SYS_read:
    case SYS_readv: return a == 0 ? 0 : -EBADF_;
    case SYS_close: return on_standard_stream(a, 0);
    case SYS_lseek: return on_standard_stream(a, -ESPIPE_);
    case SYS_ioctl: return on_standard_stream(a, -ENOTTY_);
    case SYS_exit_group: os_exit((int)a);
    case SYS_clock_gettime: return tell_time((struct time *)b);
    case SYS_gettimeofday: return tell_time((struct time *)a);
    case SYS_clock_getres: return tell_resolution((struct time *)b);
    case SYS_time: return NOW;
    case SYS_nanosleep: return sleep_for((const struct time *)a);
    case SYS_clock_nanosleep: return sleep_for((const struct time *)c);
    case SYS_sched_yield: return pass(VM_ACT_YIELD);
    case SYS_getpid: return OS_PROCESS;
    case SYS_getppid: return OS_PROCESS - 1;
    case SYS_gettid: return OS_PROCESS - 1 + (long)os_self()->tid;
    case SYS_rt_sigaction: return os_signal_syscall(OS_SIGNAL_ACTION, a, b, c);
    case SYS_rt_sigprocmask: return os_signal_syscall(OS_SIGNAL_MASK, a, b, c);
    case SYS_rt_sigpending: return os_signal_syscall(OS_SIGNAL_PENDING, a, b, c);
    case SYS_rt_sigsuspend: return os_signal_syscall(OS_SIGNAL_SUSPEND, a, b, c);
    case SYS_pause: return os_signal_syscall(OS_SIGNAL_SUSPEND, 0, 0, 0);
    case SYS_rt_sigtimedwait: return os_signal_syscall(OS_SIGNAL_AWAIT, a, b, c);
    case SYS_kill: return os_signal_syscall(OS_SIGNAL_KILL, a, b, c);
    case SYS_tkill: return os_signal_syscall(OS_SIGNAL_KILL_THREAD, a, b, c);
    case SYS_tgkill: return os_signal_syscall(OS_SIGNAL_KILL_THREAD, b, c, 0);
    case SYS_alarm: return os_signal_syscall(OS_SIGNAL_ALARM, a, b, c);
    case SYS_getuid:
    case SYS_geteuid:
    case SYS_getgid:
    case SYS_getegid: return USER;
    case SYS_getrandom: return random_bytes((unsigned char *)a, b);
    case SYS_sched_getaffinity: return affinity((unsigned char *)c, b);
    default: refuse(number);
    }
}
