/* A bounded channel of numbers between threads. */
#ifndef CHANNEL_H
#define CHANNEL_H

#include <pthread.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { CHANNEL_ROOM = 1 };

struct channel {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* it got something, or room */
    int items[CHANNEL_ROOM];
    size_t first, n;
};

void channel_init(struct channel *c);
void channel_fini(struct channel *c);
void channel_send(struct channel *c, int item); /* waits for room */
int channel_receive(struct channel *c);         /* waits for an item */

#ifdef __cplusplus
}
#endif
#endif
