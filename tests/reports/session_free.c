// A session is freed by whoever finds no reference left, but looks after it has given up its
// own.  Result: memory error.
// Learned: who freed the session between the two accesses of the other thread.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct session {
    int id;
    atomic_int refs;
};

static void session_put(struct session *s)
{
    atomic_fetch_sub(&s->refs, 1);
    if (atomic_load(&s->refs) == 0)
        free(s);
}

static struct session *session_new(int id)
{
    struct session *s = malloc(sizeof *s);
    if (!s)
        exit(0);
    s->id = id;
    atomic_init(&s->refs, 2);
    return s;
}

static void *reader(void *arg)
{
    session_put(arg);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    struct session *s = session_new(7);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, reader, s);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
