/* tree_test.c - states of the heap: base snapshots, and what differs from them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/restore.h"
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
    vm_heap_init(&other, &program, false, false);
    restore(&other, state);
    for (unsigned k = 0; k < OBJECTS; k++)
        assert_int_equal(vm_heap_get(&other, p[k]) != NULL, k < n);
    vm_heap_valid(&other);
    vm_heap_fini(&other);
}

/* Objects at the end go; then so much changes that the state gets a base snapshot of its own.
 */
static void ends_shrink(void **unused)
{
    struct vm_program program = {0};
    struct vm_heap h;
    uint64_t p[OBJECTS];
    (void)unused;
    vm_heap_init(&h, &program, false, false);
    make_objects(&h, p, OBJECTS);
    struct vm_root all = snapshot(&h);
    restore(&h, &all);
    free_objects(&h, p, OBJECTS);
    struct vm_root none = snapshot(&h);
    restore(&h, &none);
    make_objects(&h, p, 3);
    for (unsigned k = 0; k < FRAMES; k++)
        vm_heap_make_frame(&h, SIZE, k);
    struct vm_root many = snapshot(&h);
    assert_ptr_equal(none.base, all.base);
    assert_ptr_not_equal(many.base, none.base);
    visit(&many, p, 3);
    visit(&none, p, 0);
    visit(&all, p, OBJECTS);
    vm_heap_fini(&h);
    vm_root_release(&all);
    vm_root_release(&none);
    vm_root_release(&many);
}

/* States of one base snapshot are gone to from each other in any order. */
static void siblings(void **unused)
{
    enum { STATES = 6 };
    struct vm_program program = {0};
    struct vm_heap h;
    struct vm_root state[STATES];
    uint64_t p[OBJECTS];
    (void)unused;
    vm_heap_init(&h, &program, false, false);
    for (unsigned k = 0; k < STATES; k++) {
        make_objects(&h, p + k, 1);
        state[k] = snapshot(&h);
        restore(&h, &state[k]);
    }
    for (unsigned k = 0; k < 3 * STATES; k++) {
        unsigned i = k * k % STATES;
        restore(&h, &state[i]);
        assert_int_equal(h.table[VM_ID_HEAP].n, i + 2);
        for (unsigned j = 0; j < STATES; j++)
            assert_int_equal(vm_heap_get(&h, p[j]) != NULL, j <= i);
        vm_heap_valid(&h);
    }
    vm_heap_fini(&h);
    for (unsigned k = 0; k < STATES; k++)
        vm_root_release(&state[k]);
}

/* What a state of the next test has to have: a bit for each object that is there. */
struct known {
    struct vm_root root;
    uint64_t live;
    uint64_t word;
};

static void turn(struct vm_heap *h, const uint64_t *p, unsigned n, struct known *state,
                 unsigned random)
{
    unsigned k = random % n;
    if (k) {
        state->live ^= (uint64_t)1 << k;
        vm_heap_put(h, p[k], state->live >> k & 1 ? vm_heap_get(h, p[0]) : NULL);
    }
    vm_heap_own(h, p[0], vm_heap_get(h, p[0]))->data[1] = state->word = random;
}

static void has(struct vm_heap *h, const uint64_t *p, unsigned n, const struct known *state)
{
    for (unsigned k = 0; k < n; k++)
        assert_int_equal(vm_heap_get(h, p[k]) != NULL, state->live >> k & 1);
    assert_int_equal(vm_heap_get(h, p[0])->data[1], state->word);
    struct vm_heap other;
    vm_heap_init(&other, h->program, false, false);
    restore(&other, &state->root);
    assert_int_equal(vm_heap_get(&other, p[0])->data[1], state->word);
    vm_heap_fini(&other);
}

/* Many states differ from the first base snapshot in the same places: later ones have others,
 * and all are what they were. */
static void rebases(void **unused)
{
    enum { STATES = 32, STEPS = 4000, N = 40 };
    struct vm_program program = {0};
    struct vm_heap h;
    struct known state[STATES] = {0};
    uint64_t p[N];
    unsigned random = 1, bases = 0;
    (void)unused;
    vm_heap_init(&h, &program, false, false);
    make_objects(&h, p, N);
    state[0] = (struct known){snapshot(&h), ((uint64_t)1 << N) - 1, 0};
    for (unsigned k = 1; k < STATES; k++) {
        state[k] = state[0];
        vm_root_retain(&state[0].root);
    }
    for (unsigned k = 0; k < STEPS; k++) {
        random = random * 1103515245 + 12345;
        struct known *from = &state[random >> 8 & (STATES - 1)];
        struct known *to = &state[random >> 16 & (STATES - 1)], next = *from;
        restore(&h, &from->root);
        has(&h, p, N, from);
        turn(&h, p, N, &next, random >> 4);
        next.root = snapshot(&h);
        has(&h, p, N, &next);
        bases += next.root.base != from->root.base;
        vm_root_release(&to->root);
        *to = next;
    }
    assert_in_range(bases, 2, STEPS / 16);
    vm_heap_fini(&h);
    for (unsigned k = 0; k < STATES; k++)
        vm_root_release(&state[k].root);
}

