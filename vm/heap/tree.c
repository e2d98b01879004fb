/* tree.c - states of the heap: base snapshots, which are persistent radix trees of objects, and
 * the changes of states to them.
 *
 * A new base snapshot shares all nodes that did not change with the old one.  A snapshot costs
 * what differs from its base snapshot, and a restore the same, and what differs between base
 * snapshots. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "heap.h"
#include "memory.h"
#include "pool.h"

enum {
    MOST_CHANGES = 24, /* else it gets a base snapshot of its own */
    FEW_CHANGES = 4,   /* no other base snapshot is worth while */
    FIRST_WINDOW = 256,
};

struct vm_node *vm_node_new(void)
{
    struct vm_node *node = vm_take(sizeof *node);
    memset(node, 0, sizeof *node);
    node->refs = 1;
    return node;
}

struct vm_node *vm_node_retain(struct vm_node *node)
{
    vm_ref_take(&node->refs);
    return node;
}

void vm_node_release(struct vm_node *node, unsigned levels)
{
    if (!vm_ref_drop(&node->refs))
        return;
    for (unsigned c = 0; c < VM_FANOUT; c++) {
        if (!node->child[c])
            continue;
        if (levels == 1)
            vm_obj_release(node->child[c]);
        else
            vm_node_release(node->child[c], levels - 1);
    }
    vm_give(node, sizeof *node);
}

/* Returns a node that only the caller's tree refers to. */
static struct vm_node *node_own(struct vm_node *node, unsigned levels)
{
    if (!node)
        return vm_node_new();
    if (node->refs == 1)
        return node;
    struct vm_node *copy = vm_take(sizeof *copy);
    copy->refs = 1;
    memcpy(copy->child, node->child, sizeof copy->child);
    for (unsigned c = 0; c < VM_FANOUT; c++) {
        if (!copy->child[c])
            continue;
        if (levels == 1)
            vm_obj_retain(copy->child[c]);
        else
            vm_node_retain(copy->child[c]);
    }
    vm_node_release(node, levels);
    return copy;
}

static void tree_grow(struct vm_tree *t, uint32_t n)
{
    t->n = n;
    while (n > 0 && (t->levels == 0 || (uint64_t)1 << (t->levels * VM_FANOUT_BITS) < n)) {
        if (t->root) {
            struct vm_node *top = vm_node_new();
            top->child[0] = t->root;
            t->root = top;
        }
        t->levels++;
    }
}

/* Puts one reference of o (may be NULL) at index. */
static void tree_set(struct vm_tree *t, uint32_t index, struct vm_obj *o)
{
    assert(!((uint64_t)index >> (t->levels * VM_FANOUT_BITS)));
    struct vm_node **at = &t->root;
    for (unsigned level = t->levels; level >= 1; level--) {
        *at = node_own(*at, level);
        at = (struct vm_node **)&(*at)
                 ->child[index >> ((level - 1) * VM_FANOUT_BITS) & (VM_FANOUT - 1)];
    }
    if (*at)
        vm_obj_release((struct vm_obj *)*at);
    *at = (struct vm_node *)o;
}

struct differing {
    void (*visit)(void *context, uint32_t index, const struct vm_obj *o);
    void *context;
};

static void differ(const struct differing *d, const struct vm_node *from,
                   const struct vm_node *to, unsigned levels, uint32_t first)
{
    uint32_t step = (uint32_t)1 << ((levels - 1) * VM_FANOUT_BITS);
    for (unsigned c = 0; c < VM_FANOUT; c++) {
        void *was = from ? from->child[c] : NULL, *is = to ? to->child[c] : NULL;
        if (was == is)
            continue;
        if (levels == 1)
            d->visit(d->context, first + c, is);
        else
            differ(d, was, is, levels - 1, first + c * step);
    }
}

void vm_tree_differ(const struct vm_node *from, const struct vm_node *to, unsigned levels,
                    void (*visit)(void *context, uint32_t index, const struct vm_obj *o),
                    void *context)
{
    struct differing d = {visit, context};
    if (from != to)
        differ(&d, from, to, levels, 0);
}

struct vm_obj *vm_tree_at(const struct vm_tree *tree, uint32_t index)
{
    if ((uint64_t)index >> (tree->levels * VM_FANOUT_BITS))
        return NULL;
    const void *at = tree->root;
    for (unsigned level = tree->levels; at && level >= 1; level--)
        at = ((const struct vm_node *)at)
                 ->child[index >> ((level - 1) * VM_FANOUT_BITS) & (VM_FANOUT - 1)];
    return (struct vm_obj *)at;
}

/* ---- base snapshots and changes -------------------------------------------------- */

