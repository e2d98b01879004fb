/* resolve.c - resolves the names of a query in a program, and the types of its values. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checker/array.h"
#include "checker/nearest.h"
#include "checker/query/tree.h"

enum { MAX_DEPTH = 12, MAX_TYPES = 20000 };

struct found {
    char *name; /* in full */
    struct vm_known known;
    bool is_constant, is_thread_local;
    uint64_t value;
};

/* A search for what a name stands for. */
struct resolver {
    struct query *query;
    char **error;
    const char *name;      /* that is looked for */
    char *function, *last; /* its parts, or NULL */
    struct found *found;
    size_t nfound, max_found;
    char **names; /* all that there are, for suggestions */
    size_t nnames, max_names;
    struct vm_known *functions; /* that have the name `function` */
    size_t nfunctions, max_functions;
    const struct vm_type **types; /* that were seen */
    size_t ntypes, max_types;
    bool exact;
};

__attribute__((format(printf, 3, 4))) static bool
fail(struct resolver *r, const struct node *node, const char *format, ...)
{
    char text[1024];
    va_list ap;
    if (*r->error)
        return false;
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    *r->error = check_format("column %u: %s", node->column, text);
    return false;
}

bool query_is_name(const char *full, const char *name)
{
    size_t n = strlen(full), length = strlen(name);
    return n >= length && !strcmp(full + n - length, name) &&
           (n == length || (n > length + 2 && !strncmp(full + n - length - 2, "::", 2)));
}

/* ---- names ----------------------------------------------------------------------- */

/* Returns the source's name.  "f.x", as clang calls what is static in a function of C, is
 * f::x. */
static char *source_name(const char *name)
{
    const char *dot = strchr(name, '.');
    return dot && dot > name ? check_format("%.*s::%s", (int)(dot - name), name, dot + 1)
                             : check_strdup(name);
}

static void add_found(struct resolver *r, char *name, const struct vm_known *known)
{
    struct found found = {.name = name, .known = *known};
    ARRAY_PUSH(r->found, r->nfound, r->max_found, found);
}

static void add_name(struct resolver *r, const char *name)
{
    char *copy = check_strdup(name);
    ARRAY_PUSH(r->names, r->nnames, r->max_names, copy);
}

static void see_global(void *context, const struct vm_known *known)
{
    struct resolver *r = context;
    char *name = source_name(known->name);
    add_name(r, name);
    if (query_is_name(name, r->name))
        add_found(r, name, known);
    else
        free(name);
}

static void see_thread_local(void *context, const struct vm_known *known)
{
    struct resolver *r = context;
    size_t n = r->nfound;
    see_global(context, known);
    if (r->nfound > n)
        r->found[n].is_thread_local = true;
}

static void see_function(void *context, const struct vm_known *known)
{
    struct resolver *r = context;
    if (r->function && query_is_name(known->name, r->function))
        ARRAY_PUSH(r->functions, r->nfunctions, r->max_functions, *known);
}

static void see_function_name(void *context, const struct vm_known *known)
{
    add_name(context, known->name);
}

static void see_local(void *context, const struct vm_known *known)
{
    struct resolver *r = context;
    const char *function = NULL;
    for (size_t k = 0; k < r->nfunctions; k++)
        if (r->functions[k].function == known->function)
            function = r->functions[k].name;
    char *name = check_format("%s::%s", function ? function : "", known->name);
    add_name(r, name);
    if (!strcmp(known->name, r->last))
        add_found(r, name, known);
    else
        free(name);
}

static bool is_seen(struct resolver *r, const struct vm_type *t)
{
    for (size_t k = 0; k < r->ntypes; k++)
        if (r->types[k] == t)
            return true;
    ARRAY_PUSH(r->types, r->ntypes, r->max_types, t);
    return false;
}

