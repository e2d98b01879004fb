/* heap_test.c - the heap against a plain model: random histories of makes,
 * frees, writes, marks, rollbacks, snapshots and restores. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/restore.h"
#include "vm/exec/register.h"
#include "vm/heap/pool.h"
#include "vm/machine.h"

enum { SLOTS = 96, WORDS = 10, STEPS = 20000, DEPTH = 4, STATES = 8, GLOBALS = 5 };

/* What the heap should hold: by index, whether there is an object, its words. */
struct model {
    struct {
        bool live;
        uint64_t pointer, word[WORDS];
    } slot[SLOTS];
};

static uint64_t seed;
static uint32_t draw(uint32_t n)
{
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(seed >> 33) % n;
}

/* What a fingerprint does before it is computed, and what follows it. */
static void sum(struct vm_heap *h)
{
    vm_inchash_update(h);
    vm_heap_close(h);
}

static void compare(struct vm_heap *h, const struct model *m)
{
    for (unsigned k = 0; k < SLOTS; k++) {
        if (!m->slot[k].live)
            continue;
        const struct vm_obj *o = vm_heap_get(h, m->slot[k].pointer);
        assert_non_null(o);
        assert_memory_equal(o->data, m->slot[k].word, sizeof m->slot[k].word);
    }
    if (draw(4))
        sum(h);
    vm_heap_valid(h);
}

static uint64_t random_pointer(const struct vm_heap *h)
{
    unsigned region = draw(4) ? VM_ID_HEAP : draw(2) ? VM_ID_GLOBAL : VM_ID_FRAME;
    uint32_t n = h->table[region].n;
    return n ? vm_ptr(region, draw(n), draw(WORDS) * 8) : 0;
}

/* A frame may be one that another calls. */
static uint64_t make(struct vm_heap *h, const struct model *m)
{
    uint64_t caller = m->slot[draw(SLOTS)].pointer;
    uint8_t kind = (uint8_t)draw(VM_OBJ_PRIVATE + 1);
    switch (draw(8)) {
    case 0:
        return draw(2) ? vm_heap_make_first(h, WORDS * 8, draw(8))
                       : vm_heap_make(h, WORDS * 8, VM_OBJ_FRAME, 0);
    case 1:
        if (vm_ptr_region(caller) == VM_ID_FRAME && vm_heap_get(h, caller))
            return vm_heap_make_callee(h, WORDS * 8, caller);
        return vm_heap_make_frame(h, WORDS * 8, draw(VM_BLOCK));
    case 2: {
        uint64_t p = vm_heap_make(h, WORDS * 8, VM_OBJ_STACK, draw(5));
        vm_obj_set_owner(vm_heap_get(h, p), draw(VM_HOMES));
        return p;
    }
    default: return vm_heap_make(h, WORDS * 8, kind, draw(5));
    }
}

static void change(struct vm_heap *h, struct model *m)
{
    unsigned k = draw(SLOTS);
    if (k < GLOBALS) {
        uint64_t p = m->slot[k].pointer, q = m->slot[draw(GLOBALS)].pointer;
        if (p != q && draw(8) == 0) {
            vm_heap_exchange(h, p, q);
            vm_heap_exchange(h, p, q);
        }
    }
    if (!m->slot[k].live) {
        m->slot[k].live = true;
        m->slot[k].pointer = make(h, m);
        if (vm_ptr_region(m->slot[k].pointer) == VM_ID_HEAP)
            vm_obj_fill(vm_heap_get(h, m->slot[k].pointer), 0, WORDS * 8, 0, 0xff);
        memset(m->slot[k].word, 0, sizeof m->slot[k].word);
    } else if (k >= GLOBALS && draw(4) == 0) {
        uint64_t p = m->slot[k].pointer;
        vm_heap_free(h, p);
        m->slot[k].live = false;
        assert_null(vm_heap_get(h, p));
        if (draw(2))
            vm_heap_forget(h, p, 0);
    } else {
        bool pointer = draw(3) == 0;
        uint64_t v = pointer ? random_pointer(h) : ((uint64_t)draw(1000) << 32) + draw(1000);
        uint32_t w = draw(WORDS);
        struct vm_obj *o = draw(4) ? vm_heap_part(h, m->slot[k].pointer + w * 8, 8)
                                   : vm_heap_get(h, m->slot[k].pointer);
        o = vm_heap_own(h, m->slot[k].pointer, o);
        vm_obj_put(o, w * 8, 8, v, ~0ull, !pointer ? 0 : draw(8) ? 0xff : 0x0f);
        m->slot[k].word[w] = v;
    }
}