struct vm_base *vm_base_new(void)
{
    struct vm_base *base = vm_take(sizeof *base);
    *base = (struct vm_base){0};
    base->refs = 1;
    return base;
}

struct vm_base *vm_base_retain(struct vm_base *base)
{
    vm_ref_take(&base->refs);
    return base;
}

void vm_base_release(struct vm_base *base)
{
    if (!base || !vm_ref_drop(&base->refs))
        return;
    for (unsigned r = 0; r < VM_REGIONS; r++)
        if (base->tree[r].root)
            vm_node_release(base->tree[r].root, base->tree[r].levels);
    vm_give(base, sizeof *base);
}

/* Returns a base snapshot of the heap's own, with the same nodes as another. */
static struct vm_base *base_like(const struct vm_heap *h, const struct vm_base *from)
{
    struct vm_base *base = vm_base_new();
    base->owner = h;
    for (unsigned r = 0; r < VM_REGIONS; r++) {
        base->tree[r] = from->tree[r];
        if (base->tree[r].root)
            vm_node_retain(base->tree[r].root);
    }
    return base;
}

/* Returns the base snapshot of a memory that differs from another in the n changes that were
 * found. */
static struct vm_base *base_with(const struct vm_heap *h, const struct vm_base *from,
                                 const uint32_t *ends, size_t n)
{
    struct vm_base *base = base_like(h, from);
    const struct vm_change *change = h->found;
    for (unsigned r = 0; r < VM_REGIONS; r++)
        tree_grow(&base->tree[r], ends[r]);
    for (size_t k = 0; k < n; k++, change++)
        tree_set(&base->tree[change->region], change->index,
                 change->o ? vm_obj_retain(change->o) : NULL);
    return base;
}

static size_t changes_size(uint32_t n)
{
    return sizeof(struct vm_changes) + n * sizeof(struct vm_change);
}

struct vm_changes *vm_changes_new(uint32_t n)
{
    struct vm_changes *changes = vm_take(changes_size(n));
    changes->refs = 1;
    changes->n = n;
    return changes;
}

static struct vm_changes *changes_of(const struct vm_change *at, uint32_t n)
{
    if (n == 0)
        return NULL;
    struct vm_changes *changes = vm_changes_new(n);
    for (uint32_t k = 0; k < n; k++) {
        changes->at[k] = at[k];
        if (at[k].o)
            vm_obj_retain(at[k].o);
    }
    return changes;
}

static void changes_release(struct vm_changes *changes)
{
    if (!vm_ref_drop(&changes->refs))
        return;
    for (uint32_t k = 0; k < changes->n; k++)
        if (changes->at[k].o)
            vm_obj_release(changes->at[k].o);
    vm_give(changes, changes_size(changes->n));
}

void vm_root_retain(const struct vm_root *root)
{
    vm_base_retain(root->base);
    if (root->changes)
        vm_ref_take(&root->changes->refs);
    vm_inchash_retain(&root->inchash);
}

void vm_root_release(struct vm_root *root)
{
    vm_base_release(root->base);
    if (root->changes)
        changes_release(root->changes);
    vm_inchash_release(&root->inchash);
    *root = (struct vm_root){0};
}

/* ---- snapshots ------------------------------------------------------------------- */

struct vm_change *vm_found_reserve(struct vm_heap *h, size_t n)
{
    if (h->found_capacity < n) {
        h->found_capacity = 2 * n;
        h->found = vm_resize(h->found, h->found_capacity * sizeof *h->found);
    }
    return h->found;
}

/* Finds where the heap differs from its origin's base snapshot: the log has first what was
 * there.  A change of the origin stays a change even if it is undone, so that the order is the
 * same, except where there is nothing behind the end of the table.  True if a page is among the
 * changes. */
static bool find_changes(struct vm_heap *h, size_t *n)
{
    uint64_t stamp = h->segment++; /* nothing is logged in this one */
    bool paged = false;
    /* Twice: see find_rebased. */
    struct vm_change *found = vm_found_reserve(h, 2 * h->nlog + h->rebase.n);
    for (size_t k = 0; k < h->nlog; k++) {
        const struct vm_undo *u = &h->log[k];
        struct vm_table *t = vm_table_of(h, u->region);
        struct vm_obj *o = t->obj[u->index];
        bool again = t->logged[u->index] == stamp;
        t->logged[u->index] = stamp;
        bool same = o == u->old;
        if (again || (same && (k >= h->norigin || u->index >= t->n)))
            continue;
        assert(!o || u->index < t->n);
        *found++ = (struct vm_change){u->region, u->index, o};
        paged |= u->region == VM_PAGES;
    }
    *n = (size_t)(found - h->found);
    return paged;
}

/* ---- rebases --------------------------------------------------------------------- */

