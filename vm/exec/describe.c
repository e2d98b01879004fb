/* describe.c - names of addresses, and values as the source writes them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "history.h"
#include "vm/exec/listen.h"
#include "vm/heap/memory.h"

struct text {
    char *at;
    size_t size;
};

static void append(struct text *text, const char *more)
{
    size_t n = strlen(text->at);
    if (n + 1 < text->size)
        snprintf(text->at + n, text->size - n, "%s", more);
}

static void append_number(struct text *text, const char *format, unsigned long long x)
{
    char number[64];
    snprintf(number, sizeof number, format, x);
    append(text, number);
}

/* ---- parts of objects ------------------------------------------------------------ */

/* The bytes to be named: so many (0: whatever begins there), or those that a pointer to this
 * type, which may be NULL, points to. */
struct goal {
    uint32_t size;
    bool pointer;
    const struct vm_type *type;
};

static bool is_same(const struct vm_type *a, const struct vm_type *b)
{
    return a == b || (a && b && a->kind == b->kind && a->size == b->size && *a->name &&
                      !strcmp(a->name, b->name));
}

/* Does the name belong to the implementation, as atomic_flag's _Value? */
static bool is_library(const char *name)
{
    return name[0] == '_' && (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z'));
}

/* Returns the member that has the byte at an offset, or NULL. */
static const struct vm_type_member *member_at(const struct vm_type *t, uint64_t offset)
{
    for (uint32_t k = 0; t->kind == VM_TYPE_STRUCT && k < t->n; k++) {
        const struct vm_type_member *m = &t->member[k];
        if (m->type && offset >= m->offset && offset < m->offset + m->type->size)
            return m;
    }
    return NULL;
}

/* Takes one step into a type; *offset is what remains. */
static const struct vm_type *step(const struct vm_type *t, uint64_t *offset,
                                  const struct vm_type_member **member)
{
    *member = NULL;
    if (t->kind == VM_TYPE_ARRAY && t->element && t->element->size) {
        *offset %= t->element->size;
        return t->element;
    }
    *member = member_at(t, *offset);
    if (!*member)
        return NULL;
    *offset -= (*member)->offset;
    return (*member)->type;
}

static bool is_on_the_way(const struct vm_type *t, uint64_t offset, const struct vm_type *goal)
{
    const struct vm_type_member *member;
    for (; t && goal; t = step(t, &offset, &member))
        if (offset == 0 && is_same(t, goal))
            return true;
    return false;
}

static bool is_there(const struct vm_type *t, uint64_t offset, const struct goal *goal)
{
    if (offset)
        return false;
    if (goal->pointer)
        return !goal->type || is_same(t, goal->type);
    return t->kind == VM_TYPE_STRUCT && t->size == goal->size && t->n > 1;
}

/* Follows an offset into a type: "[2].next".  Returns the type of the part, NULL if none has
 * that size. */
static const struct vm_type *append_part(struct text *text, const struct vm_type *t,
                                         uint64_t offset, struct goal goal)
{
    bool hidden = false;
    if (goal.pointer && !is_on_the_way(t, offset, goal.type))
        goal.type = NULL;
    while (t && !is_there(t, offset, &goal)) {
        const struct vm_type_member *member;
        uint64_t before = offset;
        const struct vm_type *inner = step(t, &offset, &member);
        if (!inner)
            break;
        if (member && is_library(member->name)) /* the name of a library's type is enough */
            hidden = true;
        if (!hidden && !member)
            append_number(text, "[%llu]", before / inner->size);
        if (!hidden && member && *member->name) {
            append(text, ".");
            append(text, member->name);
        }
        t = inner;
    }
    if (offset && !hidden)
        append_number(text, " + %llu", offset);
    return t && !offset && (!goal.size || t->size == goal.size) ? t : NULL;
}

/* Appends an offset, which may be negative (pointer.h). */
static void append_offset(struct text *text, uint32_t offset)
{
    if (offset >> 31)
        append_number(text, " - %llu", -offset);
    else if (offset)
        append_number(text, " + %llu", offset);
}

static const struct vm_type *append_variable(struct text *text, const char *name,
                                             const struct vm_type *type, uint64_t size,
                                             uint32_t offset, struct goal goal)
{
    append(text, name);
    if (type && offset < size)
        return append_part(text, type, offset, goal);
    append_offset(text, offset);
    return NULL;
}

static const struct vm_type *describe_global(struct text *text, const struct vm_global *g,
                                             uint32_t offset, struct goal goal)
{
    return append_variable(text, g->name, g->type, g->init->size, offset, goal);
}

/* ---- heap objects ---------------------------------------------------------------- */

static void append_site(const struct vm *vm, struct text *text, const char *word, uint64_t site)
{
    struct vm_place place;
    if (!site || !vm_places_at(vm, site, &place, 1))
        return;
    append(text, word);
    append(text, place.line ? place.file : place.function);
    if (place.line)
        append_number(text, ":%llu", place.line);
}

/* Names a thread-local variable: "buffer[3], thread-local".  The image that the variable began
 * as has its name and type. */
static const struct vm_type *describe_thread_local(const struct vm *vm, struct text *text,
                                                   uint64_t p, uint64_t site, struct goal goal)
{
    const struct vm_type *t =
        describe_global(text, &vm->program->consts[vm_ptr_index(site)], (uint32_t)p, goal);
    append(text, ", thread-local");
    return t;
}

static uint32_t number_of(struct vm_history *h, struct vm_identity *known)
{
    size_t k = 0;
    if (known->number)
        return known->number;
    while (k < h->ncounts && strcmp(h->counts[k].name, known->name) != 0)
        k++;
    if (k == h->counts_capacity) {
        h->counts_capacity = h->counts_capacity ? 2 * h->counts_capacity : 16;
        h->counts = vm_resize(h->counts, h->counts_capacity * sizeof *h->counts);
    }
    if (k == h->ncounts)
        h->counts[h->ncounts++] = (struct vm_count){known->name, 0};
    return known->number = ++h->counts[k].n;
}

/* Names a heap object that is known: "node#2.next", "slot[3]", "session->refs".  Of those that
 * one variable has led to the second is "buffer#2". */
static const struct vm_type *describe_known(const struct vm *vm, struct text *text,
                                            const struct vm_identity *known, uint32_t offset,
                                            uint32_t size, struct goal goal)
{
    const struct vm_type *t = known->type;
    append(text, known->name);
    if (!known->inside) {
        uint32_t number = number_of(vm->history, (struct vm_identity *)known);
        if (known->several || number > 1)
            append_number(text, "#%llu", number);
    }
    if (offset < known->at)
        return NULL;
    offset -= known->at;
    bool whole = goal.pointer && !offset && (!known->is_path || !goal.type);
    if (whole || (known->way == VM_WAY_ONE && known->is_path))
        return NULL;
    if (known->way == VM_WAY_INDEX && !(offset >> 31) && offset <= size) {
        append_number(text, "[%llu]", offset / t->size);
        offset %= t->size;
    }
    if (offset >= t->size) {
        append_offset(text, offset);
        return NULL;
    }
    size_t n = strlen(text->at);
    const struct vm_type *part = append_part(text, t, offset, goal);
    if (known->way == VM_WAY_ARROW && text->at[n] == '.' && n + 2 < text->size) {
        memmove(text->at + n + 2, text->at + n + 1, strlen(text->at + n));
        memcpy(text->at + n, "->", 2);
    }
    return part;
}

static void describe_unknown(const struct vm *vm, struct text *text, uint64_t p, uint8_t kind,
                             bool brief)
{
    const struct vm_obj *o = vm_heap_get(&vm->heap, p);
    const struct vm_past *past = vm_past_of(vm, p, false);
    const char *what = kind == VM_OBJ_STACK    ? "local object"
                       : kind == VM_OBJ_TLS    ? "thread-local memory"
                       : kind == VM_OBJ_KERNEL ? "kernel object"
                                               : "heap object";
    uint32_t offset = (uint32_t)p;
    if (offset >> 31)
        append_number(text, "%llu bytes before ", -offset);
    else if (offset)
        append_number(text, "byte %llu of ", offset);
    append(text, what);
    if (o || past)
        append_number(text, " of %llu bytes", o ? o->size : past->size);
    append_site(vm, text, kind == VM_OBJ_STACK ? " of " : " allocated at ",
                o      ? o->site
                : past ? past->made.site
                       : 0);
    if (!o && past && !brief)
        append_site(vm, text, kind == VM_OBJ_STACK ? ", which ended at " : ", freed at ",
                    past->freed.site);
}

/* Names a heap object.  brief: without what the report tells elsewhere. */
static const struct vm_type *describe_heap(const struct vm *vm, struct text *text, uint64_t p,
                                           struct goal goal, bool brief)
{
    const struct vm_obj *o = vm_heap_get(&vm->heap, p);
    const struct vm_past *past = vm_past_of(vm, p, false);
    uint8_t kind = o ? o->kind : past ? past->kind : VM_OBJ_HEAP;
    uint64_t site = o ? o->site : past ? past->made.site : 0;
    uint32_t size = o ? o->size : past ? past->size : 0;
    if (kind == VM_OBJ_STACK && (o ? o->flags & VM_VARIADIC : false)) {
        append_number(text, "variadic argument %llu", (uint32_t)p / 8 + 1);
        return NULL;
    }
    if (kind == VM_OBJ_TLS && vm_ptr_region(site) == VM_ID_CONST &&
        vm_ptr_index(site) < vm->program->nconsts)
        return describe_thread_local(vm, text, p, site, goal);
    const struct vm_variable *v = kind == VM_OBJ_STACK ? vm_variable_of(vm, site) : NULL;
    if (v) {
        const struct vm_type *t =
            append_variable(text, v->name, v->type, size, (uint32_t)p, goal);
        const struct vm_function *f = &vm->program->functions[vm_ptr_index(site)];
        if (!brief && !f->library) {
            append(text, " of ");
            append(text, f->name);
        }
        if (!o && past && !brief)
            append_site(vm, text, ", which ended at ", past->freed.site);
        return t;
    }
    const struct vm_identity *known = vm_identity(vm, p);
    if (known)
        return describe_known(vm, text, known, (uint32_t)p, size, goal);
    describe_unknown(vm, text, p, kind, brief);
    return NULL;
}

static const struct vm_type *describe(const struct vm *vm, uint64_t p, struct goal goal,
                                      bool brief, struct text *text)
{
    const struct vm_program *program = vm->program;
    uint32_t i = vm_ptr_index(p), offset = (uint32_t)p;
    unsigned region = vm_ptr_region(p);
    if (!text->size)
        return NULL;
    *text->at = 0;
    if (p == 0)
        append(text, "NULL");
    else if (region == VM_ID_GLOBAL && i < program->nglobals)
        return describe_global(text, &program->globals[i], offset, goal);
    else if (region == VM_ID_CONST && i < program->nconsts)
        return describe_global(text, &program->consts[i], offset, goal);
    else if (region == VM_ID_CODE && i < program->nfunctions)
        append(text, program->functions[i].name);
    else if (region == VM_ID_HEAP && i && p >> 32 && i < vm->heap.table[VM_ID_HEAP].n)
        return describe_heap(vm, text, p, goal, brief);
    else
        append_number(text, "address 0x%llx", p);
    return NULL;
}

void vm_describe(const struct vm *vm, uint64_t p, char *text, size_t size)
{
    if (vm->history)
        vm->history->described = p;
    describe(vm, p, (struct goal){.pointer = !(uint32_t)p}, false, &(struct text){text, size});
}

void vm_describe_access(const struct vm *vm, uint64_t p, uint64_t bytes, char *text,
                        size_t size)
{
    enum { LARGEST = 8, TEXT = 256 }; /* of a scalar */
    static const char first[] = "[0]";
    char part[TEXT];
    vm_describe(vm, p, text, size);
    if (bytes > LARGEST)
        return;
    describe(vm, p, (struct goal){.size = (uint32_t)bytes}, false,
             &(struct text){part, sizeof part});
    const char *element = strstr(part, first);
    size_t n = element ? (size_t)(element - part) : 0;
    bool plain =
        element && !strncmp(part, text, n) && !strcmp(element + strlen(first), text + n);
    if (!plain)
        snprintf(text, size, "%s", part);
}

const struct vm_type *vm_name(const struct vm *vm, uint64_t p, uint32_t size, char *text,
                              size_t n)
{
    return describe(vm, p, (struct goal){.size = size}, true, &(struct text){text, n});
}

/* ---- values ---------------------------------------------------------------------- */

/* A value of up to 16 bytes. */
typedef unsigned __int128 wide;

static void append_value(const struct vm *vm, struct text *text, const struct vm_type *t,
                         wide value, uint32_t size, bool pointer);

/* Returns a mask for so many bytes. */
static wide mask_of(uint64_t bytes)
{
    return bytes < sizeof(wide) ? ((wide)1 << 8 * bytes) - 1 : ~(wide)0;
}

static int64_t signed_value(uint64_t value, uint64_t size)
{
    unsigned shift = size && size < 8 ? (unsigned)(64 - 8 * size) : 0;
    return (int64_t)(value << shift) >> shift;
}

/* Appends a number: small ones are signed more often than not, large ones are easier to read in
 * hex. */
static void append_plain(struct text *text, uint64_t value, uint32_t size)
{
    int64_t number = signed_value(value, size);
    if (number > -1000000000 && number < 1000000000)
        append_number(text, "%lld", (unsigned long long)number);
    else
        append_number(text, "0x%llx", value);
}

/* Appends an integer of 16 bytes. */
static void append_wide(struct text *text, wide value)
{
    if ((__int128)value == (int64_t)value) {
        append_plain(text, (uint64_t)value, sizeof(int64_t));
        return;
    }
    append_number(text, "0x%llx", (unsigned long long)(value >> 64));
    append_number(text, "%016llx", (unsigned long long)value);
}

/* Appends a float with as few digits as tell it from others. */
static void append_float(struct text *text, uint64_t value, uint64_t size)
{
    char digits[64] = "";
    double x, back = 0;
    float single;
    if (size == sizeof single) {
        memcpy(&single, &value, sizeof single);
        x = (double)single;
    } else {
        memcpy(&x, &value, sizeof x);
    }
    for (int n = 6; n <= 17; n++) {
        snprintf(digits, sizeof digits, "%.*g", n, x);
        back = strtod(digits, NULL);
        if (size == sizeof single ? (float)back == (float)x : back == x)
            break;
    }
    append(text, digits);
    if (digits[strspn(digits, "-0123456789")] == '\0')
        append(text, ".0");
}

static void append_char(struct text *text, unsigned char c)
{
    static const char escapes[] = "\nn\tt\rr\\\\''", *at = NULL;
    if (c == 0)
        append(text, "'\\0'");
    else if (c < ' ' || c > '~' || c == '\\' || c == '\'') {
        for (at = escapes; *at && (unsigned char)*at != c;)
            at += 2;
        append_number(text, *at ? "'\\%c'" : "'\\x%02llx'", *at ? (unsigned char)at[1] : c);
    } else
        append_number(text, "'%c'", c);
}

/* Appends the enumerator, with its class if it has one; or several, if all bits are
 * enumerators. */
static void append_enum(struct text *text, const struct vm_type *t, uint64_t value)
{
    uint64_t mask = t->size < 8 ? (1ull << 8 * t->size) - 1 : ~0ull;
    for (uint32_t k = 0; k < t->n; k++)
        if ((t->member[k].offset & mask) == (value & mask)) {
            append(text, t->member[k].name);
            return;
        }
    append_plain(text, value, (uint32_t)t->size);
}

static void append_parts(const struct vm *vm, struct text *text, const struct vm_type *t,
                         wide value, uint32_t size)
{
    bool any = false;
    append(text, "{");
    for (uint32_t k = 0; k < t->n; k++) {
        bool array = t->kind == VM_TYPE_ARRAY;
        const struct vm_type *inner = array ? t->element : t->member[k].type;
        uint64_t at = array ? k * inner->size : t->member[k].offset;
        if (!inner || at + inner->size > size)
            continue;
        append(text, any ? ", " : "");
        any = true;
        if (!array && *t->member[k].name && !is_library(t->member[k].name)) {
            append(text, t->member[k].name);
            append(text, " = ");
        }
        append_value(vm, text, inner, value >> 8 * at & mask_of(inner->size),
                     (uint32_t)inner->size, false);
    }
    append(text, "}");
}

static void append_pointer(const struct vm *vm, struct text *text, const struct vm_type *to,
                           uint64_t value)
{
    char name[256] = "";
    struct text inner = {name, sizeof name};
    describe(vm, value, (struct goal){.pointer = true, .type = to}, true, &inner);
    const struct vm_identity *known =
        value && vm_ptr_region(value) == VM_ID_HEAP ? vm_identity(vm, value) : NULL;
    /* An allocation's name is that of its type, of a pointer to it, or of the way to such a
     * pointer. */
    bool allocated =
        known && (known->is_path ? known->way == VM_WAY_ARROW && !strcmp(name, known->name)
                                 : !strpbrk(name, ".[-+"));
    bool plain = !value || vm_ptr_region(value) == VM_ID_CODE || strchr(name, ' ') || allocated;
    append(text, plain ? "" : "&");
    append(text, name);
}

/* Appends a value of up to 8 bytes without parts. */
static void append_scalar(const struct vm *vm, struct text *text, const struct vm_type *t,
                          uint64_t value, uint32_t size, bool pointer)
{
    enum vm_type_kind kind = t ? t->kind : VM_TYPE_OTHER;
    switch (kind) {
    case VM_TYPE_FLOAT: append_float(text, value, t->size); return;
    case VM_TYPE_BOOL: append(text, value ? "true" : "false"); return;
    case VM_TYPE_CHAR: append_char(text, (unsigned char)value); return;
    case VM_TYPE_ENUM: append_enum(text, t, value); return;
    case VM_TYPE_POINTER: append_pointer(vm, text, t->element, value); return;
    case VM_TYPE_SIGNED:
    case VM_TYPE_UNSIGNED:
        if (pointer && value >> 32)
            break;
        append_number(text, kind == VM_TYPE_SIGNED ? "%lld" : "%llu",
                      kind == VM_TYPE_SIGNED ? (unsigned long long)signed_value(value, t->size)
                                             : value);
        return;
    case VM_TYPE_ARRAY:
    case VM_TYPE_STRUCT:
    case VM_TYPE_UNION:
    case VM_TYPE_OTHER: break;
    }
    if (pointer)
        append_pointer(vm, text, NULL, value);
    else
        append_plain(text, value, size);
}

static void append_value(const struct vm *vm, struct text *text, const struct vm_type *t,
                         wide value, uint32_t size, bool pointer)
{
    enum vm_type_kind kind = t ? t->kind : VM_TYPE_OTHER;
    bool parts = kind == VM_TYPE_ARRAY || kind == VM_TYPE_STRUCT;
    if (parts && size <= sizeof value && t->n && !(pointer && size == sizeof(uint64_t)))
        append_parts(vm, text, t, value, size);
    else if (size <= sizeof(uint64_t))
        append_scalar(vm, text, t, (uint64_t)value, size, pointer);
    else if (kind == VM_TYPE_SIGNED || kind == VM_TYPE_UNSIGNED)
        append_wide(text, value);
}

void vm_value_text(const struct vm *vm, const struct vm_type *type, uint64_t value,
                   uint32_t size, bool pointer, char *text, size_t n)
{
    if (!n)
        return;
    *text = 0;
    append_value(vm, &(struct text){text, n}, type, value, size, pointer);
}

void vm_wide_text(const struct vm *vm, const struct vm_type *type, uint64_t low, uint64_t high,
                  char *text, size_t n)
{
    if (!n)
        return;
    *text = 0;
    append_value(vm, &(struct text){text, n}, type, (wide)high << 64 | low, sizeof(wide),
                 false);
}

void vm_type_text(const struct vm_type *t, char *text, size_t n)
{
    struct text out = {text, n};
    unsigned stars = 0;
    if (!n)
        return;
    *text = 0;
    if (t && t->kind == VM_TYPE_ARRAY) {
        vm_type_text(t->element, text, n);
        append_number(&out, "[%llu]", t->n);
        return;
    }
    for (; t && t->kind == VM_TYPE_POINTER; t = t->element)
        stars++;
    append(&out, t ? t->name : stars ? "void" : "");
    append(&out, stars ? " " : "");
    for (; stars; stars--)
        append(&out, "*");
}
