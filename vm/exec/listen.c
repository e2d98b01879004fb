/* listen.c - what the machine tells those who watch it: events, stacks, names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm/heap/memory.h"
#include "vm/machine.h"

enum { CALLERS = 15 };

/* Which thread was where: its number, the user's instruction, and its stack. */
struct where {
    uint64_t tid, site, pc;
    size_t callers; /* place in vm_history.callers */
};

/* Where heap objects were made and freed, by index; kept while listening. */
struct vm_history {
    struct vm_past {
        uint64_t made;
        struct where freed;
        uint32_t size;
        uint8_t kind;
    } *past;
    uint32_t n;
    struct vm_done {
        struct vm_range range;
        uint64_t owner; /* the thread's record */
        struct where where;
    } *access; /* plain accesses to shared objects, in order */
    size_t naccess, access_capacity;
    struct callers {
        uint64_t pc[CALLERS]; /* innermost first, 0 behind the last */
    } *callers;
    size_t ncallers, callers_capacity;
    struct vm_read {
        uint64_t frame, place;
        uint32_t insn;
    } read[256]; /* the last loads of undefined bytes */
    size_t nread;
};

void vm_listen(struct vm *vm, vm_listener *listener, void *context)
{
    if (vm->history) {
        free(vm->history->past);
        free(vm->history->access);
        free(vm->history->callers);
        free(vm->history);
        vm->history = NULL;
    }
    vm->listener = listener;
    vm->listener_context = context;
    if (listener) {
        vm->history = vm_alloc(sizeof *vm->history);
        *vm->history = (struct vm_history){0};
    }
}

void vm_emit(struct vm *vm, struct vm_event *event)
{
    if (!vm->listener)
        return;
    event->frame = vm->s.frame;
    vm->listener(vm->listener_context, event);
}

static struct vm_past *past_of(const struct vm *vm, uint64_t p, bool grow)
{
    struct vm_history *h = vm->history;
    uint32_t i = vm_ptr_index(p);
    if (!h || vm_ptr_region(p) != VM_ID_HEAP)
        return NULL;
    if (i >= h->n) {
        if (!grow)
            return NULL;
        uint32_t n = 2 * i + 64;
        h->past = vm_resize(h->past, n * sizeof *h->past);
        memset(h->past + h->n, 0, (n - h->n) * sizeof *h->past);
        h->n = n;
    }
    return &h->past[i];
}

/* Those of the running function: mostly the same as they were last. */
static size_t note_callers(struct vm *vm)
{
    struct vm_history *h = vm->history;
    struct callers now = {0};
    const struct vm_obj *o = vm_heap_get(&vm->heap, vm->s.frame);
    for (size_t k = 0; o && k < CALLERS; k++) {
        o = o->data[0] ? vm_heap_get(&vm->heap, o->data[0]) : NULL;
        now.pc[k] = o ? o->data[1] : 0;
    }
    if (h->ncallers && !memcmp(&h->callers[h->ncallers - 1], &now, sizeof now))
        return h->ncallers - 1;
    if (h->ncallers == h->callers_capacity) {
        h->callers_capacity = h->callers_capacity ? 2 * h->callers_capacity : 64;
        h->callers = vm_resize(h->callers, h->callers_capacity * sizeof *h->callers);
    }
    h->callers[h->ncallers] = now;
    return h->ncallers++;
}

static uint64_t running_tid(const struct vm *vm)
{
    const struct vm_obj *o = vm_heap_get(&vm->heap, vm->s.reg[VM_REG_USER]);
    return o && o->size >= sizeof(struct vm_trace_run) ? o->data[VM_TID_WORD] : 0;
}

static struct where here(struct vm *vm)
{
    const struct vm_obj *o = vm_heap_get(&vm->heap, vm->s.frame);
    return (struct where){.tid = running_tid(vm),
                          .site = vm_user_site(vm),
                          .pc = o ? o->data[1] : 0,
                          .callers = note_callers(vm)};
}

static bool is_variable(const struct vm_past *past)
{
    return past->kind == VM_OBJ_STACK || past->kind == VM_OBJ_TLS;
}

