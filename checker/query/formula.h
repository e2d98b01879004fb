/* formula.h - formulas of linear temporal logic over queries: parsed once, in negation normal
 * form.  docs/QUERIES.md says what they mean.
 *
 * A struct formula belongs to who parsed it; once its atoms are resolved it is immutable. There
 * is no operator for the next state, so a formula cannot tell how often a state is repeated. */
#ifndef CHECKER_QUERY_FORMULA_H
#define CHECKER_QUERY_FORMULA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "checker/query/query.h"

/* RELEASE: b holds up to and including where a does, which may be never. */
enum formula_op {
    FORMULA_TRUE,
    FORMULA_FALSE,
    FORMULA_ATOM,
    FORMULA_NOT_ATOM,
    FORMULA_AND,
    FORMULA_OR,
    FORMULA_UNTIL,
    FORMULA_RELEASE,
};

struct formula_node {
    enum formula_op op;
    unsigned a, b; /* the operands: nodes that come before this one */
    unsigned atom; /* its number */
};

enum { FORMULA_NODES = 64, FORMULA_ATOMS = 64 };

/* Equal parts are one node. */
struct formula_form {
    struct formula_node nodes[FORMULA_NODES];
    unsigned n, root;
};

/* Atoms as bits: those that are true in a state, and those that are true or not known. */
struct formula_atoms {
    uint64_t are, may_be;
};

struct formula {
    char *text;
    struct query *atoms[FORMULA_ATOMS];
    unsigned natoms;
    struct formula_form holds, fails; /* the formula, and its negation */
};

/* Parses a formula.  NULL, with *error, malloc'ed: "column 5: expected a value". */
struct formula *formula_parse(const char *text, char **error);
/* Returns the formula that is true if the expression holds again and again. */
struct formula *formula_always_eventually(const char *text, char **error);
void formula_free(struct formula *formula);

#endif
