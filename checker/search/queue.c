/* queue.c - see queue.h. */
#include "queue.h"

#include <stdlib.h>
#include <string.h>

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

struct chunk *chunk_in_file(size_t n, int fd, uint64_t offset, uint64_t size)
{
    struct chunk *chunk = malloc(sizeof *chunk);
    if (!chunk)
        vm_exhausted();
    *chunk = (struct chunk){.n = n, .fd = fd, .offset = offset, .size = size};
    return chunk;
}

void queue_add(struct queue *queue, struct chunk *chunk)
{
    chunk->below = queue->top;
    queue->top = chunk;
    queue->nchunks++;
}

/* ---- as bytes -------------------------------------------------------------------- */

static void append(struct vm_bytes *buffer, const void *bytes, size_t n)
{
    if (buffer->n + n > buffer->max) {
        buffer->max = 2 * (buffer->n + n);
        unsigned char *more = realloc(buffer->at, buffer->max);
        if (!more)
            vm_exhausted();
        buffer->at = more;
    }
    memcpy(buffer->at + buffer->n, bytes, n);
    buffer->n += n;
}

void chunk_encode(const struct chunk *chunk, struct vm_bytes *buffer)
{
    struct vm_state *states[CHUNK_TASKS];
    for (size_t i = 0; i < chunk->n; i++)
        states[i] = chunk->tasks[i].state;
    buffer->n = 0;
    append(buffer, chunk->tasks, chunk->n * sizeof *chunk->tasks);
    vm_states_write(states, chunk->n, buffer);
}

struct chunk *chunk_decode(const struct vm_bytes *buffer, size_t n)
{
    struct vm_state *states[CHUNK_TASKS];
    struct chunk *chunk = chunk_new();
    size_t size = n * sizeof *chunk->tasks;
    chunk->n = n;
    memcpy(chunk->tasks, buffer->at, size);
    vm_states_read(buffer->at + size, states, n);
    for (size_t i = 0; i < n; i++)
        chunk->tasks[i].state = states[i];
    return chunk;
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
