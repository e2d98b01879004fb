/* hints.c - hints: what is often the cause of such an error, and what to do then. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checker/build/database.h"
#include "checker/cli/cli.h"
#include "checker/memory.h"
#include "checker/program.h"
#include "checker/report/cex.h"
#include "checker/search/check.h"

static char *text(const char *format, ...)
{
    va_list list;
    char *result;
    va_start(list, format);
    if (vasprintf(&result, format, list) < 0)
        result = NULL;
    va_end(list);
    return check_memory(result);
}

/* ---- time ------------------------------------------------------------------------ */

static bool is_timed(enum vm_action action)
{
    return action == VM_ACT_SLEEP || action == VM_ACT_COND_TIMEDWAIT ||
           action == VM_ACT_TIMEDLOCK;
}

/* Returns the last step that rests on time, or NULL. */
static const struct cex_event *last_timed(const struct cex *cex)
{
    for (size_t i = cex->nevents; i > 0; i--) {
        const struct cex_event *event = &cex->events[i - 1];
        if (event->kind == CEX_ACTION && is_timed(event->action) && event->at.file)
            return event;
    }
    return NULL;
}

static char *of_time(const struct cli *cli, const struct cex *cex)
{
    enum { FIXED };
    const struct cex_event *event = last_timed(cex);
    if (!event || cli->value[OPT_CLOCK].number != FIXED)
        return NULL;
    const char *what = event->action == VM_ACT_SLEEP
                           ? "a sleep (%s:%u) orders nothing, however long it is"
                           : "a time limit (%s:%u) may pass at any moment";
    char *place = text(what, check_basename(event->at.file), event->at.line);
    char *hint =
        text("%s: where the test takes it that other threads are faster, verify it with "
             "--clock=prompt",
             place);
    free(place);
    return hint;
}

/* ---- what is not there ----------------------------------------------------------- */

static char *of_missing(const struct cli *cli)
{
    const struct cli_program *program = &cli->program;
    char *others =
        program->database ? database_others(program->database, &program->files) : NULL;
    char *hint =
        others ? text("give the file that defines it as well: compile_commands.json has %s",
                      others)
               : text("give the file that defines it as well; what is in a library has "
                      "to be built with divm cc or divm c++, since machine code cannot "
                      "be verified");
    free(others);
    return hint;
}

char *hint_of(const struct cli *cli, const struct cex *cex)
{
    switch (check_exit_status(cex->kind)) {
    case CHECK_EXIT_REFUSED: return cex->kind == VM_FAULT_UNRESOLVED ? of_missing(cli) : NULL;
    case CHECK_EXIT_INCOMPLETE:
    case CHECK_EXIT_RACE: return NULL; /* time orders no accesses */
    default: return of_time(cli, cex);
    }
}
