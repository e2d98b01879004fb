/* transition_cache_test.c - cached transitions (vm/tcache/tcache.h), against execution.
 *
 * The decision trie is compared with a list of what was put into it.  Then random programs are
 * gone through by two machines, of which one executes everything: both must come to the same
 * states, in the same order, with the same count of instructions; and what is predicted must
 * come. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/bare.h"
#include "tests/unit/guest.h"
#include "vm/heap/pool.h"
#include "vm/tcache/trie.h"

/* ---- the tree -------------------------------------------------------------------- */

enum { PLACES = 6, MOST_READS = 4, ENTRIES = 400, RUNS = 20 };

/* What was looked at, in order, and what was seen. */
struct entry {
    struct vm_read_entry entry[MOST_READS];
    unsigned n;
    uintptr_t leaf;
};

/* A transition: where it looks next depends on what it has seen. */
static struct entry execute(const struct vm_heap *h, const uint64_t *p)
{
    struct entry e = {.n = 0};
    uint64_t seen = 7;
    unsigned n = 1 + (unsigned)(vm_read_label(h, vm_ptr_id(p[0]), VM_READ_ALL) % MOST_READS);
    for (unsigned k = 0; k < n; k++) {
        uint32_t at = vm_ptr_id(k ? p[seen % PLACES] : p[0]);
        uint64_t label = vm_read_label(h, at, VM_READ_ALL);
        e.entry[e.n++] = (struct vm_read_entry){.at = at, .part = VM_READ_ALL, .label = label};
        seen = vm_fold(seen ^ label);
    }
    e.leaf = (uintptr_t)(seen | 2) & ~(uintptr_t)1;
    return e;
}

static bool fits(const struct vm_heap *h, const struct entry *e)
{
    for (unsigned k = 0; k < e->n; k++)
        if (vm_read_label(h, e->entry[k].at, e->entry[k].part) != e->entry[k].label)
            return false;
    return true;
}

static void learn(struct vm_trie *ways, uint64_t way, const struct entry *e)
{
    for (unsigned k = 0; k < e->n; k++) {
        assert_true(vm_trie_put_read(ways, way, &e->entry[k]));
        way = vm_trie_on(way, e->entry[k].label);
    }
    assert_true(vm_trie_put_leaf(ways, way, e->leaf));
}

static uintptr_t find_in_list(const struct vm_heap *h, const struct entry *list, unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        if (fits(h, &list[k]))
            return list[k].leaf;
    return 0;
}

static void change_something(struct vm *vm, const uint64_t *p)
{
    unsigned k = draw(PLACES);
    bare_write(vm, p[k], 0, draw(4), ~0ull, 0);
    vm_heap_close(&vm->heap);
    vm_heap_hash(&vm->heap, vm_heap_get(&vm->heap, p[k]));
}

/* What was seen otherwise is not found, and what is found is what executing gives. */
static void tries_are_lists(void **unused)
{
    static struct entry list[ENTRIES];
    struct bare bare;
    unsigned found = 0, missed = 0;
    (void)unused;
    bare_init(&bare);
    for (unsigned run = 0; run < RUNS; run++) {
        struct vm *vm = bare_open(&bare, false, 0);
        struct vm_trie ways = {0};
        uint64_t p[PLACES];
        unsigned n = 0;
        bare_seed = run;
        for (unsigned k = 0; k < PLACES; k++)
            p[k] = vm_heap_make(&vm->heap, 8, VM_OBJ_HEAP, k);
        for (unsigned k = 0; k < PLACES; k++)
            bare_write(vm, p[k], 0, 0, ~0ull, 0);
        vm_heap_close(&vm->heap);
        for (unsigned k = 0; k < PLACES; k++)
            vm_heap_hash(&vm->heap, vm_heap_get(&vm->heap, p[k]));
        for (unsigned k = 0; k < 4 * ENTRIES && n < ENTRIES; k++) {
            change_something(vm, p);
            uintptr_t leaf = vm_trie_find(&ways, &vm->heap, 1);
            assert_true(leaf == find_in_list(&vm->heap, list, n));
            list[n] = execute(&vm->heap, p);
            if (leaf) {
                assert_true(leaf == list[n].leaf);
                found++;
            } else {
                learn(&ways, 1, &list[n++]);
                missed++;
            }
        }
        vm_trie_clear(&ways);
        vm_close(vm);
    }
    assert_true(found > 10 * RUNS && missed > 10 * RUNS);
    bare_fini(&bare);
}

/* ---- programs -------------------------------------------------------------------- */

enum { PROGRAMS = 6, MOST_STATES = 250, MOST_ENDS = 4096 };

struct hash {
    uint64_t at[2];
};

struct end {
    struct hash hash;
    unsigned flags;
};

/* A machine, and all the states that it has come to, in order. */
struct side {
    struct vm *vm;
    struct end end[MOST_ENDS];
    struct vm_state *state[MOST_ENDS]; /* NULL: it has no successors, or was met before */
    unsigned n, predicted, repeated;
};

static struct vm *open_side(const struct vm_program *program, bool knows, unsigned left_out)
{
    const struct vm_options options = {.coalesce = true,
                                       .private_objects = true,
                                       .race_free = true,
                                       .report_races = true,
                                       .heap_symmetry = true,
                                       .conditional = true,
                                       .read_only = true,
                                       .deferred_joins = true,
                                       .thread_symmetry = true,
                                       .tcache_bytes = knows ? 1 << 26 : 0,
                                       .left_out = left_out};
    return vm_open(program, &options);
}