static void see_enumerators(struct resolver *r, const struct vm_type *t)
{
    for (uint32_t k = 0; k < t->n; k++) {
        const char *name = t->member[k].name;
        add_name(r, name);
        if (!query_is_name(name, r->name) && !query_is_name(r->name, name))
            continue;
        add_found(r, check_strdup(name), &(struct vm_known){.type = t});
        r->found[r->nfound - 1].is_constant = true;
        r->found[r->nfound - 1].value = t->member[k].offset;
    }
}

static void see_type(struct resolver *r, const struct vm_type *t, int depth)
{
    if (!t || depth > MAX_DEPTH || r->ntypes > MAX_TYPES || is_seen(r, t))
        return;
    if (t->kind == VM_TYPE_ENUM)
        see_enumerators(r, t);
    see_type(r, t->element, depth + 1);
    for (uint32_t k = 0; t->kind == VM_TYPE_STRUCT && k < t->n; k++)
        see_type(r, t->member[k].type, depth + 1);
}

static void see_type_of(void *context, const struct vm_known *known)
{
    see_type(context, known->type, 0);
}

/* Prefers those that are called so in full; of equal constants one counts. */
static void prefer_exact(struct resolver *r)
{
    size_t n = 0;
    bool exact = false;
    for (size_t k = 0; k < r->nfound; k++)
        exact |= !strcmp(r->found[k].name, r->name);
    for (size_t k = 0; k < r->nfound; k++) {
        struct found *f = &r->found[k];
        bool again = n && f->is_constant && r->found[0].is_constant &&
                     f->value == r->found[0].value && !strcmp(f->name, r->found[0].name);
        if ((exact && strcmp(f->name, r->name) != 0) || again)
            free(f->name);
        else
            r->found[n++] = *f;
    }
    r->nfound = n;
}

static void look_up(struct resolver *r, const char *name)
{
    const struct vm_program *program = r->query->program;
    const char *last = NULL;
    for (const char *at = name; (at = strstr(at, "::")); at += 2)
        last = at;
    r->name = name;
    r->function = last ? check_strndup(name, (size_t)(last - name)) : NULL;
    r->last = last ? check_strdup(last + 2) : NULL;
    vm_list_globals(program, see_global, r);
    vm_list_thread_locals(program, see_thread_local, r);
    vm_list_functions(program, see_function, r);
    for (size_t k = 0; k < r->nfunctions; k++)
        vm_list_locals(program, r->functions[k].function, see_local, r);
    if (!r->nfound)
        vm_list_types(program, see_type_of, r);
    prefer_exact(r);
}

static void forget(struct resolver *r)
{
    for (size_t k = 0; k < r->nfound; k++)
        free(r->found[k].name);
    for (size_t k = 0; k < r->nnames; k++)
        free(r->names[k]);
    free(r->found);
    free(r->names);
    free(r->functions);
    free((void *)r->types);
    free(r->function);
    free(r->last);
    *r = (struct resolver){.query = r->query, .error = r->error};
}

static bool is_unknown(struct resolver *r, const struct node *node)
{
    const char *nearest = check_nearest(r->name, (const char *const *)r->names, r->nnames);
    bool inner = r->function && r->nfunctions && !nearest;
    return fail(r, node, "there is no %s %s that the program uses%s%s%s",
                inner ? "variable" : "variable or constant", r->name,
                nearest ? "; did you mean " : "", nearest ? nearest : "",
                inner ? "; optimised code may have it in no place of its own" : "");
}

static bool is_ambiguous(struct resolver *r, const struct node *node)
{
    enum { SOME = 4 };
    char *list = NULL;
    size_t size, n = 1;
    FILE *out = check_text_stream(&list, &size);
    fputs(r->found[0].name, out);
    for (size_t k = 1; k < r->nfound; k++) {
        if (!strcmp(r->found[k].name, r->found[0].name))
            n++;
        else if (k < SOME)
            fprintf(out, ", %s", r->found[k].name);
    }
    fclose(out);
    if (n == r->nfound)
        fail(r, node, "%s is ambiguous: there are %zu of this name", r->name, n);
    else
        fail(r, node, "%s is ambiguous: %s", r->name, list);
    free(list);
    return false;
}

