/* thread_symmetry_test.c - threads that began alike, against the definition.
 *
 * A model is a memory with a few threads that are alike, what they lead to and what leads to
 * them.  Renaming the threads in all ways gives its orbit.  All models of an orbit must have
 * one fingerprint, and two models only if one is in the other's orbit, which is found by
 * fingerprints that tell threads apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/bare.h"

enum {
    MOST = 4,   /* threads, numbered from FIRST on */
    FIRST = 2,  /* the main thread has number 1 */
    SHARED = 2, /* objects that all may know */
    REFS = 3,   /* of each object, to others */
    RECORD_WORDS = (sizeof(struct vm_trace_run) + 7) / 8,
    MODELS = 600,
    CHANGES = 6,
};

/* What a word may lead to. */
struct ref {
    enum { NOTHING, TO_THREAD, TO_SHARED, TO_OWN } to;
    unsigned which;
};

struct node {
    unsigned value;
    struct ref ref[REFS];
};

struct thread {
    bool ended, reads; /* it has an open footprint */
    unsigned footprint;
    struct node record, frame, tls, own; /* own: an object to which it leads itself */
};

struct model {
    unsigned n;
    struct thread thread[MOST];
    struct node shared[SHARED], main; /* the main thread's frame */
};

static struct ref random_ref(const struct model *m, bool thread)
{
    switch (draw(8)) {
    case 0: return (struct ref){TO_THREAD, draw(m->n)};
    case 1: return (struct ref){TO_SHARED, draw(SHARED)};
    case 2: return (struct ref){thread ? TO_OWN : NOTHING, 0};
    default: return (struct ref){NOTHING, 0};
    }
}

static struct node random_node(const struct model *m, bool thread)
{
    struct node node = {.value = draw(8) == 0};
    for (unsigned k = 0; k < REFS; k++)
        node.ref[k] = random_ref(m, thread);
    return node;
}

static void random_model(struct model *m, unsigned n)
{
    *m = (struct model){.n = n};
    for (unsigned k = 0; k < n; k++) {
        struct thread *t = &m->thread[k];
        if (k && draw(2)) { /* as the one before */
            *t = m->thread[k - 1];
            continue;
        }
        *t = (struct thread){draw(8) == 0,         draw(3) == 0,         draw(2),
                             random_node(m, true), random_node(m, true), random_node(m, true),
                             random_node(m, true)};
    }
    for (unsigned k = 0; k < SHARED; k++)
        m->shared[k] = random_node(m, false);
    m->main = draw(2) ? random_node(m, false) : (struct node){0};
}

static struct node *random_place(struct model *m)
{
    struct thread *t = &m->thread[draw(m->n)];
    struct node *node[] = {&t->record, &t->frame,     &t->tls,       &t->own,
                           &m->main,   &m->shared[0], &m->shared[1], &m->shared[0]};
    return node[draw(8)];
}

static void change(struct model *m)
{
    struct node *node = random_place(m);
    bool thread = node != &m->main && node != &m->shared[0] && node != &m->shared[1];
    struct thread *t = &m->thread[draw(m->n)];
    switch (draw(6)) {
    case 0: node->value ^= 1; break;
    case 1: t->reads ^= 1; break;
    case 2: t->footprint ^= 1; break;
    default: node->ref[draw(REFS)] = random_ref(m, thread);
    }
}

/* Thread k becomes thread to[k]. */
static void rename_node(struct node *node, const unsigned *to)
{
    for (unsigned k = 0; k < REFS; k++)
        if (node->ref[k].to == TO_THREAD)
            node->ref[k].which = to[node->ref[k].which];
}

static struct model renamed(const struct model *m, const unsigned *to)
{
    struct model made = *m;
    for (unsigned k = 0; k < m->n; k++) {
        struct thread *t = &made.thread[to[k]];
        *t = m->thread[k];
        rename_node(&t->record, to);
        rename_node(&t->frame, to);
        rename_node(&t->tls, to);
        rename_node(&t->own, to);
    }
    for (unsigned k = 0; k < SHARED; k++)
        rename_node(&made.shared[k], to);
    rename_node(&made.main, to);
    return made;
}

/* ---- the model as a memory ------------------------------------------------------- */

struct places {
    uint64_t record[MOST], frame[MOST], tls[MOST], own[MOST], shared[SHARED], main;
};

static uint64_t make_named(struct vm *vm, uint32_t words, uint8_t kind, uint64_t number)
{
    uint64_t p = vm_heap_make(&vm->heap, words * 8, kind, 0);
    vm_obj_fill(vm_heap_get(&vm->heap, p), 0, words * 8, 0, 0xff);
    vm_heap_give_id(&vm->heap, p, number);
    return p;
}

