/* assert.c - musl's prints and aborts; ours is an error of its own kind, whose
 * message is the expression.  The report knows file and line from the frames. */
#include <assert.h>
#include <string.h>

#include "os_error.h"

_Noreturn void __assert_fail(const char *expr, const char *file, int line, const char *func)
{
    static const char prefix[] = "assertion failed: ";
    char message[512];
    size_t room = sizeof message - sizeof prefix, n = strnlen(expr, room);
    (void)file, (void)line, (void)func;
    memcpy(message, prefix, sizeof prefix - 1);
    memcpy(message + sizeof prefix - 1, expr, n);
    message[sizeof prefix - 1 + n] = 0;
    __os_error(VM_FAULT_ASSERT, message);
}
