/* values.c - text of the values that a query reads in a state: "x = 2, work::i = 3 (thread
 * 2)". */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checker/query/evaluate.h"

struct text {
    char *at;
    size_t size;
    const struct node *node; /* that is told of now */
};

static void append(struct text *text, const char *more)
{
    size_t n = strlen(text->at);
    if (n + 1 < text->size)
        snprintf(text->at + n, text->size - n, "%s", more);
}

static void append_place(struct text *text, struct evaluation *e, const struct node *node)
{
    char number[32];
    switch ((int)node->kind) {
    case NODE_NAME: append(text, node->text); break;
    case NODE_MEMBER:
        append_place(text, e, node->a);
        if (!node->text) /* of a std::atomic */
            break;
        append(text, node->is_arrow ? "->" : ".");
        append(text, node->text);
        break;
    case NODE_DEREFERENCE:
        append(text, "*");
        append_place(text, e, node->a);
        break;
    case NODE_INDEX: {
        struct value index = query_value(e, node->b);
        snprintf(number, sizeof number, "[%" PRId64 "]", (int64_t)index.i);
        append_place(text, e, node->a);
        append(text, index.known ? number : "[?]");
        break;
    }
    default: append(text, "(...)");
    }
}

static bool tell(struct evaluation *e, void *context)
{
    struct text *text = context;
    const struct node *node = text->node;
    char value[128] = "?", name[512] = "", line[700];
    struct text place = {name, sizeof name, NULL};
    uint32_t size = node->type.kind == VALUE_POINTER ? 8 : node->type.size;
    uint64_t bits;
    struct value at = query_place(e, node);
    if (at.known && node->bits) {
        struct value field = query_value(e, node);
        if (field.known)
            vm_value_text(e->vm, node->type.of, field.i, size, false, value, sizeof value);
    } else if (at.known && vm_read_bytes(e->vm, at.i, size, &bits))
        vm_value_text(e->vm, node->type.of, bits, size, node->type.kind == VALUE_POINTER, value,
                      sizeof value);
    append_place(&place, e, node);
    uint64_t tid = e->bindings ? e->bindings->tid : 0;
    if (tid)
        snprintf(line, sizeof line, "%s = %s (thread %" PRIu64 ")", name, value, tid);
    else
        snprintf(line, sizeof line, "%s = %s", name, value);
    if (strstr(text->at, line))
        return true;
    append(text, *text->at ? ", " : "");
    append(text, line);
    return true;
}

/* Tells the values in a node that is no place of a number or a pointer. */
static void tell_all(struct evaluation *e, const struct node *node, struct text *text)
{
    if (!node)
        return;
    if (!node->is_place || node->type.kind == VALUE_OBJECT) {
        tell_all(e, node->a, text);
        tell_all(e, node->b, text);
        return;
    }
    text->node = node;
    const struct node *variable = query_unbound(e, node);
    if (variable)
        query_each_frame(e, variable, tell, text);
    else
        tell(e, text);
    if (node->kind == NODE_INDEX)
        tell_all(e, node->b, text);
}

void query_values(const struct query *query, const struct vm *vm, char *text, size_t size)
{
    struct evaluation e = {.vm = vm};
    struct text out = {text, size, NULL};
    *text = 0;
    tell_all(&e, query->root, &out);
}
