/* bare.h - a machine without a program, for tests that make its memory themselves; and random
 * numbers for them. */
#ifndef TESTS_UNIT_BARE_H
#define TESTS_UNIT_BARE_H

#include <stdlib.h>

#include "vm/exec/register.h"
#include "vm/machine.h"

enum { BARE_GLOBALS = 2, BARE_GLOBAL_BYTES = 32 };

/* A program of no code, and of a few global variables that are zero. */
struct bare {
    struct vm_global globals[BARE_GLOBALS];
    struct vm_program program;
};

static inline void bare_init(struct bare *bare)
{
    *bare = (struct bare){.program = {.globals = bare->globals, .nglobals = BARE_GLOBALS}};
    for (unsigned k = 0; k < BARE_GLOBALS; k++) {
        bare->globals[k].init = vm_obj_new(BARE_GLOBAL_BYTES, VM_OBJ_GLOBAL);
        vm_obj_fill(bare->globals[k].init, 0, BARE_GLOBAL_BYTES, 0, 0xff);
    }
}

static inline void bare_fini(struct bare *bare)
{
    for (unsigned k = 0; k < BARE_GLOBALS; k++)
        vm_obj_release(bare->globals[k].init);
}

static inline struct vm *bare_open(const struct bare *bare, bool symmetric, unsigned left_out)
{
    const struct vm_options options = {.coalesce = true,
                                       .private_objects = true,
                                       .heap_symmetry = true,
                                       .thread_symmetry = symmetric,
                                       .keep_dead_registers = true,
                                       .left_out = left_out};
    return vm_open(&bare->program, &options);
}

/* Word w of p's object; pointer: 0xff if it is one. */
static inline void bare_write(struct vm *vm, uint64_t p, uint32_t w, uint64_t value,
                              uint64_t mask, uint8_t pointer)
{
    struct vm_obj *o = vm_heap_own(&vm->heap, p, vm_heap_get(&vm->heap, p));
    vm_obj_put(o, w * 8, 8, value & mask, mask, pointer);
}

/* Makes the kernel's list of n threads, with a record of each that goes on somewhere. */
static inline void bare_threads(struct vm *vm, uint64_t *thread, unsigned n)
{
    struct vm_heap *h = &vm->heap;
    uint32_t list = (uint32_t)sizeof(uint64_t) * (n + 2);
    uint64_t state = vm_heap_make(h, list, VM_OBJ_KERNEL, 0);
    struct vm_obj *o = vm_heap_get(h, state);
    vm_obj_fill(o, 0, list, 0, 0xff);
    struct vm_threads *threads = (struct vm_threads *)o->data;
    *threads = (struct vm_threads){.count = n, .live = n};
    for (unsigned k = 0; k < n; k++) {
        thread[k] = vm_heap_make(h, sizeof(struct vm_trace_run), VM_OBJ_KERNEL, 0);
        struct vm_obj *record = vm_heap_get(h, thread[k]);
        vm_obj_fill(record, 0, sizeof(struct vm_trace_run), 0, 0xff);
        record->data[0] = vm_ptr(VM_ID_GLOBAL, 0, 0);
        record->data[VM_TID_WORD] = k + 1;
        vm_set(vm_heap_get(h, state), 2 + k, thread[k], 0xffff);
    }
    vm->s.reg[VM_REG_STATE] = state;
}

/* Below n; Knuth's generator. */
static uint64_t bare_seed;
static inline uint32_t draw(uint32_t n)
{
    bare_seed = bare_seed * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(bare_seed >> 33) % n;
}

/* The numbers below n in random order. */
static inline void shuffle(unsigned *at, unsigned n)
{
    for (unsigned k = 0; k < n; k++) {
        unsigned j = draw(k + 1);
        at[k] = at[j];
        at[j] = k;
    }
}

#endif
