/* buffer_test.c - store buffers (vm/exec/buffer.h) against a plain model of x86-TSO.
 *
 * Threads without code store, load and drain at random.  The model keeps memory as bytes, and
 * of each thread a list of stores; what a thread sees, what memory has, and what is hidden from
 * others are compared after each step. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/bare.h"
#include "vm/exec/buffer.h"
#include "vm/exec/listen.h"

enum { THREADS = 3, BYTES = BARE_GLOBAL_BYTES, MOST_SIZE = 16, STEPS = 3000, RUNS = 20 };

struct store {
    unsigned variable, at, size;
    uint8_t bytes[MOST_SIZE];
};

struct model {
    uint8_t memory[BARE_GLOBALS][BYTES];
    struct store store[THREADS][VM_BUFFER_STORES];
    unsigned n[THREADS];
};

struct test {
    struct vm *vm;
    uint64_t thread[THREADS], variable[BARE_GLOBALS];
    unsigned running;
    struct model model;
};

/* ---- the machine ----------------------------------------------------------------- */

static void begin(struct test *t, const struct bare *bare)
{
    const struct vm_options options = {.coalesce = true,
                                       .private_objects = true,
                                       .heap_symmetry = true,
                                       .report_races = true,
                                       .keep_dead_registers = true,
                                       .store_buffers = true};
    *t = (struct test){.vm = vm_open(&bare->program, &options)};
    bare_threads(t->vm, t->thread, THREADS);
    for (unsigned k = 0; k < BARE_GLOBALS; k++)
        t->variable[k] = vm_ptr(VM_ID_GLOBAL, k, 0);
}

static void resume(struct test *t, unsigned thread)
{
    t->running = thread;
    t->vm->s.reg[VM_REG_USER] = t->thread[thread];
    vm_buffer_arrive(t->vm);
    assert_int_equal(t->vm->s.buffered, t->model.n[thread] != 0);
}

/* ---- the model ------------------------------------------------------------------- */

static void model_drain(struct model *m, unsigned thread, unsigned n)
{
    for (unsigned k = 0; k < n; k++) {
        const struct store *s = &m->store[thread][k];
        memcpy(m->memory[s->variable] + s->at, s->bytes, s->size);
    }
    m->n[thread] -= n;
    memmove(m->store[thread], m->store[thread] + n, m->n[thread] * sizeof **m->store);
}

static bool overlap(const struct store *s, unsigned variable, unsigned at, unsigned size)
{
    return s->variable == variable && s->at < at + size && at < s->at + s->size;
}

static bool has_all(const struct store *s, unsigned at, unsigned size)
{
    return s->at <= at && at + size <= s->at + s->size;
}

/* The number of the last store of any of these bytes, from 1 on; 0: there is none. */
static unsigned model_last(const struct model *m, unsigned thread, unsigned variable,
                           unsigned at, unsigned size)
{
    unsigned n = m->n[thread];
    while (n && !overlap(&m->store[thread][n - 1], variable, at, size))
        n--;
    return n;
}

static void model_view(const struct model *m, unsigned thread, unsigned variable,
                       uint8_t bytes[BYTES])
{
    memcpy(bytes, m->memory[variable], BYTES);
    for (unsigned k = 0; k < m->n[thread]; k++) {
        const struct store *s = &m->store[thread][k];
        if (s->variable == variable)
            memcpy(bytes + s->at, s->bytes, s->size);
    }
}

/* ---- steps, in both -------------------------------------------------------------- */

static void store(struct test *t, unsigned variable, unsigned at, unsigned size)
{
    struct model *m = &t->model;
    struct store s = {.variable = variable, .at = at, .size = size};
    struct vm_obj *from = vm_obj_new(BYTES, VM_OBJ_HEAP);
    unsigned source = draw(BYTES - MOST_SIZE + 1);
    vm_obj_fill(from, 0, BYTES, 0, 0xff);
    for (unsigned k = 0; k < size; k++) {
        s.bytes[k] = (uint8_t)draw(256);
        vm_obj_put(from, source + k, 1, s.bytes[k], 0xff, 0);
    }
    assert_int_equal(vm_buffer_put(t->vm, t->variable[variable] + at, size, from, source),
                     VM_STEP_NEXT);
    vm_obj_release(from);
    if (m->n[t->running] == VM_BUFFER_STORES)
        model_drain(m, t->running, 1);
    m->store[t->running][m->n[t->running]++] = s;
}

static void load(const struct test *t, unsigned variable, unsigned at, unsigned size)
{
    const struct model *m = &t->model;
    uint64_t p = t->variable[variable] + at;
    struct vm_pending found;
    uint8_t bytes[BYTES];
    unsigned last = model_last(m, t->running, variable, at, size);
    enum vm_buffered where = vm_buffer_find(t->vm, p, size, &found);
    if (!last) {
        assert_int_equal(where, VM_IN_MEMORY);
        return;
    }
    bool whole = has_all(&m->store[t->running][last - 1], at, size);
    assert_int_equal(where, whole ? VM_IN_BUFFER : VM_IN_BOTH);
    model_view(m, t->running, variable, bytes);
    const struct vm_obj *buffer = vm_buffer_of_running(t->vm);
    for (unsigned k = 0; whole && k < size; k++)
        assert_int_equal(vm_obj_get(buffer, found.at + k, 1), bytes[at + k]);
}

