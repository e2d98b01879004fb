/* dup2.c - musl's, but it says that descriptors can change. */
#include <unistd.h>

#include "os_error.h"
#include "syscall.h"

int dup2(int old, int new)
{
    os_redirect();
    return syscall(SYS_dup2, old, new);
}