struct history {
    struct vm_heap heap;
    struct model now, at_mark[DEPTH], at_state[STATES];
    struct vm_heap_mark mark[DEPTH];
    struct vm_root state[STATES];
    unsigned nmarks, nstates;
};

/* All states become bytes and states again. */
static void carry(struct history *y)
{
    struct vm_state states[STATES], *old[STATES], *new[STATES];
    struct vm_bytes bytes = {0};
    for (unsigned k = 0; k < y->nstates; k++) {
        states[k] = (struct vm_state){.root = y->state[k]};
        old[k] = &states[k];
    }
    vm_states_write(old, y->nstates, &bytes);
    assert_int_equal(vm_states_read(bytes.at, new, y->nstates), bytes.n);
    for (unsigned k = 0; k < y->nstates; k++) {
        vm_root_release(&y->state[k]);
        y->state[k] = new[k]->root;
        vm_give(new[k], sizeof *new[k]);
    }
    free(bytes.at);
}

/* A state is the same in another heap, whose tables are as small as can be.  (One that was read
 * from bytes is for one heap only.) */
static void visit(const struct history *y)
{
    struct vm_heap other;
    unsigned k = y->nstates ? draw(y->nstates) : 0, next = y->nstates ? draw(y->nstates) : 0;
    if (!y->nstates || !y->state[k].base->owner || !y->state[next].base->owner)
        return;
    vm_heap_init(&other, y->heap.program, y->heap.share_all, false);
    restore(&other, &y->state[k]);
    compare(&other, &y->at_state[k]);
    restore(&other, &y->state[next]);
    vm_heap_fini(&other);
}

static void step(struct history *y)
{
    if (draw(400) == 0)
        carry(y);
    if (draw(100) == 0)
        visit(y);
    unsigned what = draw(100);
    if (what < 4 && y->nmarks < DEPTH) {
        vm_heap_mark(&y->heap, &y->mark[y->nmarks]);
        y->at_mark[y->nmarks++] = y->now;
    } else if (what < 9 && y->nmarks > 0) {
        vm_heap_undo(&y->heap, &y->mark[y->nmarks - 1]);
        y->now = y->at_mark[y->nmarks - 1];
        if (draw(2))
            y->nmarks--;
    } else if (what < 12 && y->nstates < STATES) {
        y->state[y->nstates] = snapshot(&y->heap);
        y->at_state[y->nstates++] = y->now;
    } else if (what < 15 && y->nstates > 0) {
        unsigned k = draw(y->nstates);
        y->nmarks = 0;
        y->now = y->at_state[k];
        if (draw(2)) {
            restore(&y->heap, &y->state[k]);
        } else {
            vm_heap_restore(&y->heap, &y->state[k]);
            y->state[k] = y->state[--y->nstates];
            y->at_state[k] = y->at_state[y->nstates];
        }
    } else {
        change(&y->heap, &y->now);
    }
    if (draw(50) == 0)
        compare(&y->heap, &y->now);
}

/* What is there is stable, in another order than that of the indexes. */
static void give_ids(struct vm_heap *h)
{
    uint32_t holder[1] = {0};
    struct vm_id_list *ids = vm_id_list_new(h->table[VM_ID_HEAP].n);
    for (uint32_t i = 0; i < ids->n; i++)
        ids->at[i] = i % 7 ? VM_THREAD_IDS + ids->n - i : 0;
    vm_inchash_set_ids(h, vm_stable_ids_next(NULL, ids, holder, 0, 0), true);
    vm_id_list_release(ids);
    vm_heap_close(h);
}

/* Those that have no ids get some, and the others keep theirs: the sum is extended.  Some of
 * these are symmetric threads', or others than before. */
