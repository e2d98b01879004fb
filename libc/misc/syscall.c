/* syscall - musl's reads six arguments, however many were passed; here only
 * those that are there (the machine keeps them in an object of their own). */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "os_error.h"
#include "syscall.h"
#include "vm/hypercall.h"

#undef syscall

long syscall(long n, ...)
{
    va_list ap;
    long arg[6] = {0};
    os_async();    /* it may be tkill */
    os_redirect(); /* or dup2 */
    va_start(ap, n);
    struct {
        unsigned general, floating;
        char *area;
    } *list = (void *)ap;
    size_t left = (__divm_obj_size(list->area) - (uint32_t)(uintptr_t)list->area) / 8;
    for (size_t k = 0; k < 6 && k < left; k++)
        arg[k] = va_arg(ap, long);
    va_end(ap);
    return __syscall_ret(__syscall(n, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]));
}