static bool is_new(const struct side *s, const struct hash *hash)
{
    for (unsigned k = 0; k < s->n; k++)
        if (!memcmp(&s->end[k].hash, hash, sizeof *hash))
            return false;
    return true;
}

static void note_end(struct side *s, const struct vm_prediction *prediction)
{
    struct end end = {.flags = vm_flags(s->vm)};
    assert_in_range(s->n, 0, MOST_ENDS - 1);
    vm_finish(s->vm);
    vm_hash(s->vm, end.hash.at);
    if (prediction && prediction->known) {
        assert_memory_equal(prediction->hash, end.hash.at, sizeof end.hash);
        assert_int_equal(prediction->flags, end.flags);
        s->predicted++;
    }
    bool goes_on = !(end.flags & (VM_FLAG_END | VM_FLAG_ERROR | VM_FLAG_CANCEL));
    s->state[s->n] = goes_on && is_new(s, &end.hash) ? vm_snapshot(s->vm) : NULL;
    s->end[s->n++] = end;
}

/* Up to the ends of the transition, by all choices. */
static void run_on(struct side *s, const struct vm_prediction *prediction)
{
    struct vm_prediction ahead[64];
    if (vm_run(s->vm) == VM_STOP_END) {
        note_end(s, prediction);
        return;
    }
    struct vm_choice choice = vm_pending(s->vm);
    unsigned n = (unsigned)choice.n, asked = 0;
    assert_in_range(n, 1, 64);
    if (choice.scheduling)
        asked = vm_predict_begin(s->vm, n);
    for (unsigned k = 0; k < asked; k++)
        vm_predict(s->vm, k, &ahead[k]);
    for (unsigned k = 0; k < n; k++) {
        uint64_t before = vm_stats(s->vm)->instructions;
        vm_mark(s->vm);
        vm_choose(s->vm, (int)k);
        run_on(s, k < asked ? &ahead[k] : NULL);
        if (k < asked && ahead[k].known)
            assert_int_equal(vm_stats(s->vm)->instructions - before, ahead[k].instructions);
        vm_pop(s->vm);
    }
}

static void compare_sides(const struct side *a, const struct side *b)
{
    assert_int_equal(a->n, b->n);
    for (unsigned k = 0; k < a->n; k++) {
        assert_memory_equal(&a->end[k].hash, &b->end[k].hash, sizeof a->end[k].hash);
        assert_int_equal(a->end[k].flags, b->end[k].flags);
        assert_int_equal(a->state[k] == NULL, b->state[k] == NULL);
    }
    assert_true(vm_stats(a->vm)->instructions == vm_stats(b->vm)->instructions);
}

static void expand(struct side *s, unsigned k)
{
    vm_restore(s->vm, s->state[k]);
    s->state[k] = NULL;
    vm_start(s->vm);
    run_on(s, NULL);
}

static void go_through(struct side *knows, struct side *executes)
{
    unsigned states = 0;
    vm_boot(knows->vm);
    vm_boot(executes->vm);
    run_on(knows, NULL);
    run_on(executes, NULL);
    compare_sides(knows, executes);
    for (unsigned k = 0; k < knows->n && states < MOST_STATES; k++) {
        if (!knows->state[k])
            continue;
        expand(knows, k);
        expand(executes, k);
        compare_sides(knows, executes);
        states++;
    }
}

static void close_side(struct side *s)
{
    for (unsigned k = 0; k < s->n; k++)
        if (s->state[k])
            vm_release(s->state[k]);
    s->repeated += (unsigned)vm_stats(s->vm)->repeated;
    vm_close(s->vm);
    s->n = 0;
}

static void compare_programs(bool cells, unsigned left_out, unsigned *predicted,
                             unsigned *repeated)
{
    struct side *sides = calloc(2, sizeof *sides);
    for (unsigned k = 0; k < PROGRAMS; k++) {
        bare_seed = 100 * cells + k;
        char *text = guest_random(cells);
        struct vm_program *program = guest_load(text);
        free(text);
        sides[0].vm = open_side(program, true, left_out);
        sides[1].vm = open_side(program, false, VM_CACHE_INCHASH);
        go_through(&sides[0], &sides[1]);
        close_side(&sides[0]);
        close_side(&sides[1]);
        vm_unload(program);
    }
    assert_int_equal(sides[1].predicted + sides[1].repeated, 0);
    *predicted = sides[0].predicted;
    *repeated = sides[0].repeated;
    free(sides);
}

static void known_is_executed(void **unused)
{
    unsigned predicted, repeated;
    (void)unused;
    compare_programs(false, 0, &predicted, &repeated);
    assert_true(predicted > PROGRAMS && repeated > PROGRAMS);
    compare_programs(true, 0, &predicted, &repeated);
    assert_true(predicted > PROGRAMS && repeated > PROGRAMS);
}

static void whole_objects_will_do(void **unused)
{
    unsigned predicted, repeated;
    (void)unused;
    compare_programs(true, VM_CACHE_WORDS, &predicted, &repeated);
    assert_true(repeated > PROGRAMS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tries_are_lists),
        cmocka_unit_test(known_is_executed),
        cmocka_unit_test(whole_objects_will_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
