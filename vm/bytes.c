/* bytes.c - states as bytes, to be kept elsewhere and read in again.
 *
 * A list of items, each after those it refers to: objects, lists of ids, nodes of the trees,
 * base snapshots, changes, and the states.  What several of the states share is one item.  The
 * bytes are for the same process: they have its layout of structs, and are trusted. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "vm/heap/memory.h"
#include "vm/heap/pool.h"

enum item { ITEM_OBJECT, ITEM_ID_LIST, ITEM_STABLE_IDS, ITEM_NODE, ITEM_BASE, ITEM_CHANGES };

/* ---- writing --------------------------------------------------------------------- */

struct seen {
    const void *at;
    uint32_t number;
};

struct writer {
    struct vm_bytes *out;
    struct seen *seen; /* by address; a power of 2, at most half full */
    size_t size;
    uint32_t n; /* items */
};

static void put(struct writer *w, const void *bytes, size_t n)
{
    struct vm_bytes *out = w->out;
    if (out->n + n > out->max) {
        out->max = 2 * (out->n + n);
        out->at = vm_resize(out->at, out->max);
    }
    memcpy(out->at + out->n, bytes, n);
    out->n += n;
}

static void put_number(struct writer *w, uint32_t x)
{
    put(w, &x, sizeof x);
}

static struct seen *slot_of(const struct writer *w, const void *at)
{
    size_t i = (uintptr_t)at * 0x9e3779b97f4a7c15 >> 20;
    for (;; i++) {
        struct seen *seen = &w->seen[i & (w->size - 1)];
        if (!seen->at || seen->at == at)
            return seen;
    }
}

static void widen(struct writer *w)
{
    struct writer old = *w;
    w->size = old.size ? 2 * old.size : 1024;
    w->seen = vm_zeros(w->size, sizeof *w->seen);
    for (size_t i = 0; i < old.size; i++)
        if (old.seen[i].at)
            *slot_of(w, old.seen[i].at) = old.seen[i];
    free(old.seen);
}

/* Is the address that of an item already?  Sets its number in any case: if it is none, the
 * caller writes it now. */
static bool is_known(struct writer *w, const void *at, uint32_t *number)
{
    if (2 * w->n >= w->size)
        widen(w);
    struct seen *seen = slot_of(w, at);
    bool known = seen->at;
    if (!known)
        *seen = (struct seen){at, ++w->n};
    *number = seen->number;
    return known;
}

/* The part of an object that is written as it is: from its size to its hash. */
enum { HEAD = offsetof(struct vm_obj, size), HEAD_END = offsetof(struct vm_obj, bits) };

static uint32_t put_object(struct writer *w, const struct vm_obj *o)
{
    uint32_t number;
    if (is_known(w, o, &number))
        return number;
    assert(!(o->flags & VM_OWNED));
    put_number(w, ITEM_OBJECT);
    put(w, (const char *)o + HEAD, HEAD_END - HEAD);
    put_number(w, o->bits != NULL);
    put(w, o->data, vm_obj_tail(o->size, o->kind));
    if (o->bits)
        put(w, o->bits, (size_t)o->size + 8);
    return number;
}

static uint32_t put_id_list(struct writer *w, const struct vm_id_list *ids)
{
    uint32_t number;
    if (!ids)
        return 0;
    if (is_known(w, ids, &number))
        return number;
    put_number(w, ITEM_ID_LIST);
    put_number(w, ids->n);
    put(w, ids->at, ids->n * sizeof *ids->at);
    return number;
}

static bool is_written(const struct writer *w, const void *at)
{
    return w->size && slot_of(w, at)->at;
}

static uint32_t put_stable_ids(struct writer *w, const struct vm_stable_ids *stable_ids)
{
    uint32_t number;
    if (!stable_ids)
        return 0;
    if (is_written(w, stable_ids))
        return slot_of(w, stable_ids)->number;
    uint32_t below = put_id_list(w, stable_ids->below);
    is_known(w, stable_ids, &number);
    put_number(w, ITEM_STABLE_IDS);
    put_number(w, below);
    put(w, stable_ids, sizeof *stable_ids);
    put(w, stable_ids->at, vm_stable_ids_room(stable_ids));
    return number;
}