void vm_note_made(struct vm *vm, uint64_t p)
{
    struct vm_past *past = past_of(vm, p, true);
    const struct vm_obj *o = vm_heap_get(&vm->heap, p);
    if (past)
        *past = (struct vm_past){.made = o->site, .size = o->size, .kind = o->kind};
}

void vm_note_freed(struct vm *vm, uint64_t p)
{
    struct vm_past *past = past_of(vm, p, true);
    if (past)
        past->freed = here(vm);
}

void vm_note_access(struct vm *vm, const struct vm_range *range)
{
    struct vm_history *h = vm->history;
    if (!h)
        return;
    if (h->naccess == h->access_capacity) {
        h->access_capacity = h->access_capacity ? 2 * h->access_capacity : 64;
        h->access = vm_resize(h->access, h->access_capacity * sizeof *h->access);
    }
    h->access[h->naccess++] = (struct vm_done){*range, vm->s.reg[VM_REG_USER], here(vm)};
}

void vm_note_undefined(struct vm *vm, const struct vm_insn *i, uint64_t p, uint64_t mask)
{
    struct vm_history *h = vm->history;
    if (!h || mask == ~0ull)
        return;
    const struct vm_function *f = vm_frame_function(vm, vm->s.frame, NULL);
    if (!f)
        return;
    h->read[h->nread++ % (sizeof h->read / sizeof *h->read)] =
        (struct vm_read){.frame = vm->s.frame,
                         .insn = (uint32_t)(i - f->code),
                         .place = p + (uint64_t)__builtin_ctzll(~mask) / 8};
}

uint64_t vm_undefined_read(const struct vm *vm, uint64_t frame, uint32_t insn)
{
    const struct vm_history *h = vm->history;
    size_t max = sizeof h->read / sizeof *h->read;
    for (size_t k = h ? h->nread : 0, seen = 0; k-- > 0 && seen < max; seen++)
        if (h->read[k % max].frame == frame && h->read[k % max].insn == insn)
            return h->read[k % max].place;
    return 0;
}

/* ---- places ---------------------------------------------------------------- */

static size_t places_at(const struct vm *vm, uint64_t pc, struct vm_place *places, size_t max)
{
    const struct vm_program *p = vm->program;
    if (vm_ptr_region(pc) != VM_ID_CODE || vm_ptr_index(pc) >= p->nfunctions || max == 0)
        return 0;
    const struct vm_function *f = &p->functions[vm_ptr_index(pc)];
    uint32_t loc = f->locs && (uint32_t)pc < f->ncode ? f->locs[(uint32_t)pc] : 0;
    size_t n = 0;
    if (!loc) {
        places[n++] = (struct vm_place){.function = f->name, .file = "", .library = f->library};
        return n;
    }
    for (; loc && n < max; loc = p->locs[loc].inlined_at) {
        const struct vm_loc *l = &p->locs[loc];
        places[n++] = (struct vm_place){.function = l->function,
                                        .file = l->file,
                                        .line = l->line,
                                        .column = l->column,
                                        .library = f->library || l->library};
    }
    return n;
}

size_t vm_stack(const struct vm *vm, uint64_t frame, struct vm_place *places, size_t max)
{
    size_t n = 0;
    while (frame && n < max) {
        const struct vm_obj *o = vm_heap_get(&vm->heap, frame);
        if (!o || o->kind != VM_OBJ_FRAME || !vm_frame_function(vm, frame, NULL))
            break;
        n += places_at(vm, o->data[1], places + n, max - n);
        frame = o->data[0];
    }
    return n;
}

/* Tells the listener of the other side of the coming fault. */
static void emit_other(struct vm *vm, const struct where *where, const char *what)
{
    struct vm_place places[2 * CALLERS];
    const size_t max = sizeof places / sizeof *places;
    const uint64_t *pc = vm->history->callers[where->callers].pc;
    size_t n = places_at(vm, where->pc, places, max);
    for (size_t k = 0; k < CALLERS && pc[k]; k++)
        n += places_at(vm, pc[k], places + n, max - n);
    vm_emit(vm, &(struct vm_event){.kind = VM_EVENT_OTHER,
                                   .tid = where->tid,
                                   .places = places,
                                   .nplaces = n,
                                   .message = what});
}

