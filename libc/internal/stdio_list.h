/* stdio_list.h - the list of open streams, beyond what musl's header has of it (ofl.c). */
#ifndef STDIO_LIST_H
#define STDIO_LIST_H

#include "stdio_impl.h"

/* Returns the stream after f in the list, or the first one: it stays there until it is passed
 * as f, or __ofl_remove waits. */
hidden FILE *__ofl_next(FILE *f);
hidden void __ofl_remove(FILE *f);

#endif
