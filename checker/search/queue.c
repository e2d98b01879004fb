/* queue.c - see queue.h. */
#include "queue.h"

#include <stdlib.h>

#include "check.h"

struct chunk *chunk_new(void)
{
    struct chunk *chunk = malloc(sizeof *chunk + CHUNK_TASKS * sizeof *chunk->tasks);
    if (!chunk)
        vm_exhausted();
    *chunk = (struct chunk){0};
    return chunk;
}

void queue_init(struct queue *queue)
{
    *queue = (struct queue){.full = CHUNK_TASKS};
}

void queue_push(struct queue *queue, struct task task)
{
    struct chunk *top = queue->top;
    if (!top || top->n == queue->full) {
        struct chunk *chunk = chunk_new();
        chunk->below = top;
        queue->top = top = chunk;
        queue->nchunks++;
    }
    top->tasks[top->n++] = task;
}

bool queue_pop(struct queue *queue, struct task *task)
{
    struct chunk *top = queue->top;
    if (!top)
        return false;
    *task = top->tasks[--top->n];
    if (!top->n)
        free(queue_take(queue));
    return true;
}

struct chunk *queue_take(struct queue *queue)
{
    struct chunk *top = queue->top;
    if (top) {
        queue->top = top->below;
        queue->nchunks--;
    }
    return top;
}

void chunk_drop(struct chunk *chunk)
{
    for (size_t i = 0; i < chunk->n && !chunk->size; i++)
        vm_release(chunk->tasks[i].state);
    free(chunk);
}

void queue_fini(struct queue *queue)
{
    struct chunk *chunk;
    while ((chunk = queue_take(queue)))
        chunk_drop(chunk);
}
