/* backtrace.c - glibc's <execinfo.h>: there are no frames to be seen.  What addresses from
 * elsewhere are called is not known: they are printed as numbers, as by glibc. */
#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>

enum { LONGEST = 24 };

int backtrace(void **buffer, int size)
{
    return 0;
}

/* Makes one block, which the caller frees: the pointers, then the texts. */
char **backtrace_symbols(void *const *buffer, int size)
{
    size_t count = size > 0 ? size : 0;
    char **list = malloc(count * (sizeof *list + LONGEST) + 1);
    char *text = (char *)(list + count);
    for (size_t k = 0; list && k < count; k++, text += LONGEST) {
        snprintf(text, LONGEST, "[%p]", buffer[k]);
        list[k] = text;
    }
    return list;
}

void backtrace_symbols_fd(void *const *buffer, int size, int fd)
{
    for (int k = 0; k < size; k++)
        dprintf(fd, "[%p]\n", buffer[k]);
}
