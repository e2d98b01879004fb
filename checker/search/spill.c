/* spill.c - see spill.h. */
#include "spill.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static const uint64_t BLOCK = 4096; /* of a file system, for what is given back */

static int open_nameless(const char *folder)
{
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    char *name;
    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR))
        return fd;
    if (asprintf(&name, "%s/divm-XXXXXX", folder) < 0)
        return -1;
    fd = mkostemp(name, O_CLOEXEC);
    if (fd >= 0)
        unlink(name);
    free(name);
    return fd;
}

bool spill_open(struct spill *spill, const char *folder)
{
    *spill = (struct spill){.fd = open_nameless(folder), .folder = folder};
    if (spill->fd < 0)
        fprintf(stderr, "divm: --spill=%s: %s\n", folder, strerror(errno));
    return spill->fd >= 0;
}

void spill_close(struct spill *spill)
{
    close(spill->fd);
}

void spill_reset(struct spill *spill)
{
    if (ftruncate(spill->fd, 0) < 0)
        warn("--spill=%s", spill->folder); /* it is longer than need be */
    atomic_store_explicit(&spill->error, 0, memory_order_relaxed);
    atomic_store_explicit(&spill->end, 0, memory_order_relaxed);
    atomic_store_explicit(&spill->bytes, 0, memory_order_relaxed);
}

/* Relaxed, as all atomics of this file: a chunk changes hands where the workers meet, the rest
 * are numbers and flags that say nothing of other memory. */
bool spill_is_on(const struct spill *spill)
{
    return spill && atomic_load_explicit(&spill->on, memory_order_relaxed) &&
           !atomic_load_explicit(&spill->error, memory_order_relaxed);
}

static void note_error(struct spill *spill, int error)
{
    int none = 0;
    if (atomic_compare_exchange_strong_explicit(&spill->error, &none, error,
                                                memory_order_relaxed, memory_order_relaxed))
        fprintf(stderr, "divm: --spill=%s: %s\n", spill->folder, strerror(error));
}

/* ---- writing --------------------------------------------------------------------- */

/* Writes bytes; returns 0 or an errno. */
static int write_at(int fd, const unsigned char *bytes, size_t n, uint64_t offset)
{
    while (n > 0) {
        ssize_t done = pwrite(fd, bytes, n, (off_t)offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return done < 0 ? errno : ENOSPC;
        bytes += done;
        n -= (size_t)done;
        offset += (uint64_t)done;
    }
    return 0;
}

/* Writes a chunk and puts one without tasks in its place. */
static bool spill_chunk(struct spill *spill, struct chunk **place, struct vm_bytes *buffer)
{
    struct chunk *chunk = *place;
    chunk_encode(chunk, buffer);
    uint64_t room = (buffer->n + BLOCK - 1) & ~(BLOCK - 1);
    uint64_t offset = atomic_fetch_add_explicit(&spill->end, room, memory_order_relaxed);
    int error = write_at(spill->fd, buffer->at, buffer->n, offset);
    if (error) {
        note_error(spill, error);
        return false;
    }
    atomic_fetch_add_explicit(&spill->bytes, buffer->n, memory_order_relaxed);
    struct chunk *stub = chunk_in_file(chunk->n, spill->fd, offset, buffer->n);
    stub->below = chunk->below;
    *place = stub;
    chunk_drop(chunk);
    return true;
}

/* Writes the full chunks of a queue.  Only the first chunk may not be full, and below one that
 * was written all are written. */
void spill_queue(struct spill *spill, struct queue *queue, struct vm_bytes *buffer)
{
    struct chunk **place = &queue->top;
    if (*place && (*place)->n < queue->full)
        place = &(*place)->below;
    for (; *place && !(*place)->size; place = &(*place)->below)
        if (!spill_chunk(spill, place, buffer))
            return;
}

/* ---- reading --------------------------------------------------------------------- */

static int read_at(int fd, unsigned char *bytes, size_t n, uint64_t offset)
{
    while (n > 0) {
        ssize_t done = pread(fd, bytes, n, (off_t)offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return done < 0 ? errno : EIO;
        bytes += done;
        n -= (size_t)done;
        offset += (uint64_t)done;
    }
    return 0;
}

static bool read_chunk(struct spill *spill, const struct chunk *chunk, struct vm_bytes *buffer)
{
    if (chunk->size > buffer->max) {
        free(buffer->at);
        buffer->max = 2 * chunk->size;
        buffer->at = malloc(buffer->max);
    }
    int error =
        buffer->at ? read_at(chunk->fd, buffer->at, chunk->size, chunk->offset) : ENOMEM;
    buffer->n = chunk->size;
    if (error && spill && chunk->fd == spill->fd)
        note_error(spill, error);
    else if (error)
        fprintf(stderr, "divm: the checkpoint cannot be read any more: %s\n", strerror(error));
    return !error;
}

bool spill_peek(struct spill *spill, const struct chunk *chunk, struct vm_bytes *buffer)
{
    return read_chunk(spill, chunk, buffer);
}

/* Gives the place of a chunk in the file back; if that fails, the file just grows. */
static void give_back(const struct spill *spill, const struct chunk *chunk)
{
    if (spill && chunk->fd == spill->fd)
        fallocate(spill->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)chunk->offset,
                  (off_t)((chunk->size + BLOCK - 1) & ~(BLOCK - 1)));
}

struct chunk *spill_read(struct spill *spill, struct chunk *chunk, struct vm_bytes *buffer)
{
    if (!chunk->size)
        return chunk;
    bool good = read_chunk(spill, chunk, buffer);
    struct chunk *whole = good ? chunk_decode(buffer, chunk->n) : NULL;
    if (good)
        give_back(spill, chunk);
    free(chunk);
    return whole;
}

enum check_limit spill_memory_limit(const struct spill *spill)
{
    bool full = spill && atomic_load_explicit(&spill->error, memory_order_relaxed);
    return full ? CHECK_LIMIT_DISK : CHECK_LIMIT_MEMORY;
}
