/* queue.h - open states, in chunks that change hands between workers.
 * A queue, and a chunk, belongs to one thread at a time; each task has a state
 * of its own. */
#ifndef CHECKER_QUEUE_H
#define CHECKER_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

#include "store/store.h"
#include "vm/vm.h"

struct task {
    store_id id;
    struct vm_state *state;
    unsigned depth;
};

/* The most tasks of a chunk: enough to prefetch states ahead. */
enum { CHUNK_TASKS = 32 };

struct chunk {
    struct chunk *below;
    size_t n;
    uint64_t offset, size; /* of its bytes in a file (spill.h); size 0: it is in memory */
    int fd;                /* that file */
    struct task tasks[];   /* room for CHUNK_TASKS, or if it is in a file for none */
};

struct queue {
    struct chunk *top; /* the newest; all others are full */
    size_t nchunks;
    size_t full; /* tasks of a full chunk; may change only while the queue is empty */
};

/* Returns an empty chunk. */
struct chunk *chunk_new(void);
/* Makes a queue empty, with chunks of CHUNK_TASKS. */
void queue_init(struct queue *queue);
void queue_push(struct queue *queue, struct task task);
/* Pops the task pushed last; false if there is none. */
bool queue_pop(struct queue *queue, struct task *task);
/* Takes a whole chunk, which the caller frees; NULL if there is none. */
struct chunk *queue_take(struct queue *queue);
/* Returns a chunk whose states are in a file, without room for any. */
struct chunk *chunk_in_file(size_t n, int fd, uint64_t offset, uint64_t size);
/* Puts a chunk on top. */
void queue_add(struct queue *queue, struct chunk *chunk);
/* Write a chunk that is in memory as bytes, in place of what is in the buffer; and make a chunk
 * of so many tasks from them. */
void chunk_encode(const struct chunk *chunk, struct vm_bytes *buffer);
struct chunk *chunk_decode(const struct vm_bytes *buffer, size_t n);
/* Frees a chunk and releases the states of its tasks. */
void chunk_drop(struct chunk *chunk);
void queue_fini(struct queue *queue);

#endif