/* ---- types ----------------------------------------------------------------------- */

static bool is_array(const struct node *node)
{
    return node->type.kind == VALUE_OBJECT && node->type.of &&
           node->type.of->kind == VM_TYPE_ARRAY;
}

static bool is_struct(const struct vm_type *t)
{
    return t && (t->kind == VM_TYPE_STRUCT || t->kind == VM_TYPE_UNION);
}

/* Returns the member that has a name, or the only one that has a value (NULL), and where it is;
 * NULL if there is none. */
static const struct vm_type_member *find_member(const struct vm_type *t, const char *name,
                                                uint64_t *offset, int depth)
{
    for (uint32_t k = 0; is_struct(t) && depth < MAX_DEPTH && k < t->n; k++) {
        const struct vm_type_member *m = &t->member[k];
        bool named = name && !strcmp(m->name, name);
        bool inner = (!name || !*m->name) && is_struct(m->type) && m->type->size;
        uint64_t before = *offset;
        const struct vm_type_member *found = NULL;
        *offset += m->offset;
        if (named || (!name && m->type && m->type->size && !is_struct(m->type)))
            return m;
        if (inner && (found = find_member(m->type, name, offset, depth + 1)))
            return found;
        *offset = before;
    }
    return NULL;
}

/* Replaces a std::atomic by the value in it. */
static bool unwrap(struct resolver *r, struct node **place)
{
    struct node *node = *place;
    const struct vm_type *t = node->type.of;
    uint64_t offset = 0;
    if (node->type.kind != VALUE_OBJECT || !is_struct(t) || strncmp(t->name, "std::atomic", 11))
        return true;
    const struct vm_type_member *inner = find_member(t, NULL, &offset, 0);
    if (!inner || inner->type->size != t->size)
        return true;
    struct node *made = query_node(r->query, NODE_MEMBER, node->column);
    made->a = node;
    made->number = offset;
    made->is_place = true;
    made->type = query_type_of(inner->type);
    *place = made;
    return true;
}

/* Is the value a number or a pointer?  Arrays become pointers. */
static bool is_scalar(struct resolver *r, struct node **node)
{
    char text[128];
    unwrap(r, node);
    if ((*node)->type.kind != VALUE_OBJECT || is_array(*node))
        return true;
    vm_type_text((*node)->type.of, text, sizeof text);
    return fail(r, *node, "this has the type %s, and is no number and no pointer",
                *text ? text : "of something that is not known");
}

static bool is_pointer(const struct node *node)
{
    return node->type.kind == VALUE_POINTER || is_array(node);
}

static const struct vm_type *pointed(const struct node *node)
{
    return node->type.of ? node->type.of->element : NULL;
}

static const struct value_type int_type = {.kind = VALUE_INTEGER, .size = 4, .is_signed = true};

static struct value_type promoted(const struct node *node)
{
    bool is_small = node->type.size < 4 || (node->bits && node->bits < 32);
    return node->type.kind == VALUE_INTEGER && is_small ? int_type : node->type;
}

/* Does the usual arithmetic conversions. */
static struct value_type common(const struct node *left, const struct node *right)
{
    struct value_type a = promoted(left), b = promoted(right);
    a.of = b.of = NULL;
    if (a.kind != b.kind)
        return a.kind == VALUE_FLOAT ? a : b;
    if (a.size != b.size)
        return a.size > b.size ? a : b;
    return a.is_signed ? b : a;
}

/* ---- nodes ----------------------------------------------------------------------- */

static bool resolve(struct resolver *r, struct node **place);