static uint64_t make_plain(struct vm *vm, uint32_t words)
{
    uint64_t p = vm_heap_make(&vm->heap, words * 8, VM_OBJ_HEAP, 0);
    vm_obj_fill(vm_heap_get(&vm->heap, p), 0, words * 8, 0, 0xff);
    vm_heap_get(&vm->heap, p)->flags |= VM_SHARED;
    return p;
}

static void make_thread(struct vm *vm, struct places *at, unsigned k)
{
    unsigned tid = FIRST + k;
    at->record[k] = make_named(vm, RECORD_WORDS + 1 + REFS, VM_OBJ_KERNEL, 2 * tid);
    at->frame[k] = vm_heap_make_first(&vm->heap, (VM_FRAME_HEADER + 1 + REFS) * 8, tid);
    at->tls[k] = make_named(vm, 1 + REFS, VM_OBJ_TLS, 2 * tid + 1);
    at->own[k] = make_plain(vm, 1 + REFS);
}

/* The threads in any order, since their numbers do not tell which was made first. */
static void make_all(struct vm *vm, const struct model *m, struct places *at)
{
    unsigned order[MOST];
    shuffle(order, m->n);
    for (unsigned k = 0; k < SHARED; k++)
        at->shared[k] = make_plain(vm, 1 + REFS);
    at->main = vm_heap_make_first(&vm->heap, (VM_FRAME_HEADER + 1 + REFS) * 8, 1);
    for (unsigned k = 0; k < m->n; k++)
        if (!m->thread[order[k]].ended)
            make_thread(vm, at, order[k]);
}

/* owner: whose own object it may lead to. */
static void write_node(struct vm *vm, const struct places *at, uint64_t p, uint32_t first,
                       const struct node *node, unsigned owner)
{
    bare_write(vm, p, first, node->value, ~0ull, 0);
    for (uint32_t k = 0; k < REFS; k++) {
        const struct ref *ref = &node->ref[k];
        uint64_t to = ref->to == TO_THREAD   ? at->record[ref->which]
                      : ref->to == TO_SHARED ? at->shared[ref->which]
                      : ref->to == TO_OWN    ? at->own[owner]
                                             : 0;
        bare_write(vm, p, first + 1 + k, to, ~0ull, to ? 0xff : 0);
    }
}

static void write_thread(struct vm *vm, const struct places *at, const struct thread *t,
                         unsigned k)
{
    bare_write(vm, at->record[k], 0, at->frame[k], ~0ull, 0xff);
    bare_write(vm, at->record[k], VM_TID_WORD, FIRST + k, ~0ull, 0);
    bare_write(vm, at->record[k], VM_TID_WORD + 1, at->tls[k], ~0ull, 0xff);
    write_node(vm, at, at->record[k], RECORD_WORDS, &t->record, k);
    write_node(vm, at, at->frame[k], VM_FRAME_HEADER, &t->frame, k);
    write_node(vm, at, at->tls[k], 0, &t->tls, k);
    write_node(vm, at, at->own[k], 0, &t->own, k);
}

/* The kernel's list of threads and the open footprints are in the order of numbers. */
static void write_lists(struct vm *vm, const struct model *m, const struct places *at)
{
    unsigned n = 0, nread = 0;
    for (unsigned k = 0; k < m->n; k++) {
        n += !m->thread[k].ended;
        nread += !m->thread[k].ended && m->thread[k].reads;
    }
    uint32_t first = (sizeof(struct vm_threads) + 7) / 8;
    uint64_t state = make_named(vm, first + n, VM_OBJ_KERNEL, 1);
    uint64_t open =
        nread ? vm_heap_make_frame(&vm->heap, nread * VM_ENTRY_WORDS * 8, VM_FOOTPRINTS) : 0;
    bare_write(vm, state, 0, n | (uint64_t)n << 32, ~0ull, 0);
    unsigned in_list = first, entry = 0;
    for (unsigned k = 0; k < m->n; k++) {
        const struct thread *t = &m->thread[k];
        if (t->ended)
            continue;
        bare_write(vm, state, in_list++, at->record[k], ~0ull, 0xff);
        if (!t->reads)
            continue;
        bare_write(vm, open, entry, at->record[k], ~0ull, 0xff);
        bare_write(vm, open, entry + 1, at->shared[t->footprint], ~0ull, 0xff);
        entry += VM_ENTRY_WORDS;
    }
    vm->s.reg[VM_REG_STATE] = state;
    vm->s.footprint = open;
}

