/* canonical_form_test.c - fingerprints against a plain canonical form of a model.
 *
 * A model is a memory of a few objects.  It is built in the machine in random orders, among
 * objects that come and go: the fingerprint must not depend on that.  Two models have one
 * fingerprint if and only if they have one form, which is written here by the definition. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/bare.h"

enum {
    NODES = 9,
    WORDS = 4,
    ALL = BARE_GLOBALS + NODES,
    ORDERS = 4,
    MODELS = 1500,
    CHANGES = 12
};

struct word {
    enum { NUMBER, EDGE, PARTLY } kind;
    unsigned value; /* or to which node */
};

/* The first ones are the globals, and the next one is the root. */
struct node {
    unsigned nwords, site;
    bool kernel, shared, dead;
    struct word word[WORDS];
};

struct model {
    struct node node[ALL];
};

static struct word random_word(void)
{
    if (draw(2))
        return (struct word){EDGE, draw(ALL)};
    return (struct word){draw(4) ? NUMBER : PARTLY, draw(3)};
}

static void random_model(struct model *m)
{
    for (unsigned k = 0; k < ALL; k++) {
        bool root = k == BARE_GLOBALS;
        struct node *node = &m->node[k];
        *node = (struct node){.nwords = k < BARE_GLOBALS ? WORDS : 1 + draw(WORDS),
                              .site = draw(2),
                              .kernel = root || draw(3) == 0,
                              .shared = draw(2),
                              .dead = k > BARE_GLOBALS && draw(6) == 0};
        for (unsigned w = 0; w < node->nwords; w++)
            node->word[w] = random_word();
    }
}

/* One thing is another. */
static void change(struct model *m)
{
    unsigned k = draw(ALL);
    struct node *node = &m->node[k];
    unsigned what = k <= BARE_GLOBALS ? 0 : draw(8);
    switch (what) {
    case 1: node->site ^= 1; break;
    case 2: node->kernel ^= 1; break;
    case 3: node->shared ^= 1; break;
    case 4: node->dead ^= 1; break;
    case 5:
        node->nwords = 1 + node->nwords % WORDS;
        node->word[node->nwords - 1] = random_word();
        break;
    default: node->word[draw(node->nwords)] = random_word();
    }
}

/* ---- the form by the definition -------------------------------------------------- */

enum { MOST_FORM = ALL * (WORDS + 8) };

struct form {
    unsigned number[ALL], queue[ALL], n, nat;
    uint64_t at[MOST_FORM];
};

static void put(struct form *f, uint64_t x)
{
    assert_in_range(f->nat, 0, MOST_FORM - 1);
    f->at[f->nat++] = x;
}

static unsigned number_of(struct form *f, unsigned node)
{
    if (!f->number[node]) {
        f->queue[f->n++] = node;
        f->number[node] = f->n;
    }
    return f->number[node];
}

static void describe(struct form *f, unsigned k, const struct node *node)
{
    put(f, (uint64_t)node->dead);
    if (node->dead)
        return;
    put(f, node->nwords << 2 | (node->kernel && k >= BARE_GLOBALS) << 1 | node->shared);
    for (unsigned w = 0; w < node->nwords; w++) {
        const struct word *word = &node->word[w];
        put(f, word->kind);
        put(f, word->kind == EDGE ? number_of(f, word->value) : word->value);
    }
}

/* Of what nothing leads to, the program's objects are leaked: so many of each size and place.
 */
static void describe_leaks(struct form *f, const struct model *m)
{
    unsigned leaked[2][WORDS + 1] = {0};
    for (unsigned k = BARE_GLOBALS; k < ALL; k++)
        if (!f->number[k] && !m->node[k].dead && !m->node[k].kernel)
            leaked[m->node[k].site][m->node[k].nwords]++;
    for (unsigned site = 0; site < 2; site++)
        for (unsigned n = 1; n <= WORDS; n++)
            put(f, leaked[site][n]);
}

static struct form form_of(const struct model *m)
{
    struct form f = {0};
    for (unsigned k = 0; k <= BARE_GLOBALS; k++)
        number_of(&f, k);
    for (unsigned k = 0; k < f.n; k++)
        describe(&f, f.queue[k], &m->node[f.queue[k]]);
    describe_leaks(&f, m);
    return f;
}

static bool is_same(const struct form *a, const struct form *b)
{
    return a->nat == b->nat && !memcmp(a->at, b->at, a->nat * sizeof *a->at);
}

/* ---- the machine's fingerprint --------------------------------------------------- */

static void make_some_garbage(struct vm_heap *h)
{
    uint64_t p[3];
    unsigned n = draw(4);
    for (unsigned k = 0; k < n; k++)
        p[k] = vm_heap_make(h, 8, VM_OBJ_HEAP, k);
    for (unsigned k = 0; k < n; k++)
        vm_heap_free(h, p[k]);
}

