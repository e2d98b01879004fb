/* option_kind.h - kinds of options (options.def): what an option's argument is, how it is read
 * (cli.c), and how the help shows it (help.c). */
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
