/* part.c - see part.h. */
#include "part.h"

#include <stdlib.h>

#include "checker/array.h"

void part_init(struct part *part)
{
    *part = (struct part){0};
}

static struct chunk *get(struct part *part, size_t k)
{
    return atomic_load_explicit(&part->chunks[k], memory_order_relaxed);
}

void part_fini(struct part *part)
{
    for (size_t k = 0; k < part->n; k++)
        if (get(part, k))
            chunk_drop(get(part, k));
    free(part->chunks);
}

void part_fill(struct part *part, struct queue *queue)
{
    struct chunk *chunk;
    part->n = part->states = 0;
    while ((chunk = queue_take(queue))) {
        part->states += chunk->n;
        ARRAY_PUSH(part->chunks, part->n, part->max, chunk);
    }
    atomic_store_explicit(&part->front, 0, memory_order_relaxed);
}

/* Relaxed: the chunks were written before the workers met, and are handed over once. */
static struct chunk *take_at(struct part *part, size_t k)
{
    if (!get(part, k))
        return NULL;
    return atomic_exchange_explicit(&part->chunks[k], NULL, memory_order_relaxed);
}

struct chunk *part_take_front(struct part *part)
{
    size_t k = atomic_load_explicit(&part->front, memory_order_relaxed);
    struct chunk *chunk = NULL;
    while (!chunk && k < part->n) {
        atomic_store_explicit(&part->front, k + 1, memory_order_relaxed);
        chunk = take_at(part, k++);
    }
    return chunk;
}

struct chunk *part_take_back(struct part *part, size_t *rest)
{
    struct chunk *chunk = NULL;
    while (!chunk && *rest > atomic_load_explicit(&part->front, memory_order_relaxed))
        chunk = take_at(part, --*rest);
    return chunk;
}
