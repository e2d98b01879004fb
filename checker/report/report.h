/* report.h - reports for people and programs.  All functions only read; a struct report belongs
 * to one thread. */
#ifndef CHECKER_REPORT_H
#define CHECKER_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include <jansson.h>

#include "cex.h"
#include "checker/memory.h"
#include "checker/search/check.h"

/* ACCESSES: a table, with what cex.accesses brings. */
enum report_trace { REPORT_TABLE, REPORT_LIST, REPORT_FULL, REPORT_ACCESSES };

struct report {
    FILE *out;
    bool color;
    int width; /* of a line */
    enum report_trace trace;
    const char *addition; /* what the last line says beside the verdict, or NULL */
};

enum report_style { STYLE_PLAIN, STYLE_BOLD, STYLE_DIM, STYLE_ERROR, STYLE_GOOD, STYLE_WARN };

/* Returns the escape sequence of a style, "" without colours. */
const char *report_style(const struct report *report, enum report_style style);

/* Prints the error, what each thread was doing, what happened, what was printed. */
void report_error(const struct report *report, const struct cex *cex);
/* Prints the table of threads (or list) of what happened: report_table.c. */
void report_events(const struct report *report, const struct cex *cex);

/* Prints the places of a stack that are the program's own, or all. */
void report_stack(const struct report *report, const struct cex_stack *stack, bool all);
/* Prints the stack as report_stack does, unless it has one place only, which was shown. */
void report_callers(const struct report *report, const struct cex_stack *stack, bool shown);
/* Prints the source line of a place, if it can be read, and is not *last, which it becomes.
 * True if the line is to be seen. */
bool report_source(const struct report *report, const struct cex_place *place,
                   const struct cex_place **last);
/* Prints the locks that a thread holds at an event, or that it holds none. */
void report_held(const struct report *report, const struct cex *cex, uint64_t tid,
                 uint64_t order);
/* Prints the causes of the error: report_lines.c. */
void report_causes(const struct report *report, const struct cex *cex,
                   const struct cex_place **last);

/* Prints the last line; counterexample may be NULL unless there is an error. */
void report_verdict(const struct report *report, const struct check_result *result,
                    const struct check_options *options, const struct cex *cex);
/* Returns "counter == 12 (main at counter.c:44)", malloc'ed. */
char *report_headline(const struct cex *cex);
/* Returns NULL, or what a proof in which no execution ends says: assumptions dropped some. */
const char *report_vacuous(const struct check_result *result);
/* Returns "complete", and what such a proof leaves open: "complete under sequential consistency
 * (queue.c:14 is relaxed, and 3 more: not checked)", malloc'ed. */
char *report_complete(const struct check_result *result);
/* Returns "sc", "tso" or "c11". */
const char *report_model(enum vm_model model);
/* Returns why a search is incomplete: "time limit of 60 s", malloc'ed; NULL if it is not. */
char *report_incomplete(const struct check_result *result, const struct check_options *options);
/* incomplete.c: returns what such a search has shown all the same: "no error in the first 26
 * actions of all interleavings (123 states)", malloc'ed; tells what the states are about that
 * are left, and what may help, as text, and as fields of the JSON report. */
char *report_proven(const struct check_result *result);
struct strings report_advice(const struct check_result *result,
                             const struct check_options *options);
void report_left(FILE *out, const struct check_result *result,
                 const struct check_options *options);
void report_left_json(json_t *root, const struct check_result *result,
                      const struct check_options *options);
/* Is the result a simulation without an error?  Its runs are over, or were cut short by a
 * limit. */
bool report_is_sampled(const struct check_result *result);
/* report_sampled.c: returns what came of a simulation without an error: "no error in 10000 runs
 * (seed 1): 12 different final states, ...", malloc'ed.  why: why there were no more runs, or
 * NULL. */
char *report_sampled(const struct check_result *result, const char *why);
/* Prints how many runs a simulation made and what they guarantee, or how the failing run was
 * found. */
void report_runs(FILE *out, const struct check_result *result);
json_t *report_sampled_json(const struct check_result *result);
/* Returns why there may be more errors than were found, malloc'ed; NULL if there are none. */
char *report_cut(const struct check_result *result, const struct check_options *options);
void report_stats(FILE *out, const struct check_stats *stats);
/* Writes "12.3 MB". */
void report_bytes(char *text, size_t size, double bytes);
/* Writes "123", "2.3 million", "1e+15". */
void report_count(char *text, size_t size, double count);
/* Writes "45 s", "12 min", "3 h", "5 days". */
void report_duration(char *text, size_t size, double seconds);
/* Writes "thread 2 (work)". */
void report_thread_name(char *text, size_t size, const struct cex_thread *thread);
/* Is it a name to show?  Kernel objects have none. */
bool report_has_name(const char *object);

/* The number of the format of the JSON report: it grows when a field is removed or changes its
 * meaning, not when one is added.  docs/report.schema.json describes the fields. */
enum { REPORT_FORMAT = 1 };
/* Returns all fields of the JSON report but "options", "notes" and what else the command
 * adds. */
json_t *report_json(const struct check_result *result, const struct check_options *options,
                    const struct cex *cex);
json_t *report_error_json(const struct cex *cex);
/* Returns the JSON string of a text that may not be UTF-8. */
json_t *report_json_text(const char *text, size_t len);

#endif