/* Writes a node.  Its number is given when all nodes below it have theirs, since reading goes
 * by the order of items. */
static uint32_t put_node(struct writer *w, const struct vm_node *node, unsigned levels)
{
    uint32_t number, children[VM_FANOUT] = {0};
    if (!node)
        return 0;
    if (is_written(w, node))
        return slot_of(w, node)->number;
    for (unsigned c = 0; c < VM_FANOUT; c++)
        if (node->child[c])
            children[c] = levels == 1 ? put_object(w, node->child[c])
                                      : put_node(w, node->child[c], levels - 1);
    is_known(w, node, &number);
    put_number(w, ITEM_NODE);
    put(w, children, sizeof children);
    return number;
}

static uint32_t put_base(struct writer *w, const struct vm_base *base)
{
    uint32_t number, roots[VM_REGIONS];
    if (is_written(w, base))
        return slot_of(w, base)->number;
    for (unsigned r = 0; r < VM_REGIONS; r++)
        roots[r] = put_node(w, base->tree[r].root, base->tree[r].levels);
    is_known(w, base, &number);
    put_number(w, ITEM_BASE);
    for (unsigned r = 0; r < VM_REGIONS; r++) {
        put_number(w, roots[r]);
        put_number(w, base->tree[r].levels);
        put_number(w, base->tree[r].n);
    }
    return number;
}

static uint32_t put_changes(struct writer *w, const struct vm_changes *changes)
{
    uint32_t number;
    if (!changes)
        return 0;
    if (is_written(w, changes))
        return slot_of(w, changes)->number;
    for (uint32_t k = 0; k < changes->n; k++)
        if (changes->at[k].o)
            put_object(w, changes->at[k].o);
    is_known(w, changes, &number);
    put_number(w, ITEM_CHANGES);
    put_number(w, changes->n);
    for (uint32_t k = 0; k < changes->n; k++) {
        const struct vm_change *change = &changes->at[k];
        put_number(w, change->region);
        put_number(w, change->index);
        put_number(w, change->o ? put_object(w, change->o) : 0);
    }
    return number;
}

/* The part of a state that is no reference; references are replaced by numbers of items. */
struct record {
    struct vm_root root;
    struct vm_registers registers;
    uint32_t base, changes, frontier, stable_ids;
};

static struct record put_parts(struct writer *w, const struct vm_state *state)
{
    struct record record = {
        .root = state->root,
        .registers = state->registers,
    };
    record.base = put_base(w, state->root.base);
    record.changes = put_changes(w, state->root.changes);
    record.root.base = NULL;
    record.root.changes = NULL;
    record.frontier = put_id_list(w, state->root.inchash.frontier);
    record.stable_ids = put_stable_ids(w, state->root.inchash.stable_ids);
    record.root.inchash.frontier = NULL;
    record.root.inchash.stable_ids = NULL;
    return record;
}

void vm_states_write(struct vm_state *const *states, size_t n, struct vm_bytes *out)
{
    struct writer w = {.out = out};
    struct record *records = vm_alloc(n * sizeof *records);
    size_t start = out->n;
    put_number(&w, 0);
    for (size_t i = 0; i < n; i++)
        records[i] = put_parts(&w, states[i]);
    memcpy(out->at + start, &w.n, sizeof w.n);
    put(&w, records, n * sizeof *records);
    free(records);
    free(w.seen);
}

/* ---- reading --------------------------------------------------------------------- */

struct reader {
    const unsigned char *at;
    void **items; /* by number; each is referred to by something at the end */
    uint32_t n;
};

static void get(struct reader *r, void *to, size_t n)
{
    memcpy(to, r->at, n);
    r->at += n;
}

static uint32_t get_number(struct reader *r)
{
    uint32_t x;
    get(r, &x, sizeof x);
    return x;
}

