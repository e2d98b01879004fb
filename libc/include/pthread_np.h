/* pthread_np.h - GNU's static initialisers, which musl does not have; the build
 * appends an include of this file to musl's <pthread.h>. */
#ifndef _PTHREAD_NP_H
#define _PTHREAD_NP_H

#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP {{{PTHREAD_MUTEX_RECURSIVE}}}
#define PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP {{{PTHREAD_MUTEX_ERRORCHECK}}}

#endif
