/* incremental_hash_test.c - the sum that a fingerprint is made from, after random histories.
 *
 * Two machines have the same history: of writes, of objects and threads that come and go, of
 * marks, rollbacks, snapshots and restored states.  One keeps its sum by what has changed, and
 * the other adds up all objects each time: their fingerprints are equal.  The sum itself is
 * compared with one that is added up here; and a fingerprint is what it was when the memory is
 * again what it was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/bare.h"
#include "vm/heap/pool.h"

enum {
    THREADS = 4, /* their numbers begin with 2 */
    OBJECTS = 40,
    WORDS = 3,
    RECORD_WORDS = (sizeof(struct vm_trace_run) + 7) / 8,
    MARKS = 4,
    STATES = 6,
    STEPS = 600,
    RUNS = 100,
};

enum {
    AT_STATE = BARE_GLOBALS,
    AT_THREADS,
    AT_OBJECTS = AT_THREADS + 3 * THREADS,
    PLACES = AT_OBJECTS + OBJECTS
};

struct hash {
    uint64_t at[2];
};

/* What there is; 0: nothing. */
struct memory {
    uint64_t at[PLACES], symmetric;
    struct hash hash;
};

struct history {
    struct vm *vm[2];
    struct memory now, at_mark[MARKS], at_state[STATES];
    struct vm_state *state[2][STATES];
    unsigned nmarks, nstates;
    bool begins, pieces; /* a second thread begins; pointers may be in pieces */
};

/* ---- what can happen ------------------------------------------------------------- */

static uint64_t make(struct history *y, uint32_t words, uint8_t kind, uint64_t number)
{
    uint64_t p = 0, site = draw(3);
    for (unsigned i = 0; i < 2; i++) {
        struct vm_heap *h = &y->vm[i]->heap;
        p = vm_heap_make(h, words * 8, kind, site);
        vm_obj_fill(vm_heap_get(h, p), 0, words * 8, 0, 0xff);
        if (number)
            vm_heap_give_id(h, p, number);
    }
    return p;
}

static uint64_t make_frame(struct history *y, unsigned tid)
{
    uint64_t p = 0;
    for (unsigned i = 0; i < 2; i++)
        p = vm_heap_make_first(&y->vm[i]->heap, (VM_FRAME_HEADER + WORDS) * 8, tid);
    return p;
}

static void write(struct history *y, uint64_t p, uint32_t w, uint64_t value, uint8_t pointer)
{
    for (unsigned i = 0; i < 2; i++)
        bare_write(y->vm[i], p, w, value, ~0ull, pointer);
}

static void drop(struct history *y, unsigned place)
{
    for (unsigned i = 0; i < 2; i++)
        vm_heap_free(&y->vm[i]->heap, y->now.at[place]);
    y->now.at[place] = 0;
}

static uint64_t *thread_at(struct history *y, unsigned k)
{
    return &y->now.at[AT_THREADS + 3 * k];
}

static void begin_thread(struct history *y, unsigned k)
{
    uint64_t *at = thread_at(y, k);
    unsigned tid = 2 + k;
    y->begins = true;
    y->now.symmetric =
        draw(3) ? y->now.symmetric | 1ull << tid : y->now.symmetric & ~(1ull << tid);
    at[0] = make(y, RECORD_WORDS + WORDS, VM_OBJ_KERNEL, 2 * tid);
    at[1] = make_frame(y, tid);
    at[2] = make(y, WORDS, VM_OBJ_TLS, 2 * tid + 1);
    write(y, at[0], 0, at[1], 0xff);
    write(y, at[0], VM_TID_WORD, tid, 0);
}

static void end_thread(struct history *y, unsigned k)
{
    for (unsigned j = 0; j < 3; j++)
        drop(y, AT_THREADS + 3 * k + j);
}

/* The first word that may be written of what is at a place. */
static uint32_t first_word(unsigned place)
{
    bool thread = place >= AT_THREADS && place < AT_OBJECTS;
    return thread && (place - AT_THREADS) % 3 == 0   ? RECORD_WORDS
           : thread && (place - AT_THREADS) % 3 == 1 ? VM_FRAME_HEADER
                                                     : 0;
}

static void write_somewhere(struct history *y)
{
    unsigned place = draw(PLACES);
    uint64_t p = y->now.at[place], to = y->now.at[draw(PLACES)];
    uint8_t pieces = y->pieces && draw(8) == 0 ? 0x0f : 0xff;
    if (!p)
        return;
    if (draw(2) && to)
        write(y, p, first_word(place) + draw(WORDS), to, pieces);
    else
        write(y, p, first_word(place) + draw(WORDS), draw(4), 0);
}

static void come_or_go(struct history *y)
{
    unsigned k = draw(THREADS), place = AT_OBJECTS + draw(OBJECTS);
    if (draw(6) == 0) {
        if (thread_at(y, k)[0])
            end_thread(y, k);
        else
            begin_thread(y, k);
    } else if (y->now.at[place]) {
        drop(y, place);
    } else {
        y->now.at[place] = make(y, WORDS, VM_OBJ_HEAP, 0);
    }
}

/* ---- what must hold -------------------------------------------------------------- */

struct sums {
    uint64_t sum[2], leak_sum;
    uint32_t nraw, nborder;
};

static void add_object(const struct vm_inchash *s, uint64_t p, const struct vm_obj *o,
                       struct sums *all)
{
    if (!o || !vm_stable_id(s, p))
        return;
    struct vm_obj *copy = vm_obj_copy(o);
    vm_obj_hash(copy);
    bool whole = vm_inchash_add(s, p, copy, 1, all->sum);
    assert_int_equal(vm_inchash_in_frontier(s, p), !whole);
    all->nborder += !whole;
    all->nraw += (copy->flags & VM_RAW) != 0;
    all->leak_sum += vm_obj_is_heap(copy) ? vm_leak_term(copy) : 0;
    vm_obj_release(copy);
}

