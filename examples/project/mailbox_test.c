/* mailbox_test.c - two senders and two receivers: each letter arrives once. */
#include <assert.h>

#include "mailbox.h"

static struct mailbox box;
static int received[2];

static void *send(void *letter)
{
    mailbox_put(&box, *(int *)letter);
    return NULL;
}

static void *receive(void *place)
{
    *(int *)place = mailbox_take(&box);
    return NULL;
}

int main(void)
{
    pthread_t senders[2], receivers[2];
    int letters[2] = {1, 2};
    mailbox_open(&box);
    for (int i = 0; i < 2; i++) {
        pthread_create(&receivers[i], NULL, receive, &received[i]);
        pthread_create(&senders[i], NULL, send, &letters[i]);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(senders[i], NULL);
        pthread_join(receivers[i], NULL);
    }
    assert(received[0] + received[1] == 3 && received[0] != received[1]);
    mailbox_close(&box);
    return 0;
}
