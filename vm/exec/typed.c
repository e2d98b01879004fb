/* typed.c - types of heap objects, and the variables that lead to them.
 *
 * If the program's own code allocates an object, the place of the allocation tells its type
 * (load_made.c). If a library allocates it, the type is that of the pointers that lead to it
 * from variables with types. They are followed when an object is asked for, and only while
 * somebody listens. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "history.h"
#include "vm/heap/memory.h"

enum { MAX_TRIES = 8, MAX_ROUNDS = 12, MAX_ELEMENTS = 64, MAX_DEPTH = 16, MAX_OBJECTS = 50000 };

/* A search for pointers in an object of this type and name. */
struct walk {
    const struct vm *vm;
    const struct vm_obj *object;
    const char *name;
    bool library; /* inside a type of the library's, or of what a path leads to */
    bool inside;  /* only the former */
    bool atomic;  /* inside a std::atomic, which is as good as what it has */
    bool changed;
};

static bool is_library_type(const struct vm_type *t)
{
    return !strncmp(t->name, "std::", 5) || !strncmp(t->name, "__", 2);
}

const struct vm_variable *vm_variable_of(const struct vm *vm, uint64_t site)
{
    const struct vm_program *p = vm->program;
    if (vm_ptr_region(site) != VM_ID_CODE || vm_ptr_index(site) >= p->nfunctions)
        return NULL;
    const struct vm_function *f = &p->functions[vm_ptr_index(site)];
    const struct vm_insn *i = (uint32_t)site < f->ncode ? &f->code[(uint32_t)site] : NULL;
    return i && i->op == VM_OP_ALLOCA && i->b ? &p->variables[i->b - 1] : NULL;
}

/* Returns where the elements begin: new[] of a type with a destructor keeps their number in
 * front of them. */
static uint32_t first_element(const struct vm *vm, uint64_t p, const struct vm_past *past,
                              const struct vm_type *t)
{
    const struct vm_obj *o = vm_heap_get(&vm->heap, p);
    uint64_t n = past->size >= 8 ? (past->size - 8) / t->size : 0;
    if (past->kind != VM_OBJ_ARRAY || past->size < 8 || 8 + n * t->size != past->size)
        return 0;
    bool counted = o ? vm_obj_get(o, 0, 8) == n : past->size % t->size == 8;
    return counted ? 8 : 0;
}

/* Is it a global variable, or a part of one? */
static bool is_global(const struct vm_program *program, const char *name)
{
    size_t n = strcspn(name, ".[");
    for (uint32_t i = 0; i < program->nglobals; i++) {
        const char *global = program->globals[i].name;
        if (global && !strncmp(global, name, n) && !global[n])
            return true;
    }
    return false;
}

/* May the variable be there several times?  A local one of any function but main may. */
static bool is_several(const struct vm_program *program, const struct vm_function *f,
                       const char *name)
{
    return strcmp(f->name, "main") != 0 && !is_global(program, name);
}

/* Returns what the call at this place allocates, and by which function; NULL: nobody knows. */
static const struct vm_variable *made_at(const struct vm_program *program, uint64_t site,
                                         const struct vm_function **function)
{
    if (vm_ptr_region(site) != VM_ID_CODE || vm_ptr_index(site) >= program->nfunctions)
        return NULL;
    const struct vm_function *f = *function = &program->functions[vm_ptr_index(site)];
    uint32_t loc = f->locs && (uint32_t)site < f->ncode ? f->locs[(uint32_t)site] : 0;
    uint32_t made = loc && !program->locs[loc].chooses ? program->locs[loc].made : 0;
    const struct vm_variable *v = made ? &program->made[made - 1] : NULL;
    return v && v->type && v->type->size ? v : NULL;
}

/* Has the program's own code a function of this class? */
static bool is_user_class(const struct vm_program *program, const struct vm_type *t)
{
    size_t n = strlen(t->name);
    bool found = false;
    for (uint32_t k = 0; n && k < program->nfunctions && !found; k++) {
        const struct vm_function *f = &program->functions[k];
        found = !f->library && !f->runtime && !strncmp(f->name, t->name, n) &&
                !strncmp(f->name + n, "::", 2);
    }
    return found;
}

/* Looks for a `new` of just this size in the functions of libraries that the program's own code
 * has called: in std::make_unique, or where a test framework makes a fixture. */
