/* query.h - expressions over the variables of a program, and over where its threads are: parsed
 * once, resolved once by the program's debug information, evaluated in any state of it.
 * docs/QUERIES.md says what they mean.
 *
 * A struct query belongs to who parsed it; once resolved it is immutable, and any thread may
 * evaluate it.  Errors are one line, malloc'ed, without the expression that they are about. */
#ifndef CHECKER_QUERY_H
#define CHECKER_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "checker/memory.h"
#include "vm/vm.h"

struct query;

/* Parses an expression.  NULL, with *error: "column 5: expected a value". */
struct query *query_parse(const char *text, char **error);
/* Parses a part of a text: so many columns of the text stand before it. */
struct query *query_parse_part(const char *text, size_t before, char **error);
void query_free(struct query *query);
const char *query_text(const struct query *query);

/* Names that the loader has to know before anything is resolved; lists get those that are not
 * yet in them. */
struct query_needs {
    struct strings functions, places, variables, arrays;
    bool frames, pointers;
};
void query_add_needs(const struct query *query, struct query_needs *needs);
void query_needs_fini(struct query_needs *needs);

/* Resolves names and types; false with *error. */
bool query_resolve(struct query *query, const struct vm_program *program, char **error);

/* The reads of a resolved query, for struct vm_queries. */
struct query_reads {
    uint64_t *globals;
    const struct vm_variable **locals;
    size_t nglobals, nlocals, max_globals, max_locals;
    bool everything, errors;
    bool threads; /* threads' numbers */
    bool ends;    /* which threads have ended */
};
void query_add_reads(const struct query *query, struct query_reads *reads);
void query_reads_fini(struct query_reads *reads);

/* UNKNOWN: it depends on what is not there, or has no value. */
enum query_truth { QUERY_FALSE, QUERY_TRUE, QUERY_UNKNOWN };
struct query_why {
    const char *text; /* why a value is not known, or NULL */
    uint32_t column;
};
/* Evaluates a query in a state; error: of it, or NONE.  why: or NULL. */
enum query_truth query_holds(const struct query *query, const struct vm *vm,
                             enum vm_fault_kind error, struct query_why *why);
/* Evaluates a part of a formula in a state: no frame of a function, or no value of its local
 * variable yet, makes a comparison with it false. */
enum query_truth query_holds_in_run(const struct query *query, const struct vm *vm,
                                    struct query_why *why);
/* Writes what the query reads now: "x = 2, work::i = 3 (thread 2)". */
void query_values(const struct query *query, const struct vm *vm, char *text, size_t size);

#endif
