/* worklist.c - see worklist.h. */
#include "worklist.h"

#include <stdlib.h>

#include "checker/array.h"

void worklist_init(struct worklist *worklist)
{
    *worklist = (struct worklist){0};
}

static struct chunk *get(struct worklist *worklist, size_t k)
{
    return atomic_load_explicit(&worklist->chunks[k], memory_order_relaxed);
}

void worklist_fini(struct worklist *worklist)
{
    for (size_t k = 0; k < worklist->n; k++)
        if (get(worklist, k))
            chunk_drop(get(worklist, k));
    free(worklist->chunks);
}

void worklist_clear(struct worklist *worklist)
{
    worklist->n = worklist->states = 0;
    atomic_store_explicit(&worklist->front, 0, memory_order_relaxed);
}

void worklist_fill(struct worklist *worklist, struct queue *queue)
{
    struct chunk *chunk;
    while ((chunk = queue_take(queue))) {
        worklist->states += chunk->n;
        ARRAY_PUSH(worklist->chunks, worklist->n, worklist->max, chunk);
    }
}

/* Takes the chunk at a place.  Relaxed: the chunks were written before the workers met, and are
 * handed over once. */
static struct chunk *take_at(struct worklist *worklist, size_t k)
{
    if (!get(worklist, k))
        return NULL;
    return atomic_exchange_explicit(&worklist->chunks[k], NULL, memory_order_relaxed);
}

struct chunk *worklist_take_front(struct worklist *worklist)
{
    size_t k = atomic_load_explicit(&worklist->front, memory_order_relaxed);
    struct chunk *chunk = NULL;
    while (!chunk && k < worklist->n) {
        atomic_store_explicit(&worklist->front, k + 1, memory_order_relaxed);
        chunk = take_at(worklist, k++);
    }
    return chunk;
}

struct chunk *worklist_take_back(struct worklist *worklist, size_t *rest)
{
    struct chunk *chunk = NULL;
    while (!chunk && *rest > atomic_load_explicit(&worklist->front, memory_order_relaxed))
        chunk = take_at(worklist, --*rest);
    return chunk;
}
