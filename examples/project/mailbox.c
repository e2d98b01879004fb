/* mailbox.c - a place for one letter, between threads.  With -DBUG only one of those that wait
 * is woken, who may be the wrong one. */
#include "mailbox.h"

void mailbox_open(struct mailbox *box)
{
    pthread_mutex_init(&box->lock, NULL);
    pthread_cond_init(&box->changed, NULL);
    box->full = false;
}

void mailbox_close(struct mailbox *box)
{
    pthread_cond_destroy(&box->changed);
    pthread_mutex_destroy(&box->lock);
}

static void tell(struct mailbox *box)
{
#ifdef BUG
    pthread_cond_signal(&box->changed);
#else
    pthread_cond_broadcast(&box->changed);
#endif
}

void mailbox_put(struct mailbox *box, int letter)
{
    pthread_mutex_lock(&box->lock);
    while (box->full)
        pthread_cond_wait(&box->changed, &box->lock);
    box->letter = letter;
    box->full = true;
    tell(box);
    pthread_mutex_unlock(&box->lock);
}

int mailbox_take(struct mailbox *box)
{
    pthread_mutex_lock(&box->lock);
    while (!box->full)
        pthread_cond_wait(&box->changed, &box->lock);
    int letter = box->letter;
    box->full = false;
    tell(box);
    pthread_mutex_unlock(&box->lock);
    return letter;
}
