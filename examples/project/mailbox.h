/* mailbox.h - a place for one letter, between threads. */
#ifndef MAILBOX_H
#define MAILBOX_H

#include <pthread.h>
#include <stdbool.h>

struct mailbox {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool full;
    int letter;
};

void mailbox_open(struct mailbox *box);
void mailbox_close(struct mailbox *box);
/* Waits until the mailbox is empty. */
void mailbox_put(struct mailbox *box, int letter);
/* Waits until there is a letter. */
int mailbox_take(struct mailbox *box);

#endif