static void name_known(struct node *node, const struct found *found, struct resolver *r)
{
    node->type = query_type_of(found->known.type);
    if (found->is_constant) {
        node->kind = NODE_NUMBER;
        node->number = found->value;
        return;
    }
    node->is_place = true;
    node->is_thread_local = found->is_thread_local;
    node->number = found->known.number;
    node->addr = found->known.addr;
    node->function = found->known.function;
    for (size_t k = 0; k < r->nfunctions; k++)
        if (r->functions[k].function == node->function)
            node->function_name = r->functions[k].name;
}

/* Are they variables of one name, in blocks of one function, and of one type? */
static bool is_of_one_function(const struct resolver *r)
{
    char text[128], first[128];
    for (size_t k = 0; k < r->nfound; k++) {
        const struct vm_known *known = &r->found[k].known;
        vm_type_text(known->type, text, sizeof text);
        vm_type_text(r->found[0].known.type, first, sizeof first);
        if (!known->variable || known->function != r->found[0].known.function ||
            strcmp(text, first) != 0)
            return false;
    }
    return r->nfound;
}

static void keep_variables(const struct resolver *r, struct node *node)
{
    size_t max = 0;
    for (size_t k = 0; k < r->nfound; k++)
        if (r->found[k].known.variable)
            ARRAY_PUSH(node->variables, node->nvariables, max, r->found[k].known.variable);
}

static bool resolve_name(struct resolver *r, struct node *node)
{
    look_up(r, node->text);
    bool good = r->nfound == 1 || is_of_one_function(r);
    if (good) {
        name_known(node, &r->found[0], r);
        keep_variables(r, node);
    } else if (r->nfound)
        is_ambiguous(r, node);
    else
        is_unknown(r, node);
    if (good && node->thread && !node->nvariables && !node->is_thread_local)
        good =
            fail(r, node, "%s is no local variable: no thread has one of its own", node->text);
    forget(r);
    return good;
}

static bool resolve_function(struct resolver *r, struct node *node)
{
    r->function = check_strdup(node->text);
    vm_list_functions(r->query->program, see_function, r);
    bool good = r->nfunctions;
    if (!good) {
        vm_list_functions(r->query->program, see_function_name, r);
        const char *nearest =
            check_nearest(node->text, (const char *const *)r->names, r->nnames);
        fail(r, node, "there is no function %s%s%s", node->text,
             nearest ? "; did you mean " : "", nearest ? nearest : "");
    }
    node->type = int_type;
    forget(r);
    return good;
}

/* Resolves a bit-field.  One whose values are all an int's is promoted to that. */
static bool resolve_field(struct resolver *r, struct node *node,
                          const struct vm_type_member *field)
{
    node->type = query_type_of(field->field);
    node->first = field->first;
    node->bits = field->bits;
    if (node->type.kind != VALUE_INTEGER || (field->first + field->bits + 7) / 8 > 8)
        return fail(r, node, "the value of %s cannot be read", node->text);
    return true;
}

static bool resolve_member(struct resolver *r, struct node *node)
{
    char text[128];
    if (!node->text) /* made by unwrap */
        return true;
    if (!resolve(r, &node->a))
        return false;
    const struct vm_type *t = node->is_arrow ? pointed(node->a) : node->a->type.of;
    if (node->is_arrow && !is_pointer(node->a))
        return fail(r, node, "-> needs a pointer; . is for what is no pointer");
    if (!node->is_arrow && is_pointer(node->a) && is_struct(pointed(node->a)))
        return fail(r, node, ". needs an object; -> is for pointers");
    vm_type_text(t, text, sizeof text);
    if (!is_struct(t))
        return fail(r, node, "%s has no members that are known", *text ? text : "this");
    const struct vm_type_member *found = find_member(t, node->text, &node->number, 0);
    const char *names[256];
    size_t n = 0;
    for (uint32_t k = 0; k < t->n && n < 256; k++)
        if (*t->member[k].name) /* bases have no name */
            names[n++] = t->member[k].name;
    const char *nearest = found ? NULL : check_nearest(node->text, names, n);
    if (!found)
        return fail(r, node, "%s has no member %s%s%s", text, node->text,
                    nearest ? "; did you mean " : "", nearest ? nearest : "");
    node->is_place = true;
    if (found->field)
        return resolve_field(r, node, found);
    node->type = query_type_of(found->type);
    return true;
}

