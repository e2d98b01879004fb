#include "channel.h"

void channel_init(struct channel *c)
{
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->changed, NULL);
    c->first = c->n = 0;
}

void channel_fini(struct channel *c)
{
    pthread_cond_destroy(&c->changed);
    pthread_mutex_destroy(&c->lock);
}

/* The planted error, here and below: one is woken, though both kinds wait for the same. */
void channel_send(struct channel *c, int item)
{
    pthread_mutex_lock(&c->lock);
    while (c->n == CHANNEL_ROOM)
        pthread_cond_wait(&c->changed, &c->lock);
    c->items[(c->first + c->n++) % CHANNEL_ROOM] = item;
    pthread_cond_signal(&c->changed);
    pthread_mutex_unlock(&c->lock);
}

int channel_receive(struct channel *c)
{
    pthread_mutex_lock(&c->lock);
    while (c->n == 0)
        pthread_cond_wait(&c->changed, &c->lock);
    int item = c->items[c->first];
    c->first = (c->first + 1) % CHANNEL_ROOM;
    c->n--;
    pthread_cond_signal(&c->changed);
    pthread_mutex_unlock(&c->lock);
    return item;
}
