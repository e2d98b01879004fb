/* database.h - what build systems say of files: compile_commands.json. */
#ifndef CHECKER_DATABASE_H
#define CHECKER_DATABASE_H

#include <stdbool.h>

#include "checker/memory.h"

/* The options that FOLDER/compile_commands.json has for a file are added;
 * false after a message. */
bool database_options(const char *folder, const char *file, struct strings *options);
/* The first files that it has but these, as "queue.cpp, list.cpp", malloc'ed; NULL: none. */
char *database_others(const char *folder, const struct strings *files);

#endif
