/* coverage.c - see coverage.h. */
#include "checker/report/coverage.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "checker/array.h"
#include "checker/memory.h"

static bool was_set(const _Atomic unsigned char *covered, size_t k)
{
    return covered && atomic_load_explicit(&covered[k], memory_order_relaxed);
}

static int by_place(const void *x, const void *y)
{
    const struct coverage_item *a = x, *b = y;
    int files = strcmp(a->file, b->file);
    return files                    ? files
           : a->line != b->line     ? (a->line < b->line ? -1 : 1)
           : a->column != b->column ? (a->column < b->column ? -1 : 1)
           : a->ways != b->ways     ? (a->ways < b->ways ? -1 : 1)
                                    : strcmp(a->function, b->function);
}

static bool is_same(const struct coverage_item *a, const struct coverage_item *b)
{
    return a->line == b->line && a->column == b->column && a->ways == b->ways &&
           !strcmp(a->file, b->file) && (a->ways > 1 || !strcmp(a->function, b->function));
}

/* Merges marks of the same place. */
static void merge(struct coverage_list *list)
{
    size_t n = 0;
    if (list->n)
        qsort(list->at, list->n, sizeof *list->at, by_place);
    for (size_t i = 0; i < list->n; i++) {
        struct coverage_item *item = &list->at[i], *last = n ? &list->at[n - 1] : NULL;
        if (!last || !is_same(last, item)) {
            list->at[n++] = *item;
            continue;
        }
        for (unsigned k = 0; k < item->ways; k++)
            last->taken[k] |= item->taken[k];
        free(item->taken);
    }
    list->n = n;
}

static struct coverage_item *find(const struct coverage_list *functions,
                                  const struct vm_cover_mark *mark)
{
    for (size_t i = 0; i < functions->n; i++)
        if (!strcmp(functions->at[i].function, mark->function) &&
            !strcmp(functions->at[i].file, mark->file))
            return &functions->at[i];
    return NULL;
}

/* Marks functions as entered that were executed where they were inlined. */
static void enter_inlined(struct coverage *coverage, const struct vm_program *program,
                          const _Atomic unsigned char *covered)
{
    for (size_t k = 0; k < vm_cover_marks(program); k++) {
        struct vm_cover_mark mark = vm_cover_mark(program, k);
        struct coverage_item *function = mark.kind == VM_COVER_LINE && was_set(covered, k)
                                             ? find(&coverage->functions, &mark)
                                             : NULL;
        if (function)
            function->taken[0] = true;
    }
}

static void list_encounters(struct coverage *coverage, struct encounters *encounters)
{
    struct coverage_list *points = &coverage->points;
    coverage->knows_encounters = encounters;
    coverage->encounters = encounters_list(encounters, &coverage->nencounters);
    for (size_t k = 0; k < 2 * coverage->nencounters; k++) {
        const struct encounter *encounter = &coverage->encounters[k / 2];
        struct coverage_item item = {.file = encounter->at[k % 2].file,
                                     .function = "",
                                     .line = encounter->at[k % 2].line,
                                     .ways = 1,
                                     .taken = check_zeros(1, sizeof *item.taken)};
        item.taken[0] = true;
        ARRAY_PUSH(points->at, points->n, points->max, item);
    }
    merge(points);
}

void coverage_make(struct coverage *coverage, const struct vm_program *program,
                   const _Atomic unsigned char *covered, struct encounters *encounters)
{
    struct coverage_list *lists[] = {[VM_COVER_FUNCTION] = &coverage->functions,
                                     [VM_COVER_LINE] = &coverage->lines,
                                     [VM_COVER_BRANCH] = &coverage->branches};
    *coverage = (struct coverage){0};
    for (size_t k = 0; k < vm_cover_marks(program); k++) {
        struct vm_cover_mark mark = vm_cover_mark(program, k);
        struct coverage_list *list = lists[mark.kind];
        bool branch = mark.kind == VM_COVER_BRANCH;
        if (!mark.ways) /* it was looked at with the first one */
            continue;
        struct coverage_item item = {.file = mark.file,
                                     .function =
                                         mark.kind == VM_COVER_LINE ? "" : mark.function,
                                     .line = mark.line,
                                     .column = branch ? mark.column : 0,
                                     .ways = mark.ways,
                                     .taken = check_zeros(mark.ways, sizeof *item.taken)};
        for (unsigned i = 0; i < mark.ways; i++)
            item.taken[i] = was_set(covered, k + i);
        ARRAY_PUSH(list->at, list->n, list->max, item);
    }
    merge(&coverage->lines);
    merge(&coverage->functions);
    merge(&coverage->branches);
    enter_inlined(coverage, program, covered);
    list_encounters(coverage, encounters);
}

static void fini(struct coverage_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->at[i].taken);
    free(list->at);
}

void coverage_fini(struct coverage *coverage)
{
    fini(&coverage->lines);
    fini(&coverage->functions);
    fini(&coverage->branches);
    fini(&coverage->points);
    free(coverage->encounters);
}

bool coverage_is_whole(const struct coverage_item *item)
{
    for (unsigned k = 0; k < item->ways; k++)
        if (!item->taken[k])
            return false;
    return true;
}

bool coverage_reached(const struct coverage_item *item)
{
    for (unsigned k = 0; k < item->ways; k++)
        if (item->taken[k])
            return true;
    return false;
}

size_t coverage_whole(const struct coverage_list *list)
{
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++)
        n += coverage_is_whole(&list->at[i]);
    return n;
}
