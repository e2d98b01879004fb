/* load_ar.h - archives of bitcode or of objects that carry it.
 *
 * An open archive is the caller's, to be closed; what it gives is valid until then. */
#ifndef VM_LOAD_AR_H
#define VM_LOAD_AR_H

#include <stddef.h>
#include <stdint.h>

/* An open archive, its members found by symbol */
struct archive;
struct archive *archive_open(const char *path, char **error);
void archive_close(struct archive *a);
/* The member that defines a symbol, or NULL; the bytes belong to the archive. */
const void *archive_find(struct archive *a, const char *symbol, size_t *size);
uint64_t archive_hash(const struct archive *a); /* of all its bytes */

#endif