static const struct vm_variable *made_for_user(const struct vm *vm, const struct vm_past *past,
                                               const struct vm_function **function)
{
    uint64_t pc = past->made.pc;
    const uint64_t *callers = pc ? vm->history->callers[past->made.callers].pc : NULL;
    for (size_t k = 0; pc; pc = k < VM_CALLERS ? callers[k++] : 0) {
        const struct vm_variable *v = made_at(vm->program, pc, function);
        if (v && v->type->kind == VM_TYPE_STRUCT && v->type->size == past->size)
            return is_user_class(vm->program, v->type) ? v : NULL;
        if (vm_ptr_index(pc) >= vm->program->nfunctions ||
            !vm->program->functions[vm_ptr_index(pc)].library)
            break;
    }
    return NULL;
}

/* Is it the class that a macro of GoogleTest makes of a test? */
static bool is_test_case(const struct vm_program *program, const struct vm_type *t)
{
    static const char body[] = "::TestBody";
    size_t n = strlen(t->name);
    for (uint32_t k = 0; n && k < program->nfunctions; k++) {
        const char *f = program->functions[k].name;
        if (!strncmp(f, t->name, n) && !strcmp(f + n, body))
            return true;
    }
    return false;
}

/* Returns the class that the user wrote: of a test's, its fixture. */
static const struct vm_type *written_class(const struct vm_program *program,
                                           const struct vm_type *t)
{
    const struct vm_type_member *base = t->kind == VM_TYPE_STRUCT && t->n ? t->member : NULL;
    bool fixture = base && !*base->name && !base->offset && base->type && *base->type->name &&
                   is_user_class(program, base->type) && is_test_case(program, t);
    return fixture ? base->type : t;
}

/* Identifies an object by the type that it was allocated as. */
static void know_made(const struct vm *vm, uint64_t p, struct vm_past *past,
                      const struct vm_variable *v, const struct vm_function *f)
{
    bool compound = v->type->kind == VM_TYPE_STRUCT && *v->type->name;
    const char *name = compound ? written_class(vm->program, v->type)->name : v->name;
    if (name && *name)
        past->known = (struct vm_identity){
            .type = v->type,
            .name = name,
            .at = first_element(vm, p, past, v->type),
            .sure = true,
            .several = compound || is_several(vm->program, f, name),
            .way = !compound || past->size > v->type->size ? VM_WAY_INDEX : VM_WAY_ONE,
        };
}

static const char *keep_text(struct vm_history *h, const char *text)
{
    char *copy = strdup(text);
    if (!copy)
        vm_exhausted();
    if (h->ntexts == h->texts_capacity) {
        h->texts_capacity = h->texts_capacity ? 2 * h->texts_capacity : 64;
        h->texts = vm_resize(h->texts, h->texts_capacity * sizeof *h->texts);
    }
    return h->texts[h->ntexts++] = copy;
}

/* Is it a number or the like by itself, which a variable of the program's own leads to?  That
 * variable may hold another one next. */
static bool is_single(const struct walk *w, const struct vm_type *t, const struct vm_obj *o)
{
    return (!w->library || w->atomic) && *t->name && o->size == t->size &&
           t->kind >= VM_TYPE_SIGNED && t->kind <= VM_TYPE_ENUM;
}

/* Identifies the object that a pointer of this type leads to, if that is a better answer than
 * the one before. */
static void know_pointed(struct walk *w, const struct vm_type *t, uint64_t p)
{
    struct vm_past *past = vm_past_of(w->vm, p, false);
    const struct vm_obj *o = vm_heap_get(&w->vm->heap, p);
    if (!past || !o || past->known.sure || past->kind > VM_OBJ_ALIGNED_ARRAY || !t->size ||
        (uint32_t)p + t->size > o->size)
        return;
    const struct vm_identity *before = &past->known;
    bool opaque = is_library_type(t);
    bool part = opaque && (uint32_t)p && w->inside; /* a lock guard leads to a mutex in it */
    if (part || (before->type && (opaque || !is_library_type(before->type))))
        return;
    struct vm_identity known = {.type = t, .at = (uint32_t)p, .number = before->number};
    bool named = t->kind == VM_TYPE_STRUCT ? !w->library && *t->name : is_single(w, t, o);
    if (!named) {
        known.name = before->is_path ? before->name : keep_text(w->vm->history, w->name);
        known.is_path = true;
        known.inside = w->inside;
        known.way = opaque                                 ? VM_WAY_ONE
                    : (uint32_t)p || o->size < 2 * t->size ? VM_WAY_ARROW
                                                           : VM_WAY_INDEX;
    } else {
        known.name = t->name;
        known.several = true;
        known.way = o->size >= 2 * t->size ? VM_WAY_INDEX : VM_WAY_ONE;
    }
    past->known = known;
    w->changed = true;
}

static void look_in(struct walk *w, const struct vm_type *t, uint64_t at, int depth);

