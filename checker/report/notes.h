/* notes.h - assumptions and limits of a result, beside the verdict itself.
 *
 * Texts and JSON that are returned are the caller's. */
#ifndef CHECKER_NOTES_H
#define CHECKER_NOTES_H

#include <jansson.h>

#include "checker/program.h"
#include "checker/search/check.h"
#include "vm/vm.h"

/* notes_json: all notes as JSON.  notes_print: on standard error.  program: NULL if it was not
 * loaded. */
json_t *notes_json(const struct cli_program *options, const struct vm_program *program,
                   const struct check_result *result);
void notes_print(const struct cli_program *options, const struct vm_program *program,
                 const struct check_result *result);
/* Returns "queue.c:14: an atomic weaker than seq_cst (and 3 more): checked under ...",
 * malloc'ed, or NULL; what: "checked under ...". */
char *notes_weak(const struct vm_weak *weak, const char *what);

#endif