static void compare_sum(const struct vm_heap *h)
{
    const struct vm_inchash *s = &h->inchash;
    struct sums all = {.nraw = 0};
    for (unsigned r = VM_REGIONS; r-- > 0;)
        for (uint32_t i = r < VM_PAGES ? h->table[r].n : 0; i-- > 0;)
            add_object(s, vm_ptr(r, i, 0), h->table[r].obj[i], &all);
    assert_true(all.sum[0] == s->sum[0] && all.sum[1] == s->sum[1]);
    assert_true(all.leak_sum == s->leak_sum);
    assert_int_equal(all.nraw, s->nraw);
    assert_int_equal(all.nborder, s->frontier ? s->frontier->n : 0);
}

static void end_transition(struct history *y)
{
    struct hash hash[2];
    for (unsigned i = 0; i < 2; i++) {
        struct vm *vm = y->vm[i];
        vm->begins = y->begins;
        vm->new_symmetric = y->now.symmetric;
        vm_finish(vm);
        vm_hash(vm, hash[i].at);
        vm->begins = false;
        compare_sum(&vm->heap);
        vm_heap_close(&vm->heap);
    }
    y->begins = false;
    assert_memory_equal(&hash[0], &hash[1], sizeof hash[0]);
    y->now.hash = hash[0];
}

/* The memory is one that there was. */
static void go_back(struct history *y, const struct memory *was)
{
    y->now = *was;
    end_transition(y);
    assert_memory_equal(&y->now.hash, &was->hash, sizeof was->hash);
}

/* ---- histories ------------------------------------------------------------------- */

/* A machine that has given ids since the last state is not marked: searches do not, either. */
static bool may_mark(const struct history *y)
{
    const struct vm_heap *h = &y->vm[0]->heap;
    return y->nmarks < MARKS && h->inchash.stable_ids == h->origin.inchash.stable_ids;
}

static void mark_or_go_back(struct history *y)
{
    if (draw(2) && may_mark(y)) {
        for (unsigned i = 0; i < 2; i++)
            vm_mark(y->vm[i]);
        y->at_mark[y->nmarks++] = y->now;
    } else if (y->nmarks) {
        bool pop = draw(2);
        for (unsigned i = 0; i < 2; i++)
            (pop ? vm_pop : vm_rollback)(y->vm[i]);
        go_back(y, &y->at_mark[y->nmarks - 1]);
        y->nmarks -= pop;
    }
}

static struct vm_state *copy_of(const struct vm_state *state)
{
    struct vm_state *copy = vm_take(sizeof *copy);
    vm_root_retain(&state->root);
    return memcpy(copy, state, sizeof *copy);
}

static void keep_or_restore(struct history *y)
{
    if (draw(2) && y->nstates < STATES) {
        for (unsigned i = 0; i < 2; i++) {
            vm_finish(y->vm[i]);
            y->state[i][y->nstates] = vm_snapshot(y->vm[i]);
        }
        y->at_state[y->nstates++] = y->now;
    } else if (y->nstates && draw(3) == 0) {
        unsigned k = draw(y->nstates);
        for (unsigned i = 0; i < 2; i++) {
            vm_drop(y->vm[i], y->nmarks);
            vm_restore(y->vm[i], copy_of(y->state[i][k]));
        }
        y->nmarks = 0;
        go_back(y, &y->at_state[k]);
    }
}

static void step(struct history *y)
{
    for (unsigned n = draw(6); n > 0; n--)
        draw(4) ? write_somewhere(y) : come_or_go(y);
    end_transition(y);
    if (draw(3) == 0)
        mark_or_go_back(y);
    if (draw(4) == 0)
        keep_or_restore(y);
}

static void begin(struct history *y, const struct bare *bare)
{
    *y = (struct history){.pieces = draw(3) == 0};
    for (unsigned i = 0; i < 2; i++)
        y->vm[i] = bare_open(bare, true, i ? VM_CACHE_INCHASH : 0);
    for (unsigned k = 0; k < BARE_GLOBALS; k++)
        y->now.at[k] = vm_ptr(VM_ID_GLOBAL, k, 0);
    y->now.at[AT_STATE] = make(y, WORDS, VM_OBJ_KERNEL, 1);
    unsigned n = draw(OBJECTS);
    for (unsigned k = 0; k < n; k++)
        y->now.at[AT_OBJECTS + k] = make(y, WORDS, VM_OBJ_HEAP, 0);
    for (unsigned i = 0; i < 2; i++)
        y->vm[i]->s.reg[VM_REG_STATE] = y->now.at[AT_STATE];
    end_transition(y);
}

static void end(struct history *y)
{
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned k = 0; k < y->nstates; k++)
            vm_release(y->state[i][k]);
        vm_close(y->vm[i]);
    }
}

static void random_histories(void **unused)
{
    struct bare bare;
    struct history y;
    unsigned old = 0;
    (void)unused;
    bare_init(&bare);
    for (unsigned run = 0; run < RUNS; run++) {
        bare_seed = run;
        begin(&y, &bare);
        for (unsigned k = 0; k < STEPS; k++)
            step(&y);
        old += y.vm[0]->heap.inchash.preconcurrent;
        end(&y);
    }
    assert_in_range(old, 1, RUNS); /* some had many objects when the second thread began */
    bare_fini(&bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_histories),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
