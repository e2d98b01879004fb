/* program.c - see program.h. */
#include <stdlib.h>

#include "checker/memory.h"
#include "checker/program.h"

void cli_program_fini(struct cli_program *program)
{
    strings_fini(&program->files);
    strings_fini(&program->compiler);
    strings_fini(&program->libraries);
    strings_fini(&program->inputs);
    strings_fini(&program->arguments);
    strings_fini(&program->environment);
    free(program->language);
    free(program->database);
    free(program->entry);
}