static struct vm *build(const struct bare *bare, const struct model *m, bool symmetric)
{
    struct vm *vm = bare_open(bare, symmetric, 0);
    struct places at = {0};
    make_all(vm, m, &at);
    for (unsigned k = 0; k < m->n; k++)
        if (!m->thread[k].ended)
            write_thread(vm, &at, &m->thread[k], k);
    for (unsigned k = 0; k < SHARED; k++) {
        write_node(vm, &at, at.shared[k], 0, &m->shared[k], 0);
        bare_write(vm, vm_ptr(VM_ID_GLOBAL, k, 0), 0, at.shared[k], ~0ull, 0xff);
    }
    write_node(vm, &at, at.main, VM_FRAME_HEADER, &m->main, 0);
    write_lists(vm, m, &at);
    vm->new_symmetric = ((1ull << m->n) - 1) << FIRST;
    return vm;
}

struct hash {
    uint64_t at[2];
};

static struct hash hash_of(const struct bare *bare, const struct model *m, bool symmetric)
{
    struct vm *vm = build(bare, m, symmetric);
    struct hash hash;
    vm_finish(vm);
    vm_hash(vm, hash.at);
    assert_int_equal(vm->heap.inchash.stable_ids->symmetric != 0, symmetric);
    vm_close(vm);
    return hash;
}

static bool is_equal(struct hash a, struct hash b)
{
    return !memcmp(&a, &b, sizeof a);
}

/* ---- orbits ---------------------------------------------------------------------- */

enum { MOST_RENAMINGS = 24 };

struct orbit {
    struct hash apart[MOST_RENAMINGS], together[MOST_RENAMINGS];
    unsigned n;
};

static void add_renamings(const struct bare *bare, const struct model *m, unsigned *to,
                          unsigned k, struct orbit *orbit)
{
    if (k == m->n) {
        const struct model made = renamed(m, to);
        orbit->apart[orbit->n] = hash_of(bare, &made, false);
        orbit->together[orbit->n++] = hash_of(bare, &made, true);
        return;
    }
    for (unsigned x = 0; x < m->n; x++) {
        bool taken = false;
        for (unsigned j = 0; j < k; j++)
            taken |= to[j] == x;
        to[k] = x;
        if (!taken)
            add_renamings(bare, m, to, k + 1, orbit);
    }
}

static bool is_in(const struct orbit *orbit, struct hash apart)
{
    for (unsigned k = 0; k < orbit->n; k++)
        if (is_equal(orbit->apart[k], apart))
            return true;
    return false;
}

/* Returns how many of the models that it changes are of the same orbit. */
static unsigned compare(const struct bare *bare, const struct model *m, unsigned *larger)
{
    struct orbit orbit = {.n = 0};
    unsigned to[MOST], same = 0;
    add_renamings(bare, m, to, 0, &orbit);
    for (unsigned k = 1; k < orbit.n; k++) {
        assert_true(is_equal(orbit.together[k], orbit.together[0]));
        *larger += !is_equal(orbit.apart[k], orbit.apart[0]);
    }
    for (unsigned k = 0; k < CHANGES; k++) {
        struct model other = *m;
        change(&other);
        bool member = is_in(&orbit, hash_of(bare, &other, false));
        assert_int_equal(is_equal(hash_of(bare, &other, true), orbit.together[0]), member);
        same += member;
    }
    return same;
}

static void orbits_are_states(void **unused)
{
    struct bare bare;
    struct model m;
    unsigned same = 0, larger = 0;
    (void)unused;
    bare_init(&bare);
    for (unsigned k = 0; k < MODELS; k++) {
        bare_seed = k;
        random_model(&m, 2 + k % 3);
        same += compare(&bare, &m, &larger);
    }
    assert_in_range(same, MODELS / 4, MODELS * CHANGES - MODELS / 4);
    assert_true(larger > MODELS);
    bare_fini(&bare);
}

/* Threads that hold on to each other in a ring, and those that do so in two rings, are not the
 * same, though each looks as any other. */
static void rings_are_told_apart(void **unused)
{
    struct bare bare;
    static const unsigned next[2][MOST] = {{1, 2, 3, 0}, {1, 0, 3, 2}};
    struct hash hash[2];
    (void)unused;
    bare_init(&bare);
    for (unsigned kind = 0; kind < 2; kind++) {
        struct model m = {.n = MOST};
        struct orbit orbit = {.n = 0};
        unsigned to[MOST];
        for (unsigned k = 0; k < MOST; k++)
            m.thread[k].record.ref[0] = (struct ref){TO_THREAD, next[kind][k]};
        add_renamings(&bare, &m, to, 0, &orbit);
        for (unsigned k = 1; k < orbit.n; k++)
            assert_true(is_equal(orbit.together[k], orbit.together[0]));
        hash[kind] = orbit.together[0];
    }
    assert_false(is_equal(hash[0], hash[1]));
    bare_fini(&bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orbits_are_states),
        cmocka_unit_test(rings_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