static void make_nodes(struct vm *vm, const struct model *m, uint64_t at[ALL])
{
    unsigned order[NODES];
    shuffle(order, NODES);
    for (unsigned k = 0; k < BARE_GLOBALS; k++)
        at[k] = vm_ptr(VM_ID_GLOBAL, k, 0);
    for (unsigned k = 0; k < NODES; k++) {
        const struct node *node = &m->node[BARE_GLOBALS + order[k]];
        make_some_garbage(&vm->heap);
        at[BARE_GLOBALS + order[k]] =
            vm_heap_make(&vm->heap, node->nwords * 8,
                         node->kernel ? VM_OBJ_KERNEL : VM_OBJ_HEAP, node->site);
    }
}

static void write_node(struct vm *vm, const struct node *node, uint64_t p, const uint64_t *at)
{
    struct vm_obj *o = vm_heap_own(&vm->heap, p, vm_heap_get(&vm->heap, p));
    o->flags |= node->shared ? VM_SHARED : 0;
    for (uint32_t w = 0; w < node->nwords; w++) {
        const struct word *word = &node->word[w];
        switch (word->kind) {
        case NUMBER: bare_write(vm, p, w, word->value, ~0ull, 0); break;
        case PARTLY: bare_write(vm, p, w, word->value, 0xffffffff, 0); break;
        case EDGE: bare_write(vm, p, w, at[word->value], ~0ull, 0xff); break;
        }
    }
}

static struct vm *build(const struct bare *bare, const struct model *m, unsigned left_out)
{
    struct vm *vm = bare_open(bare, false, left_out);
    uint64_t at[ALL];
    unsigned order[ALL];
    make_nodes(vm, m, at);
    shuffle(order, ALL);
    for (unsigned k = 0; k < ALL; k++)
        write_node(vm, &m->node[order[k]], at[order[k]], at);
    for (unsigned k = 0; k < ALL; k++)
        if (m->node[k].dead)
            vm_heap_free(&vm->heap, at[k]);
    vm->s.reg[VM_REG_STATE] = at[BARE_GLOBALS];
    return vm;
}

struct hash {
    uint64_t at[2];
};

static struct hash hash_of(const struct bare *bare, const struct model *m)
{
    struct vm *vm = build(bare, m, draw(2) ? VM_CACHE_INCHASH : 0);
    struct hash hash, again;
    vm_finish(vm);
    vm_hash(vm, hash.at);
    vm_hash(vm, again.at);
    assert_memory_equal(&hash, &again, sizeof hash);
    vm_close(vm);
    return hash;
}

static bool is_equal(struct hash a, struct hash b)
{
    return !memcmp(&a, &b, sizeof a);
}

/* ---- tests ----------------------------------------------------------------------- */

static void order_does_not_matter(void **unused)
{
    struct bare bare;
    struct model m;
    (void)unused;
    bare_init(&bare);
    for (unsigned k = 0; k < MODELS; k++) {
        bare_seed = k;
        random_model(&m);
        struct hash hash = hash_of(&bare, &m);
        for (unsigned j = 0; j < ORDERS; j++)
            assert_true(is_equal(hash_of(&bare, &m), hash));
    }
    bare_fini(&bare);
}

static void contents_matter(void **unused)
{
    struct bare bare;
    struct model m, other;
    unsigned same = 0;
    (void)unused;
    bare_init(&bare);
    for (unsigned k = 0; k < MODELS; k++) {
        bare_seed = 1000 + k;
        random_model(&m);
        const struct form form = form_of(&m);
        const struct hash hash = hash_of(&bare, &m);
        for (unsigned j = 0; j < CHANGES; j++) {
            other = m;
            change(&other);
            const struct form form_of_other = form_of(&other);
            bool equal = is_same(&form, &form_of_other);
            assert_int_equal(is_equal(hash_of(&bare, &other), hash), equal);
            same += equal;
        }
    }
    assert_in_range(same, MODELS, MODELS * CHANGES / 2); /* of both there are many */
    bare_fini(&bare);
}

/* An object that something leads to is another if its address is in pieces: ids count then, so
 * that states are told apart which are the same, and never taken for the same. */
static void pieces_of_pointers_have_ids(void **unused)
{
    struct bare bare;
    struct hash hash[2];
    (void)unused;
    bare_init(&bare);
    for (unsigned k = 0; k < 2; k++) {
        struct vm *vm = bare_open(&bare, false, 0);
        uint64_t root = vm_heap_make(&vm->heap, 16, VM_OBJ_KERNEL, 0), p[2];
        for (unsigned j = 0; j < 2; j++)
            p[j] = vm_heap_make(&vm->heap, 8, VM_OBJ_HEAP, 0);
        for (unsigned j = 0; j < 2; j++)
            bare_write(vm, p[j], 0, 7, ~0ull, 0);
        bare_write(vm, root, 0, p[0], ~0ull, 0xff);
        bare_write(vm, root, 1, p[k], ~0ull, 0x0f); /* half of it */
        vm->s.reg[VM_REG_STATE] = root;
        vm_finish(vm);
        vm_hash(vm, hash[k].at);
        vm_close(vm);
    }
    assert_false(is_equal(hash[0], hash[1]));
    bare_fini(&bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_does_not_matter),
        cmocka_unit_test(contents_matter),
        cmocka_unit_test(pieces_of_pointers_have_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
