/* witness.h - errors as violation witnesses of SV-COMP: the way to each as a sequence of
 * waypoints in the source, which validators follow.
 *
 * A struct witness is the caller's, from its open to its close.  Single-threaded. */
#ifndef CHECKER_WITNESS_H
#define CHECKER_WITNESS_H

#include <yaml.h>

#include "cex.h"
#include "checker/memory.h"

struct witness {
    yaml_document_t document;
    int entries; /* the node of their list */
};

void witness_open(struct witness *witness);
/* Returns the property of SV-COMP that such an error violates; NULL: there is none. */
const char *witness_property(enum vm_fault_kind kind);
/* Adds an error of such a kind of the program that these files are. */
void witness_add(struct witness *witness, const struct strings *files, const struct cex *cex);
/* Returns the whole document, malloc'ed. */
char *witness_close(struct witness *witness);

#endif
