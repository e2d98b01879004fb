/* evaluate.c - the value of a query in a state.
 *
 * Truth has three values (Kleene): what cannot be read makes a comparison neither true nor
 * false, and ! leaves it so.  A local variable without a thread is that of any frame of its
 * function: of the frames in which a comparison with it is true or false, it is true if it is
 * in one.  So it does not matter when a thread comes to the function.
 *
 * Of infinite runs both an expression and its negation are asked for, and neither may be taken
 * for true where it is not known.  There a comparison with a local variable is false where no
 * frame has it, or a value of it: that some frame has the value is not so.  Where a frame has
 * it and something else is not known, and none makes it true, the comparison is not known. */
#include <math.h>
#include <string.h>

#include "checker/query/evaluate.h"

enum { MAX_THREADS = 256, MAX_FRAMES = 10000 };

static struct value unknown(struct evaluation *e, const struct node *node, const char *text)
{
    e->bad = true;
    if (e->why && !e->why->text)
        *e->why = (struct query_why){text, node->column};
    return (struct value){.known = false};
}

/* As unknown(), of a variable that each frame or thread has, and this one not yet. */
static struct value absent(struct evaluation *e, const struct node *node, const char *text)
{
    bool bad = e->bad;
    struct value value = {.known = false};
    if (!e->of_run)
        value = unknown(e, node, text);
    e->bad = bad;
    return value;
}

static struct value integer(uint64_t i)
{
    return (struct value){.known = true, .i = i};
}

/* Returns as many bits as the type has, extended to 64. */
static uint64_t fit(uint64_t i, struct value_type type)
{
    unsigned shift = type.kind == VALUE_INTEGER && type.size < 8 ? 64 - 8u * type.size : 0;
    return type.is_signed ? (uint64_t)((int64_t)(i << shift) >> shift) : i << shift >> shift;
}

static enum query_truth truth(struct evaluation *e, const struct node *node);

/* ---- what lies in memory --------------------------------------------------------- */

static bool is_bound_by(const struct binding *b, const struct node *node)
{
    bool same = node->is_thread_local ? !b->frame : b->frame && b->function == node->function;
    return same && (!node->thread || b->tid == node->thread);
}

static struct value local(struct evaluation *e, const struct node *node)
{
    for (const struct binding *b = e->bindings; b; b = b->outer)
        if (is_bound_by(b, node)) {
            uint64_t addr = vm_local(e->vm, b->frame, node->variables, node->nvariables);
            return addr ? integer(addr) : absent(e, node, "it is not there yet, or any more");
        }
    return absent(e, node, "no thread is in its function");
}

static struct value thread_local_place(struct evaluation *e, const struct node *node)
{
    for (const struct binding *b = e->bindings; b; b = b->outer)
        if (is_bound_by(b, node)) {
            uint64_t addr = vm_thread_local(e->vm, b->tid, (uint32_t)node->number);
            return addr ? integer(addr) : absent(e, node, "it is not there yet, or any more");
        }
    return absent(e, node, "no thread has it");
}

static struct value name_place(struct evaluation *e, const struct node *node)
{
    return node->is_thread_local ? thread_local_place(e, node)
           : node->nvariables    ? local(e, node)
                                 : integer(node->addr);
}

static struct value pointer_of(struct evaluation *e, const struct node *node)
{
    struct value p = query_value(e, node);
    return p.known && !p.i ? unknown(e, node, "a null pointer") : p;
}

static bool is_outside(const struct node *array, uint64_t index)
{
    return array->type.kind == VALUE_OBJECT && index >= array->type.of->n;
}

/* Returns the address of a place. */
struct value query_place(struct evaluation *e, const struct node *node)
{
    struct value base, index;
    switch ((int)node->kind) {
    case NODE_NAME: return name_place(e, node);
    case NODE_MEMBER:
        base = node->is_arrow ? pointer_of(e, node->a) : query_place(e, node->a);
        return base.known ? integer(base.i + node->number) : base;
    case NODE_DEREFERENCE: return pointer_of(e, node->a);
    case NODE_INDEX:
        base = pointer_of(e, node->a);
        index = base.known ? query_value(e, node->b) : base;
        if (index.known && is_outside(node->a, index.i))
            return unknown(e, node, "the index is out of bounds");
        return index.known ? integer(base.i + index.i * node->type.of->size) : index;
    default: return unknown(e, node, "it has no address");
    }
}

