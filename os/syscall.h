/* syscall.h - system calls: the one entry, and those of each subject to which os/syscall.c
 * hands them on.
 *
 * From user mode, with the numbers and arguments that Linux has on x86-64; the result, or
 * -errno.  Memory that is passed stays the program's. */
#ifndef OS_SYSCALL_H
#define OS_SYSCALL_H

#include "os/state.h"

/* Does a system call as Linux has it on x86-64: the result, or -errno.  A call that the kernel
 * does not have is an error that names it. */
long __os_syscall(long number, long a, long b, long c, long d, long e, long f);

/* Refuses a call, with an error that names it; why: what there is of it, or "". */
_Noreturn void os_refuse(long number, const char *why);

/* A struct timespec or timeval, which differ in the parts of a second that the fraction
 * counts. */
struct os_time {
    long seconds, fraction;
};

/* In the kernel: prints to descriptor 1 or 2. */
void os_output(int fd, const void *data, size_t size);

/* System calls about processes: as Linux has them.  os/process.c has them where the
 * program can fork; else the only process answers. */
long os_process_syscall(long number, long a, long b, long c, long d);

/* System calls: OS_SIGNAL_* with arguments as Linux has them. */
enum os_signal_call {
    OS_SIGNAL_ACTION,
    OS_SIGNAL_MASK,
    OS_SIGNAL_PENDING,
    OS_SIGNAL_SUSPEND,
    OS_SIGNAL_AWAIT,
    OS_SIGNAL_KILL,
    OS_SIGNAL_KILL_THREAD,
    OS_SIGNAL_ALARM,
    OS_SIGNAL_ALARM_LEFT, /* 1 if one is set */
};
long os_signal_syscall(long number, long a, long b, long c);

/* System calls, from user mode. */
long os_epoll_make(long flags);
long os_socket_make(long domain, long type, long protocol);
long os_socket_make_pair(long domain, long type, long protocol, int *fd);
long os_socket_syscall(long number, long a, long b, long c, long d, long e, long f);
long os_epoll_syscall(long number, long a, long b, long c, long d, long e);
long os_file_syscall(long number, long a, long b, long c, long d);
bool os_is_request(long request); /* of ioctl, that there is */
long os_ioctl_syscall(long fd, long request, int *argument);
long os_path_syscall(long number, long a, long b, long c, long d, long e);
long os_pipe_syscall(long number, long a, long b);
long os_poll(void *list, size_t count, long milliseconds, const uint64_t *mask);
long os_select(long count, uint64_t *read, uint64_t *write, uint64_t *except, bool waits,
               const uint64_t *mask);
long os_futex_syscall(int *word, long operation, long value, const void *limit);
long os_memory_syscall(long number, long a, long b, long c, long d, long e, long f);

#endif
