/* cc.h - the command lines of C compilers, taken apart: for `divm cc` and for
 * compile_commands.json.  Values; single-threaded. */
#ifndef CHECKER_CC_H
#define CHECKER_CC_H

#include "cli.h"

enum cc_mode {
    CC_LINK,    /* make an executable or a library */
    CC_OBJECTS, /* -c */
    CC_OTHER,   /* clang alone knows: -E, -S, --version */
};

struct cc_source {
    char *file;
    char *language; /* -x, or NULL */
    size_t at;      /* its place in link */
};

struct cc_line {
    enum cc_mode mode;
    bool shared, relocatable; /* -shared, -r */
    bool writes_depends;      /* -MD or -MMD */
    bool names_depends;       /* -MF */
    bool names_target;        /* -MT or -MQ */
    char *output;             /* or NULL */
    char *language;           /* -x at the end of what was read */
    struct strings all;       /* every word, response files read in */
    struct strings compile;   /* options for the compiler */
    struct strings depends;   /* those that begin with -M */
    struct strings link;      /* options and files for the linker, in their order */
    struct cc_source *sources;
    size_t nsources, max;
};

/* False after a message on standard error. */
bool cc_parse(struct cc_line *line, const char *const *words, size_t n);
void cc_fini(struct cc_line *line);
/* The words of a line that is quoted as in a shell (no substitution). */
void cc_split(const char *text, struct strings *words);
/* compile.c: the options of the guest's target and headers; those of its code. */
void cc_target(struct strings *args, const char *runtime);
void cc_machine(struct strings *args);
/* And, by whether the arguments so far optimise it, what it says of blocks, or that it has no
 * tables that depend on addresses. */
void cc_scopes(struct strings *args);

#endif
