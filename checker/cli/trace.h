/* trace.h - files with the path to an error, and with what the program was.
 *
 * What is read belongs to the struct trace.  Single-threaded. */
#ifndef CHECKER_TRACE_H
#define CHECKER_TRACE_H

#include <jansson.h>
#include <stdint.h>

#include "checker/program.h"
#include "checker/search/check.h"
#include "vm/vm.h"

struct trace {
    struct cli_program program;
    struct vm_options machine;
    uint64_t hash; /* vm_program_hash */
    struct check_path path;
    char *verdict; /* report_headline */
    enum vm_fault_kind kind;
    char *location;
};
/* Read and write a trace; return NULL, or what is wrong in one line (malloc'ed). */
char *trace_write(const char *file, const struct trace *trace);
char *trace_read(const char *file, struct trace *trace);
void trace_fini(struct trace *trace);
/* Returns the options of program and machine, for traces and JSON reports. */
json_t *trace_options(const struct cli_program *program, const struct vm_options *machine);

#endif
