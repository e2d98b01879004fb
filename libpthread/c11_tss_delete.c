/* c11_tss_delete.c - not in c11_tss.c, since linking pthread_key_delete has a price. */
#include "libpthread/internal.h"

void tss_delete(tss_t key)
{
    pthread_key_delete(key);
}
