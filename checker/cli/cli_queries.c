/* cli_queries.c - --never and --reach; --ltl, --always-eventually, --monitor and
 * --fair. */
#include <stdio.h>
#include <stdlib.h>

#include "checker/cli/cli.h"
#include "checker/memory.h"
#include "checker/query/set.h"
#include "checker/report/cex.h"
#include "checker/search/check.h"

static bool is_good(char *error)
{
    bool good = !error;
    if (error)
        fprintf(stderr, "divm: %s\n", error);
    free(error);
    return good;
}

bool queries_begin(struct cli_program *program, struct query_set **queries)
{
    char *error;
    *queries = query_set_new(&program->queries, &error);
    program->watch = query_set_watch(*queries);
    return is_good(error);
}

bool queries_resolve(struct query_set *queries, const struct vm_program *program)
{
    char *error;
    query_set_resolve(queries, program, &error);
    return is_good(error);
}

void queries_print(const struct query_set *queries)
{
    size_t at = 0;
    char *line;
    while ((line = query_set_unknown(queries, &at))) {
        fprintf(stderr, "divm: note: %s\n", line);
        free(line);
    }
}

static const char *const kinds[] = {
    [QUERY_NEVER] = "never",
    [QUERY_REACH] = "reach",
    [QUERY_ALWAYS_EVENTUALLY] = "always-eventually",
    [QUERY_LTL] = "ltl",
    [QUERY_MONITOR] = "monitor",
};

/* Returns the queries as JSON.  Of those that were not met, only a complete search knows that
 * no state does. */
json_t *queries_json(const struct query_set *queries, const struct check_result *result,
                     const struct cex *cex)
{
    json_t *list = json_array();
    for (size_t i = 0; i < query_set_count(queries); i++) {
        enum query_kind kind = query_set_kind(queries, i);
        bool formula =
            kind == QUERY_LTL || kind == QUERY_ALWAYS_EVENTUALLY || kind == QUERY_MONITOR;
        json_t *holds = result->outcome == CHECK_OK || result->exhausted ? json_boolean(formula)
                                                                         : json_null();
        bool met = result->outcome == CHECK_ERROR && cex->query == i + 1;
        if (met)
            holds = json_boolean(!formula);
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:o}", "kind", kinds[kind], "expression",
                                        query_set_text(queries, i), "holds", holds));
    }
    return list;
}
