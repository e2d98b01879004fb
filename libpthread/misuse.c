/* misuse.c - messages of misuse that are put together, and making attributes undefined. */
#include "libpthread/internal.h"
#include "os/error.h"
#include <string.h>

_Noreturn void __pthread_misuse_held(const char *message, uint64_t tid)
{
    char text[160], *end = os_put(text, message);
    if (tid)
        os_put(os_put_number(os_put(end, ": thread "), tid), " has it");
    misuse(text);
}

_Noreturn void __pthread_destroyed(const char *function, const char *kind)
{
    char text[160];
    os_put(os_put(os_put(os_put(text, function), ": the "), kind), " was destroyed");
    misuse(text);
}

_Noreturn void __pthread_not_a(const char *function, const char *kind)
{
    char text[160];
    os_put(os_put(os_put(os_put(text, function), ": not a "), kind), ": was it initialised?");
    misuse(text);
}

void __pthread_mutex_check(const struct mutex *mutex, const char *function)
{
    if ((unsigned)mutex->locked > 1 || mutex->locked != (mutex->owner != NULL) ||
        ((unsigned)mutex->type > MUTEX_TYPES && mutex->type != DESTROYED))
        __pthread_not_a(function, "mutex");
}

void __pthread_undefine(void *attributes, size_t size)
{
    void *undefined = __divm_obj_make(size, VM_OBJ_HEAP);
    memcpy(attributes, undefined, size);
    __divm_obj_free(undefined, VM_OBJ_HEAP);
}
