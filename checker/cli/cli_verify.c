/* cli_verify.c - divm verify: explore everything. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "checker/build/compile.h"
#include "checker/build/framework.h"
#include "checker/build/limits.h"
#include "checker/cli/cli.h"
#include "checker/cli/cli_cases.h"
#include "checker/cli/outputs.h"
#include "checker/cli/verification.h"
#include "checker/query/set.h"
#include "checker/search/apart.h"
#include "checker/search/check.h"
#include "checker/search/room.h"
#include "checker/search/spill.h"
#include "checker/search/usage.h"
#include "vm/vm.h"

/* Returns the limit of memory: without an option, nine tenths of what is left, since the
 * machine must live on. */
static uint64_t max_memory(const struct cli *cli)
{
    uint64_t given = (uint64_t)cli->value[OPT_MAX_MEMORY].number, left;
    if (given || (left = room_left("")) == ROOM_UNKNOWN)
        return given;
    return watch_resident_bytes() + left / 10 * 9;
}

static void set_limits(const struct cli *cli)
{
    struct check_options *limits = &build_limits.options;
    limits->max_seconds = cli->value[OPT_MAX_TIME].number;
    limits->deadline = limits->max_seconds > 0 ? watch_now() + limits->max_seconds : 0;
    limits->max_bytes = max_memory(cli);
}

/* Decides whether, and by which framework, the cases are told apart; false if the one that was
 * asked for is not there.  Arguments of the user's own pick the cases already. */
static bool choose_framework(const struct cli *cli, enum framework *framework)
{
    enum { AUTO, NONE };
    const struct cli_value *value = &cli->value[OPT_FRAMEWORK];
    const char *filter = cli->value[OPT_FILTER].text;
    bool there = true;
    if (value->number != AUTO) {
        enum framework wanted = (enum framework)(value->number - NONE);
        there = wanted == FRAMEWORK_NONE || wanted == *framework;
        *framework = wanted;
    } else if (cli->program.arguments.n && !filter) {
        *framework = FRAMEWORK_NONE;
    }
    if (!there)
        fprintf(stderr, "divm: %s: has no test cases of the framework asked for\n",
                cli->program.files.at[0]);
    else if (filter && *framework == FRAMEWORK_NONE)
        fprintf(stderr, "divm: --filter=%s: %s has no test cases to pick from\n", filter,
                cli->program.files.at[0]);
    return there && !(filter && *framework == FRAMEWORK_NONE);
}

static int verify_one(struct cli *cli, struct vm_program *program)
{
    struct check_saving saving;
    int status = CHECK_EXIT_USAGE;
    cli->saving = &saving;
    if (saving_begin(cli, program, &saving))
        status = verify_whole(cli, program);
    cli->saving = NULL;
    saving_end(&saving);
    return status;
}

static int verify_program(struct cli *cli)
{
    enum framework framework;
    if (!cli->value[OPT_QUIET].number)
        file_options_print(&cli->file_options);
    cli_program_options(cli);
    if (cli->value[OPT_FAIR].number)
        strings_add(&cli->program.queries, cli->value[OPT_FAIR].number > QUERY_WEAKLY_FAIR
                                               ? "--fair=strong"
                                               : "--fair");
    if (!queries_begin(&cli->program, &cli->queries))
        return CHECK_EXIT_USAGE;
    struct vm_program *program =
        compile_and_load(&cli->program, cli->value[OPT_VERBOSE].number != 0, &framework);
    if (!program)
        return verify_unloaded(cli);
    int status = CHECK_EXIT_REFUSED;
    cli_coverage_begin(cli, program);
    if (!queries_resolve(cli->queries, program)) {
        status = CHECK_EXIT_USAGE;
    } else if (choose_framework(cli, &framework)) {
        if (framework == FRAMEWORK_NONE)
            status = verify_one(cli, program);
        else
            status = saving_check_cases(cli) ? verify_cases(cli, program, framework)
                                             : CHECK_EXIT_USAGE;
    }
    if (!cli_coverage_end(cli, program) && status == CHECK_EXIT_OK)
        status = CHECK_EXIT_REFUSED;
    if (build_limits.end == APART_DONE)
        vm_unload(program);
    return status;
}

int cli_verify(struct cli *cli)
{
    const char *folder = cli->value[OPT_SPILL].text;
    struct spill spill;
    set_limits(cli);
    if (!outputs_can_write(cli) || !saving_check(cli) ||
        (folder && !spill_open(&spill, folder)))
        return CHECK_EXIT_USAGE;
    cli->spill = folder ? &spill : NULL;
    int status = verify_program(cli);
    if (build_limits.end != APART_DONE)
        cli_leave(cli_exit(cli, status));
    query_set_free(cli->queries);
    cli->spill = NULL;
    if (folder)
        spill_close(&spill);
    return status;
}