uint64_t vm_tell_access(struct vm *vm, uint64_t owner, const struct vm_range *range)
{
    const struct vm_history *h = vm->history;
    for (size_t k = h ? h->naccess : 0; k-- > 0;) {
        const struct vm_done *done = &h->access[k];
        const struct vm_range *r = &done->range;
        if (done->owner == owner && r->object == range->object && r->kind == range->kind &&
            r->start < range->end && range->start < r->end) {
            emit_other(vm, &done->where, r->kind == VM_WRITES ? "write" : "read");
            return done->where.site;
        }
    }
    return 0;
}

void vm_tell_end(struct vm *vm, uint64_t p)
{
    const struct vm_past *past = vm_heap_get(&vm->heap, p) ? NULL : past_of(vm, p, false);
    if (past && past->freed.tid && past->freed.tid != running_tid(vm))
        emit_other(vm, &past->freed, is_variable(past) ? "end" : "free");
}

void vm_describe_site(const struct vm *vm, uint64_t site, char *text, size_t size)
{
    struct vm_place place;
    if (!site || !places_at(vm, site, &place, 1)) {
        snprintf(text, size, "another thread");
        return;
    }
    const char *file = strrchr(place.file, '/');
    snprintf(text, size, "%s at %s:%u", place.function, file ? file + 1 : place.file,
             place.line);
}

/* ---- names ----------------------------------------------------------------- */

static void append(char *text, size_t size, const char *more)
{
    size_t n = strlen(text);
    if (n + 1 < size)
        snprintf(text + n, size - n, "%s", more);
}

static void append_number(char *text, size_t size, const char *format, unsigned long long x)
{
    char number[64];
    snprintf(number, sizeof number, format, x);
    append(text, size, number);
}

/* Follow an offset into a type: "[2].next". */
static void append_part(char *text, size_t size, const struct vm_type *t, uint64_t offset)
{
    while (t && t->kind != VM_TYPE_SCALAR) {
        const struct vm_type *inner = NULL;
        if (t->kind == VM_TYPE_ARRAY && t->element && t->element->size) {
            append_number(text, size, "[%llu]", offset / t->element->size);
            offset %= t->element->size;
            inner = t->element;
        }
        for (uint32_t k = 0; t->kind == VM_TYPE_STRUCT && k < t->n; k++) {
            const struct vm_type_member *m = &t->member[k];
            if (offset < m->offset || !m->type || offset >= m->offset + m->type->size)
                continue;
            if (!strncmp(m->name, "__", 2)) /* a library's type: its name is enough */
                return;
            append(text, size, ".");
            append(text, size, m->name);
            offset -= m->offset;
            inner = m->type;
            break;
        }
        if (!inner)
            break;
        t = inner;
    }
    if (offset)
        append_number(text, size, " + %llu", offset);
}

/* It may be negative (pointer.h). */
static void append_offset(char *text, size_t size, uint32_t offset)
{
    if (offset >> 31)
        append_number(text, size, " - %llu", -offset);
    else
        append_number(text, size, " + %llu", offset);
}

static void describe_global(const struct vm_global *g, uint32_t offset, char *text, size_t size)
{
    snprintf(text, size, "%s", g->name);
    if (g->type && offset < g->init->size) {
        const struct vm_type *t = g->type;
        bool opaque = t->kind == VM_TYPE_STRUCT && offset == 0;
        if (!opaque || !t->n)
            append_part(text, size, t, offset);
        return;
    }
    if (offset)
        append_offset(text, size, offset);
}

static void append_site(const struct vm *vm, const char *word, uint64_t site, char *text,
                        size_t size)
{
    struct vm_place place;
    if (!site || !places_at(vm, site, &place, 1))
        return;
    append(text, size, word);
    append(text, size, place.line ? place.file : place.function);
    if (place.line)
        append_number(text, size, ":%llu", place.line);
}

/* "buffer[3] of work", for an alloca that has a name. */
static bool describe_local(const struct vm *vm, uint64_t p, uint64_t site, char *text,
                           size_t size)
{
    if (vm_ptr_region(site) != VM_ID_CODE || vm_ptr_index(site) >= vm->program->nfunctions)
        return false;
    const struct vm_function *f = &vm->program->functions[vm_ptr_index(site)];
    const struct vm_insn *i = (uint32_t)site < f->ncode ? &f->code[(uint32_t)site] : NULL;
    if (!i || i->op != VM_OP_ALLOCA || !i->b)
        return false;
    snprintf(text, size, "%s", vm->program->texts[i->b - 1]);
    if ((uint32_t)p)
        append_offset(text, size, (uint32_t)p);
    append(text, size, " of ");
    append(text, size, f->name);
    return true;
}

