/* view.c - shows a moment of a run: threads, variables, and the parts of objects with their
 * values.
 *
 * Nothing is mentioned here (see vm_name): pointers to objects of the program are told as
 * addresses, so that a look at a state does not change how later messages number objects. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "history.h"
#include "vm/exec/access_log.h"
#include "vm/exec/call.h"

enum { MAX_DEPTH = 8, MAX_PATH = 200, MAX_STRING = 48, RAW_WORDS = 8 };

/* ---- threads and variables ------------------------------------------------------- */

size_t vm_view_threads(const struct vm *vm, struct vm_view_thread *threads, size_t max)
{
    size_t n, told = 0;
    const struct vm_obj *state = vm_list_threads(vm, &n);
    const uint64_t *at = state ? state->data + state->size / sizeof *at - n : NULL;
    for (; state && n && told < max; n--, at++) {
        const struct vm_obj *record = vm_heap_get(&vm->heap, *at);
        struct vm_trace_run run;
        if (!record || record->size < sizeof run)
            continue;
        memcpy(&run, record->data, sizeof run);
        bool runs = *at == vm->s.reg[VM_REG_USER] && !vm->s.scheduling && vm->s.frame;
        uint64_t frame = runs ? vm->s.frame : (uint64_t)run.saved.frame;
        threads[told++] = (struct vm_view_thread){run.tid, frame};
    }
    return told;
}

uint64_t vm_caller(const struct vm *vm, uint64_t frame)
{
    const struct vm_obj *o = vm_heap_get(&vm->heap, frame);
    return o && o->kind == VM_OBJ_FRAME ? o->data[0] : 0;
}

bool vm_frame_place(const struct vm *vm, uint64_t frame, struct vm_place *place)
{
    struct vm_place places[16];
    if (!vm_frame_function(vm, frame, NULL))
        return false;
    size_t n = vm_places_at(vm, vm_heap_get(&vm->heap, frame)->data[1], places, 16);
    for (size_t k = 0; k < n; k++)
        if (!places[k].library && places[k].line) {
            *place = places[k];
            return true;
        }
    return false;
}

void vm_view_globals(const struct vm *vm, vm_view_variable *see, void *context)
{
    const struct vm_program *p = vm->program;
    for (uint32_t k = 0; k < p->nglobals; k++) {
        const struct vm_global *g = &p->globals[k];
        if (!g->library && g->type && g->name && *g->name != '.' && strncmp(g->name, "__", 2))
            see(context, g->name, vm_ptr(VM_ID_GLOBAL, k, 0));
    }
}

/* Lists a frame's variables, of which the one that was made last comes first. */
void vm_view_locals(const struct vm *vm, uint64_t frame, vm_view_variable *see, void *context)
{
    enum { MOST = 64 };
    uint32_t index[MOST];
    size_t n = 0;
    const struct vm_obj *o = vm_heap_get(&vm->heap, frame);
    for (uint32_t k = o && o->kind == VM_OBJ_FRAME ? o->link : 0; k && n < MOST; k = o->link) {
        index[n++] = k;
        o = vm_heap_get(&vm->heap, vm_ptr(VM_ID_HEAP, k, 0));
    }
    while (n-- > 0) {
        uint64_t p = vm_ptr(VM_ID_HEAP, index[n], 0);
        const struct vm_variable *v = vm_variable_of(vm, vm_heap_get(&vm->heap, p)->site);
        if (v && v->name && *v->name && v->type && strncmp(v->name, "__", 2))
            see(context, v->name, p);
    }
}

void vm_view_heap(const struct vm *vm, vm_view_variable *see, void *context)
{
    uint32_t n = vm->heap.table[VM_ID_HEAP].n;
    for (uint32_t k = 1; k < n; k++) {
        uint64_t p = vm_ptr(VM_ID_HEAP, k, 0);
        const struct vm_obj *o = vm_heap_get(&vm->heap, p);
        bool own = o && vm_obj_kind(o) <= VM_OBJ_PRIVATE &&
                   vm_ptr_region(o->site) == VM_ID_CODE &&
                   vm_ptr_index(o->site) < vm->program->nfunctions;
        const struct vm_identity *known = own ? vm_identity(vm, p) : NULL;
        if (known && known->sure)
            see(context, known->name, p);
    }
}

/* ---- objects --------------------------------------------------------------------- */

