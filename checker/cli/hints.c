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

/* ---- memory orders ---------------------------------------------------------------- */

/* Does a thread load, after another one has stored, and is one of the two relaxed? */
static bool is_relaxed_pair(const struct cex_event *store, const struct cex_event *load)
{
    return store->kind == CEX_ACTION && load->kind == CEX_ACTION && store->tid != load->tid &&
           store->addr == load->addr && store->written && load->read &&
           (store->relaxed || load->relaxed) && store->at.line && load->at.line;
}

/* Returns the last relaxed access by which the two threads of a race could have been ordered,
 * or NULL. */
static const struct cex_event *last_relaxed(const struct cex *cex)
{
    for (size_t l = cex->nevents; l-- > 0;)
        for (size_t s = l; cex->events[l].tid == cex->tid && s-- > 0;)
            if (is_relaxed_pair(&cex->events[s], &cex->events[l]))
                return &cex->events[cex->events[s].relaxed ? s : l];
    return NULL;
}

static char *of_orders(const struct cli *cli, const struct cex *cex)
{
    const struct cex_event *event = last_relaxed(cex);
    if (!event || cli->value[OPT_EXPLAIN_ORDERS].number)
        return NULL;
    return text("the %s of %s at %s:%u is relaxed, so it orders nothing else: verify it with "
                "--explain-orders to find orders that forbid the error",
                vm_action_text(event->action), event->object, check_basename(event->at.file),
                event->at.line);
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
    case CHECK_EXIT_INCOMPLETE: return NULL;
    case CHECK_EXIT_RACE: return of_orders(cli, cex); /* time orders no accesses */
    default: break;
    }
    char *orders = cex_is_end_race(cex) ? of_orders(cli, cex) : NULL;
    return orders ? orders : of_time(cli, cex);
}
