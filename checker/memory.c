/* memory.c - see memory.h. */
#include <stdlib.h>
#include <string.h>

#include "checker/array.h"
#include "checker/memory.h"
#include "vm/vm.h"

void *check_memory(void *memory)
{
    if (!memory)
        vm_exhausted();
    return memory;
}

void *check_zeros(size_t n, size_t size)
{
    return check_memory(calloc(n ? n : 1, size));
}

char *check_strdup(const char *text)
{
    return text ? check_memory(strdup(text)) : NULL;
}

char *check_strndup(const char *text, size_t n)
{
    return check_memory(strndup(text, n));
}

char *check_format(const char *format, ...)
{
    char *text;
    va_list ap;
    va_start(ap, format);
    if (vasprintf(&text, format, ap) < 0)
        text = NULL;
    va_end(ap);
    return check_memory(text);
}

FILE *check_text_stream(char **text, size_t *size)
{
    return check_memory(open_memstream(text, size));
}

void strings_add(struct strings *list, const char *text)
{
    char *copy = check_strdup(text);
    ARRAY_PUSH(list->at, list->n, list->max, copy);
}

void strings_fini(struct strings *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->at[i]);
    free(list->at);
    *list = (struct strings){0};
}

const char *check_basename(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