static void step(struct test *t)
{
    unsigned variable = draw(BARE_GLOBALS), size = 1 + draw(MOST_SIZE),
             at = draw(BYTES - size + 1), other = draw(THREADS);
    struct model *m = &t->model;
    switch (draw(12)) {
    case 0:
        vm_buffer_empty(t->vm);
        model_drain(m, t->running, m->n[t->running]);
        break;
    case 1:
        vm_buffer_empty_until(t->vm, t->variable[variable] + at, size);
        model_drain(m, t->running, model_last(m, t->running, variable, at, size));
        break;
    case 2:
    case 3:
        vm_buffer_drain(t->vm, t->thread[other]);
        model_drain(m, other, m->n[other] != 0);
        break;
    case 4:
    case 5: resume(t, other); break;
    default: store(t, variable, at, size);
    }
    load(t, variable, at, size);
}

/* ---- comparisons ----------------------------------------------------------------- */

static void compare_bytes(const struct vm_obj *o, const uint8_t *bytes)
{
    for (unsigned k = 0; k < BYTES; k++) {
        assert_int_equal(vm_obj_get(o, k, 1), bytes[k]);
        assert_int_equal(vm_obj_mask(o, k, 1), 0xff);
    }
}

static void compare(const struct test *t)
{
    const struct model *m = &t->model;
    uint8_t bytes[BYTES];
    for (unsigned v = 0; v < BARE_GLOBALS; v++) {
        compare_bytes(vm_heap_get(&t->vm->heap, t->variable[v]), m->memory[v]);
        struct vm_obj *view = vm_buffer_view(t->vm, t->variable[v], BYTES);
        model_view(m, t->running, v, bytes);
        compare_bytes(view, bytes);
        vm_obj_release(view);
    }
    bool any = false;
    for (unsigned k = 0; k < THREADS; k++) {
        struct vm_pending pending;
        unsigned n = 0;
        for (uint32_t w = 0; vm_buffer_next(vm_buffer_of(t->vm, t->thread[k]), &w, &pending);) {
            const struct store *s = &m->store[k][n++];
            assert_true(pending.place == t->variable[s->variable] + s->at);
            assert_int_equal(pending.size, s->size);
        }
        assert_int_equal(n, m->n[k]);
        any |= n != 0;
    }
    assert_true(vm_has_pending(t->vm) || !any);
    assert_int_equal(t->vm->s.buffered, m->n[t->running] != 0);
}

/* Another thread's last store of a byte hides what is in memory. */
static void compare_hidden(const struct test *t, unsigned variable, unsigned at)
{
    const struct model *m = &t->model;
    struct vm_value value;
    bool hidden = vm_buffers_hide(t->vm, t->variable[variable] + at, 1, &value), good = !hidden;
    for (unsigned k = 0; k < THREADS; k++) {
        unsigned last = k == t->running ? 0 : model_last(m, k, variable, at, 1);
        if (!last)
            continue;
        const struct store *s = &m->store[k][last - 1];
        assert_true(hidden);
        good |= value.v == s->bytes[at - s->at] && value.m == 0xff;
    }
    assert_true(good);
}

static void stores_wait_in_order(void **state)
{
    (void)state;
    struct bare bare;
    bare_init(&bare);
    for (unsigned run = 0; run < RUNS; run++) {
        struct test t;
        bare_seed = run + 1;
        begin(&t, &bare);
        resume(&t, 0);
        for (unsigned k = 0; k < STEPS; k++) {
            step(&t);
            compare(&t);
            compare_hidden(&t, draw(BARE_GLOBALS), draw(BYTES));
        }
        vm_valid(t.vm);
        vm_close(t.vm);
    }
    bare_fini(&bare);
}

/* What the process or a call of the kernel ends: all stores, or the running thread's. */
static void calls_empty_buffers(void **state)
{
    (void)state;
    struct bare bare;
    struct test t;
    bare_init(&bare);
    begin(&t, &bare);
    for (unsigned k = 0; k < THREADS; k++) {
        resume(&t, k);
        store(&t, 0, 8 * k, 8);
    }
    vm_buffer_call(t.vm, VM_ACT_LOCK);
    model_drain(&t.model, THREADS - 1, 1);
    compare(&t);
    vm_buffer_call(t.vm, VM_ACT_PROCESS_EXIT);
    for (unsigned k = 0; k + 1 < THREADS; k++)
        model_drain(&t.model, k, 1);
    compare(&t);
    vm_close(t.vm);
    bare_fini(&bare);
}

/* A thread that is the only one has no stores that wait. */
static void one_thread_has_none(void **state)
{
    (void)state;
    struct bare bare;
    struct test t;
    bare_init(&bare);
    begin(&t, &bare);
    resume(&t, 1);
    store(&t, 1, 3, 5);
    t.vm->s.reg[VM_REG_FLAGS] |= VM_FLAG_ALONE;
    vm_buffer_arrive(t.vm);
    model_drain(&t.model, 1, 1);
    compare(&t);
    vm_close(t.vm);
    bare_fini(&bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stores_wait_in_order),
        cmocka_unit_test(calls_empty_buffers),
        cmocka_unit_test(one_thread_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
