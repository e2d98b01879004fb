/* coverage.c - --coverage and --output-lcov: coverage by all searches of a program.
 *
 * The cases of a test framework are searches of one program, and mark the same. */
#include <stdlib.h>
#include <string.h>

#include "checker/build/limits.h"
#include "checker/cli/cli.h"
#include "checker/cli/outputs.h"
#include "checker/memory.h"
#include "checker/report/coverage.h"
#include "checker/search/apart.h"
#include "checker/search/check.h"
#include "checker/search/encounters.h"

void cli_coverage_begin(struct cli *cli, const struct vm_program *program)
{
    size_t n = vm_cover_marks(program);
    bool executions = cli->value[OPT_SEARCH].number == CHECK_DPOR; /* they know no states */
    cli->covered = cli->program.coverage ? check_zeros(n + 1, 1) : NULL;
    cli->encounters =
        cli->value[OPT_COVERAGE].number != 0 && !executions ? encounters_new() : NULL;
}

void cli_coverage_print(const struct cli *cli, const struct vm_program *program)
{
    struct coverage coverage;
    if (!cli->covered || !cli->value[OPT_COVERAGE].number)
        return;
    coverage_make(&coverage, program, cli->covered, cli->encounters);
    coverage_print(stdout, &coverage);
    coverage_fini(&coverage);
}

void cli_coverage_json(const struct cli *cli, const struct vm_program *program, json_t *root)
{
    struct coverage coverage;
    if (!cli->covered || !cli->value[OPT_COVERAGE].number)
        return;
    coverage_make(&coverage, program, cli->covered, cli->encounters);
    json_object_set_new(root, "coverage", coverage_json(&coverage));
    coverage_fini(&coverage);
}

bool cli_coverage_end(struct cli *cli, const struct vm_program *program)
{
    const char *file = cli->value[OPT_OUTPUT_LCOV].text;
    struct coverage coverage;
    bool good = true;
    if (cli->covered && file) {
        coverage_make(&coverage, program, cli->covered, cli->encounters);
        char *text = coverage_lcov(&coverage);
        good = outputs_write(file, text);
        free(text);
        coverage_fini(&coverage);
    }
    if (build_limits.end == APART_DONE) { /* else a machine may still mark */
        free(cli->covered);
        encounters_free(cli->encounters);
    }
    cli->covered = NULL;
    cli->encounters = NULL;
    return good;
}
