/* A list is walked by pointers: a node is in it before its value is there.  Result: assertion
 * violation.
 * -DFIXED sets the value first: correct.
 * Options: --never='head && head->value == 0'
 * Expect: forbidden state */
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *head;

static void *push(void *arg)
{
    struct node *node = calloc(1, sizeof *node);
    if (!node)
        return arg;
#ifdef FIXED
    node->value = 1;
#endif
    pthread_mutex_lock(&lock);
    node->next = head;
    head = node;
#ifndef FIXED
    node->value = 1;
#endif
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, push, NULL);
    push(NULL);
    pthread_join(t, NULL);
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
