/* toy.h - toy programs of fake/vm.c by their words ("threads=3 steps=1 bug"), and searches of
 * them.  The program and the result are the caller's. */
#ifndef TESTS_UNIT_TOY_H
#define TESTS_UNIT_TOY_H

#include <stdio.h>
#include <string.h>

#include "checker/search/check.h"

static inline struct vm_program *toy(const char *args)
{
    char words[128], *rest = words, *word;
    const char *argv[8];
    int argc = 0;
    snprintf(words, sizeof words, "%s", args);
    while ((word = strsep(&rest, " ")))
        argv[argc++] = word;
    char *error;
    return vm_load(&(struct vm_load){.start = {.argv = argv, .argc = argc}}, &error);
}

static inline struct check_options with_workers(unsigned workers)
{
    return (struct check_options){.workers = workers, .machine = {.heap_symmetry = true}};
}

static inline void run(const char *args, const struct check_options *options,
                       struct check_result *result)
{
    struct vm_program *program = toy(args);
    check_run(program, options, result);
    vm_unload(program);
}

#endif
