/* saved_file.h - a file that is whole or is refused: how checkpoints are kept.
 *
 * Written beside its place and moved there when all of it is on the disk, so that a full disk
 * or a process that ends at any moment leaves the file that was there before.  It begins with
 * what it is, and by which divm and of which search (its identity, a text of the caller's), and
 * ends with a checksum.  Numbers and structures are those of this divm, which refuses any
 * other's. A struct saved_file belongs to one thread at a time. */
#ifndef CHECKER_SAVED_FILE_H
#define CHECKER_SAVED_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct saved_file {
    FILE *stream;
    void *sum;       /* of what was written */
    char *temporary; /* name of a file that is being written */
    bool nameless;   /* it gets that name when it is whole */
    int error;       /* errno of the first failure, or 0: what follows does nothing */
};

/* Opens a file to be written; false, with the reason in errno, if that fails. */
bool saved_create(struct saved_file *file, const char *name, const char *identity);
void saved_put(struct saved_file *file, const void *bytes, size_t n);
/* Closes it; false, with the reason in errno, if anything failed: then nothing has changed. */
bool saved_finish(struct saved_file *file, const char *name);

/* Reads all of a file.  Returns NULL if it is whole and this divm's, with its identity,
 * malloc'ed; else what is wrong with it, malloc'ed. */
char *saved_check(const char *name, char **identity);
/* Opens a file, after it was checked, to be read from behind the identity on. */
bool saved_open(struct saved_file *file, const char *name);
bool saved_get(struct saved_file *file, void *bytes, size_t n);
void saved_close(struct saved_file *file);

#endif
