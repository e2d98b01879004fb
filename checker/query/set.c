/* set.c - see set.h. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checker/array.h"
#include "checker/query/formula.h"
#include "checker/query/query.h"
#include "checker/query/set.h"

struct member {
    enum query_kind kind;
    char *option; /* its name: "--reach" */
    struct query *query;
    struct formula *formula;   /* instead of a query */
    char *monitor;             /* or a function's name */
    unsigned first;            /* of its atoms, in all atoms */
    _Atomic(const char *) why; /* its value was not known somewhere, the first reason */
    _Atomic uint32_t column;
};

struct query_set {
    struct member *at;
    size_t n;
    enum query_fairness fairness;
    unsigned natoms;
    struct query_needs needs;
    struct query_reads reads;
    struct vm_watch watch;
    struct vm_queries machine;
};

/* ---- making one ------------------------------------------------------------------ */

static struct vm_names_list names(const struct strings *list)
{
    return (struct vm_names_list){(const char *const *)list->at, list->n};
}

static enum query_kind kind_of(const char *option)
{
    if (!strcmp(option, "--never"))
        return QUERY_NEVER;
    if (!strcmp(option, "--ltl"))
        return QUERY_LTL;
    if (!strcmp(option, "--monitor"))
        return QUERY_MONITOR;
    return strcmp(option, "--always-eventually") ? QUERY_REACH : QUERY_ALWAYS_EVENTUALLY;
}

/* Parses "--never=x == 2". */
static bool parse(struct member *member, const char *option, char **error)
{
    const char *text = strchr(option, '=') + 1;
    char *why = NULL;
    member->option = check_strndup(option, (size_t)(text - option) - 1);
    member->kind = kind_of(member->option);
    if (member->kind == QUERY_MONITOR)
        member->monitor = check_strdup(text);
    else if (member->kind == QUERY_LTL)
        member->formula = formula_parse(text, &why);
    else if (member->kind == QUERY_ALWAYS_EVENTUALLY)
        member->formula = formula_always_eventually(text, &why);
    else
        member->query = query_parse(text, &why);
    if (why)
        *error = check_format("%s: %s", option, why);
    free(why);
    return !*error;
}

/* Returns the k-th expression that is evaluated for the member, or NULL: a monitor has none. */
static struct query *query_of(const struct member *member, unsigned k)
{
    if (!member->formula)
        return k ? NULL : member->query; /* NULL, too, of a monitor */
    return k < member->formula->natoms ? member->formula->atoms[k] : NULL;
}

static bool add(struct query_set *set, const char *option, char **error)
{
    struct member *member = &set->at[set->n];
    struct query *query;
    if (!strncmp(option, "--fair", 6)) {
        set->fairness = option[6] ? QUERY_STRONGLY_FAIR : QUERY_WEAKLY_FAIR;
        return true;
    }
    set->n++;
    if (!parse(member, option, error))
        return false;
    for (unsigned k = 0; (query = query_of(member, k)); k++)
        query_add_needs(query, &set->needs);
    if (member->monitor && set->watch.monitor)
        *error = check_format("%s: there is a monitor already", option);
    if (member->monitor)
        set->watch.monitor = member->monitor;
    member->first = set->natoms;
    set->natoms += member->formula ? member->formula->natoms : 0;
    if (set->natoms > FORMULA_ATOMS)
        *error = check_format("%s: there are too many different expressions", option);
    return !*error;
}

struct query_set *query_set_new(const struct strings *options, char **error)
{
    *error = NULL;
    if (!options->n)
        return NULL;
    struct query_set *set = check_zeros(1, sizeof *set);
    set->at = check_zeros(options->n, sizeof *set->at);
    for (size_t i = 0; i < options->n; i++)
        if (!add(set, options->at[i], error)) {
            query_set_free(set);
            return NULL;
        }
    const struct query_needs *needs = &set->needs;
    set->watch = (struct vm_watch){
        .monitor = set->watch.monitor,
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
    for (size_t i = 0; i < set->n; i++) {
        query_free(set->at[i].query);
        formula_free(set->at[i].formula);
        free(set->at[i].monitor);
        free(set->at[i].option);
    }
    query_needs_fini(&set->needs);
    query_reads_fini(&set->reads);
    free(set->at);
    free(set);
}

const struct vm_watch *query_set_watch(const struct query_set *set)
{
    return set && set->n ? &set->watch : NULL;
}

/* ---- asking ---------------------------------------------------------------------- */

/* Notes why a value was not known.  Relaxed: one reason is as good as another, and it is read
 * when the search is over. */
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
        if (!set->at[i].query)
            continue;
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
    return member->kind == QUERY_REACH ? VM_FAULT_REACH : VM_FAULT_NEVER;
}

