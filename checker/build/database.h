/* database.h - compile_commands.json: how build systems compile files. */
#ifndef CHECKER_DATABASE_H
#define CHECKER_DATABASE_H

#include <stdbool.h>

#include "checker/memory.h"

/* Adds the options that FOLDER/compile_commands.json has for a file; false after a message. */
bool database_options(const char *folder, const char *file, struct strings *options);
/* Returns the first files in it beside these, as "queue.cpp, list.cpp", malloc'ed; NULL:
 * none. */
char *database_others(const char *folder, const struct strings *files);

#endif
