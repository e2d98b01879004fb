/* syscall.c - system calls: __os_syscall hands each to its function.
 *
 * Output is trace, not state.  Sleeping is a chance for the others to go on, since nothing that
 * depends on how long things take can be relied upon. */
#include "os/syscall.h"
#include "os/clock.h"
#include "os/commute.h"
#include "os/error.h"
#include "os/error_number.h"
#include "os/exit.h"
#include "os/fs/capture.h"
#include "os/fs/node.h"
#include "os/fs/open.h"
#include "os/mode.h"
#include "os/process.h"
#include "os/random.h"
#include "os/signal.h"
#include "os/state.h"
#include "os/thread.h"
#include "os/wait.h"

enum {
#define SYSCALL(number, name) SYS_##name = number,
#include "os/syscall.def"
};

enum { PROCESSORS = 2 };

struct vector {
    const char *base;
    size_t size;
}; /* struct iovec */

_Noreturn void os_refuse(long number, const char *why)
{
    static const char names[] =
#define SYSCALL(number, name) #name "\0"
#include "os/syscall.def"
        ;
    static const short numbers[] = {
#define SYSCALL(number, name) number,
#include "os/syscall.def"
    };
    char message[160], *end = os_put(message, "divm does not support the system call ");
    const char *name = names;
    size_t k = 0, count = sizeof numbers / sizeof *numbers;
    for (; k < count && numbers[k] != number; k++)
        while (*name++)
            ;
    end = k < count ? os_put(end, name) : os_put_number(end, (unsigned long)number);
    os_put(end, why);
    __os_error(VM_FAULT_SYSCALL, message);
}

void os_output(int fd, const void *data, size_t size)
{
    struct os_state *state = os_state();
    const uint64_t prime = 0x100000001b3; /* FNV-1a */
    if (size)
        __divm_trace(VM_TRACE_OUTPUT + (fd << 8), data, size);
    if (state->options & VM_BOOT_OUTPUT) {
        const unsigned char *byte = data;
        for (size_t k = 0; k < size; k++)
            state->output = (state->output ^ byte[k] ^ (uint64_t)fd << 8) * prime;
    }
}

/* Returns the calling thread's number, which depends on the order in which others came and
 * went. */
static long get_tid(void)
{
    unsigned long tid = os_self()->tid;
    if (tid != 1)
        os_show_tids();
    return OS_PROCESS - 1 + (long)tid;
}

