/* spill.h - open states that wait in a file while memory is scarce.
 *
 * Whole chunks are written to a file that has no name, and read in when they are to be
 * expanded; then their place in the file is given back.  If a chunk cannot be written it
 * stays in memory, and so do all others from then on.
 * Threads: all calls may run concurrently, except open and close. */
#ifndef CHECKER_SPILL_H
#define CHECKER_SPILL_H

#include <stdatomic.h>

#include "queue.h"

struct spill {
    int fd;                      /* immutable while a search runs, like folder */
    const char *folder;          /* as the user named it */
    _Atomic bool on;             /* memory is scarce; written by the watcher */
    _Atomic int error;           /* errno of the first failure, or 0 */
    _Atomic uint64_t end, bytes; /* size of the file; bytes written in all */
};

/* Opens an unnamed file in the folder; false after a message on standard error. */
bool spill_open(struct spill *spill, const char *folder);
void spill_close(struct spill *spill);
/* Empties it for another search. */
void spill_reset(struct spill *spill);
bool spill_is_on(const struct spill *spill); /* also of NULL: false */
/* Returns the limit to report when memory runs out: the disk's, if the file had no room. */
enum check_limit spill_memory_limit(const struct spill *spill);

/* Writes all full chunks of a queue that are in memory; buffer is the caller's. */
void spill_queue(struct spill *spill, struct queue *queue, struct vm_bytes *buffer);
/* Reads the bytes of a chunk that is in this file or another (a checkpoint): false if they
 * cannot be read, after a message.  The chunk stays there. */
bool spill_peek(struct spill *spill, const struct chunk *chunk, struct vm_bytes *buffer);
/* Reads a chunk back if it is in a file, and frees the given one.  NULL if it cannot be read:
 * its states are lost.  spill may be NULL. */
struct chunk *spill_read(struct spill *spill, struct chunk *chunk, struct vm_bytes *buffer);

#endif