/* ---- states of other heaps ------------------------------------------------------- */

static uint64_t word_of(struct vm_heap *h, uint64_t p)
{
    return vm_heap_get(h, p)->data[1];
}

/* To the second word of each that is there; all have hashes, as states have. */
static struct vm_root write_words(struct vm_heap *h, const uint64_t *p, unsigned n,
                                  uint64_t value)
{
    struct vm_obj *o;
    for (unsigned k = 0; k < n; k++)
        if ((o = vm_heap_get(h, p[k])))
            vm_obj_put(vm_heap_own(h, p[k], o), 8, 8, value + k, UINT64_MAX, 0);
    vm_heap_close(h);
    for (unsigned k = 0; k < n; k++)
        if ((o = vm_heap_get(h, p[k])))
            vm_heap_hash(h, o);
    return snapshot(h);
}

/* Two heaps that began with the same state, and wrote the same to its objects. */
struct pair {
    struct vm_program program;
    struct vm_heap one, two;
    uint64_t p[FRAMES];
    struct vm_root first, ones, twos;
};

static void pair_init(struct pair *pair, unsigned n)
{
    *pair = (struct pair){0};
    vm_heap_init(&pair->one, &pair->program, false, false);
    vm_heap_init(&pair->two, &pair->program, false, false);
    make_objects(&pair->one, pair->p, FRAMES);
    pair->first = write_words(&pair->one, pair->p, FRAMES, 1);
    restore(&pair->one, &pair->first);
    restore(&pair->two, &pair->first);
    pair->ones = write_words(&pair->one, pair->p, n, 100);
    pair->twos = write_words(&pair->two, pair->p, n, 100);
}

static void pair_fini(struct pair *pair)
{
    vm_root_release(&pair->first);
    vm_root_release(&pair->ones);
    vm_heap_valid(&pair->two);
    for (unsigned k = 0; k < FRAMES; k++) /* though what was imported is gone */
        assert_true(word_of(&pair->two, pair->p[k]) > 0);
    vm_heap_fini(&pair->one);
    vm_heap_fini(&pair->two);
    vm_root_release(&pair->twos);
}

/* The state that another has made gets the heap's own base snapshot, and objects: those that it
 * has, or copies; twice the same. */
static void alike_are_own(void **unused)
{
    enum { N = 5 };
    struct pair pair;
    struct vm_obj *copies[N];
    (void)unused;
    pair_init(&pair, N);
    const uint64_t *p = pair.p;
    restore(&pair.two, &pair.twos);
    for (unsigned turn = 0; turn < 2; turn++) {
        restore(&pair.two, &pair.ones);
        assert_ptr_equal(pair.two.origin.base, pair.twos.base);
        for (unsigned k = 0; k < FRAMES; k++)
            assert_int_equal(word_of(&pair.two, p[k]), k < N ? 100 + k : 1 + k);
        for (unsigned k = 0; k < N; k++) {
            struct vm_obj *o = vm_heap_get(&pair.two, p[k]);
            assert_ptr_not_equal(o, vm_heap_get(&pair.one, p[k]));
            if (turn == 0)
                copies[k] = vm_obj_retain(o);
            assert_ptr_equal(o, copies[k]);
        }
        vm_heap_valid(&pair.two);
        restore(&pair.two, &pair.twos);
        assert_int_equal(word_of(&pair.two, p[0]), 100);
    }
    for (unsigned k = 0; k < N; k++)
        vm_obj_release(copies[k]);
    pair_fini(&pair);
}

/* One that differs in some places from the heap's base snapshot, other base snapshots and all,
 * is what it was; also where the heap's has what the other has not, and the other way round. */
static void unlike_are_kept(void **unused)
{
    enum { N = 3 };
    struct pair pair;
    (void)unused;
    pair_init(&pair, N);
    const uint64_t *p = pair.p;
    restore(&pair.two, &pair.twos);
    make_objects(&pair.two, (uint64_t[1]){0}, 1);
    vm_heap_free(&pair.two, p[7]);
    vm_root_release(&pair.twos);
    pair.twos = write_words(&pair.two, p + 20, 5, 500);
    vm_root_release(&pair.twos);
    pair.twos =
        write_words(&pair.two, p, 20, 1); /* so many that it has a base snapshot of its own */
    assert_ptr_not_equal(pair.twos.base, pair.two.origin.base);
    restore(&pair.two, &pair.twos);
    assert_null(vm_heap_get(&pair.two, p[7]));
    vm_heap_free(&pair.one, p[8]);
    vm_heap_free(&pair.one, p[21]);
    struct vm_root fewer = snapshot(&pair.one);
    vm_heap_restore(&pair.two, &fewer);
    assert_ptr_equal(pair.two.origin.base, pair.twos.base);
    for (unsigned k = 0; k < FRAMES; k++) {
        assert_int_equal(vm_heap_get(&pair.two, p[k]) != NULL, k != 8 && k != 21);
        if (k != 8 && k != 21)
            assert_int_equal(word_of(&pair.two, p[k]), k < N ? 100 + k : 1 + k);
    }
    assert_int_equal(pair.two.table[VM_ID_HEAP].n, pair.one.table[VM_ID_HEAP].n);
    vm_heap_valid(&pair.two);
    restore(&pair.two, &pair.first);
    pair_fini(&pair);
}