/* Most states of a search differ from their base snapshot in the same places, and many have the
 * same objects there: those that were made when the threads were made. So now and then a state
 * becomes a new base snapshot, which later states get instead of the old one. */

void vm_rebase_release(struct vm_rebase *rebase)
{
    vm_base_release(rebase->from);
    vm_base_release(rebase->to);
    free(rebase->at);
    rebase->from = rebase->to = NULL;
    rebase->at = NULL;
    rebase->n = 0;
}

/* Should this state, which has n changes, become the base snapshot of later states?  The
 * windows double, so that there are few base snapshots. */
static bool is_rebased(struct vm_rebase *rebase, size_t n)
{
    if (rebase->never)
        return false;
    if (!rebase->window)
        rebase->window = FIRST_WINDOW;
    rebase->changes += n;
    if (++rebase->states < rebase->window)
        return false;
    bool many = rebase->changes > FEW_CHANGES * rebase->states;
    rebase->states = rebase->changes = 0;
    rebase->window *= 2;
    return many;
}

/* Makes `to` the base snapshot that states get instead of `from`.  The two differ in the n
 * changes that were found. */
static void rebase_new(struct vm_heap *h, struct vm_base *from, struct vm_base *to, size_t n)
{
    struct vm_rebase *rebase = &h->rebase;
    vm_base_retain(from);
    vm_rebase_release(rebase);
    rebase->from = from;
    rebase->to = vm_base_retain(to);
    rebase->at = vm_alloc(n * sizeof *rebase->at);
    memcpy(rebase->at, h->found, n * sizeof *rebase->at);
    rebase->n = n;
}

/* Finds the changes to the other base snapshot, by those that were found to the first.  All its
 * objects are alive, so an equal address means the same object. */
static size_t find_rebased(struct vm_heap *h, size_t n)
{
    const struct vm_rebase *rebase = &h->rebase;
    uint64_t stamp = h->segment++;
    struct vm_change *found = h->found + n, *from = h->found;
    for (size_t k = 0; k < rebase->n; k++) {
        struct vm_change change = rebase->at[k];
        struct vm_table *t = vm_table_of(h, change.region);
        t->logged[change.index] = stamp;
        if (t->obj[change.index] == change.o)
            continue;
        change.o = t->obj[change.index];
        *found++ = change;
    }
    for (size_t k = 0; k < n; k++)
        if (vm_table_of(h, from[k].region)->logged[from[k].index] != stamp)
            *found++ = from[k];
    size_t left = (size_t)(found - h->found) - n;
    memmove(h->found, h->found + n, left * sizeof *found);
    return left;
}

struct vm_root vm_heap_snapshot(struct vm_heap *h)
{
    size_t n;
    assert(!h->readset.recording && (h->exact || vm_heap_is_summed(h)));
    vm_heap_close(h);
    bool paged = find_changes(h, &n);
    struct vm_root root = {
        .leak_sum = h->leak_sum,
        .nheap = h->nheap,
        .nstable = h->nstable,
        .bytes = h->bytes,
        .inchash = h->inchash,
    };
    vm_inchash_retain(&root.inchash);
    for (unsigned r = 0; r < VM_REGIONS; r++)
        root.n[r] = vm_table_of(h, r)->n;
    struct vm_base *base = h->origin.base;
    if (!paged && base == h->rebase.from) {
        n = find_rebased(h, n);
        base = h->rebase.to;
    }
    bool much = paged || n > MOST_CHANGES, rebased = !much && is_rebased(&h->rebase, n);
    if (much || rebased) {
        root.base = base_with(h, base, root.n, n);
        if (rebased)
            rebase_new(h, base, root.base, n);
    } else {
        root.base = vm_base_retain(base);
        root.changes = changes_of(h->found, (uint32_t)n);
    }
    return root;
}

/* ---- restoring ------------------------------------------------------------------- */

static void put(struct vm_heap *h, struct vm_table *t, uint32_t index, struct vm_obj *o)
{
    t->obj[index] = o;
    if (t == &h->pages && o)
        vm_pages_load(h, o);
}

/* Puts the objects of a subtree into the table; NULL stands for all NULL. */
static void fill(struct vm_heap *h, struct vm_table *t, const struct vm_node *node,
                 unsigned levels, uint32_t first)
{
    uint32_t step = (uint32_t)1 << ((levels - 1) * VM_FANOUT_BITS);
    for (unsigned c = 0; c < VM_FANOUT && first + c * step < t->n; c++) {
        void *child = node ? node->child[c] : NULL;
        if (levels == 1)
            put(h, t, first + c, child);
        else
            fill(h, t, child, levels - 1, first + c * step);
    }
}

