/* assert.c - musl's prints and aborts; ours is an error of its own kind, whose
 * message is the expression.  The report knows file and line from the frames. */
#include <assert.h>
#include <string.h>

#include "os_error.h"

/* Nobody reads standard error before the error is reported, but the parent of a death test. */
weak void __assert_told(const char *expr, const char *file, int line, const char *func)
{
    (void)expr, (void)file, (void)line, (void)func;
}

_Noreturn void __assert_fail(const char *expr, const char *file, int line, const char *func)
{
    static const char prefix[] = "assertion failed: ";
    char message[512];
    size_t room = sizeof message - sizeof prefix, n = strnlen(expr, room);
    __assert_told(expr, file, line, func);
    memcpy(message, prefix, sizeof prefix - 1);
    memcpy(message + sizeof prefix - 1, expr, n);
    message[sizeof prefix - 1 + n] = 0;
    __os_error(VM_FAULT_ASSERT, message);
}
