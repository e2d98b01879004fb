// What the machine and the process say about themselves.
//
// Result: correct.
#define _GNU_SOURCE
#include <assert.h>
#include <crypt.h>
#include <errno.h>
#include <fmtmsg.h>
#include <grp.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <stropts.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/times.h>
#include <sys/timex.h>
#include <syslog.h>
#include <termios.h>
#include <time.h>
#include <ulimit.h>
#include <unistd.h>

static void system_values(void)
{
    struct sysinfo info;
    struct rlimit limit;
    double load[3];
    char text[64];
    assert(sysinfo(&info) == 0 && get_nprocs() == 2 && get_nprocs_conf() == 2);
    assert(get_phys_pages() > 0 && get_avphys_pages() > 0 && getpagesize() == 4096);
    assert(getauxval(AT_PAGESZ) == 0 || getauxval(AT_PAGESZ) == 4096);
    assert(prlimit(0, RLIMIT_NOFILE, NULL, &limit) == 0 && limit.rlim_cur == 1024);
    assert(getdtablesize() == 1024 && ulimit(UL_GETFSIZE) != 0);
    assert(getloadavg(load, 3) == 3);
    assert(gethostname(text, sizeof text) == 0 && !strcmp(text, "divm"));
    assert(getdomainname(text, sizeof text) == 0 && gethostid() == 0);
    assert(confstr(_CS_PATH, text, sizeof text) > 0);
    assert(getrandom(text, 4, 0) == 4 && getentropy(text, 4) == 0);
}

static void process(void)
{
    char text[64];
    assert(gettid() == getpid() && !issetugid());
    assert(getpgid(0) == getpgrp() && setpgrp() >= 0 && setpgid(0, 0) == 0);
    assert(setsid() == -1 && errno == EPERM);
    assert(!getlogin() && getlogin_r(text, sizeof text) != 0);
    assert(!strcmp(ctermid(NULL), "/dev/tty"));
    assert(!isatty(0) && tcgetpgrp(0) == -1 && tcsetpgrp(0, getpid()) == -1);
    assert(brk(NULL) == -1);
}

static void clocks(void)
{
    struct timespec time, resolution;
    struct timeb old;
    struct tms used;
    struct timeval zero = {0};
    struct timex state = {0};
    clockid_t clock_id;
    assert(clock_getres(CLOCK_MONOTONIC, &resolution) == 0 && resolution.tv_nsec == 1);
    assert(clock_getres(999, &resolution) == -1 && errno == EINVAL);
    assert(clock_gettime(999, &time) == -1 && errno == EINVAL);
    assert(clock_nanosleep(999, 0, &resolution, NULL) == EINVAL);
    assert(timespec_get(&time, TIME_UTC) == TIME_UTC && ftime(&old) == 0);
    assert(old.time == time.tv_sec && clock() >= 0);
    assert(clock_getcpuclockid(0, &clock_id) == 0);
    assert(times(&used) >= 0 && used.tms_utime == 0);
    (void)zero, (void)state;
}

static void terminals(void)
{
    struct termios settings = {0};
    struct winsize size;
    assert(tcgetattr(0, &settings) == -1 && errno == ENOTTY);
    assert(tcsetattr(0, TCSANOW, &settings) == -1 && tcdrain(0) == -1 && tcflow(0, 0) == -1);
    assert(tcflush(0, 0) == -1 && tcgetsid(0) == -1 && tcsendbreak(0, 0) == -1);
    assert(tcgetwinsize(0, &size) == -1 && tcsetwinsize(0, &size) == -1);
    cfmakeraw(&settings);
    assert(cfsetispeed(&settings, B9600) == 0 && cfsetospeed(&settings, B9600) == 0);
    assert(cfsetspeed(&settings, B9600) == 0);
    assert(cfgetispeed(&settings) == B9600 && cfgetospeed(&settings) == B9600);
    assert(isastream(0) >= -1);
}

static void memory(void)
{
    char *a = memalign(64, 8), *b = valloc(8);
    assert(a && b && malloc_usable_size(a) >= 8);
    free(a);
    free(b);
}

static void logs(void)
{
    openlog("test", 0, LOG_USER);
    assert(setlogmask(0) != 0);
    closelog();
}

static void random_numbers(void)
{
    char state[64];
    unsigned seed = 1;
    char *before = initstate(1, state, sizeof state);
    long first = random();
    srandom(1);
    assert(random() == first);
    assert(setstate(before) == state && rand_r(&seed) >= 0);
}

static void passwords(void)
{
    struct crypt_data data = {0};
    assert(!strcmp(crypt("a", "ab"), crypt_r("a", "ab", &data)));
    char key[64] = {0}, block[64] = {0};
    setkey(key);
    encrypt(block, 0);
    assert(block[0] == 0 || block[0] == 1);
}

int main(void)
{
    system_values();
    process();
    clocks();
    terminals();
    memory();
    logs();
    random_numbers();
    passwords();
    _flushlbf();
    assert(fmtmsg(MM_PRINT, "a:b", MM_INFO, "text", "act", "tag") == MM_OK);
    _Exit(0);
}
