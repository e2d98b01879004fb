/* Two enqueue without waiting, by the userspace RCU library's queue. */
#define _LGPL_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <urcu/wfcqueue.h>

static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;
static struct cds_wfcq_node nodes[2];

static void *put(void *node)
{
    cds_wfcq_node_init(node);
    cds_wfcq_enqueue(&head, &tail, node);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int n = 0;
    cds_wfcq_init(&head, &tail);
    pthread_create(&thread, NULL, put, &nodes[0]);
    put(&nodes[1]);
    pthread_join(thread, NULL);
    while (cds_wfcq_dequeue_blocking(&head, &tail))
        n++;
    assert(n == 2);
    cds_wfcq_destroy(&head, &tail);
    return 0;
}
