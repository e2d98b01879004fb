/* One thread reads a counter, another counts up: the report names both places, although
 * the second has read the counter, too.  Result: data race.
 * Expect: add at other_reads.c:@add .write of counter. and main at other_reads.c:@look .read.
 */
#include <pthread.h>

static int counter;

static void *add(void *arg)
{
    counter++; // @add
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    int seen = counter; // @look
    pthread_join(thread, NULL);
    return seen > 1;
}