/* Is it a local or thread-local variable, or a part of one? */
static bool is_within_local(const struct node *node)
{
    while ((node->kind == NODE_MEMBER && !node->is_arrow) ||
           (node->kind == NODE_INDEX && node->a->type.kind == VALUE_OBJECT))
        node = node->a;
    return node->kind == NODE_NAME && (node->nvariables || node->is_thread_local);
}

static struct value no_value(struct evaluation *e, const struct node *node)
{
    static const char text[] = "it has no value, or is freed or out of bounds";
    return is_within_local(node) ? absent(e, node, text) : unknown(e, node, text);
}

static struct value load_field(struct evaluation *e, const struct node *node, uint64_t at)
{
    uint64_t bits;
    if (!vm_read_bits(e->vm, at, node->first, node->bits, &bits))
        return no_value(e, node);
    bool negative = node->type.is_signed && bits >> (node->bits - 1) & 1;
    return integer(negative && node->bits < 64 ? bits | ~0ull << node->bits : bits);
}

static struct value load(struct evaluation *e, const struct node *node)
{
    struct value place = query_place(e, node);
    uint64_t bits;
    uint32_t size = node->type.kind == VALUE_POINTER ? 8 : node->type.size;
    if (node->bits)
        return place.known ? load_field(e, node, place.i) : place;
    if (!place.known || node->type.kind == VALUE_OBJECT) /* an array is its address */
        return place;
    if (!vm_read_bytes(e->vm, place.i, size, &bits))
        return no_value(e, node);
    struct value value = integer(fit(bits, node->type));
    if (node->type.kind == VALUE_FLOAT && size == sizeof(float)) {
        float single;
        memcpy(&single, &bits, sizeof single);
        value.f = (double)single;
    } else if (node->type.kind == VALUE_FLOAT) {
        memcpy(&value.f, &bits, sizeof value.f);
    }
    return value;
}

/* ---- arithmetic ------------------------------------------------------------------ */

static bool is_pointer(const struct node *node)
{
    return node->type.kind == VALUE_POINTER || node->type.kind == VALUE_OBJECT;
}

static double as_float(struct value value, const struct node *node)
{
    if (node->type.kind == VALUE_FLOAT)
        return value.f;
    return node->type.is_signed ? (double)(int64_t)value.i : (double)value.i;
}

static struct value real(double f, struct value_type type)
{
    return (struct value){.known = true, .f = type.size == 4 ? (double)(float)f : f};
}

static bool compare(enum node_op op, int order)
{
    switch ((int)op) {
    case OP_EQUAL: return order == 0;
    case OP_UNEQUAL: return order != 0;
    case OP_LESS: return order < 0;
    case OP_LESS_EQUAL: return order <= 0;
    case OP_GREATER: return order > 0;
    default: return order >= 0;
    }
}

static bool is_comparison(enum node_op op)
{
    return op >= OP_EQUAL && op <= OP_GREATER_EQUAL;
}

static bool compare_floats(enum node_op op, double a, double b)
{
    if (isnan(a) || isnan(b))
        return op == OP_UNEQUAL;
    return compare(op, (a > b) - (a < b));
}

static struct value floats(const struct node *node, double a, double b)
{
    if (is_comparison(node->op))
        return integer(compare_floats(node->op, a, b));
    switch ((int)node->op) {
    case OP_ADD: return real(a + b, node->type);
    case OP_SUBTRACT: return real(a - b, node->type);
    case OP_MULTIPLY: return real(a * b, node->type);
    default: return real(a / b, node->type);
    }
}

static struct value pointers(struct evaluation *e, const struct node *node, uint64_t a,
                             uint64_t b)
{
    bool equality = node->op == OP_EQUAL || node->op == OP_UNEQUAL;
    bool left = is_pointer(node->a), both = left && is_pointer(node->b);
    uint64_t size = node->type.of ? node->type.of->element->size : 1;
    if (is_comparison(node->op)) {
        if (!equality && a >> 32 != b >> 32)
            return unknown(e, node, "these pointers lead to different objects");
        return integer(compare(node->op, (a > b) - (a < b)));
    }
    if (node->op == OP_ADD)
        return integer(left ? a + b * size : a * size + b);
    if (!both)
        return integer(a - b * size);
    if (a >> 32 != b >> 32)
        return unknown(e, node, "these pointers lead to different objects");
    size = node->a->type.of->element->size;
    return integer((uint64_t)((int64_t)(a - b) / (int64_t)size));
}