static void give_more_ids(struct vm_heap *h)
{
    const struct vm_stable_ids *before = h->inchash.stable_ids;
    uint32_t holder[VM_THREAD_IDS] = {0}, n = before->nholders;
    memcpy(holder, vm_stable_ids_holders(before), n * sizeof *holder);
    n = n ? n : 1;
    for (uint32_t i = 1; i < h->table[VM_ID_HEAP].n && n < VM_THREAD_IDS; i++)
        if (!vm_stable_ids_at(before, i) && draw(2))
            holder[n++] = i;
    uint64_t symmetric = draw(2) ? before->symmetric : (uint64_t)draw(1 << 20) << 1;
    h->inchash.visited = true;
    vm_inchash_set_ids(h, vm_stable_ids_next(before, NULL, holder, n, symmetric), true);
    assert_false(h->inchash.visited);
    vm_heap_valid(h);
    vm_heap_close(h);
}

static struct vm_obj *new_global(void)
{
    struct vm_obj *o = vm_obj_new(WORDS * 8, VM_OBJ_GLOBAL);
    vm_obj_fill(o, 0, WORDS * 8, 0, 0xff);
    return o;
}

/* Small globals, and an empty heap beside them. */
static struct history *begin(struct vm_program *program, bool share_all)
{
    struct history *y = calloc(1, sizeof *y);
    program->globals = calloc(GLOBALS, sizeof *program->globals);
    program->nglobals = GLOBALS;
    for (unsigned k = 0; k < GLOBALS; k++) {
        program->globals[k].init = new_global();
        y->now.slot[k].live = true;
        y->now.slot[k].pointer = vm_ptr(VM_ID_GLOBAL, k, 0);
    }
    vm_heap_init(&y->heap, program, share_all, false);
    struct vm_root first = snapshot(&y->heap);
    vm_heap_restore(&y->heap, &first);
    return y;
}

static void end(struct history *y, const struct vm_program *program)
{
    for (unsigned k = 0; k < y->nstates; k++)
        vm_root_release(&y->state[k]);
    vm_heap_fini(&y->heap);
    for (unsigned k = 0; k < GLOBALS; k++)
        vm_obj_release(program->globals[k].init);
    free(program->globals);
    free(y);
}

static uint64_t upper(uint32_t at)
{
    return (uint64_t)at << 32;
}

/* All objects can be told by their contents. */
static void hash_all(struct vm_heap *h)
{
    vm_heap_close(h);
    for (unsigned r = 0; r < VM_READ_REGIONS; r++)
        for (uint32_t i = 0; i < h->table[r].n; i++)
            if (h->table[r].obj[i] && !(h->table[r].obj[i]->flags & VM_HASHED))
                vm_obj_hash(h->table[r].obj[i]);
}

static const struct vm_read_entry *look_at(const struct vm_readset *readset, uint32_t at,
                                           uint32_t part)
{
    for (uint32_t k = 0; k < readset->n; k++)
        if (readset->at[k].at == at && readset->at[k].part == part)
            return &readset->at[k];
    return NULL;
}

/* What was there before, and what a look at it tells. */
struct before {
    struct vm_obj *o[VM_READ_REGIONS][4096];
    uint64_t label[VM_READ_REGIONS][4096], end;
};

static void note_before(const struct vm_heap *h, struct before *b)
{
    b->end = vm_read_label(h, VM_READ_END, 0);
    for (unsigned r = 0; r < VM_READ_REGIONS; r++)
        for (uint32_t i = 0; i < 4096; i++) {
            b->o[r][i] = vm_heap_peek(h, vm_ptr(r, i, 0));
            b->label[r][i] = vm_read_label(h, (uint32_t)(vm_ptr(r, i, 0) >> 32), VM_READ_ALL);
        }
}

static void compare_words(const struct vm_readset *readset, uint64_t p,
                          const struct vm_obj *now, const struct vm_obj *was)
{
    if (now == was)
        return;
    assert_true(now && was && now->size == was->size && now->flags & VM_SHARED);
    for (uint32_t w = 0; w < WORDS; w++)
        if (now->data[w] != was->data[w] || vm_shadow(now, w) != vm_shadow(was, w))
            assert_non_null(look_at(readset, (uint32_t)(p >> 32), VM_READ_WORD + w));
}

