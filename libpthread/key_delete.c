/* key_delete.c - pthread_key_delete.  Where it is linked, whether a key is there depends on
 * other threads: then using one is a visible action, too (key.c). */
#include "libpthread/internal.h"

const int __pthread_deletes_keys = 1;

int pthread_key_delete(pthread_key_t key)
{
    __pthread_key_remove(key);
    return 0;
}
