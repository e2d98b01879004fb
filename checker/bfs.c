/* bfs.c - breadth-first search, level by level, by all workers together.
 *
 * A level's states are known before any of them is expanded, and are all expanded
 * before the next level starts, even if one has an error: so neither the counts
 * nor the reported error depend on the number of workers. */
#include <stdlib.h>

#include "array.h"
#include "search.h"

static bool level_is_last(const struct search *search)
{
    return search_stopped(search) || search_error(search);
}

/* Worker 0, while the others wait: what all have found is the next level. */
static void next_level(struct search *search)
{
    struct search_level *level = &search->level;
    if (level_is_last(search)) {
        level->over = true;
        return;
    }
    level->n = 0;
    for (unsigned i = 0; i < search->nworkers; i++) {
        struct chunk *chunk;
        while ((chunk = queue_take(&search->workers[i].found)))
            ARRAY_PUSH(level->chunks, level->n, level->max, chunk);
    }
    atomic_store_explicit(&level->next, 0, memory_order_relaxed);
    level->over = level->n == 0;
}

/* Relaxed: the chunks were written before the barrier. */
static struct chunk *take_chunk(struct search_level *level)
{
    if (atomic_load_explicit(&level->next, memory_order_relaxed) >= level->n)
        return NULL;
    size_t i = atomic_fetch_add_explicit(&level->next, 1, memory_order_relaxed);
    return i < level->n ? level->chunks[i] : NULL;
}

static void expand_chunk(struct search_worker *worker, struct chunk *chunk)
{
    store_id ids[CHUNK_TASKS];
    for (size_t i = 0; i < chunk->n; i++)
        ids[i] = chunk->tasks[i].id;
    store_prefetch(worker->search->store, ids, chunk->n);
    for (size_t i = 0; i < chunk->n && !search_stopped(worker->search); i++)
        search_expand(worker, &chunk->tasks[i]);
    chunk_drop(chunk);
}

void *search_bfs(void *arg)
{
    struct search_worker *worker = arg;
    struct search *search = worker->search;
    if (worker->index == 0)
        search_expand(worker, NULL);
    for (;;) {
        pthread_barrier_wait(&search->barrier);
        if (worker->index == 0)
            next_level(search);
        pthread_barrier_wait(&search->barrier);
        if (search->level.over)
            break;
        struct chunk *chunk;
        while (!search_stopped(search) && (chunk = take_chunk(&search->level)))
            expand_chunk(worker, chunk);
    }
    search_finished(worker);
    return NULL;
}
