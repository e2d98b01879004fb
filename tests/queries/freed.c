/* What is freed has no value: a comparison with it is neither true nor false.  Result: correct.
 * Options: --never='p->value == 2' --never='!(p->value == 1)' --never='p->next->value > 0'
 * Expect: column 2: a null pointer|column 1: |no value, or is freed */
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *p;

static void *make(void *arg)
{
    struct node *made = malloc(sizeof *made);
    if (made) {
        made->value = 1;
        made->next = NULL;
        p = made;
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, make, NULL);
    pthread_join(t, NULL);
    free(p);
    return 0;
}