/* Returns the text of a member. */
static const char *text_of(const struct member *member)
{
    return member->monitor   ? member->monitor
           : member->formula ? member->formula->text
                             : query_text(member->query);
}

static void add_monitor(struct query_set *set, const struct vm_program *program)
{
    struct query_reads *reads = &set->reads;
    size_t n;
    bool follows;
    uint64_t *globals = vm_monitor_reads(program, &n, &follows);
    for (size_t k = 0; k < n; k++)
        ARRAY_PUSH(reads->globals, reads->nglobals, reads->max_globals, globals[k]);
    reads->everything |= follows;
    free(globals);
}

static bool resolve(struct query_set *set, struct member *member,
                    const struct vm_program *program, char **error)
{
    struct query *query;
    if (member->monitor)
        add_monitor(set, program);
    for (unsigned k = 0; (query = query_of(member, k)); k++) {
        char *why;
        if (!query_resolve(query, program, &why)) {
            *error = check_format("%s=%s: %s", member->option, text_of(member), why);
            free(why);
            return false;
        }
        query_add_reads(query, &set->reads);
    }
    return true;
}

bool query_set_resolve(struct query_set *set, const struct vm_program *program, char **error)
{
    *error = NULL;
    for (size_t i = 0; set && i < set->n; i++)
        if (!resolve(set, &set->at[i], program, error))
            return false;
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
    if (!set || !set->n)
        return;
    options->queries = &set->machine;
    if (set->reads.threads)
        options->thread_symmetry = false;
    if (set->reads.ends)
        options->conditional = options->deferred_joins = false;
}

/* ---- for reports ----------------------------------------------------------------- */

char *query_set_unreached(const struct query_set *set)
{
    char *text = NULL;
    size_t size, n = 0;
    for (size_t i = 0; set && i < set->n; i++)
        n += set->at[i].kind == QUERY_REACH;
    if (!n)
        return NULL;
    FILE *out = check_text_stream(&text, &size);
    for (size_t i = 0, k = 0; i < set->n; i++)
        if (set->at[i].kind == QUERY_REACH)
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
                member->formula ? "%s=%s: in some states an expression is neither true nor "
                                  "false, and does not count as either (column "
                                  "%u: %s)"
                                : "%s=%s: in some states it is neither true nor false (column "
                                  "%u: %s)",
                member->option, text_of(member),
                atomic_load_explicit(&member->column, memory_order_relaxed), why);
    }
    return NULL;
}

size_t query_set_count(const struct query_set *set)
{
    return set ? set->n : 0;
}

enum query_kind query_set_kind(const struct query_set *set, size_t i)
{
    return set->at[i].kind;
}

const char *query_set_text(const struct query_set *set, size_t i)
{
    return text_of(&set->at[i]);
}

/* ---- of infinite runs ------------------------------------------------------------ */

bool query_set_is_live(const struct query_set *set)
{
    return set && (set->fairness || set->natoms || set->watch.monitor);
}

bool query_set_has_monitor(const struct query_set *set)
{
    return set && set->watch.monitor;
}

enum query_fairness query_set_fairness(const struct query_set *set)
{
    return set ? set->fairness : QUERY_ALL;
}

const struct formula *query_set_formula(const struct query_set *set, size_t i, unsigned *first)
{
    *first = set->at[i].first;
    return set->at[i].formula;
}

struct formula_atoms query_set_atoms(struct query_set *set, const struct vm *vm)
{
    struct formula_atoms atoms = {0};
    for (size_t i = 0; set && i < set->n; i++) {
        struct member *member = &set->at[i];
        for (unsigned k = 0; member->formula && k < member->formula->natoms; k++) {
            struct query_why why = {0};
            enum query_truth truth = query_holds_in_run(member->formula->atoms[k], vm, &why);
            uint64_t atom = 1ull << (member->first + k);
            if (truth == QUERY_TRUE)
                atoms.are |= atom;
            if (truth != QUERY_FALSE)
                atoms.may_be |= atom;
            if (truth == QUERY_UNKNOWN)
                note_unknown(member, &why);
        }
    }
    return atoms;
}
