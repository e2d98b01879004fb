// What a process is told about itself and the machine.  Result: correct.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    struct utsname name;
    struct rlimit limit;
    struct rusage usage;
    struct sched_param param = {.sched_priority = 3};
    struct timespec t = {0, 5}, left;
    cpu_set_t set;
    assert(uname(&name) == 0 && strcmp(name.sysname, "Linux") == 0);
    assert(getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur == 1024);
    assert(setrlimit(RLIMIT_NOFILE, &limit) == -1 && errno == EPERM);
    assert(getrusage(RUSAGE_SELF, &usage) == 0 && usage.ru_maxrss == 0);
    assert(sysconf(_SC_PAGESIZE) == 4096 && sysconf(_SC_NPROCESSORS_ONLN) == 2);
    assert(sysconf(_SC_OPEN_MAX) == 1024 && sysconf(_SC_PHYS_PAGES) > 0);
    assert(getpid() == 2 && getppid() == 1 && getpgrp() == 2 && getsid(0) == 2);
    assert(getuid() == geteuid() && getgid() == getegid() && getgroups(0, NULL) == 0);
    assert(sched_get_priority_max(SCHED_RR) == 99 && sched_get_priority_min(SCHED_OTHER) == 0);
    assert(sched_setscheduler(0, SCHED_FIFO, &param) == 0);
    assert(sched_getscheduler(0) == SCHED_FIFO);
    assert(sched_getparam(0, &param) == 0 && param.sched_priority == 3);
    param.sched_priority = 100;
    assert(sched_setparam(0, &param) == -1 && errno == EINVAL);
    assert(sched_rr_get_interval(0, &t) == 0 && t.tv_nsec > 0);
    assert(sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) == 2);
    assert(sched_setaffinity(0, sizeof set, &set) == 0 && sched_getcpu() == 0);
    assert(nanosleep(&t, &left) == 0);
    t.tv_nsec = -1;
    assert(nanosleep(&t, NULL) == -1 && errno == EINVAL);
    return 0;
}
