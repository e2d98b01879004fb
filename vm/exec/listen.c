/* listen.c - tells events and stacks to those who listen to the machine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "history.h"
#include "vm/exec/call.h"
#include "vm/exec/listen.h"
#include "vm/exec/observe.h"
#include "vm/heap/memory.h"

void vm_listen(struct vm *vm, vm_listener *listener, void *context)
{
    if (vm->history) {
        free(vm->history->past);
        free(vm->history->access);
        free(vm->history->callers);
        free(vm->history->counts);
        vm_notes_free(vm->history);
        for (size_t k = 0; k < vm->history->ntexts; k++)
            free(vm->history->texts[k]);
        free(vm->history->texts);
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
    event->of_monitor = vm->options.monitors && vm->s.scheduling;
    bool looks =
        event->of_monitor && (event->kind == VM_EVENT_ACTION || event->kind == VM_EVENT_ACCESS);
    if (!vm->listener || looks) /* what it looks at is no part of what the threads do */
        return;
    event->frame = vm->s.frame;
    vm->history->order++;
    const struct vm_obj *o = vm->options.queries && event->kind == VM_EVENT_ACTION
                                 ? vm_heap_get(&vm->heap, event->addr)
                                 : NULL;
    event->is_queried = o && vm_observes(vm, event->addr, o);
    vm->listener(vm->listener_context, event);
}

struct vm_past *vm_past_of(const struct vm *vm, uint64_t p, bool grow)
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

/* Notes the callers of the running function, which are mostly the same as the last time. */
static size_t note_callers(struct vm *vm)
{
    struct vm_history *h = vm->history;
    struct callers now = {0};
    const struct vm_obj *o = vm_heap_get(&vm->heap, vm->s.frame);
    for (size_t k = 0; o && k < VM_CALLERS; k++) {
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

static struct vm_where here(struct vm *vm)
{
    const struct vm_obj *o = vm_heap_get(&vm->heap, vm->s.frame);
    return (struct vm_where){.tid = running_tid(vm),
                             .site = vm_told_site(vm),
                             .pc = o ? o->data[1] : 0,
                             .callers = note_callers(vm),
                             .order = vm->history->order};
}

static bool is_variable(const struct vm_past *past)
{
    return past->kind == VM_OBJ_STACK || past->kind == VM_OBJ_TLS;
}

void vm_note_made(struct vm *vm, uint64_t p)
{
    struct vm_past *past = vm_past_of(vm, p, true);
    const struct vm_obj *o = vm_heap_get(&vm->heap, p);
    if (past)
        *past = (struct vm_past){.made = here(vm), .size = o->size, .kind = o->kind};
    if (past)
        past->made.site = o->site;
}

void vm_note_freed(struct vm *vm, uint64_t p)
{
    struct vm_past *past = vm_past_of(vm, p, true);
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

/* ---- places ---------------------------------------------------------------------- */

size_t vm_places_at(const struct vm *vm, uint64_t pc, struct vm_place *places, size_t max)
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
                                        .library = f->runtime || l->library};
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
        n += vm_places_at(vm, o->data[1], places + n, max - n);
        frame = o->data[0];
    }
    return n;
}

/* Tells the listener of the other side of the coming fault. */
static void emit_other(struct vm *vm, const struct vm_where *where, const char *what,
                       uint64_t addr, uint32_t size)
{
    struct vm_place places[2 * VM_CALLERS];
    const size_t max = sizeof places / sizeof *places;
    const uint64_t *pc = vm->history->callers[where->callers].pc;
    size_t n = vm_places_at(vm, where->pc, places, max);
    for (size_t k = 0; k < VM_CALLERS && pc[k]; k++)
        n += vm_places_at(vm, pc[k], places + n, max - n);
    vm_emit(vm, &(struct vm_event){.kind = VM_EVENT_OTHER,
                                   .tid = where->tid,
                                   .order = where->order,
                                   .addr = addr,
                                   .size = size,
                                   .places = places,
                                   .nplaces = n,
                                   .message = what});
}

