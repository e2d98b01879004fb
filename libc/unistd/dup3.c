/* dup3.c - musl's, but it says that descriptors can change. */
#define _GNU_SOURCE
#include <unistd.h>

#include "os_error.h"
#include "syscall.h"

int __dup3(int old, int new, int flags)
{
    os_redirect();
    return syscall(SYS_dup3, old, new, flags);
}

weak_alias(__dup3, dup3);
