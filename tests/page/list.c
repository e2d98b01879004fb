// Two threads keep a short list; main frees a node that is still in it.  Result: memory error.
// The way to the error has more than 200 steps, and the page shows the list as it breaks.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { ROUNDS = 52, LONGEST = 5 };

struct node {
    int value;
    struct node *next;
};

static struct node *head;
static int length;
static atomic_int pushed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void drop_last(void)
{
    struct node **at = &head;
    while ((*at)->next)
        at = &(*at)->next;
    free(*at);
    *at = NULL;
    length--;
}

static void *work(void *start)
{
    for (int i = 0; i < ROUNDS; i++) {
        struct node *node = malloc(sizeof *node);
        node->value = *(int *)start + i;
        pthread_mutex_lock(&lock);
        node->next = head;
        head = node;
        if (++length > LONGEST)
            drop_last();
        pthread_mutex_unlock(&lock);
        atomic_fetch_add(&pushed, 1);
    }
    return NULL;
}

int main(void)
{
    int starts[] = {100, 200};
    for (int i = 0; i < 2; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, work, &starts[i]);
        pthread_join(thread, NULL);
    }
    struct node *second = head->next;
    free(second); /* and head->next still leads there */
    return head->next->value;
}