static long output(long fd, const char *data, size_t size)
{
    bool matters = os_state()->options & VM_BOOT_OUTPUT;
    if (fd != 1 && fd != 2)
        return -EBADF_;
    if (matters) { /* its order does; the program's memory is read before */
        data = size ? __builtin_memcpy(__builtin_alloca(size), data, size) : data;
        os_enter();
        os_act(VM_ACT_SYSCALL, &os_state()->output, sizeof os_state()->output);
    }
    os_output((int)fd, data, size);
    if (matters)
        os_leave();
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

/* Tells the time in seconds and parts of a second: nanoseconds, or what `unit` of them make. */
static long tell_time(struct os_time *time, long unit)
{
    long seconds, nanoseconds;
    os_clock_read(&seconds, &nanoseconds);
    if (time)
        *time = (struct os_time){seconds, nanoseconds / unit};
    return 0;
}

/* Is it a clock?  CLOCK_REALTIME to CLOCK_TAI; those of processes and threads are negative. */
static bool is_clock(long clock)
{
    enum { LAST = 11 };
    return (int)clock <= LAST;
}

static long tell_seconds(long *to)
{
    struct os_time now;
    tell_time(&now, 1);
    if (to)
        *to = now.seconds;
    return now.seconds;
}

static long tell_resolution(struct os_time *time)
{
    if (time)
        *time = (struct os_time){0, 1};
    return 0;
}

/* struct itimerval. */
struct timer {
    struct os_time interval, value;
};

/* Sets a timer of real time, which is an alarm.  One that rings again and again would never let
 * a process be stuck, and those of processor time have none to measure: they are refused. */
static long set_timer(long which, const struct timer *new, struct timer *old)
{
    const long million = 1000000;
    if (which < 0 || which > 2)
        return -EINVAL_;
    struct timer copy = *new;
    if (copy.value.seconds < 0 || (unsigned long)copy.value.fraction >= million ||
        copy.interval.seconds < 0 || (unsigned long)copy.interval.fraction >= million)
        return -EINVAL_;
    bool sets = copy.value.seconds || copy.value.fraction;
    if (which || (sets && (copy.interval.seconds || copy.interval.fraction)))
        os_refuse(SYS_setitimer, ", but for timers of real time that ring once");
    long left = os_signal_syscall(OS_SIGNAL_ALARM, sets, 0, 0);
    if (old)
        *old = (struct timer){.value = {left, 0}};
    return 0;
}

static long tell_timer(long which, struct timer *timer)
{
    if (which < 0 || which > 2)
        return -EINVAL_;
    long left = which ? 0 : os_signal_syscall(OS_SIGNAL_ALARM_LEFT, 0, 0, 0);
    *timer = (struct timer){.value = {left, 0}};
    return 0;
}

/* Sets a clock, if it is one that can be set at all. */
static long set_clock(long clock, const struct os_time *time)
{
    struct os_time copy = *time;
    bool wrong = copy.seconds < 0 || (unsigned long)copy.fraction >= 1000000000;
    return clock || wrong ? -EINVAL_ : -EPERM_;
}

static long pass(int action)
{
    os_enter();
    os_act(action, NULL, 0);
    os_leave();
    return 0;
}

/* Sleeps: a chance for the others, which a signal may end. */
static long sleep_for(const struct os_time *time, struct os_time *left, bool until)
{
    if ((unsigned long)time->fraction >= 1000000000 || time->seconds < 0)
        return -EINVAL_;
    struct os_time whole = *time;
    struct os_thread *self = os_enter();
    struct os_time end = whole;
    if (!until)
        os_clock_after(&end.seconds, &end.fraction);
    os_limit_begin(end.seconds, end.fraction, &self->running, OS_WHILE_NONZERO);
    bool interrupted = os_wait_open(VM_ACT_SLEEP, NULL, 0, &self->running,
                                    OS_WHILE_ZERO | OS_BY_SIGNAL | OS_BY_CANCEL);
    os_limit_end(!interrupted);
    os_leave();
    if (!interrupted) {
        (until ? os_clock_until : os_clock_add)(whole.seconds, whole.fraction);
        return 0;
    }
    os_signal_take();
    if (left && !until)
        *left = whole;
    return -EINTR_;
}

static long random_bytes(unsigned char *bytes, size_t size)
{
    os_enter();
    os_act(VM_ACT_SYSCALL, &os_state()->random, sizeof(uint32_t));
    uint32_t place = os_random(size);
    os_leave();
    os_random_fill(place, bytes, size);
    return (long)size;
}

/* ---- files ----------------------------------------------------------------------- */

__attribute__((weak)) const int os_redirects = 0;

/* Can another thread give a descriptor another file meanwhile? */
static bool may_change(const struct os_thread *self)
{
    const struct os_process *process = os_process(self);
    return os_redirects && (process ? process->live : os_state()->live) > 1;
}

/* Is it a standard stream?  While no file was ever opened there is no table: the standard
 * streams are as they always are, and using them is no action. */
static bool is_standard(long fd)
{
    const struct os_files *files = os_own(os_self())->files;
    if (fd < 0 || fd > 2 || may_change(os_self()))
        return false;
    if (!files)
        return fd || !os_input();
    const struct os_open *open = os_open_of(fd);
    return fd && open && open->node->kind == (fd == 1 ? OS_STDOUT : OS_STDERR);
}

static long file(long number, long a, long b, long c, long d)
{
    if (is_standard(a)) {
        switch (number) {
        case SYS_write: return output(a, (const char *)b, (size_t)c);
        case SYS_writev:
            if (c >= 0 && c <= 1024)
                return output_vector(a, (const struct vector *)b, c);
            break;
        case SYS_read:
        case SYS_readv: return a == 0 ? 0 : -EBADF_;
        case SYS_lseek: return -ESPIPE_;
        case SYS_ioctl:
            if (!os_is_request((uint32_t)b))
                return -ENOTTY_;
        }
    }
    return os_file_syscall(number, a, b, c, d);
}

/* Notes that a call has waited in vain. */
static long passed(long result, const struct os_time *limit, long unit)
{
    if (result == 0 && limit)
        os_clock_add(limit->seconds, limit->fraction * unit);
    return result;
}

static long poll_for(void *list, long count, long milliseconds)
{
    struct os_time limit = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    long result = os_poll(list, (size_t)count, milliseconds < 0 ? -1 : 0, NULL);
    return passed(result, milliseconds > 0 ? &limit : NULL, 1);
}

/* Polls; the program's limit and mask are read in user mode. */
static long poll_until(void *list, long count, const struct os_time *limit,
                       const uint64_t *mask)
{
    struct os_time copy = limit ? *limit : (struct os_time){0};
    uint64_t signals = mask ? *mask : 0;
    long result = os_poll(list, (size_t)count, limit ? 0 : -1, mask ? &signals : NULL);
    return passed(result, limit ? &copy : NULL, 1);
}

static long select_until(long count, long read, long write, long except,
                         const struct os_time *limit, long unit, const uint64_t *mask)
{
    struct os_time copy = limit ? *limit : (struct os_time){0};
    uint64_t signals = mask ? *mask : 0;
    long result = os_select(count, (uint64_t *)read, (uint64_t *)write, (uint64_t *)except,
                            !limit, mask ? &signals : NULL);
    return passed(result, limit ? &copy : NULL, unit);
}

/* The system calls of programs without sockets and epoll descriptors; making one links
 * os/net/socket_call.c or os/fs/epoll.c, which replace these. */
__attribute__((weak)) long os_socket_syscall(long number, long a, long b, long c, long d,
                                             long e, long f)
{
    (void)b, (void)c, (void)d, (void)e, (void)f;
    if (number == SYS_socket || number == SYS_socketpair)
        os_refuse(number, "");
    return os_open_of(a) ? -ENOTSOCK_ : -EBADF_;
}

__attribute__((weak)) long os_epoll_syscall(long number, long a, long b, long c, long d, long e)
{
    (void)a, (void)b, (void)c, (void)d, (void)e;
    if (number == SYS_epoll_create || number == SYS_epoll_create1)
        os_refuse(number, "");
    return -EBADF_;
}

/* The system calls about processes where there is only one. */
__attribute__((weak)) long os_process_syscall(long number, long a, long b, long c, long d)
{
    enum { ECHILD = 10 };
    (void)b, (void)c, (void)d;
    bool own = a == 0 || a == OS_PROCESS;
    switch (number) {
    case SYS_getpid:
    case SYS_getpgrp: return OS_PROCESS;
    case SYS_getppid: return OS_PROCESS - 1;
    case SYS_getpgid:
    case SYS_getsid: return own ? OS_PROCESS : -ESRCH_;
    case SYS_setpgid: return own ? (b == 0 || b == OS_PROCESS ? 0 : -EPERM_) : -ESRCH_;
    case SYS_setsid: return -EPERM_; /* it leads a group */
    case SYS_wait4:
    case SYS_waitid: return -ECHILD;
    default: os_refuse(number, "");
    }
}

/* ---- the process ----------------------------------------------------------------- */

static void fill(char *to, const char *text)
{
    os_put(to, text);
}

static long tell_system(char (*name)[65]) /* struct utsname */
{
    __builtin_memset(name, 0, sizeof *name * 6);
    fill(name[0], "Linux");
    fill(name[1], "divm");
    fill(name[2], "6.0");
    fill(name[3], "divm");
    fill(name[4], "x86_64");
    return 0;
}

static long limits(long resource, const void *new, uint64_t *old)
{
    enum { STACK = 3, OPEN_FILES = 7 };
    if (old)
        old[0] = old[1] = resource == STACK        ? 8 << 20
                          : resource == OPEN_FILES ? 1024
                                                   : UINT64_MAX;
    return new ? -EPERM_ : 0;
}

static long tell_memory(uint64_t *info) /* struct sysinfo, of which the start is used */
{
    enum { UNIT = 13, SIZE = 46 };
    __builtin_memset(info, 0, SIZE * sizeof *info);
    info[4] = info[5] = 1 << 30;
    *(uint32_t *)&info[UNIT] = 1;
    return 0;
}

static long clear(void *record, size_t size)
{
    __builtin_memset(record, 0, size);
    return 0;
}

/* In the kernel: returns the thread with this number, which may also be that of a process; 0:
 * the caller.  The main thread always has the same. */
static struct os_thread *numbered(long number)
{
    const struct os_state *state = os_state();
    if (number && number != OS_PROCESS)
        os_show_tids();
    for (int k = 0; number && k < state->count; k++)
        if (state->thread[k]->running && (long)state->thread[k]->tid == number - OS_PROCESS + 1)
            return state->thread[k];
    return number ? NULL : os_self();
}

static bool is_priority(long policy, int priority)
{
    return policy ? policy >= 1 && policy <= 2 && priority >= 1 && priority <= 99
                  : priority == 0;
}

static long schedule(struct os_more *more, long number, long policy, int *param)
{
    if (number == SYS_sched_getscheduler)
        return more->policy;
    if (number == SYS_sched_getparam) {
        *param = more->priority;
        return 0;
    }
    if (number == SYS_sched_setparam)
        policy = more->policy;
    if (!is_priority(policy, *param))
        return -EINVAL_;
    more->policy = (int)policy;
    more->priority = *param;
    return 0;
}

static long scheduling(long number, long thread, long policy, int *param)
{
    bool gives = number == SYS_sched_setparam || number == SYS_sched_setscheduler;
    int priority = gives ? *param : 0;
    if (thread < 0)
        return -EINVAL_;
    os_enter();
    os_act(VM_ACT_SYSCALL, NULL, 0);
    struct os_thread *target = numbered(thread);
    long result = -ESRCH_;
    if (target) {
        result = schedule(os_more(target), number, policy, &priority);
        os_less(target);
    }
    os_leave();
    if (number == SYS_sched_getparam && result == 0)
        *param = priority;
    return result;
}

/* Answers for a thread, if it exists, what is the same for all threads. */
static long for_thread(long thread)
{
    if (thread < 0)
        return -EINVAL_;
    os_enter();
    if (thread)
        os_act(VM_ACT_SYSCALL, NULL, 0);
    bool found = numbered(thread);
    os_leave();
    return found ? 0 : -ESRCH_;
}

static long interval(long thread, struct os_time *to)
{
    long error = for_thread(thread);
    if (!error)
        *to = (struct os_time){0, 100000000};
    return error;
}

enum { ALL_PROCESSORS = (1 << PROCESSORS) - 1 };

static long affinity(long thread, unsigned char *set, long size)
{
    long error = for_thread(thread);
    if (error || size < 8)
        return error ? error : -EINVAL_;
    __builtin_memset(set, 0, 8);
    set[0] = ALL_PROCESSORS;
    return 8;
}

static long set_affinity(long thread, const unsigned char *set, long size)
{
    long error = for_thread(thread);
    return error ? error : size > 0 && *set & ALL_PROCESSORS ? 0 : -EINVAL_;
}

long __os_syscall(long number, long a, long b, long c, long d, long e, long f)
{
    switch (number) {
    case SYS_read:
    case SYS_write:
    case SYS_readv:
    case SYS_writev:
    case SYS_pread64:
    case SYS_pwrite64:
    case SYS_close:
    case SYS_lseek:
    case SYS_ioctl:
    case SYS_dup:
    case SYS_dup2:
    case SYS_dup3:
    case SYS_fcntl:
    case SYS_fstat:
    case SYS_stat:
    case SYS_lstat:
    case SYS_newfstatat:
    case SYS_getdents64:
    case SYS_fchmod:
    case SYS_fchown:
    case SYS_ftruncate:
    case SYS_fallocate:
    case SYS_fsync:
    case SYS_fdatasync: return file(number, a, b, c, d);
    case SYS_open:
    case SYS_openat:
    case SYS_mkdir:
    case SYS_mkdirat:
    case SYS_mknod:
    case SYS_mknodat:
    case SYS_symlink:
    case SYS_symlinkat:
    case SYS_readlink:
    case SYS_readlinkat:
    case SYS_link:
    case SYS_linkat:
    case SYS_unlink:
    case SYS_unlinkat:
    case SYS_rmdir:
    case SYS_rename:
    case SYS_renameat:
    case SYS_access:
    case SYS_faccessat:
    case SYS_faccessat2:
    case SYS_utimensat:
    case SYS_chmod:
    case SYS_fchmodat:
    case SYS_fchmodat2:
    case SYS_chown:
    case SYS_lchown:
    case SYS_fchownat:
    case SYS_chdir:
    case SYS_fchdir:
    case SYS_truncate:
    case SYS_getcwd:
    case SYS_umask: return os_path_syscall(number, a, b, c, d, e);
    case SYS_pipe: return os_pipe_syscall(number, a, 0);
    case SYS_pipe2:
    case SYS_eventfd2: return os_pipe_syscall(number, a, b);
    case SYS_poll: return poll_for((void *)a, b, c);
    case SYS_ppoll:
        return poll_until((void *)a, b, (const struct os_time *)c, (const uint64_t *)d);
    case SYS_select: return select_until(a, b, c, d, (const struct os_time *)e, 1000, NULL);
    case SYS_pselect6:
        return select_until(a, b, c, d, (const struct os_time *)e, 1,
                            f ? *(const uint64_t **)f : NULL);
    case SYS_socket:
    case SYS_socketpair:
    case SYS_bind:
    case SYS_connect:
    case SYS_listen:
    case SYS_accept:
    case SYS_accept4:
    case SYS_shutdown:
    case SYS_getsockname:
    case SYS_getpeername:
    case SYS_setsockopt:
    case SYS_getsockopt:
    case SYS_sendto:
    case SYS_recvfrom:
    case SYS_sendmsg:
    case SYS_recvmsg: return os_socket_syscall(number, a, b, c, d, e, f);
    case SYS_epoll_create:
    case SYS_epoll_create1:
    case SYS_epoll_ctl:
    case SYS_epoll_wait:
    case SYS_epoll_pwait: return os_epoll_syscall(number, a, b, c, d, e);
    case SYS_mmap:
    case SYS_mprotect:
    case SYS_munmap:
    case SYS_mremap: return os_memory_syscall(number, a, b, c, d, e, f);
    case SYS_madvise:
    case SYS_msync:
    case SYS_mlock:
    case SYS_munlock:
    case SYS_mlockall:
    case SYS_munlockall: return 0;
    case SYS_exit_group: os_exit((int)a);
    case SYS_clock_gettime: return is_clock(a) ? tell_time((struct os_time *)b, 1) : -EINVAL_;
    case SYS_gettimeofday: return tell_time((struct os_time *)a, 1000);
    case SYS_clock_getres: return is_clock(a) ? tell_resolution((struct os_time *)b) : -EINVAL_;
    case SYS_clock_settime: return set_clock(a, (const struct os_time *)b);
    case SYS_setitimer: return set_timer(a, (const struct timer *)b, (struct timer *)c);
    case SYS_getitimer: return tell_timer(a, (struct timer *)b);
    case SYS_time: return tell_seconds((long *)a);
    case SYS_nanosleep: return sleep_for((const struct os_time *)a, (struct os_time *)b, false);
    case SYS_clock_nanosleep:
        return is_clock(a) ? sleep_for((const struct os_time *)c, (struct os_time *)d, b)
                           : -EINVAL_;
    case SYS_sched_yield: return pass(VM_ACT_YIELD);
    case SYS_futex: return os_futex_syscall((int *)a, b, c, (const void *)d);
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
    case SYS_getpid:
    case SYS_getppid:
    case SYS_getpgrp:
    case SYS_getpgid:
    case SYS_setpgid:
    case SYS_getsid:
    case SYS_setsid:
    case SYS_wait4:
    case SYS_waitid:
    case SYS_fork:
    case SYS_vfork: return os_process_syscall(number, a, b, c, d);
    case SYS_gettid: return get_tid();
    case SYS_getuid:
    case SYS_geteuid:
    case SYS_getgid:
    case SYS_getegid: return OS_USER;
    case SYS_getgroups: return 0;
    case SYS_uname: return tell_system((char(*)[65])a);
    case SYS_sysinfo: return tell_memory((uint64_t *)a);
    case SYS_prlimit64: return limits(b, (const void *)c, (uint64_t *)d);
    case SYS_getrusage: os_clock_noted(); return clear((void *)b, 144);
    case SYS_times: os_clock_noted(); return clear((void *)a, 32);
    case SYS_getrandom: return random_bytes((unsigned char *)a, (size_t)b);
    case SYS_getcpu: return clear((void *)a, sizeof(int));
    case SYS_sched_getaffinity: return affinity(a, (unsigned char *)c, b);
    case SYS_sched_setaffinity: return set_affinity(a, (const unsigned char *)c, b);
    case SYS_sched_get_priority_max: return a == 1 || a == 2 ? 99 : a == 0 ? 0 : -EINVAL_;
    case SYS_sched_get_priority_min: return a == 1 || a == 2 ? 1 : a == 0 ? 0 : -EINVAL_;
    case SYS_sched_rr_get_interval: return interval(a, (struct os_time *)b);
    case SYS_sched_getparam:
    case SYS_sched_setparam: return scheduling(number, a, 0, (int *)b);
    case SYS_sched_getscheduler:
    case SYS_sched_setscheduler: return scheduling(number, a, b, (int *)c);
    default: os_refuse(number, "");
    }
}