/* Prefetches a node, which has two cache lines. */
static void prefetch_node(const struct vm_node *node)
{
    if (!node)
        return;
    __builtin_prefetch(node);
    __builtin_prefetch(&node->child[VM_FANOUT - 1]);
}

static void switch_tree(struct vm_heap *h, struct vm_table *t, const struct vm_node *from,
                        const struct vm_node *to, unsigned levels, uint32_t first)
{
    if (from == to)
        return;
    if (!from || !to) {
        fill(h, t, to, levels, first);
        return;
    }
    uint32_t step = (uint32_t)1 << ((levels - 1) * VM_FANOUT_BITS);
    for (unsigned c = 0; levels > 1 && c < VM_FANOUT; c++)
        if (from->child[c] != to->child[c]) {
            prefetch_node(from->child[c]);
            prefetch_node(to->child[c]);
        }
    for (unsigned c = 0; c < VM_FANOUT; c++) {
        if (from->child[c] == to->child[c])
            continue;
        if (levels == 1)
            put(h, t, first + c, to->child[c]);
        else
            switch_tree(h, t, from->child[c], to->child[c], levels - 1, first + c * step);
    }
}

/* Replaces the objects of one base snapshot in the heap's tables by those of another. */
static void switch_base(struct vm_heap *h, const struct vm_base *old,
                        const struct vm_base *base)
{
    for (unsigned r = 0; r < VM_REGIONS; r++) {
        const struct vm_tree *from = &old->tree[r], *to = &base->tree[r];
        struct vm_table *t = vm_table_of(h, r);
        uint32_t n = from->n > to->n ? from->n : to->n;
        vm_table_reserve(t, n);
        t->n = n;
        if (from->levels == to->levels && from->levels > 0)
            switch_tree(h, t, from->root, to->root, to->levels, 0);
        else {
            if (n > 0)
                memset(t->obj, 0, (size_t)n * sizeof *t->obj);
            if (to->levels > 0)
                fill(h, t, to->root, to->levels, 0);
        }
    }
    vm_pages_place(h);
}

/* Applies the changes of a state as long as they are to the same places as those of the origin;
 * returns how many they are. */
static uint32_t apply_alike(struct vm_heap *h, const struct vm_changes *changes)
{
    uint32_t k = 0;
    for (; k < h->norigin && k < changes->n; k++) {
        const struct vm_undo *u = &h->log[k];
        const struct vm_change *change = &changes->at[k];
        if (u->region != change->region || u->index != change->index)
            break;
        h->table[u->region].obj[u->index] = change->o;
    }
    return k;
}

static void undo_changes(struct vm_heap *h, uint32_t from)
{
    for (size_t k = from; k < h->norigin; k++)
        h->table[h->log[k].region].obj[h->log[k].index] = h->log[k].old;
}

/* Applies the other changes.  They stand in the log without a reference, which the state
 * has. */
static void apply(struct vm_heap *h, const struct vm_changes *changes, uint32_t from)
{
    uint32_t n = changes ? changes->n : 0;
    h->nlog = 0;
    vm_undo_reserve(h, n);
    for (uint32_t k = from; k < n; k++) {
        const struct vm_change *change = &changes->at[k];
        assert(change->index < h->table[change->region].capacity);
        struct vm_obj **at = &h->table[change->region].obj[change->index];
        h->log[k] = (struct vm_undo){change->region, change->index, *at};
        *at = change->o;
    }
    h->nlog = n;
}

static void reserve(struct vm_heap *h, const uint32_t *n)
{
    for (unsigned r = 0; r < VM_REGIONS; r++) {
        struct vm_table *t = vm_table_of(h, r);
        vm_table_reserve(t, n[r]);
        t->n = n[r];
    }
}

void vm_heap_restore(struct vm_heap *h, struct vm_root *root)
{
    vm_import_collect(h);
    vm_heap_undo_all(h);
    struct vm_root old = h->origin;
    const struct vm_base *base = old.base;
    uint32_t alike = 0;
    vm_root_import(h, root);
    h->origin = *root;
    reserve(h, root->n);
    if (h->origin.base == base && h->origin.changes)
        alike = apply_alike(h, h->origin.changes);
    undo_changes(h, alike);
    if (h->origin.base != base) {
        switch_base(h, base, h->origin.base);
        reserve(h, root->n);
    }
    apply(h, h->origin.changes, alike);
    h->norigin = h->log_open = h->nlog;
    h->leak_sum = root->leak_sum;
    h->nheap = root->nheap;
    h->nstable = root->nstable;
    h->bytes = root->bytes;
    vm_inchash_set(&h->inchash, &h->origin.inchash);
    h->summed = true;
    h->nsummed = h->nlog;
    h->frame_hint = VM_HOMES;
    vm_root_release(&old);
}