static bool view_heap(const struct vm *vm, uint64_t p, const struct vm_obj *o,
                      struct vm_view_object *view)
{
    const struct vm_variable *v = o->kind == VM_OBJ_STACK ? vm_variable_of(vm, o->site) : NULL;
    bool local = o->kind == VM_OBJ_STACK;
    if (o->kind == VM_OBJ_FRAME || (!local && vm_obj_kind(o) > VM_OBJ_PRIVATE))
        return false;
    view->kind = local ? VM_VIEW_LOCAL : VM_VIEW_HEAP;
    if (local) {
        view->type = v && v->name && *v->name ? v->type : NULL;
        return view->type;
    }
    const struct vm_identity *known = vm_identity(vm, p);
    if (known) {
        view->type = known->type;
        view->at = known->at;
    }
    return true;
}

bool vm_view_object(const struct vm *vm, uint64_t addr, struct vm_view_object *view)
{
    const struct vm_program *p = vm->program;
    uint64_t begin = vm_ptr_object(addr);
    uint32_t index = vm_ptr_index(addr);
    const struct vm_obj *o = NULL;
    *view = (struct vm_view_object){.addr = begin};
    if (vm_ptr_region(addr) == VM_ID_GLOBAL && index < p->nglobals) {
        o = vm_heap_get(&vm->heap, begin);
        view->kind = VM_VIEW_GLOBAL;
        view->type = p->globals[index].type;
        if (!o || p->globals[index].library || !view->type)
            return false;
    } else if (vm_ptr_region(addr) == VM_ID_HEAP && index &&
               index < vm->heap.table[VM_ID_HEAP].n) {
        o = vm_heap_get(&vm->heap, begin);
        if (!o || !view_heap(vm, begin, o, view))
            return false;
    }
    if (!o)
        return false;
    view->size = o->size;
    return true;
}

/* ---- their parts ----------------------------------------------------------------- */

struct walk {
    const struct vm *vm;
    const struct vm_obj *object;
    vm_view_part *see;
    void *context;
    size_t max, n; /* so many are told; there are */
    char path[MAX_PATH];
    uint32_t size; /* of a part whose type is not known */
};