static void look_in_member(struct walk *w, const struct vm_type_member *m, uint64_t at,
                           int depth)
{
    char path[256];
    const char *name = w->name;
    bool library = w->library, inside = w->inside;
    if (!m->type)
        return;
    if (!strncmp(m->name, "__", 2))
        w->library = w->inside = true;
    if (!w->library && *m->name) {
        snprintf(path, sizeof path, "%s.%s", name, m->name);
        w->name = path;
    }
    look_in(w, m->type, at + m->offset, depth + 1);
    w->name = name;
    w->library = library;
    w->inside = inside;
}

static void look_in(struct walk *w, const struct vm_type *t, uint64_t at, int depth)
{
    const struct vm_obj *o = w->object;
    uint64_t p;
    if (depth > MAX_DEPTH || at + t->size > o->size)
        return;
    switch ((int)t->kind) {
    case VM_TYPE_POINTER:
        if (!t->element || vm_obj_mask(o, (uint32_t)at, 8) != ~0ull)
            return;
        p = vm_obj_get(o, (uint32_t)at, 8);
        if (vm_ptr_region(p) == VM_ID_HEAP)
            know_pointed(w, t->element, p);
        break;
    case VM_TYPE_ARRAY:
        for (uint32_t k = 0; t->element && k < t->n && k < MAX_ELEMENTS; k++)
            look_in(w, t->element, at + k * t->element->size, depth + 1);
        break;
    case VM_TYPE_STRUCT: {
        bool atomic = w->atomic;
        w->atomic = atomic || (!w->library && !strncmp(t->name, "std::atomic<", 12));
        for (uint32_t k = 0; k < t->n; k++)
            look_in_member(w, &t->member[k], at, depth);
        w->atomic = atomic;
        break;
    }
    default: break;
    }
}

static void look_in_heap(struct walk *w, uint32_t index)
{
    uint64_t p = vm_ptr(VM_ID_HEAP, index, 0);
    const struct vm_obj *o = vm_heap_get(&w->vm->heap, p);
    w->object = o;
    if (o && o->kind == VM_OBJ_STACK) {
        const struct vm_variable *v = vm_variable_of(w->vm, o->site);
        w->name = v && v->type ? v->name : NULL;
        if (w->name)
            look_in(w, v->type, 0, 0);
        return;
    }
    struct vm_past *past = o ? vm_past_of(w->vm, p, false) : NULL;
    const struct vm_identity *known = past ? &past->known : NULL;
    if (!known || !known->type)
        return;
    w->name = known->name;
    w->library = known->is_path;
    w->inside = known->inside;
    uint64_t each = known->type->size;
    for (uint64_t at = known->at, k = 0; at + each <= o->size && k < MAX_ELEMENTS;
         at += each, k++)
        look_in(w, known->type, at, 0);
    w->library = w->inside = false;
}

/* Follows all pointers until nothing new is found. */
static void look_everywhere(const struct vm *vm)
{
    struct walk w = {.vm = vm, .changed = true};
    uint64_t n = vm->heap.table[VM_ID_HEAP].n;
    for (int round = 0; w.changed && round < MAX_ROUNDS; round++) {
        w.changed = false;
        for (uint32_t k = 0; k < vm->program->nglobals; k++) {
            const struct vm_global *g = &vm->program->globals[k];
            w.object = vm_heap_get(&vm->heap, vm_ptr(VM_ID_GLOBAL, k, 0));
            w.name = g->name;
            if (w.object && g->type)
                look_in(&w, g->type, 0, 0);
        }
        for (uint32_t k = 1; k < n && k < MAX_OBJECTS; k++)
            look_in_heap(&w, k);
    }
}

/* What the program's own code has allocated is known by that; what libraries have, by the
 * variables that lead to it, or else by the type that they allocate. */
const struct vm_identity *vm_identity(const struct vm *vm, uint64_t p)
{
    struct vm_past *past = vm_past_of(vm, p, false);
    if (!past)
        return NULL;
    struct vm_identity *known = &past->known;
    const struct vm_function *f = NULL;
    const struct vm_variable *v;
    bool heap = past->kind <= VM_OBJ_ALIGNED_ARRAY;
    if (!known->type && !known->tries && heap &&
        (v = made_at(vm->program, past->made.site, &f)))
        know_made(vm, p, past, v, f);
    if (!known->type && known->tries < MAX_TRIES && vm_heap_get(&vm->heap, p)) {
        look_everywhere(vm);
        known->tries++;
    }
    if (!known->type && heap && (v = made_for_user(vm, past, &f)))
        know_made(vm, p, past, v, f);
    return known->type ? known : NULL;
}
