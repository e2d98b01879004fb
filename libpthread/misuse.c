/* misuse.c - messages that say which thread holds a lock. */
#include "libpthread/internal.h"

_Noreturn void __pthread_misuse_held(const char *message, uint64_t tid)
{
    char text[160], *end = os_put(text, message);
    if (tid)
        os_put(os_put_number(os_put(end, ": thread "), tid), " has it");
    misuse(text);
}
