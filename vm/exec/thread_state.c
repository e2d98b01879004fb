/* thread_state.c - see thread_state.h. */
#include "thread_state.h"

#include <string.h>

#include "vm/exec/access_log.h"
#include "vm/exec/call.h"
#include "vm/exec/late.h"
#include "vm/machine.h"

enum { MOST_OBJECTS = 64, MOST_WORDS = 2048 };

/* The objects that belong to the thread, in the order in which they are met. */
struct walk {
    struct vm *vm;
    uint64_t met[MOST_OBJECTS];
    uint32_t n;
    uint32_t words;
    bool unknown;
    uint64_t hash[2];
};

static void mix(struct walk *walk, uint64_t value)
{
    static const uint64_t odd[] = {0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f};
    for (unsigned k = 0; k < 2; k++)
        walk->hash[k] = vm_fold_product(walk->hash[k] ^ value, odd[k]) + value;
}

static bool is_own(const struct vm_obj *o)
{
    return o && (o->kind == VM_OBJ_FRAME || (!vm_is_observable(o) && o->kind != VM_OBJ_CONST));
}

/* Returns the number of an object, from 1; 0 if the object is not the thread's own. */
static uint32_t meet(struct walk *walk, uint64_t p)
{
    uint64_t object = vm_ptr_object(p);
    if (vm_ptr_region(p) > VM_ID_FRAME || !is_own(vm_heap_get(&walk->vm->heap, p)))
        return 0;
    for (uint32_t k = 0; k < walk->n; k++)
        if (walk->met[k] == object)
            return k + 1;
    if (walk->n == MOST_OBJECTS) {
        walk->unknown = true;
        return 0;
    }
    walk->met[walk->n++] = object;
    return walk->n;
}

static void add_word(struct walk *walk, const struct vm_obj *o, uint32_t word)
{
    uint16_t shadow = vm_obj_shadow((struct vm_obj *)o)[word];
    uint64_t value = o->data[word];
    uint32_t number = vm_obj_is_edge(shadow, value) ? meet(walk, value) : 0;
    mix(walk, shadow);
    if (number)
        mix(walk, (uint64_t)number << 32 | (uint32_t)value);
    else
        mix(walk, shadow >> 8 == 0xff ? vm_named(walk->vm, value) : value);
}

/* Adds the registers of a frame that some path reads. */
static void add_frame(struct walk *walk, uint64_t p, const struct vm_obj *o)
{
    const struct vm_insn *i;
    const struct vm_function *f = vm_frame_function(walk->vm, p, &i);
    uint32_t set = f && !f->keeps_all ? f->live_at[i - f->code] : 0;
    const uint64_t *live = set ? f->live + (size_t)(set - 1) * ((f->nregs + 63) / 64) : NULL;
    for (uint32_t r = 0; r < vm_obj_words(o); r++)
        if (!live || r < VM_FRAME_HEADER || live[r / 64] >> (r % 64) & 1)
            add_word(walk, o, r);
}

static void add_object(struct walk *walk, uint64_t p)
{
    const struct vm_obj *o = vm_heap_get(&walk->vm->heap, p);
    walk->words += vm_obj_words(o);
    if (o->bits || walk->words > MOST_WORDS) {
        walk->unknown = true;
        return;
    }
    mix(walk, (uint64_t)o->kind << 32 | o->size);
    if (vm_ptr_region(p) == VM_ID_FRAME)
        add_frame(walk, p, o);
    else
        for (uint32_t w = 0; w < vm_obj_words(o); w++)
            add_word(walk, o, w);
}

static const struct vm_saved *saved_of(const struct vm *vm, uint64_t thread)
{
    const struct vm_obj *o = thread ? vm_heap_get(&vm->heap, thread) : NULL;
    bool whole = o && (uint32_t)thread + sizeof(struct vm_saved) <= o->size;
    return whole ? (const void *)((const char *)o->data + (uint32_t)thread) : NULL;
}

/* Meets what the kernel's record of the thread leads to: the thread-local variables. */
static void meet_record(struct walk *walk, uint64_t thread)
{
    const struct vm_obj *o = vm_heap_get(&walk->vm->heap, thread);
    for (uint32_t w = 0; w < vm_obj_words(o); w++)
        if (vm_obj_is_edge(vm_obj_shadow((struct vm_obj *)o)[w], o->data[w]))
            meet(walk, o->data[w]);
}

bool vm_thread_state(struct vm *vm, uint64_t thread, uint64_t state[2])
{
    struct walk walk = {.vm = vm, .hash = {1, 1}};
    const struct vm_saved *saved = saved_of(vm, thread);
    if (!saved || !saved->frame || !meet(&walk, (uint64_t)saved->frame))
        return false;
    meet_record(&walk, thread);
    for (uint32_t k = 0; k < walk.n && !walk.unknown; k++)
        add_object(&walk, walk.met[k]);
    memcpy(state, walk.hash, sizeof walk.hash);
    return !walk.unknown;
}

uint64_t vm_own_place(const struct vm *vm)
{
    const struct vm_saved *saved = saved_of(vm, vm->s.thread);
    bool there = saved && saved->frame;
    const struct vm_obj *o = there ? vm_heap_get(&vm->heap, (uint64_t)saved->frame) : NULL;
    return o ? o->data[1] : 0;
}
