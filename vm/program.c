/* program.c - operations on a loaded program: setting how it starts, comparing it with others,
 * closing it. */
#include "program.h"

#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "vm/heap/memory.h"

static uint64_t hash_of(const struct vm_program *p)
{
    XXH3_state_t *state = XXH3_createState();
    XXH3_64bits_reset(state);
    for (uint32_t k = 0; k < p->nfunctions; k++) {
        const struct vm_function *f = &p->functions[k];
        XXH3_64bits_update(state, f->name, strlen(f->name));
        XXH3_64bits_update(state, f->code, f->ncode * sizeof *f->code);
    }
    for (uint32_t k = 0; k < p->nglobals + p->nconsts; k++) {
        const struct vm_global *g =
            k < p->nglobals ? &p->globals[k] : &p->consts[k - p->nglobals];
        XXH3_64bits_update(state, g->init->data, (size_t)vm_obj_words(g->init) * 8);
    }
    uint64_t hash = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    return hash;
}

unsigned vm_first_op(unsigned op)
{
    static const uint16_t first_of[] = {
#define VM_PAIR(name, first, second, third) VM_OP_##first,
#include "pair.def"
    };
    return op > VM_OP_COUNT ? first_of[op - VM_OP_COUNT - 1] : op;
}

/* Does a call with more parameters than the function has work?  The ABI passes them in
 * registers and stack words that the function does not read. */
bool vm_ignores_more(const struct vm_signature *a, const struct vm_signature *b,
                     const struct vm_function *function)
{
    bool same_result = a->result == b->result || (function->structor && a->nret == 0);
    if (!(function->takes_more || function->structor) || !same_result ||
        a->nparams < b->nparams || function->variadic)
        return false;
    for (uint32_t k = 0; k < b->nparams; k++)
        if (a->params[k] != b->params[k])
            return false;
    return true;
}

bool vm_may_be_called(const struct vm_program *program, uint32_t signature,
                      const struct vm_function *function)
{
    const struct vm_signature *a = &program->signatures[signature],
                              *b = &program->signatures[function->signature];
    return signature == function->signature || (a->unprototyped && a->nret == b->nret) ||
           (a->fixed && a->fixed == function->signature + 1) || vm_ignores_more(a, b, function);
}

uint64_t vm_program_hash(const struct vm_program *program)
{
    return program->hash;
}

bool vm_program_as_written(const struct vm_program *program)
{
    return program->as_written;
}

const struct vm_weak *vm_program_weak(const struct vm_program *program)
{
    return program->weak.places ? &program->weak : NULL;
}

uint64_t *vm_monitor_reads(const struct vm_program *program, size_t *n, bool *follows)
{
    uint64_t *reads = vm_alloc((program->nglobals + 1) * sizeof *reads);
    *n = 0;
    *follows = program->monitor_follows;
    for (uint32_t k = 0; k < program->nglobals; k++)
        if (program->globals[k].monitored)
            reads[(*n)++] = vm_ptr(VM_ID_GLOBAL, k, 0);
    return reads;
}

bool vm_program_has_weak_exchanges(const struct vm_program *program)
{
    return program->weak_exchanges;
}

bool vm_program_has_large_atomics(const struct vm_program *program)
{
    return program->large_atomics;
}

_Atomic(uint8_t) *vm_accessed(const struct vm_program *program, size_t *n)
{
    *n = sizeof program->mixed->bytes;
    return program->mixed->bytes;
}

const char *vm_program_unprototyped(const struct vm_program *program)
{
    return program->unprototyped;
}

/* ---- how it starts --------------------------------------------------------------- */

static struct vm_obj *zeros(size_t size, enum vm_obj_kind kind)
{
    struct vm_obj *o = vm_obj_new((uint32_t)size, (uint8_t)kind);
    vm_obj_fill(o, 0, (uint32_t)size, 0, 0xff);
    return o;
}

static void put_pointer(struct vm_obj *o, size_t at, uint64_t pointer)
{
    vm_obj_put(o, (uint32_t)at, 8, pointer, ~0ull, 0xff);
}

static uint64_t add(struct vm_program *p, const char *name, struct vm_obj *o)
{
    bool constant = o->kind == VM_OBJ_CONST;
    struct vm_global **list = constant ? &p->consts : &p->globals;
    uint32_t *n = constant ? &p->nconsts : &p->nglobals;
    *list = vm_resize(*list, (*n + 1) * sizeof **list);
    (*list)[*n] = (struct vm_global){.name = name, .init = o, .library = true};
    return vm_ptr(constant ? VM_ID_CONST : VM_ID_GLOBAL, (*n)++, 0);
}

/* An array of strings that ends with a null pointer; each string is an object of its own. */
struct texts {
    const char *const *at;
    size_t n;
};