static struct value divide(struct evaluation *e, const struct node *node, uint64_t a,
                           uint64_t b, struct value_type type)
{
    bool rest = node->op == OP_REMAINDER;
    if (!b)
        return unknown(e, node, "division by zero");
    if (!type.is_signed)
        return integer(rest ? a % b : a / b);
    if ((int64_t)b == -1)
        return integer(rest ? 0 : fit(0 - a, type));
    return integer((uint64_t)(rest ? (int64_t)a % (int64_t)b : (int64_t)a / (int64_t)b));
}

static struct value shift(struct evaluation *e, const struct node *node, uint64_t a, uint64_t b)
{
    struct value_type type = node->type;
    if (b >= 8u * type.size)
        return unknown(e, node, "the shift is out of range");
    if (node->op == OP_LEFT)
        return integer(fit(a << b, type));
    return integer(type.is_signed ? (uint64_t)((int64_t)a >> b) : a >> b);
}

/* Returns the type of an operand: a small bit-field is an int. */
static struct value_type operand(const struct node *node)
{
    struct value_type type = {.kind = VALUE_INTEGER, .size = 4, .is_signed = true};
    return node->bits && node->bits < 32 ? type : node->type;
}

/* Returns the type that both operands are converted to. */
static struct value_type common(const struct node *node)
{
    struct value_type a = operand(node->a), b = operand(node->b);
    struct value_type type = {.kind = VALUE_INTEGER, .size = 4, .is_signed = true};
    const struct value_type *wider = a.size >= b.size ? &a : &b;
    if (wider->size >= 4) {
        type.size = wider->size;
        type.is_signed =
            !((a.size == type.size && !a.is_signed) || (b.size == type.size && !b.is_signed));
    }
    return type;
}

static struct value integers(struct evaluation *e, const struct node *node, uint64_t a,
                             uint64_t b)
{
    struct value_type type = common(node);
    if (node->op == OP_LEFT || node->op == OP_RIGHT)
        return shift(e, node, a, b);
    a = fit(a, type);
    b = fit(b, type);
    if (is_comparison(node->op) && type.is_signed)
        return integer(
            compare(node->op, ((int64_t)a > (int64_t)b) - ((int64_t)a < (int64_t)b)));
    if (is_comparison(node->op))
        return integer(compare(node->op, (a > b) - (a < b)));
    switch ((int)node->op) {
    case OP_ADD: return integer(fit(a + b, type));
    case OP_SUBTRACT: return integer(fit(a - b, type));
    case OP_MULTIPLY: return integer(fit(a * b, type));
    case OP_BITAND: return integer(a & b);
    case OP_BITOR: return integer(a | b);
    case OP_XOR: return integer(a ^ b);
    default: return divide(e, node, a, b, type);
    }
}

static struct value of_truth(enum query_truth t)
{
    return (struct value){.known = t != QUERY_UNKNOWN, .i = t == QUERY_TRUE};
}

static struct value binary(struct evaluation *e, const struct node *node)
{
    if (node->op == OP_AND || node->op == OP_OR)
        return of_truth(truth(e, node));
    struct value a = query_value(e, node->a);
    struct value b = a.known ? query_value(e, node->b) : a;
    if (!b.known)
        return b;
    if (is_pointer(node->a) || is_pointer(node->b))
        return pointers(e, node, a.i, b.i);
    if (node->a->type.kind == VALUE_FLOAT || node->b->type.kind == VALUE_FLOAT)
        return floats(node, as_float(a, node->a), as_float(b, node->b));
    return integers(e, node, a.i, b.i);
}

static struct value unary(struct evaluation *e, const struct node *node)
{
    if (node->op == OP_NOT)
        return of_truth(truth(e, node));
    struct value a = query_value(e, node->a);
    if (!a.known)
        return a;
    if (node->type.kind == VALUE_FLOAT)
        return real(node->op == OP_SUBTRACT ? -a.f : a.f, node->type);
    uint64_t i = node->op == OP_SUBTRACT ? 0 - a.i : node->op == OP_COMPLEMENT ? ~a.i : a.i;
    return integer(fit(i, node->type));
}

