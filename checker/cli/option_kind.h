/* option_kind.h - what the kinds of options.def are called: what an option's argument is, and
 * how it is read (cli.c), and shown by the help (help.c). */
#ifndef CHECKER_CLI_OPTION_KIND_H
#define CHECKER_CLI_OPTION_KIND_H

enum option_kind {
    FLAG,
    YESNO,
    CHOICE,
    PICK,
    NUMBER,
    COUNT,
    SIZE,
    TIME,
    TEXT,
    NAMES,
    COMPILER,
    LIBRARY,
    INPUT,
    VARIABLE,
    QUERY,
    FRACTION,
    WEIGHTED
};

#endif