/* Is it a type whose inside only the library knows? */
static bool is_opaque(const struct vm_type *t)
{
    static const char *const names[] = {"pthread_mutex_t",
                                        "pthread_cond_t",
                                        "pthread_rwlock_t",
                                        "pthread_barrier_t",
                                        "pthread_spinlock_t",
                                        "pthread_attr_t",
                                        "pthread_mutexattr_t",
                                        "sem_t",
                                        "mtx_t",
                                        "cnd_t",
                                        "std::mutex",
                                        "std::recursive_mutex",
                                        "std::timed_mutex",
                                        "std::condition_variable",
                                        "std::condition_variable_any",
                                        "std::shared_mutex",
                                        "std::shared_timed_mutex",
                                        "std::once_flag",
                                        "std::barrier",
                                        "std::latch",
                                        "std::recursive_timed_mutex",
                                        "std::binary_semaphore"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (!strcmp(t->name, names[k]))
            return true;
    return (t->kind == VM_TYPE_OTHER || t->kind == VM_TYPE_UNION) && t->size > 8;
}

/* Writes "\"text\"", the characters up to a 0; false if they are not all defined. */
static bool quote(const struct vm_obj *o, uint32_t at, char *text, size_t size)
{
    size_t n = 0;
    text[n++] = '"';
    for (uint32_t k = 0; at + k < o->size && n + 6 < size; k++) {
        if (vm_obj_mask(o, at + k, 1) != 0xff)
            return false;
        unsigned char c = (unsigned char)vm_obj_get(o, at + k, 1);
        if (!c)
            break;
        if (c == '\n' || c == '"' || c == '\\') {
            text[n++] = '\\';
            text[n++] = c == '\n' ? 'n' : (char)c;
        } else {
            text[n++] = c < ' ' ? '.' : (char)c;
        }
    }
    snprintf(text + n, size - n, n + 6 < size ? "\"" : "...\"");
    return true;
}

static void tell(struct walk *w, struct vm_view_part *part)
{
    part->path = w->path;
    if (w->n++ < w->max)
        w->see(w->context, part);
}

/* Tells a pointer: as an address if it leads to an object of the program, else as a text. */
static void tell_pointer(struct walk *w, struct vm_view_part *part, uint64_t value)
{
    const struct vm_type *to = part->type ? part->type->element : NULL;
    const struct vm_obj *o = vm_heap_get(&w->vm->heap, value);
    struct vm_view_object view;
    char text[128] = "";
    part->is_pointer = true;
    if (vm_ptr_region(value) == VM_ID_CONST && o && to && to->kind == VM_TYPE_CHAR &&
        (uint32_t)value < o->size && quote(o, (uint32_t)value, text, MAX_STRING)) {
        part->text = text;
    } else if (value && vm_ptr_region(value) == VM_ID_HEAP) {
        const struct vm_past *past = vm_past_of(w->vm, value, false);
        bool gone = !o && past && past->kind <= VM_OBJ_PRIVATE;
        uint64_t tid = o ? vm_obj_tid(o) : 0;
        if (vm_view_object(w->vm, value, &view) || gone)
            part->target = value;
        else if (tid)
            snprintf(text, sizeof text, "thread %llu", (unsigned long long)tid);
        part->text = part->target ? NULL : *text ? text : "(the library's)";
    } else if (vm_view_object(w->vm, value, &view)) {
        part->target = value;
    } else {
        vm_value_text(w->vm, part->type, value, sizeof value, true, text, sizeof text);
        part->text = text;
    }
    tell(w, part);
}

static void tell_scalar(struct walk *w, const struct vm_type *t, uint32_t at)
{
    uint32_t size = t ? (uint32_t)t->size : w->size;
    struct vm_view_part part = {.type = t, .offset = at, .size = size};
    char text[128] = "";
    if (at + (uint64_t)size > w->object->size || size == 0)
        return;
    if (size > 8 || (t && is_opaque(t))) {
        tell(w, &part);
        return;
    }
    uint64_t all = size == 8 ? ~0ull : (1ull << 8 * size) - 1;
    uint64_t value = vm_obj_get(w->object, at, size);
    bool pointer = size == 8 && vm_obj_pointer(w->object, at, size) == 0xff;
    if (vm_obj_mask(w->object, at, size) != all) {
        part.text = "?";
        part.is_undefined = true;
        tell(w, &part);
    } else if (size == 8 && (pointer || (t && t->kind == VM_TYPE_POINTER))) {
        tell_pointer(w, &part, value);
    } else {
        vm_value_text(w->vm, t, value, size, false, text, sizeof text);
        part.text = text;
        tell(w, &part);
    }
}

static void walk_type(struct walk *w, const struct vm_type *t, uint32_t at, int depth);

static bool is_of_library(const char *name)
{
    return name[0] == '_' && (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z'));
}

/* Is there anything to be seen in it? */
static bool has_parts(const struct vm_type *t)
{
    if (t->kind != VM_TYPE_STRUCT)
        return t->size > 0;
    for (uint32_t k = 0; k < t->n; k++)
        if (t->member[k].type && has_parts(t->member[k].type))
            return true;
    return false;
}

/* Is it all that a library's class has, as the value of a std::atomic?  Then the class's own
 * name says enough. */
static bool is_all(const struct vm_type *t, const struct vm_type_member *m)
{
    for (uint32_t k = 0; k < t->n; k++)
        if (&t->member[k] != m && t->member[k].type && has_parts(t->member[k].type))
            return false;
    return is_of_library(m->name);
}

/* Appends a member's name: "__begin_" of a library's class is "begin". */
static void append_member(struct walk *w, const struct vm_type *t,
                          const struct vm_type_member *m)
{
    const char *name = is_all(t, m) ? "" : m->name;
    size_t n = strlen(w->path), length = strlen(name);
    if (!strncmp(name, "__", 2)) {
        name += 2;
        length -= 2;
        length -= length && name[length - 1] == '_';
    }
    snprintf(w->path + n, sizeof w->path - n, "%s%.*s", n && length ? "." : "", (int)length,
             name);
}

static void walk_members(struct walk *w, const struct vm_type *t, uint32_t at, int depth)
{
    size_t n = strlen(w->path);
    for (uint32_t k = 0; k < t->n; k++) {
        const struct vm_type_member *m = &t->member[k];
        if (!m->type || at + m->offset + m->type->size > w->object->size)
            continue;
        append_member(w, t, m);
        walk_type(w, m->type, at + (uint32_t)m->offset, depth + 1);
        w->path[n] = '\0';
    }
}

static void walk_elements(struct walk *w, const struct vm_type *element, uint32_t at,
                          uint64_t count, int depth)
{
    size_t n = strlen(w->path);
    for (uint64_t k = 0; k < count; k++) {
        if (w->n >= w->max) { /* each counts as one: how many parts it has is not looked at */
            w->n += count - k;
            return;
        }
        snprintf(w->path + n, sizeof w->path - n, "[%llu]", (unsigned long long)k);
        walk_type(w, element, at + (uint32_t)(k * element->size), depth + 1);
        w->path[n] = '\0';
    }
}

static void walk_type(struct walk *w, const struct vm_type *t, uint32_t at, int depth)
{
    char text[MAX_STRING + 8];
    struct vm_view_part part = {.type = t, .offset = at, .size = (uint32_t)t->size};
    if (depth > MAX_DEPTH || is_opaque(t)) {
        tell(w, &part);
    } else if (t->kind == VM_TYPE_STRUCT) { /* an empty class has nothing to be seen */
        walk_members(w, t, at, depth);
    } else if (t->kind == VM_TYPE_ARRAY && t->element && t->element->size) {
        bool string =
            t->element->kind == VM_TYPE_CHAR && quote(w->object, at, text, MAX_STRING);
        part.text = text;
        if (string)
            tell(w, &part);
        else
            walk_elements(w, t->element, at, t->n, depth);
    } else {
        tell_scalar(w, t, at);
    }
}

/* Tells words of an object without a type, as far as there are not too many. */
static void walk_raw(struct walk *w, uint32_t from)
{
    uint32_t size = w->object->size;
    for (uint32_t at = from; at < size; at += 8) {
        if (at >= from + 8 * RAW_WORDS) {
            w->n += (size - at + 7) / 8;
            return;
        }
        snprintf(w->path, sizeof w->path, "+%u", at);
        w->size = size - at < 8 ? size - at : 8;
        tell_scalar(w, NULL, at);
    }
}

/* Is it a node of a library's?  The library points to its nodes by the type of what they begin
 * with. */
static bool is_library_node(const struct vm_type *t)
{
    const char *name = strncmp(t->name, "std::", 5) ? "" : t->name + 5;
    return !strncmp(name, "__", 2);
}

/* ---- variables in registers ------------------------------------------------------ */

/* Is the scope entered where the frame is? */
static bool is_entered(const struct vm *vm, uint64_t frame, uint32_t scope)
{
    const struct vm_notes *notes = vm->program->notes;
    const struct vm_insn *insn;
    const struct vm_function *f = vm_frame_function(vm, frame, &insn);
    uint32_t loc = f && f->locs ? f->locs[insn - f->code] : 0;
    while (loc && vm->program->locs[loc].inlined_at)
        loc = vm->program->locs[loc].inlined_at;
    uint32_t now = loc < notes->nlocs ? notes->scope_of[loc] : 0;
    while (now && now != scope)
        now = notes->scope_parent[now];
    return now;
}

struct registers {
    const char *name;
    vm_view_register *see;
    void *context;
};

static void see_register(void *context, const struct vm_view_part *part)
{
    const struct registers *r = context;
    r->see(r->context, r->name, part);
}

void vm_view_registers(const struct vm *vm, uint64_t frame, size_t max, vm_view_register *see,
                       void *context)
{
    const struct vm_history *h = vm->history;
    for (size_t k = 0; h && k < h->nregisters; k++) {
        const struct vm_register *r = &h->registers[k];
        const struct vm_noted *noted = &vm->program->notes->variables[r->variable];
        if (r->frame != frame || !r->known || !strncmp(noted->variable.name, "__", 2) ||
            !is_entered(vm, frame, noted->scope))
            continue;
        struct registers registers = {noted->variable.name, see, context};
        struct walk w = {.vm = vm,
                         .object = r->value,
                         .see = see_register,
                         .context = &registers,
                         .max = max};
        walk_type(&w, noted->variable.type, 0, 0);
    }
}

/* ---- whole objects --------------------------------------------------------------- */

size_t vm_view_parts(const struct vm *vm, const struct vm_view_object *view, size_t max,
                     vm_view_part *see, void *context)
{
    const struct vm_obj *o = vm_heap_get(&vm->heap, view->addr);
    struct walk w = {.vm = vm, .object = o, .see = see, .context = context, .max = max};
    const struct vm_type *t = view->type;
    if (!o)
        return 0;
    uint64_t count = t && t->size && view->at < o->size ? (o->size - view->at) / t->size : 0;
    bool begins = count && is_library_node(t);
    if (count == 1 || begins)
        walk_type(&w, t, view->at, 0);
    else if (count)
        walk_elements(&w, t, view->at, count, 0);
    if (!count || begins)
        walk_raw(&w, count ? (uint32_t)(view->at + t->size + 7) / 8 * 8 : 0);
    return w.n;
}
