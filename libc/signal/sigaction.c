/* sigaction.c - musl's notes what was set in variables of its own, for functions that
 * we don't have; ours only asks the kernel. */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "ksigaction.h"
#include "syscall.h"

int __sigaction(int sig, const struct sigaction *restrict sa, struct sigaction *restrict old)
{
    struct k_sigaction new = {0}, before;
    if (sig - 32U < 3 || sig - 1U >= _NSIG - 1) {
        errno = EINVAL;
        return -1;
    }
    if (sa) {
        new.handler = sa->sa_handler;
        new.flags = sa->sa_flags;
        memcpy(&new.mask, &sa->sa_mask, _NSIG / 8);
    }
    int r = __syscall(SYS_rt_sigaction, sig, sa ? &new : 0, &before, _NSIG / 8);
    if (old && !r) {
        memset(old, 0, sizeof *old);
        old->sa_handler = before.handler;
        old->sa_flags = before.flags;
        memcpy(&old->sa_mask, &before.mask, _NSIG / 8);
    }
    return __syscall_ret(r);
}

weak_alias(__sigaction, sigaction);
