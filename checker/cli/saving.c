/* saving.c - --checkpoint and --resume: what they need, and to which search a checkpoint
 * belongs. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checker/cli/cli.h"
#include "checker/cli/trace.h"
#include "checker/memory.h"
#include "checker/search/check.h"
#include "checker/search/saved_file.h"

/* Can the file be written?  It is made beside its place, and moved there. */
static bool can_write(const char *file)
{
    char *name = check_format("%s.new", file);
    FILE *out = fopen(name, "we");
    int error = errno;
    if (out)
        fclose(out);
    if (out)
        unlink(name);
    else
        fprintf(stderr, "divm: --checkpoint=%s: %s\n", file, strerror(error));
    free(name);
    return out;
}

bool saving_check(const struct cli *cli)
{
    const char *file = cli->value[OPT_CHECKPOINT].text, *resume = cli->value[OPT_RESUME].text;
    if (resume && access(resume, R_OK) != 0) {
        fprintf(stderr, "divm: --resume=%s: %s\n", resume, strerror(errno));
        return false;
    }
    return !file || can_write(file);
}

bool saving_check_cases(const struct cli *cli)
{
    const char *file = cli->value[OPT_CHECKPOINT].text, *resume = cli->value[OPT_RESUME].text;
    if (!file && !resume)
        return true;
    fprintf(stderr,
            "divm: --%s=%s: not where each test case is searched by itself: add "
            "--test-framework=none, and arguments that pick a case\n",
            file ? "checkpoint" : "resume", file ? file : resume);
    return false;
}

/* Returns everything that decides which states the search has, as JSON with sorted names. */
static json_t *identity_of(const struct cli *cli, const struct vm_program *program)
{
    static const char *const stores[] = {"compact", "exact"};
    static const char *const searches[] = {
        [CHECK_AUTO] = "auto", [CHECK_BFS] = "bfs", [CHECK_DFS] = "dfs", [CHECK_DPOR] = "dpor"};
    const struct vm_options machine = cli_machine(cli);
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, vm_program_hash(program));
    json_t *root = trace_options(&cli->program, &machine);
    json_t *arguments = json_array(), *environment = json_array();
    for (size_t i = 0; i < cli->program.arguments.n; i++)
        json_array_append_new(arguments, json_string(cli->program.arguments.at[i]));
    for (size_t i = 0; i < cli->program.environment.n; i++)
        json_array_append_new(environment, json_string(cli->program.environment.at[i]));
    json_object_set_new(root, "program", json_string(hash));
    json_object_set_new(root, "--search",
                        json_string(searches[(int)cli->value[OPT_SEARCH].number]));
    json_object_set_new(root, "--store",
                        json_string(stores[(int)cli->value[OPT_STORE].number]));
    json_object_set_new(root, "--max-depth",
                        json_integer((json_int_t)cli->value[OPT_MAX_DEPTH].number));
    json_object_set_new(root, "--continue", json_boolean(cli->value[OPT_CONTINUE].number));
    json_object_set_new(root, "--endless", json_boolean(cli->value[OPT_ENDLESS].number == 0));
    json_object_set_new(root, "arguments", arguments);
    json_object_set_new(root, "--env", environment);
    /* The machine's limit goes by what memory there is. */
    json_object_del(root, "max_object_bytes");
    return root;
}

/* Returns the first thing that differs; NULL: none does. */
static const char *difference(const json_t *ours, const json_t *other)
{
    const char *key;
    json_t *value;
    if (!json_equal(json_object_get(ours, "program"), json_object_get(other, "program")))
        return "program";
    json_object_foreach((json_t *)ours, key,
                        value) if (!json_equal(value, json_object_get(other, key))) return key;
    return NULL;
}

/* Returns why the search cannot go on from the file, malloc'ed; NULL: it can. */
static char *why_not(const char *file, const json_t *identity)
{
    char *text, *why = saved_check(file, &text);
    json_error_t error;
    if (why)
        return why;
    json_t *other = json_loads(text, 0, &error);
    const char *key = difference(identity, other);
    if (key && !strcmp(key, "program"))
        why = check_strdup("a checkpoint of another program");
    else if (key)
        why = check_format("a checkpoint of a search with other options (%s)", key);
    json_decref(other);
    free(text);
    return why;
}

bool saving_begin(const struct cli *cli, const struct vm_program *program,
                  struct check_saving *saving)
{
    *saving = (struct check_saving){
        .file = cli->value[OPT_CHECKPOINT].text,
        .every = cli->value[OPT_CHECKPOINT_EVERY].number,
        .resume = cli->value[OPT_RESUME].text,
    };
    json_t *identity = identity_of(cli, program);
    saving->identity = json_dumps(identity, JSON_COMPACT | JSON_SORT_KEYS);
    char *why = saving->resume ? why_not(saving->resume, identity) : NULL;
    if (why)
        fprintf(stderr, "divm: --resume=%s: %s\n", saving->resume, why);
    json_decref(identity);
    bool good = !why;
    free(why);
    return good;
}

void saving_end(struct check_saving *saving)
{
    free((char *)saving->identity);
    *saving = (struct check_saving){0};
}
