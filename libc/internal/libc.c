/* libc.c - musl's fills this in at start-up from what the kernel passes; ours is
 * constant from the start, so nothing has to run before main. */
#include "libc.h"

static size_t no_auxv[2];

struct __libc __libc = {
    .page_size = 4096,
    .threaded = 1, /* streams have locks from the start */
    .auxv = no_auxv,
};

size_t __hwcap;
char *__progname, *__progname_full;

weak_alias(__progname, program_invocation_short_name);
weak_alias(__progname_full, program_invocation_name);
