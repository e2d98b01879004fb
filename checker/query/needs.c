/* needs.c - needs of a query: of the loader, by its names alone; and of the machine, once they
 * are resolved. */
#include <stdlib.h>
#include <string.h>

#include "checker/array.h"
#include "checker/query/tree.h"

/* ---- before names are resolved --------------------------------------------------- */

static void add(struct strings *list, const char *text)
{
    for (size_t k = 0; k < list->n; k++)
        if (!strcmp(list->at[k], text))
            return;
    strings_add(list, text);
}

/* Adds a variable: the last part of a name is a variable's, what stands before it perhaps a
 * function's. */
static void add_variable(struct query_needs *needs, const char *name)
{
    const char *last = NULL;
    for (const char *at = name; (at = strstr(at, "::")); at += 2)
        last = at;
    add(&needs->variables, last ? last + 2 : name);
    if (!last)
        return;
    char *function = check_strndup(name, (size_t)(last - name));
    add(&needs->functions, function);
    free(function);
    needs->frames = true;
}

static void add_index(struct query_needs *needs, const struct node *array)
{
    if (array->kind == NODE_NAME && !strstr(array->text, "::"))
        add(&needs->arrays, array->text);
    else
        needs->pointers = true;
}

void query_add_needs(const struct query *query, struct query_needs *needs)
{
    for (size_t k = 0; k < query->n; k++) {
        const struct node *node = query->nodes[k];
        switch (node->kind) {
        case NODE_NAME: add_variable(needs, node->text); break;
        case NODE_CALL: add(&needs->functions, node->text); break;
        case NODE_AT: add(&needs->places, node->text); break;
        case NODE_INDEX: add_index(needs, node->a); break;
        case NODE_MEMBER: needs->pointers |= node->is_arrow; break;
        case NODE_DEREFERENCE: needs->pointers = true; break;
        case NODE_NUMBER:
        case NODE_ADDRESS:
        case NODE_CAST:
        case NODE_UNARY:
        case NODE_BINARY:
        case NODE_ENDED:
        case NODE_RACE:
        case NODE_DEADLOCK: break;
        }
        needs->frames |= node->kind == NODE_CALL || node->kind == NODE_AT;
    }
}

void query_needs_fini(struct query_needs *needs)
{
    strings_fini(&needs->functions);
    strings_fini(&needs->places);
    strings_fini(&needs->variables);
    strings_fini(&needs->arrays);
}

/* ---- afterwards ------------------------------------------------------------------ */

static bool is_array(const struct node *node)
{
    return node->type.kind == VALUE_OBJECT && node->type.of &&
           node->type.of->kind == VM_TYPE_ARRAY;
}

void query_add_reads(const struct query *query, struct query_reads *reads)
{
    for (size_t k = 0; k < query->n; k++) {
        const struct node *node = query->nodes[k];
        bool pointer = node->kind == NODE_DEREFERENCE ||
                       (node->kind == NODE_MEMBER && node->is_arrow) ||
                       (node->kind == NODE_INDEX && !is_array(node->a));
        for (size_t i = 0; i < node->nvariables; i++)
            ARRAY_PUSH(reads->locals, reads->nlocals, reads->max_locals, node->variables[i]);
        reads->everything |= node->is_thread_local; /* they are objects of their own */
        if (node->kind == NODE_NAME && !node->nvariables && !node->is_thread_local)
            ARRAY_PUSH(reads->globals, reads->nglobals, reads->max_globals, node->addr);
        reads->everything |= pointer;
        reads->errors |= node->kind == NODE_RACE || node->kind == NODE_DEADLOCK;
        reads->threads |= node->thread || (node->kind == NODE_ENDED);
        reads->ends |= node->kind == NODE_ENDED;
    }
}

void query_reads_fini(struct query_reads *reads)
{
    free(reads->globals);
    free((void *)reads->locals);
    *reads = (struct query_reads){0};
}
