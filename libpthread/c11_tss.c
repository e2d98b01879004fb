/* c11_tss.c - C11's thread-specific storage is POSIX's keys. */
#include "libpthread/internal.h"

int tss_create(tss_t *key, tss_dtor_t destructor)
{
    return pthread_key_create(key, destructor) ? thrd_error : thrd_success;
}

void *tss_get(tss_t key)
{
    return pthread_getspecific(key);
}

int tss_set(tss_t key, void *value)
{
    pthread_setspecific(key, value);
    return thrd_success;
}