/* All that has changed was looked at before, once, and seen as it was. */
static void compare_looks(const struct vm_heap *h, const struct before *b)
{
    const struct vm_readset *readset = &h->readset;
    for (unsigned r = 0; r < VM_READ_REGIONS; r++)
        for (uint32_t i = 0; i < 4096; i++) {
            uint64_t p = vm_ptr(r, i, 0);
            const struct vm_read_entry *entry =
                look_at(readset, (uint32_t)(p >> 32), VM_READ_ALL);
            if (entry)
                assert_true(entry->was == b->o[r][i] && entry->label == b->label[r][i]);
            else
                compare_words(readset, p, vm_heap_peek(h, p), b->o[r][i]);
        }
    const struct vm_read_entry *end = look_at(readset, VM_READ_END, VM_READ_ALL);
    assert_true(end ? end->label == b->end : vm_read_label(h, VM_READ_END, 0) == b->end);
    for (uint32_t k = 0; k < readset->n; k++)
        assert_ptr_equal(look_at(readset, readset->at[k].at, readset->at[k].part),
                         &readset->at[k]);
}

/* The changes are undone, and what was made put back in its place: of an object that was not
 * seen as a whole, the words that were. */
static void put_back(struct vm_heap *h, const struct vm_heap_mark *mark)
{
    const struct vm_readset *readset = &h->readset;
    struct vm_obj *made[VM_MAX_READS];
    uint64_t leak_sum = h->leak_sum, nheap = h->nheap, bytes = h->bytes;
    uint32_t end = h->table[VM_ID_HEAP].n;
    vm_heap_close(h);
    for (uint32_t k = 0; k < readset->n; k++) {
        made[k] = vm_heap_peek(h, upper(readset->at[k].at));
        if (made[k])
            vm_obj_retain(made[k]);
    }
    vm_heap_undo(h, mark);
    for (uint32_t k = 0; k < readset->n; k++) {
        uint64_t p = upper(readset->at[k].at);
        uint32_t part = readset->at[k].part, w = part - VM_READ_WORD;
        if (readset->at[k].at == VM_READ_END)
            continue;
        if (part == VM_READ_ALL && made[k] != vm_heap_peek(h, p))
            vm_heap_put(h, p, made[k]);
        if (part >= VM_READ_WORD && !vm_readset_has_all(readset, readset->at[k].at))
            vm_set(vm_heap_own(h, p, vm_heap_peek(h, p)), w, made[k]->data[w],
                   vm_shadow(made[k], w));
    }
    for (uint32_t k = 0; k < readset->n; k++)
        if (made[k])
            vm_obj_release(made[k]);
    h->table[VM_ID_HEAP].n = end;
    h->leak_sum = leak_sum;
    h->nheap = nheap;
    h->bytes = bytes;
}

/* What is changed while a read set is recorded is what is changed without. */
static void nothing_is_unseen(void **unused)
{
    struct vm_program program = {0};
    struct history *y = begin(&program, true);
    struct before *before = malloc(sizeof *before);
    unsigned kept = 0;
    (void)unused;
    seed = 11;
    for (unsigned n = 0; n < 400; n++) {
        struct vm_heap_mark mark;
        for (unsigned k = 0; k < 5; k++)
            change(&y->heap, &y->now);
        hash_all(&y->heap);
        note_before(&y->heap, before);
        vm_heap_mark(&y->heap, &mark);
        vm_readset_begin(&y->heap, false);
        for (unsigned k = draw(6); k > 0; k--)
            change(&y->heap, &y->now);
        vm_readset_finish(&y->heap);
        if (!y->heap.readset.aborted) {
            kept++;
            compare_looks(&y->heap, before);
            put_back(&y->heap, &mark);
        }
        compare(&y->heap, &y->now);
    }
    assert_in_range(kept, 100, 400);
    end(y, &program);
    free(before);
}

