/* memory.h - memory, texts and lists of texts for the checker's bookkeeping.
 *
 * What is returned belongs to the caller.  Where there is no memory for it, the thread never
 * comes back: the process tells so, and ends with the status of a search that was cut short
 * (struct vm_relief).  Threads: all calls may run concurrently. */
#ifndef CHECKER_MEMORY_H
#define CHECKER_MEMORY_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Returns n * size bytes of 0. */
void *check_zeros(size_t n, size_t size);
char *check_strdup(const char *text); /* NULL of NULL */
char *check_strndup(const char *text, size_t n);
__attribute__((format(printf, 1, 2))) char *check_format(const char *format, ...);
/* Opens a stream that writes into *text, of *size bytes: open_memstream. */
FILE *check_text_stream(char **text, size_t *size);
/* Returns memory that was asked for elsewhere; ends the process if it is NULL. */
void *check_memory(void *memory);

/* A list of strings that it owns. */
struct strings {
    char **at;
    size_t n, max;
};

void strings_add(struct strings *list, const char *text);
void strings_fini(struct strings *list);

/* Returns the last part of a path, inside it. */
const char *check_basename(const char *path);

#endif
