/* abort.c - ends of programs by libc++ and libc++abi: errors of the checker's own kinds.  The
 * formats are theirs and know %s and nothing else. */
#include "os_error.h"
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

enum { SIZE = 1024 };

static void put(char *to, const char *text, size_t n)
{
    size_t at = strlen(to);
    if (at + n >= SIZE)
        n = SIZE - 1 - at;
    memcpy(to + at, text, n);
    to[at + n] = 0;
}

static void format_into(char *to, const char *format, va_list list)
{
    to[0] = 0;
    for (const char *percent; (percent = strstr(format, "%s")); format = percent + 2) {
        put(to, format, (size_t)(percent - format));
        const char *text = va_arg(list, const char *);
        put(to, text, strlen(text));
    }
    put(to, format, strlen(format));
}

static const char *after(const char *text, const char *word)
{
    const char *at = strstr(text, word);
    return at ? at + strlen(word) : NULL;
}

/* Reports libc++abi's message, "terminating due to uncaught exception of type TYPE: WHAT"; what
 * is left is TYPE: WHAT, with TYPE as the symbol of its name, which the host demangles. */
_Noreturn void __abort_message(const char *format, ...) __asm__("abort_message");
_Noreturn void __abort_message(const char *format, ...)
{
    char message[SIZE], type[SIZE] = "_ZTS";
    va_list list;
    va_start(list, format);
    format_into(message, format, list);
    va_end(list);
    const char *name = after(message, "exception of type ");
    if (!name)
        __os_error(VM_FAULT_ABORT, message);
    put(type, name, strlen(name));
    __os_error(VM_FAULT_UNCAUGHT, type);
}

/* Reports a failed check of hardened libc++: "file:line: assertion EXPRESSION failed: MESSAGE
 * ".  The place is in the library; the user's is in the stack. */
_Noreturn void __verbose_abort(const char *format,
                               ...) __asm__("_ZNSt3__122__libcpp_verbose_abortEPKcz");
_Noreturn void __verbose_abort(const char *format, ...)
{
    char message[SIZE];
    va_list list;
    va_start(list, format);
    format_into(message, format, list);
    va_end(list);
    char *newline = strchr(message, '\n');
    if (newline)
        *newline = 0;
    const char *failed = after(message, ": assertion ");
    __os_error(failed ? VM_FAULT_ASSERT : VM_FAULT_ABORT, failed ? failed : message);
}
