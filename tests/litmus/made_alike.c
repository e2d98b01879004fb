// Two threads make objects that look alike, and lose them.  States that differ in who made
// what are told apart, also where a step is known that leads on from one of them: depth first
// there are as many states as breadth first.
// Options: --races=allow --leaks=no
// Result: correct.
#include <divm.h>
#include <pthread.h>
#include <stdlib.h>

static int chosen[4];
static struct pair {
    int a, b;
} one, other;
static struct pair *p = &one, *q = &other;

static void *makes(void *arg)
{
    chosen[0] = divm_choose(2);
    p = calloc(1, sizeof *p);
    return arg;
}

static void *swaps(void *arg)
{
    struct pair *seen = q;
    p = calloc(1, sizeof *p);
    {
        struct pair *was = p;
        p = q;
        q = was;
    }
    return seen ? arg : NULL;
}

int main(void)
{
    pthread_t a, b, last = 0;
    pthread_create(&a, NULL, swaps, NULL);
    last = a;
    pthread_create(&b, NULL, makes, NULL);
    last = b;
    return last == a;
}
