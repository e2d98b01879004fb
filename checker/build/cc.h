/* cc.h - the command lines of C compilers, taken apart: for `divm cc` and for
 * compile_commands.json.  Values; single-threaded. */
#ifndef CHECKER_CC_H
#define CHECKER_CC_H

#include "checker/memory.h"

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
/* Splits a line that is quoted as in a shell into words (no substitution). */
void cc_split(const char *text, struct strings *words);
/* Takes an option of compilers, as `divm verify` does: adds it if it matters for compiling,
 * drops it if it means nothing here.  Returns how many words it has: 0 if it is none of
 * cc_options.def, or says what a compiler is to do; 2 with its value, the next word. */
size_t cc_take(struct strings *compile, const char *word, const char *next);
bool cc_is_mode(const char *word);   /* says what a compiler is to do */
bool cc_is_option(const char *word); /* is exactly one of cc_options.def, up to a '=' */
/* Returns the name of an option of cc_options.def, or NULL behind the last one.  joined: does
 * its value stand in the same word? */
const char *cc_name(size_t i, bool *joined);
/* cc_refused.c: adds the names that the function main of an object refers to, if it has one. */
void cc_main_names(const char *file, struct strings *names);
/* Writes a linker script that defines what divm refuses, but for what main names.  False if it
 * cannot be written. */
bool cc_refused_script(const char *file, const struct strings *by_main);
/* Says that divm refuses what main names. */
void cc_refused_hint(const struct strings *by_main);

#endif
