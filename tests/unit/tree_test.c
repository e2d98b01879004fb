/* tree_test.c - states of the heap: trunks, and what differs from them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "vm/machine.h"

enum { SIZE = 80, OBJECTS = 10, FRAMES = 40 };

static void make_objects(struct vm_heap *h, uint64_t *p, unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        p[k] = vm_heap_make(h, SIZE, VM_OBJ_HEAP, 0);
}

/* From the last on: their indexes go, too. */
static void free_objects(struct vm_heap *h, const uint64_t *p, unsigned n)
{
    while (n-- > 0) {
        vm_heap_free(h, p[n]);
        vm_heap_forget(h, p[n], 0);
    }
}

/* In another heap, whose tables are as small as can be, there are the first n. */
static void visit(const struct vm_root *state, const uint64_t *p, unsigned n)
{
    struct vm_program program = {0};
    struct vm_heap other;
    vm_heap_init(&other, &program, false);
    vm_heap_restore(&other, state);
    for (unsigned k = 0; k < OBJECTS; k++)
        assert_int_equal(vm_heap_get(&other, p[k]) != NULL, k < n);
    vm_heap_valid(&other);
    vm_heap_fini(&other);
}

/* Objects at the end go; then so much changes that the state gets a trunk of its own. */
static void ends_shrink(void **unused)
{
    struct vm_program program = {0};
    struct vm_heap h;
    uint64_t p[OBJECTS];
    (void)unused;
    vm_heap_init(&h, &program, false);
    make_objects(&h, p, OBJECTS);
    struct vm_root all = vm_heap_snapshot(&h);
    vm_heap_restore(&h, &all);
    free_objects(&h, p, OBJECTS);
    struct vm_root none = vm_heap_snapshot(&h);
    vm_heap_restore(&h, &none);
    make_objects(&h, p, 3);
    for (unsigned k = 0; k < FRAMES; k++)
        vm_heap_make_frame(&h, SIZE, k);
    struct vm_root many = vm_heap_snapshot(&h);
    assert_ptr_equal(none.trunk, all.trunk);
    assert_ptr_not_equal(many.trunk, none.trunk);
    visit(&many, p, 3);
    visit(&none, p, 0);
    visit(&all, p, OBJECTS);
    vm_heap_fini(&h);
    vm_root_release(&all);
    vm_root_release(&none);
    vm_root_release(&many);
}

/* States of one trunk are gone to from each other in any order. */
static void siblings(void **unused)
{
    enum { STATES = 6 };
    struct vm_program program = {0};
    struct vm_heap h;
    struct vm_root state[STATES];
    uint64_t p[OBJECTS];
    (void)unused;
    vm_heap_init(&h, &program, false);
    for (unsigned k = 0; k < STATES; k++) {
        make_objects(&h, p + k, 1);
        state[k] = vm_heap_snapshot(&h);
        vm_heap_restore(&h, &state[k]);
    }
    for (unsigned k = 0; k < 3 * STATES; k++) {
        unsigned i = k * k % STATES;
        vm_heap_restore(&h, &state[i]);
        assert_int_equal(h.table[VM_ID_HEAP].n, i + 2);
        for (unsigned j = 0; j < STATES; j++)
            assert_int_equal(vm_heap_get(&h, p[j]) != NULL, j <= i);
        vm_heap_valid(&h);
    }
    vm_heap_fini(&h);
    for (unsigned k = 0; k < STATES; k++)
        vm_root_release(&state[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_shrink),
        cmocka_unit_test(siblings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