static struct value cast(struct evaluation *e, const struct node *node)
{
    struct value a = query_value(e, node->a);
    bool from_float = node->a->type.kind == VALUE_FLOAT;
    if (!a.known || node->type.kind == VALUE_POINTER)
        return a;
    if (node->type.kind == VALUE_FLOAT)
        return real(as_float(a, node->a), node->type);
    if (node->type.of->kind == VM_TYPE_BOOL)
        return integer(from_float ? a.f != 0 : a.i != 0);
    if (!from_float)
        return integer(fit(a.i, node->type));
    double least = node->type.is_signed ? -ldexp(1, 8 * node->type.size - 1) : 0;
    double most = ldexp(1, 8 * node->type.size - node->type.is_signed);
    double whole = trunc(a.f);
    if (isnan(whole) || whole < least || whole >= most)
        return unknown(e, node, "the integer type does not have this value");
    return integer(node->type.is_signed ? (uint64_t)(int64_t)whole : (uint64_t)whole);
}

/* ---- threads --------------------------------------------------------------------- */

static bool is_last_part(const char *path, const char *file, size_t n)
{
    size_t length = strlen(path);
    return length >= n && !strncmp(path + length - n, file, n) &&
           (length == n || path[length - n - 1] == '/');
}

static bool is_at(const struct vm *vm, uint64_t frame, const struct node *node)
{
    const char *colon = strrchr(node->text, ':');
    struct vm_place place;
    unsigned line = 0;
    for (const char *c = colon + 1; *c; c++)
        line = 10 * line + (unsigned)(*c - '0');
    return vm_frame_place(vm, frame, &place) && place.line == line &&
           is_last_part(place.file, node->text, (size_t)(colon - node->text));
}

static bool is_thread_there(const struct evaluation *e, const struct node *node, uint64_t frame)
{
    if (node->kind == NODE_CALL)
        return vm_frame_enters(e->vm, frame) &&
               query_is_name(vm_frame_name(e->vm, frame), node->text);
    for (int n = 0; frame && n < MAX_FRAMES; n++, frame = vm_caller(e->vm, frame))
        if (is_at(e->vm, frame, node))
            return true;
    return false;
}

static struct value threads_there(const struct evaluation *e, const struct node *node)
{
    struct vm_view_thread threads[MAX_THREADS];
    size_t n = vm_view_threads(e->vm, threads, MAX_THREADS);
    for (size_t k = 0; k < n; k++)
        if (threads[k].frame && (!node->thread || threads[k].tid == node->thread) &&
            is_thread_there(e, node, threads[k].frame))
            return integer(true);
    return integer(false);
}

static struct value ended(struct evaluation *e, const struct node *node)
{
    struct vm_view_thread threads[MAX_THREADS];
    struct value which = query_value(e, node->a);
    if (node->a->kind != NODE_NUMBER)
        return !which.known   ? which
               : which.i != 0 ? integer(vm_has_ended(e->vm, which.i))
                              : unknown(e, node, "a null pointer");
    size_t n = vm_view_threads(e->vm, threads, MAX_THREADS);
    for (size_t k = 0; k < n; k++)
        if (threads[k].tid == which.i && threads[k].frame)
            return integer(false);
    return integer(true);
}

/* ---- values ---------------------------------------------------------------------- */

struct value query_value(struct evaluation *e, const struct node *node)
{
    switch (node->kind) {
    case NODE_NUMBER: return (struct value){true, node->number, node->real};
    case NODE_NAME:
    case NODE_MEMBER:
    case NODE_INDEX:
    case NODE_DEREFERENCE: return load(e, node);
    case NODE_ADDRESS: return query_place(e, node->a);
    case NODE_CAST: return cast(e, node);
    case NODE_UNARY: return unary(e, node);
    case NODE_BINARY: return binary(e, node);
    case NODE_CALL:
    case NODE_AT: return threads_there(e, node);
    case NODE_ENDED: return ended(e, node);
    case NODE_RACE:
        return integer(e->error == VM_FAULT_RACE || e->error == VM_FAULT_FREE_RACE ||
                       e->error == VM_FAULT_END_RACE);
    case NODE_DEADLOCK: return integer(e->error == VM_FAULT_DEADLOCK);
    }
    return unknown(e, node, "it cannot be evaluated");
}

/* ---- truth ----------------------------------------------------------------------- */