static bool resolve_pointed(struct resolver *r, struct node *node)
{
    if (!resolve(r, &node->a) || !is_scalar(r, &node->a))
        return false;
    if (!is_pointer(node->a))
        return fail(r, node,
                    node->kind == NODE_INDEX ? "this is no array and no pointer"
                                             : "this is no pointer");
    if (!pointed(node->a) || !pointed(node->a)->size)
        return fail(r, node, "what this points to has no type that is known");
    if (node->b && (!resolve(r, &node->b) || !is_scalar(r, &node->b)))
        return false;
    if (node->b && node->b->type.kind != VALUE_INTEGER)
        return fail(r, node->b, "an index is an integer");
    node->type = query_type_of(pointed(node->a));
    node->is_place = true;
    return true;
}

static bool resolve_unary(struct resolver *r, struct node *node)
{
    if (!resolve(r, &node->a) || !is_scalar(r, &node->a))
        return false;
    node->type = node->op == OP_NOT ? int_type : promoted(node->a);
    node->type.of = NULL;
    if (node->op == OP_COMPLEMENT && node->type.kind != VALUE_INTEGER)
        return fail(r, node, "~ needs an integer");
    return node->op == OP_NOT || !is_pointer(node->a) || fail(r, node, "this is a pointer");
}

static bool is_comparison(enum node_op op)
{
    return op >= OP_EQUAL && op <= OP_GREATER_EQUAL;
}

static bool resolve_pointers(struct resolver *r, struct node *node)
{
    bool both = is_pointer(node->a) && is_pointer(node->b);
    const struct node *other = is_pointer(node->a) ? node->b : node->a;
    node->type = int_type;
    if (is_comparison(node->op))
        return both || other->is_null ||
               fail(r, node,
                    "a pointer is compared with a number; NULL is one that it can be "
                    "compared with");
    node->type = (struct value_type){.kind = VALUE_POINTER, .size = 8};
    node->type.of = is_pointer(node->a) ? node->a->type.of : node->b->type.of;
    if (!node->type.of || !node->type.of->element || !node->type.of->element->size)
        return fail(r, node, "what this points to has no size that is known");
    if (node->op == OP_SUBTRACT && both) {
        node->type = (struct value_type){.kind = VALUE_INTEGER, .size = 8, .is_signed = true};
        return true;
    }
    bool number = other->type.kind == VALUE_INTEGER && !both;
    if (number && (node->op == OP_ADD || (node->op == OP_SUBTRACT && is_pointer(node->a))))
        return true;
    return fail(r, node, "pointers have no such operator");
}

static bool resolve_binary(struct resolver *r, struct node *node)
{
    if (!resolve(r, &node->a) || !resolve(r, &node->b) || !is_scalar(r, &node->a) ||
        !is_scalar(r, &node->b))
        return false;
    node->type = int_type;
    if (node->op == OP_AND || node->op == OP_OR)
        return true;
    if (is_pointer(node->a) || is_pointer(node->b))
        return resolve_pointers(r, node);
    struct value_type type = common(node->a, node->b);
    bool shift = node->op == OP_LEFT || node->op == OP_RIGHT;
    bool whole = shift || node->op == OP_REMAINDER || node->op == OP_BITAND ||
                 node->op == OP_BITOR || node->op == OP_XOR;
    if (whole && (type.kind != VALUE_INTEGER || node->a->type.kind != VALUE_INTEGER))
        return fail(r, node, "this operator needs integers");
    if (!is_comparison(node->op))
        node->type = shift ? promoted(node->a) : type;
    node->type.of = NULL;
    return true;
}

