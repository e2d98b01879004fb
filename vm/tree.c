/* tree.c - states of the heap: persistent radix trees of objects.
 *
 * A new tree shares all nodes that the log did not touch with the old one, so
 * a snapshot costs what was written since, and a restore what differs. */
#include <assert.h>
#include <string.h>

#include "heap.h"
#include "pool.h"

static struct vm_node *node_new(void)
{
    struct vm_node *node = vm_take(sizeof *node);
    memset(node, 0, sizeof *node);
    atomic_init(&node->refs, 1);
    return node;
}

static void node_retain(struct vm_node *node)
{
    vm_ref_take(&node->refs);
}

/* levels: 1 for a node whose children are objects. */
static void node_release(struct vm_node *node, unsigned levels)
{
    if (!vm_ref_drop(&node->refs))
        return;
    for (unsigned c = 0; c < VM_FANOUT; c++) {
        if (!node->child[c])
            continue;
        if (levels == 1)
            vm_obj_release(node->child[c]);
        else
            node_release(node->child[c], levels - 1);
    }
    vm_give(node, sizeof *node);
}

/* A node that only the caller's tree refers to. */
static struct vm_node *node_own(struct vm_node *node, unsigned levels)
{
    if (!node)
        return node_new();
    if (atomic_load_explicit(&node->refs, memory_order_acquire) == 1)
        return node;
    struct vm_node *copy = vm_take(sizeof *copy);
    atomic_init(&copy->refs, 1);
    memcpy(copy->child, node->child, sizeof copy->child);
    for (unsigned c = 0; c < VM_FANOUT; c++) {
        if (!copy->child[c])
            continue;
        if (levels == 1)
            vm_obj_retain(copy->child[c]);
        else
            node_retain(copy->child[c]);
    }
    node_release(node, levels);
    return copy;
}

static void tree_grow(struct vm_tree *t, uint32_t n)
{
    t->n = n;
    while (n > 0 && (t->levels == 0 || (uint64_t)1 << (t->levels * VM_FANOUT_BITS) < n)) {
        if (t->root) {
            struct vm_node *top = node_new();
            top->child[0] = t->root;
            t->root = top;
        }
        t->levels++;
    }
}

/* Puts one reference of o (may be NULL) at index. */
static void tree_set(struct vm_tree *t, uint32_t index, struct vm_obj *o)
{
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

static struct vm_obj *tree_get(const struct vm_tree *t, uint32_t index)
{
    void *at = t->root;
    for (unsigned level = t->levels; level >= 1 && at; level--)
        at = ((struct vm_node *)at)
                 ->child[index >> ((level - 1) * VM_FANOUT_BITS) & (VM_FANOUT - 1)];
    return at;
}

static void root_retain(const struct vm_root *root)
{
    for (unsigned r = 0; r < VM_REGIONS; r++)
        if (root->tree[r].root)
            node_retain(root->tree[r].root);
    vm_settled_retain(&root->settled);
}

void vm_root_release(struct vm_root *root)
{
    for (unsigned r = 0; r < VM_REGIONS; r++)
        if (root->tree[r].root)
            node_release(root->tree[r].root, root->tree[r].levels);
    vm_settled_release(&root->settled);
    *root = (struct vm_root){0};
}

struct vm_root vm_heap_snapshot(struct vm_heap *h)
{
    vm_settled_update(h);
    vm_pages_make(h);
    vm_pages_disown(h);
    struct vm_root root = h->base;
    root.settled = h->settled;
    root_retain(&root);
    for (unsigned r = 0; r < VM_REGIONS; r++)
        tree_grow(&root.tree[r], vm_table_of(h, r)->n);
    for (size_t k = 0; k < h->nlog; k++) {
        const struct vm_undo *u = &h->log[k];
        const struct vm_table *t = vm_table_of(h, u->region);
        struct vm_obj *o = t->obj[u->index];
        if (u->index >= t->n || tree_get(&root.tree[u->region], u->index) == o)
            continue;
        if (o) {
            o->flags &= (uint8_t)~VM_OWNED;
            vm_obj_retain(o);
        }
        tree_set(&root.tree[u->region], u->index, o);
    }
    h->log_open = h->nlog;
    h->segment++;
    root.leak_sum = h->leak_sum;
    root.nheap = h->nheap;
    root.nnamed = h->nnamed;
    root.bytes = h->bytes;
    return root;
}

static void put(struct vm_heap *h, struct vm_table *t, uint32_t index, struct vm_obj *o)
{
    t->obj[index] = o;
    if (t == &h->pages && o)
        vm_pages_load(h, o);
}

/* Put the objects of a subtree into the table; NULL stands for all NULL. */
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
    for (unsigned c = 0; c < VM_FANOUT; c++) {
        if (from->child[c] == to->child[c])
            continue;
        if (levels == 1)
            put(h, t, first + c, to->child[c]);
        else
            switch_tree(h, t, from->child[c], to->child[c], levels - 1, first + c * step);
    }
}

void vm_heap_restore(struct vm_heap *h, const struct vm_root *root)
{
    vm_heap_undo_all(h);
    struct vm_root old = h->base;
    h->base = *root;
    root_retain(&h->base);
    for (unsigned r = 0; r < VM_REGIONS; r++) {
        const struct vm_tree *from = &old.tree[r], *to = &root->tree[r];
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
        t->n = to->n;
    }
    vm_pages_place(h);
    h->leak_sum = root->leak_sum;
    h->nheap = root->nheap;
    h->nnamed = root->nnamed;
    h->bytes = root->bytes;
    vm_settled_set(&h->settled, &root->settled);
    h->summed = true;
    h->nsummed = 0;
    h->frame_hint = VM_HOMES;
    vm_root_release(&old);
}