const struct node *query_unbound(const struct evaluation *e, const struct node *node)
{
    if (!node)
        return NULL;
    bool bound = node->kind != NODE_NAME || (!node->nvariables && !node->is_thread_local);
    for (const struct binding *b = e->bindings; b && !bound; b = b->outer)
        bound = is_bound_by(b, node);
    if (!bound)
        return node;
    const struct node *inner = query_unbound(e, node->a);
    return inner ? inner : query_unbound(e, node->b);
}

static bool see_bound(struct evaluation *e, struct binding binding, query_bound *see,
                      void *context)
{
    binding.outer = e->bindings;
    e->bindings = &binding;
    bool more = see(e, context);
    e->bindings = binding.outer;
    return more;
}

bool query_each_frame(struct evaluation *e, const struct node *variable, query_bound *see,
                      void *context)
{
    struct vm_view_thread threads[MAX_THREADS];
    size_t n = vm_view_threads(e->vm, threads, MAX_THREADS);
    for (size_t k = 0; k < n; k++) {
        uint64_t frame = threads[k].frame;
        if (variable->thread && variable->thread != threads[k].tid)
            continue;
        if (variable->is_thread_local &&
            !see_bound(e, (struct binding){.tid = threads[k].tid}, see, context))
            return false;
        if (variable->is_thread_local)
            continue;
        for (int depth = 0; frame && depth < MAX_FRAMES; depth++) {
            struct binding binding = {
                .function = variable->function, .frame = frame, .tid = threads[k].tid};
            bool there = vm_frame_is_of(e->vm, frame, variable->function);
            frame = vm_caller(e->vm, frame);
            if (!there)
                continue;
            if (!see_bound(e, binding, see, context))
                return false;
        }
    }
    return true;
}

struct any {
    const struct node *node;
    enum query_truth truth;
    bool bad; /* it is not known for a frame that has the variable */
};

static enum query_truth atom(struct evaluation *e, const struct node *node);

static bool try_frame(struct evaluation *e, void *context)
{
    struct any *any = context;
    e->bad = false;
    enum query_truth t = atom(e, any->node);
    if (t != QUERY_UNKNOWN)
        any->truth = t;
    else
        any->bad |= e->bad;
    return t != QUERY_TRUE;
}

/* Evaluates what is no && || or !, for some frames of the functions whose variables it has. */
static enum query_truth atom(struct evaluation *e, const struct node *node)
{
    const struct node *variable = query_unbound(e, node);
    if (variable) {
        struct any any = {.node = node, .truth = QUERY_UNKNOWN};
        query_each_frame(e, variable, try_frame, &any);
        e->bad = any.bad;
        bool in_one = any.truth == QUERY_TRUE || !e->of_run;
        return in_one ? any.truth : any.bad ? QUERY_UNKNOWN : QUERY_FALSE;
    }
    struct value value = query_value(e, node);
    if (!value.known)
        return QUERY_UNKNOWN;
    bool is = node->type.kind == VALUE_FLOAT ? value.f != 0 : value.i != 0;
    return is ? QUERY_TRUE : QUERY_FALSE;
}

static enum query_truth truth(struct evaluation *e, const struct node *node)
{
    if (node->kind == NODE_UNARY && node->op == OP_NOT) {
        enum query_truth a = truth(e, node->a);
        return a == QUERY_UNKNOWN ? a : a == QUERY_TRUE ? QUERY_FALSE : QUERY_TRUE;
    }
    if (node->kind != NODE_BINARY || (node->op != OP_AND && node->op != OP_OR))
        return atom(e, node);
    enum query_truth decides = node->op == OP_AND ? QUERY_FALSE : QUERY_TRUE;
    enum query_truth a = truth(e, node->a);
    if (a == decides)
        return a;
    enum query_truth b = truth(e, node->b);
    return b == decides || a != QUERY_UNKNOWN ? b : a;
}

enum query_truth query_holds(const struct query *query, const struct vm *vm,
                             enum vm_fault_kind error, struct query_why *why)
{
    struct evaluation e = {.vm = vm, .error = error, .why = why};
    return truth(&e, query->root);
}

enum query_truth query_holds_in_run(const struct query *query, const struct vm *vm,
                                    struct query_why *why)
{
    struct evaluation e = {.vm = vm, .why = why, .of_run = true};
    return truth(&e, query->root);
}