/* Is it an access of that kind, or one that VM_USES stands for? */
static bool is_of_kind(uint32_t done, uint32_t kind)
{
    return done == kind || (kind & VM_USES && done & VM_ATOMICALLY);
}

/* Returns the last access of the kind to the range by this thread; by any other if owner is
 * 0. */
static const struct vm_done *find_access(const struct vm *vm, uint64_t owner,
                                         const struct vm_range *range)
{
    const struct vm_history *h = vm->history;
    for (size_t k = h ? h->naccess : 0; k-- > 0;) {
        const struct vm_done *done = &h->access[k];
        const struct vm_range *r = &done->range;
        bool by = owner ? done->owner == owner : done->owner != vm->s.reg[VM_REG_USER];
        if (by && r->object == range->object && is_of_kind(r->kind, range->kind) &&
            r->start < range->end && range->start < r->end)
            return done;
    }
    return NULL;
}

/* Tells the last access of a thread.  For a thread that is gone, the thread that has joined it
 * answers (vm/order/). */
uint64_t vm_tell_access(struct vm *vm, uint64_t owner, const struct vm_range *range)
{
    const struct vm_done *done = find_access(vm, owner, range);
    if (!done)
        done = find_access(vm, 0, range);
    if (!done)
        return 0;
    if (range->kind & VM_USES)
        range = &done->range;
    emit_other(vm, &done->where, vm_race_text(range), range->object + range->start,
               range->end - range->start);
    return done->where.site;
}

void vm_tell_origin(struct vm *vm, uint64_t p)
{
    const struct vm_past *past = vm_past_of(vm, p, false);
    if (past && past->kind <= VM_OBJ_PRIVATE && past->made.site)
        emit_other(vm, &past->made, "allocation", p & ~0xffffffffull, 0);
    if (past && past->freed.tid && !vm_heap_get(&vm->heap, p))
        emit_other(vm, &past->freed, is_variable(past) ? "end" : "free", p & ~0xffffffffull, 0);
}

void vm_tell_described(struct vm *vm)
{
    if (vm->history && vm->history->described)
        vm_tell_origin(vm, vm->history->described);
}

enum { INLINED = 32 };

/* Returns the place of the program's own among those of an instruction, since calls may be
 * inlined; if there is none, the innermost. */
static bool find_place(const struct vm *vm, uint64_t pc, struct vm_place *place, bool *own)
{
    struct vm_place places[INLINED];
    size_t n = vm_places_at(vm, pc, places, INLINED), k = 0;
    while (k < n && (places[k].library || !places[k].line))
        k++;
    *own = k < n;
    if (n)
        *place = places[*own ? k : 0];
    return n;
}

uint64_t vm_told_site(const struct vm *vm)
{
    for (uint64_t p = vm->s.frame; p;) {
        const struct vm_obj *o = vm_heap_get(&vm->heap, p);
        struct vm_place place;
        bool own;
        if (!o)
            break;
        bool user = !vm->program->functions[vm_ptr_index(o->data[1])].library;
        if (user || (find_place(vm, o->data[1], &place, &own) && own))
            return o->data[1];
        p = o->data[0];
    }
    return 0;
}

void vm_describe_site(const struct vm *vm, uint64_t site, char *text, size_t size)
{
    struct vm_place place;
    bool own;
    if (!site || !find_place(vm, site, &place, &own)) {
        snprintf(text, size, "another thread");
        return;
    }
    const char *file = strrchr(place.file, '/');
    snprintf(text, size, "%s at %s:%u", place.function, file ? file + 1 : place.file,
             place.line);
}

bool vm_was_local(const struct vm *vm, uint64_t p)
{
    const struct vm_past *past = vm_heap_get(&vm->heap, p) ? NULL : vm_past_of(vm, p, false);
    return past && is_variable(past);
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