static void random_histories(void **unused)
{
    (void)unused;
    for (unsigned run = 0; run < 8; run++) {
        struct vm_program program = {0};
        struct history *y = begin(&program, false);
        seed = run * 977 + 1;
        for (unsigned k = 0; k < STEPS; k++) {
            if (k >= 100 && run % 2 && (k == 100 || draw(1000) == 0))
                give_ids(&y->heap);
            if (y->heap.inchash.stable_ids && draw(200) == 0)
                give_more_ids(&y->heap);
            step(y);
        }
        compare(&y->heap, &y->now);
        end(y, &program);
    }
}

static void write_word(struct vm_heap *h, uint64_t p, uint64_t v, uint8_t pointer)
{
    struct vm_obj *o = vm_heap_own(h, p, vm_heap_get(h, p));
    vm_obj_put(o, 0, 8, v, ~0ull, pointer);
}

/* ---- a large global -------------------------------------------------------------- */

enum { LARGE = VM_PAGED_FROM + VM_PAGE + 19 };

struct bytes {
    uint8_t value[LARGE], mask[LARGE];
};

static void write_bytes(struct vm_heap *h, uint64_t p, struct bytes *now)
{
    uint32_t n = draw(8) + 1, off = draw(LARGE - n);
    uint64_t value = 0, mask = 0;
    bool whole = draw(200) == 0, partly = draw(30) == 0;
    struct vm_obj *o = vm_heap_get(h, p);
    o = whole ? vm_heap_own(h, p, o) : vm_heap_own_bytes(h, p + off, o, n);
    for (uint32_t k = 0; k < n; k++) {
        now->mask[off + k] = partly ? (uint8_t)draw(256) : 0xff;
        now->value[off + k] = (uint8_t)draw(256) & now->mask[off + k];
        value |= (uint64_t)now->value[off + k] << 8 * k;
        mask |= (uint64_t)now->mask[off + k] << 8 * k;
    }
    vm_obj_put(o, off, n, value, n == 8 || partly ? mask : mask | ~0ull << 8 * n, 0);
}

static void compare_bytes(struct vm_heap *h, uint64_t p, const struct bytes *now)
{
    const struct vm_obj *o = vm_heap_get(h, p);
    assert_memory_equal(o->data, now->value, LARGE);
    for (uint32_t k = 0; k < LARGE; k++)
        assert_int_equal(vm_obj_mask(o, k, 1), now->mask[k]);
    if (draw(2))
        sum(h);
    vm_heap_valid(h);
}

struct large {
    struct vm_heap heap;
    struct bytes now, at_mark[DEPTH], at_state[STATES];
    struct vm_heap_mark mark[DEPTH];
    struct vm_root state[STATES];
    unsigned nmarks, nstates;
};

static void step_large(struct large *y, uint64_t p)
{
    struct vm_heap *h = &y->heap;
    unsigned what = draw(100), k = draw(y->nstates);
    if (what < 4 && y->nmarks < DEPTH) {
        vm_heap_mark(h, &y->mark[y->nmarks]);
        y->at_mark[y->nmarks++] = y->now;
    } else if (what < 8 && y->nmarks) {
        vm_heap_undo(h, &y->mark[--y->nmarks]);
        y->now = y->at_mark[y->nmarks];
    } else if (what < 10 && y->nstates < STATES) {
        y->state[y->nstates] = snapshot(h);
        y->at_state[y->nstates++] = y->now;
    } else if (what < 13) {
        restore(h, &y->state[k]);
        y->now = y->at_state[k];
        y->nmarks = 0;
    } else if (what < 14 && y->nstates > 1) {
        vm_root_release(&y->state[--y->nstates]);
    } else {
        write_bytes(h, p, &y->now);
    }
    if (draw(20) == 0)
        compare_bytes(h, p, &y->now);
}

