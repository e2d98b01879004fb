/* self.c - errno, the locale and the like of each thread; see pthread_impl.h.
 * musl keeps them at the thread pointer. */
#include "pthread_impl.h"

_Thread_local struct pthread __libc_self = {
    .locale = &libc.global_locale,
};
