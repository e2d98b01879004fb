/* set.c - see set.h. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checker/array.h"
#include "checker/query/query.h"
#include "checker/query/set.h"

struct member {
    bool reach;
    char *option; /* its name: "--reach" */
    struct query *query;
    _Atomic(const char *) why; /* its value was not known somewhere, the first reason */
    _Atomic uint32_t column;
};

struct query_set {
    struct member *at;
    size_t n;
    struct query_needs needs;
    struct query_reads reads;
    struct vm_watch watch;
    struct vm_queries machine;
};

/* ---- making one ---------------------------------------------------------------------------
 */

static struct vm_names_list names(const struct strings *list)
{
    return (struct vm_names_list){(const char *const *)list->at, list->n};
}

/* "--never=x == 2" */
static bool parse(struct member *member, const char *option, char **error)
{
    const char *text = strchr(option, '=') + 1;
    char *why;
    member->option = check_strndup(option, (size_t)(text - option) - 1);
    member->reach = strcmp(member->option, "--never") != 0;
    member->query = query_parse(text, &why);
    if (!member->query)
        *error = check_format("%s: %s", option, why);
    free(why);
    return member->query;
}

struct query_set *query_set_new(const struct strings *options, char **error)
{
    *error = NULL;
    if (!options->n)
        return NULL;
    struct query_set *set = check_zeros(1, sizeof *set);
    set->at = check_zeros(options->n, sizeof *set->at);
    for (; set->n < options->n; set->n++) {
        if (!parse(&set->at[set->n], options->at[set->n], error)) {
            set->n++;
            query_set_free(set);
            return NULL;
        }
        query_add_needs(set->at[set->n].query, &set->needs);
    }
    const struct query_needs *needs = &set->needs;
    set->watch = (struct vm_watch){
        .functions = names(&needs->functions),
        .places = names(&needs->places),
        .variables = names(&needs->variables),
        .arrays = names(&needs->arrays),
        .frames = needs->frames,
        .pointers = needs->pointers,
    };
    return set;
}

void query_set_free(struct query_set *set)
{
    if (!set)
        return;
    for (size_t i = 0; i < set->n; i++)
        query_free(set->at[i].query);
    for (size_t i = 0; i < set->n; i++)
        free(set->at[i].option);
    query_needs_fini(&set->needs);
    query_reads_fini(&set->reads);
    free(set->at);
    free(set);
}

const struct vm_watch *query_set_watch(const struct query_set *set)
{
    return set ? &set->watch : NULL;
}

/* ---- asking -------------------------------------------------------------------------------
 */

/* Relaxed: one reason is as good as another, and it is read when the search is over. */
static void note_unknown(struct member *member, const struct query_why *why)
{
    if (atomic_load_explicit(&member->why, memory_order_relaxed))
        return;
    atomic_store_explicit(&member->column, why->column, memory_order_relaxed);
    atomic_store_explicit(&member->why, why->text, memory_order_relaxed);
}

static unsigned holding(void *context, const struct vm *vm, enum vm_fault_kind error)
{
    struct query_set *set = context;
    for (size_t i = 0; i < set->n; i++) {
        struct query_why why = {0};
        enum query_truth truth = query_holds(set->at[i].query, vm, error, &why);
        if (truth == QUERY_TRUE)
            return (unsigned)i + 1;
        if (truth == QUERY_UNKNOWN)
            note_unknown(&set->at[i], &why);
    }
    return 0;
}

static enum vm_fault_kind tell(void *context, const struct vm *vm, unsigned query, char *text,
                               size_t size)
{
    const struct query_set *set = context;
    const struct member *member = &set->at[query - 1];
    char values[512];
    query_values(member->query, vm, values, sizeof values);
    snprintf(text, size, *values ? "%s, with %s" : "%s", query_text(member->query), values);
    return member->reach ? VM_FAULT_REACH : VM_FAULT_NEVER;
}

bool query_set_resolve(struct query_set *set, const struct vm_program *program, char **error)
{
    *error = NULL;
    for (size_t i = 0; set && i < set->n; i++) {
        struct member *member = &set->at[i];
        char *why;
        if (!query_resolve(member->query, program, &why)) {
            *error = check_format("%s=%s: %s", member->option, query_text(member->query), why);
            free(why);
            return false;
        }
        query_add_reads(member->query, &set->reads);
    }
    if (!set)
        return true;
    set->machine = (struct vm_queries){
        .context = set,
        .holding = holding,
        .tell = tell,
        .globals = set->reads.globals,
        .nglobals = set->reads.nglobals,
        .locals = set->reads.locals,
        .nlocals = set->reads.nlocals,
        .everything = set->reads.everything,
        .asks_errors = set->reads.errors,
    };
    return true;
}

void query_set_options(struct query_set *set, struct vm_options *options)
{
    if (!set)
        return;
    options->queries = &set->machine;
    if (set->reads.threads)
        options->thread_symmetry = false;
    if (set->reads.ends)
        options->conditional = options->deferred_joins = false;
}

/* ---- for reports --------------------------------------------------------------------------
 */

char *query_set_unreached(const struct query_set *set)
{
    char *text = NULL;
    size_t size, n = 0;
    for (size_t i = 0; set && i < set->n; i++)
        n += set->at[i].reach;
    if (!n)
        return NULL;
    FILE *out = check_text_stream(&text, &size);
    for (size_t i = 0, k = 0; i < set->n; i++)
        if (set->at[i].reach)
            fprintf(out, "%s%s", k++ ? ", " : "", query_text(set->at[i].query));
    fputs(n > 1 ? " are never true" : " is never true", out);
    fclose(out);
    return text;
}

char *query_set_unknown(const struct query_set *set, size_t *at)
{
    while (set && *at < set->n) {
        const struct member *member = &set->at[(*at)++];
        const char *why = atomic_load_explicit(&member->why, memory_order_relaxed);
        if (why)
            return check_format(
                "%s=%s: in some states it is neither true nor false (column %u: %s)",
                member->option, query_text(member->query),
                atomic_load_explicit(&member->column, memory_order_relaxed), why);
    }
    return NULL;
}

size_t query_set_count(const struct query_set *set)
{
    return set ? set->n : 0;
}

bool query_set_is_reach(const struct query_set *set, size_t i)
{
    return set->at[i].reach;
}

const char *query_set_text(const struct query_set *set, size_t i)
{
    return query_text(set->at[i].query);
}
