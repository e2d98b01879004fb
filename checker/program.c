/* program.c - see program.h. */
#include <stdlib.h>
#include <string.h>

#include "checker/memory.h"
#include "checker/program.h"

static bool is_same_text(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

static bool is_same_list(const struct strings *a, const struct strings *b)
{
    bool same = a->n == b->n;
    for (size_t i = 0; same && i < a->n; i++)
        same = !strcmp(a->at[i], b->at[i]);
    return same;
}

bool cli_program_is_same(const struct cli_program *a, const struct cli_program *b)
{
    const char *entry = a->entry ? a->entry : "main", *other = b->entry ? b->entry : "main";
    return is_same_list(&a->files, &b->files) && is_same_list(&a->compiler, &b->compiler) &&
           is_same_list(&a->libraries, &b->libraries) &&
           is_same_list(&a->arguments, &b->arguments) &&
           is_same_list(&a->environment, &b->environment) &&
           is_same_list(&a->inputs, &b->inputs) && is_same_list(&a->queries, &b->queries) &&
           is_same_text(a->language, b->language) && is_same_text(a->database, b->database) &&
           !strcmp(entry, other) && a->boot_options == b->boot_options;
}

void cli_program_fini(struct cli_program *program)
{
    strings_fini(&program->files);
    strings_fini(&program->compiler);
    strings_fini(&program->libraries);
    strings_fini(&program->inputs);
    strings_fini(&program->queries);
    strings_fini(&program->arguments);
    strings_fini(&program->environment);
    free(program->language);
    free(program->database);
    free(program->entry);
}
