/* lock.c - the sections of libc that only one thread may be in; see lock.h. */
#include "os/mode.h"
#include "os/wait.h"

void __libc_lock(const volatile int *lock);
void __libc_unlock(void);

void __libc_lock(const volatile int *lock)
{
    os_enter();
    os_act(VM_ACT_LOCK, (const void *)lock, sizeof *lock);
}

void __libc_unlock(void)
{
    os_leave();
}