static bool resolve_ended(struct resolver *r, struct node *node)
{
    node->type = int_type;
    if (!resolve(r, &node->a) || !is_scalar(r, &node->a))
        return false;
    bool number = node->a->kind == NODE_NUMBER && node->a->type.kind == VALUE_INTEGER;
    return (number && node->a->number) || node->a->type.kind == VALUE_POINTER ||
           fail(r, node->a, "ended needs a pthread_t, or the number of a thread");
}

static bool resolve_address(struct resolver *r, struct node *node)
{
    if (!resolve(r, &node->a))
        return false;
    if (!node->a->is_place)
        return fail(r, node, "this has no address");
    if (node->a->bits)
        return fail(r, node, "a bit-field has no address");
    struct vm_type *type = check_zeros(1, sizeof *type);
    *type = (struct vm_type){
        .kind = VM_TYPE_POINTER, .size = 8, .name = "", .element = node->a->type.of};
    node->made = type;
    node->type = (struct value_type){.kind = VALUE_POINTER, .size = 8, .of = type};
    return true;
}

/* ---- casts ----------------------------------------------------------------------- */

/* Returns a struct, union or enum of the program's. */
static const struct vm_type *find_type(struct resolver *r, const char *text)
{
    const char *last = strrchr(text, ' ');
    const struct vm_type *found = NULL;
    r->name = "";
    vm_list_types(r->query->program, see_type_of, r);
    for (size_t k = 0; k < r->ntypes && !found; k++)
        if (*r->types[k]->name && query_is_name(r->types[k]->name, last ? last + 1 : text))
            found = r->types[k];
    forget(r);
    return found;
}

/* Makes the type and pointers to it, in what the node has made. */
static const struct vm_type *cast_type(struct resolver *r, struct node *node)
{
    struct vm_type *made = check_zeros(node->number + 1, sizeof *made);
    const struct vm_type *t = made;
    node->made = made;
    made->name = "";
    if (!query_base_type(node->text, made))
        t = find_type(r, node->text);
    for (uint64_t k = 1; t && k <= node->number; k++) {
        made[k] =
            (struct vm_type){.kind = VM_TYPE_POINTER, .size = 8, .name = "", .element = t};
        t = &made[k];
    }
    return t;
}

static bool resolve_cast(struct resolver *r, struct node *node)
{
    if (!resolve(r, &node->a) || !is_scalar(r, &node->a))
        return false;
    const struct vm_type *t = cast_type(r, node);
    if (!t)
        return fail(r, node, "there is no type %s that the program uses", node->text);
    node->type = query_type_of(t);
    if (node->type.kind == VALUE_OBJECT)
        return fail(r, node, "%s is no number and no pointer", node->text);
    bool to = node->type.kind == VALUE_POINTER, from = is_pointer(node->a);
    node->is_null = to && node->a->is_null;
    if (to != from && !node->is_null)
        return fail(r, node, "a pointer is no number here, and no number a pointer");
    return true;
}

static bool resolve(struct resolver *r, struct node **place)
{
    struct node *node = *place;
    switch (node->kind) {
    case NODE_NUMBER: return true;
    case NODE_NAME: return resolve_name(r, node);
    case NODE_MEMBER: return resolve_member(r, node);
    case NODE_INDEX:
    case NODE_DEREFERENCE: return resolve_pointed(r, node);
    case NODE_ADDRESS: return resolve_address(r, node);
    case NODE_CAST: return resolve_cast(r, node);
    case NODE_UNARY: return resolve_unary(r, node);
    case NODE_BINARY: return resolve_binary(r, node);
    case NODE_CALL: return resolve_function(r, node);
    case NODE_ENDED: return resolve_ended(r, node);
    case NODE_AT:
    case NODE_RACE:
    case NODE_DEADLOCK: node->type = int_type; return true;
    }
    return false;
}

bool query_resolve(struct query *query, const struct vm_program *program, char **error)
{
    struct resolver r = {.query = query, .error = error};
    *error = NULL;
    query->program = program;
    return resolve(&r, &query->root) && is_scalar(&r, &query->root);
}