/* More than a heap keeps copies of. */
static void many_are_imported(void **unused)
{
    enum { N = 20, STATES = 120 };
    struct pair pair;
    (void)unused;
    pair_init(&pair, N);
    for (unsigned s = 1; s <= STATES; s++) {
        struct vm_root root = write_words(&pair.one, pair.p, N, 1000 * s);
        vm_heap_restore(&pair.two, &root);
        for (unsigned k = 0; k < FRAMES; k++)
            assert_int_equal(word_of(&pair.two, pair.p[k]), k < N ? 1000 * s + k : 1 + k);
    }
    pair_fini(&pair);
}

static uint32_t draw(uint32_t n)
{
    static uint32_t seed = 1;
    seed = seed * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)seed * n >> 32);
}

/* A state that a heap has made, and the second words of its objects; 0: it is gone. */
struct made {
    struct vm_root root;
    uint64_t word[FRAMES];
};

/* From the heap's present state, which is `made`: some objects, or so many that the state gets
 * a base snapshot of its own, are written or freed. */
static void make_next(struct vm_heap *h, const uint64_t *p, struct made *made)
{
    unsigned n = draw(4) ? draw(6) + 1 : 30;
    for (unsigned i = 0; i < n; i++) {
        unsigned k = draw(FRAMES);
        struct vm_obj *o = vm_heap_get(h, p[k]);
        if (!o)
            continue;
        if (draw(40) == 0) {
            vm_heap_free(h, p[k]);
            made->word[k] = 0;
        } else {
            made->word[k] = draw(3) + 1;
            vm_obj_put(vm_heap_own(h, p[k], o), 8, 8, made->word[k], UINT64_MAX, 0);
        }
    }
    vm_heap_close(h);
    for (unsigned k = 0; k < FRAMES; k++) /* some are without a hash */
        if (vm_heap_get(h, p[k]) && draw(20))
            vm_heap_hash(h, vm_heap_get(h, p[k]));
    made->root = snapshot(h);
}

/* Two heaps go on from each other's states, which differ more and less from what they have
 * imported before, and from what they have made themselves. */
static void take_turns(struct pair *pair)
{
    enum { STATES = 12, STEPS = 600 };
    struct vm_heap *heap[] = {&pair->one, &pair->two};
    struct made state[STATES] = {0};
    for (unsigned k = 0; k < STATES; k++) {
        state[k].root = k % 2 ? pair->first : pair->ones;
        vm_root_retain(&state[k].root);
        for (unsigned i = 0; i < FRAMES; i++)
            state[k].word[i] = (k % 2 ? 1 : 100) + i;
    }
    for (unsigned step = 0; step < STEPS; step++) {
        struct vm_heap *h = heap[draw(2)];
        struct made next = state[draw(STATES)], *old = &state[draw(STATES)];
        restore(h, &next.root);
        for (unsigned k = 0; k < FRAMES; k++) {
            assert_int_equal(vm_heap_get(h, pair->p[k]) != NULL, next.word[k] != 0);
            if (next.word[k])
                assert_int_equal(word_of(h, pair->p[k]), next.word[k]);
        }
        vm_heap_valid(h);
        make_next(h, pair->p, &next);
        vm_root_release(&old->root);
        *old = next;
    }
    for (unsigned k = 0; k < STATES; k++)
        vm_root_release(&state[k].root);
}

static void imported_in_turn(void **unused)
{
    struct pair pair;
    (void)unused;
    for (unsigned run = 0; run < 2; run++) {
        pair_init(&pair, FRAMES);
        pair.one.exact = pair.two.exact = run;
        take_turns(&pair);
        pair.one.exact = pair.two.exact = false;
        restore(&pair.two, &pair.twos);
        pair_fini(&pair);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_shrink),      cmocka_unit_test(siblings),
        cmocka_unit_test(rebases),          cmocka_unit_test(alike_are_own),
        cmocka_unit_test(unlike_are_kept),  cmocka_unit_test(many_are_imported),
        cmocka_unit_test(imported_in_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