/* Returns an item, with one more reference: all kinds begin with their count. */
static void *item(const struct reader *r, uint32_t number)
{
    assert(number <= r->n);
    if (!number)
        return NULL;
    vm_ref_take(r->items[number - 1]);
    return r->items[number - 1];
}

static void *get_object(struct reader *r)
{
    struct vm_obj head;
    get(r, (char *)&head + HEAD, HEAD_END - HEAD);
    bool bits = get_number(r);
    struct vm_obj *o = vm_obj_new(head.size, head.kind);
    memcpy((char *)o + HEAD, (char *)&head + HEAD, HEAD_END - HEAD);
    get(r, o->data, vm_obj_tail(o->size, o->kind));
    if (bits) {
        o->bits = vm_alloc((size_t)o->size + 8);
        get(r, o->bits, (size_t)o->size + 8);
    }
    return o;
}

static void *get_id_list(struct reader *r)
{
    struct vm_id_list *ids = vm_id_list_new(get_number(r));
    get(r, ids->at, ids->n * sizeof *ids->at);
    return ids;
}

static void *get_stable_ids(struct reader *r)
{
    struct vm_id_list *below = item(r, get_number(r));
    struct vm_stable_ids head;
    get(r, &head, sizeof head);
    struct vm_stable_ids *stable_ids = vm_stable_ids_new(&head);
    stable_ids->below = below;
    get(r, stable_ids->at, vm_stable_ids_room(stable_ids));
    return stable_ids;
}

static void *get_node(struct reader *r)
{
    uint32_t children[VM_FANOUT];
    struct vm_node *node = vm_take(sizeof *node);
    node->refs = 1;
    get(r, children, sizeof children);
    for (unsigned c = 0; c < VM_FANOUT; c++)
        node->child[c] = item(r, children[c]);
    return node;
}

static void *get_base(struct reader *r)
{
    struct vm_base *base = vm_base_new();
    for (unsigned k = 0; k < VM_REGIONS; k++) {
        base->tree[k].root = item(r, get_number(r));
        base->tree[k].levels = get_number(r);
        base->tree[k].n = get_number(r);
    }
    return base;
}

static void *get_changes(struct reader *r)
{
    struct vm_changes *changes = vm_changes_new(get_number(r));
    for (uint32_t k = 0; k < changes->n; k++) {
        changes->at[k].region = get_number(r);
        changes->at[k].index = get_number(r);
        changes->at[k].o = item(r, get_number(r));
    }
    return changes;
}

static void *get_item(struct reader *r)
{
    switch ((enum item)get_number(r)) {
    case ITEM_OBJECT: return get_object(r);
    case ITEM_ID_LIST: return get_id_list(r);
    case ITEM_STABLE_IDS: return get_stable_ids(r);
    case ITEM_NODE: return get_node(r);
    case ITEM_BASE: return get_base(r);
    case ITEM_CHANGES: return get_changes(r);
    }
    abort();
}

static struct vm_state *get_state(struct reader *r)
{
    struct record record;
    get(r, &record, sizeof record);
    struct vm_state *state = vm_take(sizeof *state);
    state->root = record.root;
    state->root.base = item(r, record.base);
    state->root.changes = item(r, record.changes);
    state->root.inchash.frontier = item(r, record.frontier);
    state->root.inchash.stable_ids = item(r, record.stable_ids);
    state->registers = record.registers;
    return state;
}

size_t vm_states_read(const unsigned char *bytes, struct vm_state **states, size_t n)
{
    struct reader r = {.at = bytes};
    uint32_t nitems = get_number(&r);
    r.items = vm_alloc(nitems * sizeof *r.items);
    for (; r.n < nitems; r.n++)
        r.items[r.n] = get_item(&r);
    for (size_t i = 0; i < n; i++)
        states[i] = get_state(&r);
    for (uint32_t i = 0; i < nitems; i++)
        --*(uint32_t *)r.items[i];
    free(r.items);
    return (size_t)(r.at - bytes);
}
