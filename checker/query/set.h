/* set.h - the queries of a command, for loader, machine and report.
 *
 * Made before the program is loaded, which it must outlive.  After query_set_resolve any thread
 * may use what query_set_options puts into a machine's options. */
#ifndef CHECKER_QUERY_SET_H
#define CHECKER_QUERY_SET_H

#include "checker/memory.h"
#include "checker/query/formula.h"
#include "vm/vm.h"

struct query_set;

/* Parses "--never=EXPR", "--reach=EXPR", "--of=EXPR", "--ltl=FORMULA",
 * "--always-eventually=EXPR", "--monitor=FUNCTION", "--fair" and "--fair=strong".  NULL if
 * there are none; or with *error, a line that begins with the option. */
struct query_set *query_set_new(const struct strings *options, char **error);
void query_set_free(struct query_set *set);

/* Returns what the loader must watch; NULL of NULL. */
const struct vm_watch *query_set_watch(const struct query_set *set);
bool query_set_resolve(struct query_set *set, const struct vm_program *program, char **error);
/* Sets the machine's options for the queries; nothing, of NULL. */
void query_set_options(struct query_set *set, struct vm_options *options);

/* Returns "x == 2, y == 3 are never true": what was to be reached, where a complete search has
 * not found it; malloc'ed, or NULL. */
char *query_set_unreached(const struct query_set *set);
/* Returns, for each query whose value was not known somewhere, a line that says why; NULL if
 * there is no more. */
char *query_set_unknown(const struct query_set *set, size_t *at);
/* Return how many there are; kind and text of one. */
enum query_kind { QUERY_NEVER, QUERY_REACH, QUERY_ALWAYS_EVENTUALLY, QUERY_LTL, QUERY_MONITOR };
size_t query_set_count(const struct query_set *set);
enum query_kind query_set_kind(const struct query_set *set, size_t i);
const char *query_set_text(const struct query_set *set, size_t i);

/* ---- of infinite runs ------------------------------------------------------------ */

/* Of runs: all of them, or those in which no thread waits for ever that can go on all the time,
 * or again and again. */
enum query_fairness { QUERY_ALL, QUERY_WEAKLY_FAIR, QUERY_STRONGLY_FAIR };
enum query_fairness query_set_fairness(const struct query_set *set);
/* Is there a formula or a monitor, or do only fair runs count? */
bool query_set_is_live(const struct query_set *set);
bool query_set_has_monitor(const struct query_set *set);
/* Returns a member's formula, and in *first the number of its first atom as a bit of
 * query_set_atoms; NULL: it is a query of states. */
const struct formula *query_set_formula(const struct query_set *set, size_t i, unsigned *first);
/* Evaluates the atoms of all formulas in the state. */
struct formula_atoms query_set_atoms(struct query_set *set, const struct vm *vm);

#endif
