/* worklist.h - a worker's part of a level: the chunks that it has found, for itself and for
 * others.
 *
 * At the end of a level the worker fills its part while nobody else uses it.  In the level it
 * takes chunks from the front; workers that have none left take from the back.  So as long as
 * each worker has chunks, nobody writes what another one reads; and a worker and its helper,
 * who approach each other, each get one connected stretch of the level, whatever their speeds.
 *
 * Threads: worklist_take_front is the owner's, worklist_take_back anybody's; the others may be
 * called between levels, or while all workers wait.  docs/MEMORY_ORDER.md has the memory
 * orders. */
#ifndef CHECKER_WORKLIST_H
#define CHECKER_WORKLIST_H

#include <stdalign.h>
#include <stdatomic.h>

#include "queue.h"

struct worklist {
    /* The owner has taken the chunks before it, or is taking the last of them; it alone
     * writes. */
    alignas(64) _Atomic size_t front;
    _Atomic(struct chunk *) *chunks; /* NULL: taken */
    size_t n, max;
    size_t states; /* of all chunks, when it was filled */
};

void worklist_init(struct worklist *worklist);
/* Releases the chunks that are left. */
void worklist_fini(struct worklist *worklist);
/* Forgets the chunks of the part, which must all be taken. */
void worklist_clear(struct worklist *worklist);
/* Moves all chunks of a queue into the part, behind those that are there. */
void worklist_fill(struct worklist *worklist, struct queue *queue);
/* The owner's next chunk; NULL if none is left. */
struct chunk *worklist_take_front(struct worklist *worklist);
/* The last chunk before *rest, for another worker, which sets *rest to n at first and keeps it
 * between calls.  NULL if none is left for others. */
struct chunk *worklist_take_back(struct worklist *worklist, size_t *rest);

#endif
