// Local variables that live in registers, of all kinds.  Result: assertion violation.
// The page shows them by name and type for as long as they are in scope.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
enum color { RED, GREEN = 5 };
struct point {
    int x;
    short y;
};
struct node {
    int value;
    struct node *next;
};
static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int add(struct point p, double weight, bool twice, enum color c, struct node *n,
               unsigned char byte)
{
    int unset;
    __int128 wide = total;
    const char *text = "hello";
    float half = (float)weight / 2;
    for (int i = 0; i < 2; i++) {
        int inner = i * 10;
        pthread_mutex_lock(&lock);
        total += inner;
        pthread_mutex_unlock(&lock);
    }
    struct point q = {p.x + 1, p.y};
    pthread_mutex_lock(&lock);
    total += q.x + (int)half + (int)wide + twice + (int)c + byte;
    pthread_mutex_unlock(&lock);
    unset = text[0];
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unset + n->value + q.y;
}
static void *work(void *arg)
{
    struct node *n = arg;
    return (void *)(long)add((struct point){1, 2}, 2.5, true, GREEN, n, 200);
}
int main(void)
{
    struct node *n = malloc(sizeof *n);
    n->value = 7;
    n->next = NULL;
    pthread_t t;
    pthread_create(&t, NULL, work, n);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    free(n);
    assert(total == 0);
}
