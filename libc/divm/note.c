/* note.c - divm_note: a line for the report.  It is formatted even if nobody
 * listens, so that a bad format is found by the search. */
#include <divm.h>
#include <stdarg.h>
#include <stdio.h>

#include "vm/hypercall.h"

void divm_note(const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (n >= (int)sizeof text)
        n = sizeof text - 1;
    if (n > 0)
        __divm_trace(VM_TRACE_NOTE, text, n);
}