static uint64_t add_texts(struct vm_program *p, const char *name, enum vm_obj_kind kind,
                          const struct texts *texts, size_t lists)
{
    size_t n = 0, k = 0;
    for (size_t i = 0; i < lists; i++)
        n += texts[i].n;
    struct vm_obj *table = zeros((n + 1) * 8, kind);
    for (size_t i = 0; i < lists; i++) {
        for (size_t j = 0; j < texts[i].n; j++, k++) {
            size_t size = strlen(texts[i].at[j]) + 1;
            struct vm_obj *o = zeros(size, kind);
            memcpy(vm_obj_bytes(o), texts[i].at[j], size);
            put_pointer(table, k * 8, add(p, name, o));
        }
    }
    return add(p, name, table);
}

/* Sets arguments and environment.  A program may write to them; if main takes no arguments, or
 * nothing changes the environment, they are constants and no part of a state. */
void vm_set_start(struct vm_program *p, const struct vm_start *start)
{
    static const char *const always[] = {"PATH=/usr/bin:/bin", "HOME=/", "LANG=C"};
    const struct texts arguments = {start->argv, (size_t)start->argc};
    const struct texts environment[] = {{always, sizeof always / sizeof *always},
                                        {start->env, (size_t)start->nenv}};
    if (!p->mixed)
        p->mixed = vm_zeros(1, sizeof *p->mixed);
    while (p->nconsts > p->nloaded)
        vm_obj_release(p->consts[--p->nconsts].init);
    while (p->nglobals > p->nloaded_globals)
        vm_obj_release(p->globals[--p->nglobals].init);
    uint64_t argv =
        add_texts(p, "argv", p->takes_arguments ? VM_OBJ_GLOBAL : VM_OBJ_CONST, &arguments, 1);
    uint64_t envp = add_texts(p, "envp", p->changes_environment ? VM_OBJ_GLOBAL : VM_OBJ_CONST,
                              environment, 2);
    struct vm_obj *boot = p->consts[p->boot_const].init;
    boot->flags &= (uint8_t)~VM_HASHED;
    vm_obj_put(boot, offsetof(struct vm_boot, argc), 4, (uint32_t)start->argc, ~0ull, 0);
    uint32_t locals = p->nthread_locals ? VM_BOOT_THREAD_LOCALS : 0;
    vm_obj_put(boot, offsetof(struct vm_boot, options), 4, start->options | locals, ~0ull, 0);
    put_pointer(boot, offsetof(struct vm_boot, argv), argv);
    put_pointer(boot, offsetof(struct vm_boot, envp), envp);
    p->const_objs = vm_resize(p->const_objs, p->nconsts * sizeof *p->const_objs);
    for (uint32_t k = 0; k < p->nconsts; k++)
        p->const_objs[k] = p->consts[k].init;
    p->hash = hash_of(p);
}

void vm_unload(struct vm_program *p)
{
    for (uint32_t k = 0; k < p->nglobals; k++)
        vm_obj_release(p->globals[k].init);
    for (uint32_t k = 0; k < p->nconsts; k++)
        vm_obj_release(p->consts[k].init);
    for (size_t k = 0; k < p->narena; k++)
        free(p->arena[k]);
    void *owned[] = {p->functions, p->values,     p->args,          p->calls, p->cases,
                     p->locs,      p->signatures, (void *)p->texts, p->arena, p->sites,
                     p->variables, p->made,       p->paddings};
    for (size_t k = 0; !p->image && k < sizeof owned / sizeof *owned; k++)
        free(owned[k]);
    free(p->image);
    free(p->globals);
    free(p->consts);
    free(p->const_objs);
    free(p->mixed);
    free(p);
}

bool vm_stops_at(unsigned op)
{
    switch (op) {
    case VM_OP_ALOAD:
    case VM_OP_ASTORE:
    case VM_OP_RMW:
    case VM_OP_CMPXCHG:
    case VM_OP_FENCE:
    case VM_OP_INTERRUPT_MEM:
    case VM_OP_LOOP:
    case VM_OP_LANDED:
    case VM_OP_LOAD1:
    case VM_OP_LOAD2:
    case VM_OP_LOAD4:
    case VM_OP_LOAD8:
    case VM_OP_LOADN:
    case VM_OP_STORE1:
    case VM_OP_STORE2:
    case VM_OP_STORE4:
    case VM_OP_STORE8:
    case VM_OP_LOADX1:
    case VM_OP_LOADX2:
    case VM_OP_LOADX4:
    case VM_OP_LOADX8:
    case VM_OP_STOREX1:
    case VM_OP_STOREX2:
    case VM_OP_STOREX4:
    case VM_OP_STOREX8:
    case VM_OP_STOREN:
    case VM_OP_MEMCPY:
    case VM_OP_MEMMOVE:
    case VM_OP_MEMSET:
    case VM_OP_BYVAL:
    case VM_OP_SETJMP:
    case VM_OP_VA_START:
    case VM_OP_VA_COPY:
    case VM_OP_TRACE:
    case VM_OP_OBJ_FREE: return true;
    default: return false;
    }
}
