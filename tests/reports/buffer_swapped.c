// A writer puts a new buffer in the place of the old one and frees that, while the reader
// still has it.  Result: memory error.
// Learned: the reader uses the buffer of line 49 (buffer), after the writer has freed it in
// line 32; the one of line 25 is another (buffer#2).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static void *xmalloc(size_t n)
{
    void *p = malloc(n);
    if (!p)
        abort();
    return p;
}

static _Atomic(char *) buffer;
static atomic_int reads;

static void *write_new(void *arg)
{
    (void)arg;
    char *fresh = xmalloc(8);
    strcpy(fresh, "new");
    char *old = atomic_load(&buffer);
    while (!atomic_compare_exchange_strong(&buffer, &old, fresh))
        ;
    assert(atomic_load(&buffer) != old);
    atomic_fetch_add(&reads, 0);
    free(old);
    return NULL;
}

static void *read_it(void *arg)
{
    (void)arg;
    char *text = atomic_load(&buffer);
    atomic_fetch_add(&reads, 1);
    assert(text[1] == 'l' || text[1] == 'e');
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    char *first;
    atomic_store(&buffer, first = xmalloc(8));
    strcpy(first, "old");
    pthread_create(&a, NULL, write_new, NULL);
    pthread_create(&b, NULL, read_it, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(atomic_load(&buffer));
    return 0;
}