/* "buffer[3], thread-local": what the variable began as has its name and type. */
static bool describe_thread_local(const struct vm *vm, uint64_t p, uint64_t site, char *text,
                                  size_t size)
{
    if (vm_ptr_region(site) != VM_ID_CONST || vm_ptr_index(site) >= vm->program->nconsts)
        return false;
    describe_global(&vm->program->consts[vm_ptr_index(site)], (uint32_t)p, text, size);
    append(text, size, ", thread-local");
    return true;
}

static void describe_heap(const struct vm *vm, uint64_t p, char *text, size_t size)
{
    const struct vm_obj *o = vm_heap_get(&vm->heap, p);
    const struct vm_past *past = past_of(vm, p, false);
    uint8_t kind = o ? o->kind : past ? past->kind : VM_OBJ_HEAP;
    uint64_t site = o ? o->site : past ? past->made : 0;
    const char *what = kind == VM_OBJ_STACK    ? "local object"
                       : kind == VM_OBJ_TLS    ? "thread-local memory"
                       : kind == VM_OBJ_KERNEL ? "kernel object"
                                               : "heap object";
    text[0] = 0;
    if (kind == VM_OBJ_STACK && (o ? o->flags & VM_VARIADIC : false)) {
        snprintf(text, size, "variadic argument %u", (uint32_t)p / 8 + 1);
        return;
    }
    if (kind == VM_OBJ_TLS && describe_thread_local(vm, p, site, text, size))
        return;
    if (kind == VM_OBJ_STACK && describe_local(vm, p, site, text, size)) {
        if (!o && past)
            append_site(vm, ", which ended at ", past->freed.site, text, size);
        return;
    }
    uint32_t offset = (uint32_t)p;
    if (offset >> 31)
        append_number(text, size, "%llu bytes before ", -offset);
    else if (offset)
        append_number(text, size, "byte %llu of ", offset);
    append(text, size, what);
    if (o || past)
        append_number(text, size, " of %llu bytes", o ? o->size : past->size);
    append_site(vm, kind == VM_OBJ_STACK ? " of " : " allocated at ", site, text, size);
    if (!o && past)
        append_site(vm, kind == VM_OBJ_STACK ? ", which ended at " : ", freed at ",
                    past->freed.site, text, size);
}

bool vm_was_local(const struct vm *vm, uint64_t p)
{
    const struct vm_past *past = vm_heap_get(&vm->heap, p) ? NULL : past_of(vm, p, false);
    return past && is_variable(past);
}

void vm_describe(const struct vm *vm, uint64_t p, char *text, size_t size)
{
    const struct vm_program *program = vm->program;
    uint32_t i = vm_ptr_index(p), offset = (uint32_t)p;
    unsigned region = vm_ptr_region(p);
    if (p == 0)
        snprintf(text, size, "NULL");
    else if (region == VM_ID_GLOBAL && i < program->nglobals)
        describe_global(&program->globals[i], offset, text, size);
    else if (region == VM_ID_CONST && i < program->nconsts)
        describe_global(&program->consts[i], offset, text, size);
    else if (region == VM_ID_CODE && i < program->nfunctions)
        snprintf(text, size, "%s", program->functions[i].name);
    else if (region == VM_ID_HEAP && i && p >> 32 && i < vm->heap.table[VM_ID_HEAP].n)
        describe_heap(vm, p, text, size);
    else
        snprintf(text, size, "address 0x%llx", (unsigned long long)p);
}

bool vm_read(const struct vm *vm, uint64_t addr, uint64_t *value)
{
    const struct vm_obj *o = vm_heap_get(&vm->heap, addr);
    uint32_t at = (uint32_t)addr;
    if (!o || at + 8ull > o->size || vm_obj_mask(o, at, 8) != ~0ull)
        return false;
    *value = vm_obj_get(o, at, 8);
    return true;
}
