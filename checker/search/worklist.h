/* worklist.h - a worker's part of a level: the chunks that it has found, for itself and for
 * others.
 *
 * The worker fills it while nobody else looks at it, where the level ends; then it takes chunks
 * from the front, and others, who have none left, from the back.  So as long as each worker has
 * some, nobody writes what another one reads.
 *
 * What a worker takes from the back comes next to what stands there: two workers that go
 * through their parts towards each other have each one stretch of the level, whatever their
 * speeds. */
#ifndef CHECKER_WORKLIST_H
#define CHECKER_WORKLIST_H

#include <stdalign.h>
#include <stdatomic.h>

#include "queue.h"

struct worklist {
    /* Chunks before it are taken by the worker, or just being so; it alone writes it. */
    alignas(64) _Atomic size_t front;
    _Atomic(struct chunk *) *chunks; /* NULL: taken */
    size_t n, max;
    size_t states; /* of all chunks, when it was filled */
};

void worklist_init(struct worklist *worklist);
/* Releases what is left in it. */
void worklist_fini(struct worklist *worklist);
/* It has all chunks of a queue, and nothing else: all that were in it are taken. */
void worklist_fill(struct worklist *worklist, struct queue *queue);
/* The worker's next one; NULL if others have all that are left. */
struct chunk *worklist_take_front(struct worklist *worklist);
/* For somebody else, whose look at it has come down to *rest, from n: the last one before that;
 * NULL if the worker itself has all that are left. */
struct chunk *worklist_take_back(struct worklist *worklist, size_t *rest);

#endif