/* Pages of a large global are written, undone, kept and restored. */
static void large_globals(void **unused)
{
    struct vm_global globals[3] = {{.init = new_global()},
                                   {.init = vm_obj_new(LARGE, VM_OBJ_GLOBAL)},
                                   {.init = vm_obj_new(2 * LARGE, VM_OBJ_GLOBAL)}};
    const struct vm_program program = {.globals = globals, .nglobals = 3};
    struct large *y = calloc(1, sizeof *y);
    (void)unused;
    seed = 5;
    for (unsigned k = 1; k < 3; k++)
        globals[k].init->flags |= VM_SHARED;
    vm_heap_init(&y->heap, &program, false, false);
    assert_int_equal(y->heap.npaged, 2);
    y->state[y->nstates++] = snapshot(&y->heap);
    for (unsigned step = 0; step < STEPS; step++)
        step_large(y, vm_ptr(VM_ID_GLOBAL, 1, 0));
    while (y->nstates)
        vm_root_release(&y->state[--y->nstates]);
    vm_heap_fini(&y->heap);
    free(y);
    for (unsigned k = 0; k < 3; k++)
        vm_obj_release(globals[k].init);
}

/* The base of the undo log is older than the time when objects were stable. */
static void undo_keeps_stable_ids(void **unused)
{
    static const struct vm_program program;
    struct vm_heap h;
    struct vm_heap_mark mark;
    uint64_t p[20];
    (void)unused;
    vm_heap_init(&h, &program, false, false);
    for (unsigned k = 0; k < 20; k++)
        p[k] = vm_heap_make(&h, 8, VM_OBJ_HEAP, 0);
    give_ids(&h);
    uint64_t fresh = vm_heap_make(&h, 8, VM_OBJ_HEAP, 0);
    write_word(&h, p[3], 1, 0);
    sum(&h);
    struct vm_inchash before = h.inchash;
    assert_null(before.frontier);
    vm_heap_mark(&h, &mark);
    for (unsigned k = 0; k < 3; k++) {
        write_word(&h, p[3], 2, 0);
        write_word(&h, p[k], fresh, 0xff);
        sum(&h);
        assert_true(before.sum[0] != h.inchash.sum[0]);
        assert_int_equal(h.inchash.frontier->n, 1);
        vm_heap_valid(&h);
        vm_heap_undo(&h, &mark);
        sum(&h);
        assert_true(before.sum[0] == h.inchash.sum[0] && before.sum[1] == h.inchash.sum[1]);
        assert_ptr_equal(before.stable_ids, h.inchash.stable_ids);
        vm_heap_valid(&h);
    }
    vm_heap_fini(&h);
}

/* The index of a frame depends on its thread's stack, not on what others did before. */
static void frames_have_places(void **unused)
{
    static const struct vm_program program;
    enum { DEEP = 2 * VM_BLOCK + 4 };
    struct vm_heap h;
    uint64_t first[2], callee[2];
    (void)unused;
    vm_heap_init(&h, &program, false, false);
    for (unsigned k = 0; k < 2; k++)
        first[k] = vm_heap_make_first(&h, 8, k + 1);
    for (unsigned k = 0; k < 2; k++)
        callee[k] = vm_heap_make_callee(&h, 8, first[k]);
    for (unsigned k = 0; k < 2; k++)
        vm_heap_free(&h, callee[k]);
    for (unsigned k = 2; k-- > 0;) {
        uint64_t p = first[k];
        assert_true(vm_heap_make_callee(&h, 8, p) == callee[k]);
        for (unsigned depth = 1; depth < DEEP; depth++) {
            uint64_t next = depth == 1 ? callee[k] : vm_heap_make_callee(&h, 8, p);
            assert_true(next && next != p && vm_heap_get(&h, next));
            assert_int_equal(vm_stable_id(&h.inchash, next) != 0, depth < 2 * VM_BLOCK);
            p = next;
        }
    }
    vm_heap_valid(&h);
    assert_true(vm_heap_make_frame(&h, 8, VM_FOOTPRINTS) ==
                vm_ptr(VM_ID_FRAME, VM_FOOTPRINTS, 0));
    assert_true(vm_ptr_index(vm_heap_make_frame(&h, 8, VM_FOOTPRINTS)) >= VM_HOMES);
    for (unsigned k = 2; k < 2 * VM_DEEPER / VM_BLOCK; k++)
        assert_true(vm_heap_make_first(&h, 8, k)); /* more than there are homes */
    vm_heap_valid(&h);
    vm_heap_fini(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_histories),      cmocka_unit_test(large_globals),
        cmocka_unit_test(undo_keeps_stable_ids), cmocka_unit_test(frames_have_places),
        cmocka_unit_test(nothing_is_unseen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
