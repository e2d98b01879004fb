/* import.c - see import.h. */
#include "import.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "heap.h"
#include "memory.h"
#include "pool.h"

enum {
    CACHE_LINE = 64,
    OBJECTS = 1024,
    LARGE = 4096, /* bytes; of an object with more no copy is kept for the next state */
    FAR = 24,     /* so many places: it gets a base snapshot of its own */
};

/* A state on its way back. */
struct vm_returned {
    struct vm_root root;
    struct vm_returned *next;
};

/* The list of states that other heaps have given back.  It is alone in its cache line, since
 * its heap reads it before each transition. */
struct vm_mailbox {
    char before[CACHE_LINE];
    _Atomic(struct vm_returned *) last;
    char after[CACHE_LINE];
};

static bool are_alike(const struct vm_heap *h, const struct vm_obj *o, const struct vm_obj *own)
{
    return o == own || (o && own && !h->exact && vm_obj_alike(o, own));
}

/* ---- giving back ----------------------------------------------------------------- */

void vm_import_init(struct vm_import *a)
{
    *a = (struct vm_import){.given = vm_alloc(sizeof *a->given)};
    atomic_init(&a->given->last, NULL);
}

static void drop(struct vm_returned *state)
{
    vm_root_release(&state->root);
    vm_give(state, sizeof *state);
}

/* Gives a state back to the heap that made it, which then releases it (vm_import_collect). */
static void give_back(const struct vm_heap *h, struct vm_returned *state)
{
    const struct vm_heap *owner = state->root.base->owner;
    if (!owner || owner == h) { /* it was read from bytes */
        drop(state);
        return;
    }
    struct vm_mailbox *mailbox = owner->import.given;
    state->next = atomic_load_explicit(&mailbox->last, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&mailbox->last, &state->next, state,
                                                  memory_order_release, memory_order_relaxed))
        continue;
}

void vm_import_give_back(struct vm_heap *h)
{
    struct vm_returned *kept = h->import.kept;
    h->import.kept = NULL;
    if (kept)
        give_back(h, kept);
}

void vm_import_collect(struct vm_heap *h)
{
    struct vm_mailbox *mailbox = h->import.given;
    if (!atomic_load_explicit(&mailbox->last, memory_order_relaxed))
        return;
    struct vm_returned *next,
        *state = atomic_exchange_explicit(&mailbox->last, NULL, memory_order_acquire);
    for (; state; state = next) {
        next = state->next;
        drop(state);
    }
}

/* ---- objects --------------------------------------------------------------------- */

static struct vm_obj **own_objects(struct vm_import *a)
{
    if (!a->objects)
        a->objects = vm_zeros(OBJECTS, sizeof *a->objects);
    return a->objects;
}

/* Returns one reference of an object of the heap's own that equals o.  A copy has a hash if the
 * object has one; the object may get it meanwhile. */
static struct vm_obj *import_object(struct vm_heap *h, const struct vm_obj *o)
{
    struct vm_obj *clone;
    if (!o)
        return NULL;
    if (h->exact || o->size > LARGE)
        return vm_obj_clone(o);
    uint64_t key = vm_obj_key_seen(o);
    if (!key)
        return vm_obj_clone(o);
    struct vm_obj **own = &own_objects(&h->import)[vm_fold(key) % OBJECTS];
    if (are_alike(h, o, *own))
        return vm_obj_retain(*own);
    if (*own)
        vm_obj_release(*own);
    *own = clone = vm_obj_clone(o);
    return vm_obj_retain(clone);
}

/* ---- base snapshots -------------------------------------------------------------- */

/* This heap's own base snapshot equals the imported one except in the places in a->at. The next
 * imported snapshot shares nodes with the imported one that is kept, and the heap's present
 * base snapshot shares nodes with the own one. So only the nodes that are not shared are
 * compared. */

struct differing {
    struct vm_heap *h;
    const struct vm_base *own, *base;
    uint32_t region;
    struct vm_change at[FAR];
    size_t n;
    bool far; /* in too many places */
};

static void note_difference(void *context, uint32_t index, const struct vm_obj *unused)
{
    struct differing *d = context;
    (void)unused;
    struct vm_obj *o = vm_tree_at(&d->base->tree[d->region], index);
    if (d->far || are_alike(d->h, o, vm_tree_at(&d->own->tree[d->region], index)))
        return;
    for (size_t k = 0; k < d->n; k++)
        if (d->at[k].index == index && d->at[k].region == d->region)
            return;
    if (d->n == FAR)
        d->far = true;
    else
        d->at[d->n++] = (struct vm_change){d->region, index, o};
}

static bool have_same_levels(const struct vm_base *base, const struct vm_base *other)
{
    for (unsigned r = 0; r < VM_REGIONS; r++)
        if (base->tree[r].levels != other->tree[r].levels)
            return false;
    return true;
}

/* Notes all places where two base snapshots are not known to be the same. */
static void compare(struct differing *d, const struct vm_base *from, const struct vm_base *to)
{
    for (d->region = 0; d->region < VM_REGIONS; d->region++)
        if (to->tree[d->region].levels)
            vm_tree_differ(from->tree[d->region].root, to->tree[d->region].root,
                           to->tree[d->region].levels, note_difference, d);
}

/* Finds the places where two base snapshots differ; false if there are too many. */
static bool find_differences(struct vm_heap *h, const struct vm_base *own,
                             const struct vm_base *base)
{
    struct vm_import *a = &h->import;
    struct differing d = {.h = h, .own = own, .base = base};
    const struct vm_base *kept = a->kept ? a->kept->root.base : NULL;
    if (!have_same_levels(own, base))
        return false;
    if (kept && have_same_levels(kept, base) && have_same_levels(a->own_base, own)) {
        compare(&d, kept, base);
        compare(&d, a->own_base, own);
        for (size_t k = 0; k < a->n; k++) {
            d.region = a->at[k].region;
            note_difference(&d, a->at[k].index, NULL);
        }
    } else {
        compare(&d, own, base);
    }
    if (d.far)
        return false;
    if (!a->at)
        a->at = vm_alloc(FAR * sizeof *a->at);
    memcpy(a->at, d.at, d.n * sizeof *a->at);
    a->n = d.n;
    return true;
}

/* Returns the base snapshot of the heap's next states; NULL if there is none, or if each gets
 * its own because of pages. */
static struct vm_base *present_base(const struct vm_heap *h)
{
    struct vm_base *base = h->origin.base;
    if (h->exact || h->npaged || !base || base->owner != h)
        return NULL;
    return base == h->rebase.from ? h->rebase.to : base;
}

/* Where to take nodes from: the same tree of the imported base snapshot that is kept, and of
 * the own one, which equals it. */
struct source {
    struct vm_heap *h;
    bool like_kept;
};

static struct vm_obj *copy_object(const struct source *s, const struct vm_obj *o,
                                  const struct vm_obj *kept, struct vm_obj *own)
{
    if (!o)
        return NULL;
    if (own && ((s->like_kept && o == kept) || are_alike(s->h, o, own)))
        return vm_obj_retain(own);
    return vm_obj_clone(o);
}

/* Copies a tree, with own nodes in place of those that are alike. */
static struct vm_node *copy_nodes(const struct source *s, const struct vm_node *from,
                                  const struct vm_node *kept, struct vm_node *own,
                                  unsigned levels)
{
    if (!from)
        return NULL;
    if (own && s->like_kept && from == kept)
        return vm_node_retain(own);
    struct vm_node *node = vm_node_new();
    bool same = own;
    for (unsigned c = 0; c < VM_FANOUT; c++) {
        void *was = kept ? kept->child[c] : NULL, *mine = own ? own->child[c] : NULL;
        if (levels == 1)
            node->child[c] = copy_object(s, from->child[c], was, mine);
        else
            node->child[c] = copy_nodes(s, from->child[c], was, mine, levels - 1);
        same &= node->child[c] == mine;
    }
    if (!same)
        return node;
    vm_node_release(node, levels);
    return vm_node_retain(own);
}

static struct vm_base *copy_base(struct vm_heap *h, const struct vm_base *from)
{
    const struct vm_import *a = &h->import;
    const struct vm_base *kept = a->kept ? a->kept->root.base : NULL;
    struct source s = {h, a->n == 0};
    struct vm_base *base = vm_base_new();
    base->owner = h;
    for (unsigned r = 0; r < VM_REGIONS; r++) {
        const struct vm_tree *tree = &from->tree[r];
        bool known = kept && kept->tree[r].levels == tree->levels &&
                     a->own_base->tree[r].levels == tree->levels;
        base->tree[r] = (struct vm_tree){.levels = tree->levels, .n = tree->n};
        base->tree[r].root = copy_nodes(&s, tree->root, known ? kept->tree[r].root : NULL,
                                        known ? a->own_base->tree[r].root : NULL, tree->levels);
    }
    return base;
}

/* Makes the heap the owner of a base snapshot that was read from bytes. */
static struct vm_base *claim(const struct vm_heap *h, struct vm_base *base)
{
    base->owner = h;
    return vm_base_retain(base);
}

static void replace(struct vm_base **at, struct vm_base *base)
{
    vm_base_release(*at);
    *at = base;
}

/* Returns one reference of the base snapshot that the heap uses in place of another heap's. */
static struct vm_base *import_base(struct vm_heap *h, struct vm_base *base)
{
    struct vm_import *a = &h->import;
    struct vm_base *present = present_base(h), *own = NULL;
    bool is_kept = a->kept && base == a->kept->root.base;
    if (is_kept && (present == a->present || present == a->own_base))
        return vm_base_retain(a->own_base);
    if (present && find_differences(h, present, base)) {
        own = vm_base_retain(present);
    } else {
        own = base->owner ? copy_base(h, base) : claim(h, base);
        a->n = 0;
    }
    replace(&a->present, present ? vm_base_retain(present) : NULL);
    replace(&a->own_base, own);
    return vm_base_retain(own);
}

static bool has_place(const struct vm_changes *changes, const struct vm_change *change)
{
    for (uint32_t k = 0; changes && k < changes->n; k++)
        if (changes->at[k].index == change->index && changes->at[k].region == change->region)
            return true;
    return false;
}

/* Returns changes of own objects that stand for another heap's. */
static struct vm_changes *import_changes(struct vm_heap *h, const struct vm_changes *from)
{
    const struct vm_import *a = &h->import;
    size_t most = a->n + (from ? from->n : 0), n = 0;
    struct vm_change *found = vm_found_reserve(h, most);
    for (uint32_t k = 0; from && k < from->n; k++) {
        struct vm_change change = from->at[k];
        const struct vm_tree *own = &a->own_base->tree[change.region];
        if (!are_alike(h, change.o, vm_tree_at(own, change.index)))
            found[n++] = change;
    }
    for (size_t k = 0; k < a->n; k++)
        if (!has_place(from, &a->at[k]))
            found[n++] = a->at[k];
    if (n == 0)
        return NULL;
    struct vm_changes *changes = vm_changes_new((uint32_t)n);
    for (size_t k = 0; k < n; k++) {
        changes->at[k] = found[k];
        changes->at[k].o = import_object(h, found[k].o);
    }
    return changes;
}

/* ---- ids ------------------------------------------------------------------------- */

static struct vm_id_list *import_frontier(struct vm_import *a,
                                          const struct vm_id_list *frontier)
{
    if (frontier && !(a->frontier && vm_id_list_alike(frontier, a->frontier))) {
        vm_id_list_release(a->frontier);
        a->frontier = vm_id_list_copy(frontier);
    }
    return frontier ? vm_id_list_retain(a->frontier) : NULL;
}

/* Returns the own list that stands for the ids below: it is long, and mostly the same list as
 * that of the ids that are kept. */
static struct vm_id_list *import_below(const struct vm_import *a,
                                       const struct vm_id_list *below)
{
    const struct vm_stable_ids *kept = a->kept ? a->kept->root.inchash.stable_ids : NULL;
    struct vm_id_list *own = a->stable_ids ? a->stable_ids->below : NULL;
    if (!below)
        return NULL;
    if (own && ((kept && kept->below == below) || vm_id_list_alike(own, below)))
        return vm_id_list_retain(own);
    return vm_id_list_copy(below);
}

static struct vm_stable_ids *import_stable_ids(struct vm_import *a,
                                               const struct vm_stable_ids *stable_ids)
{
    if (!stable_ids)
        return NULL;
    struct vm_id_list *below = import_below(a, stable_ids->below);
    if (a->stable_ids && a->stable_ids->below == below &&
        vm_stable_ids_alike(stable_ids, a->stable_ids)) {
        vm_id_list_release(below);
        return vm_stable_ids_retain(a->stable_ids);
    }
    vm_stable_ids_release(a->stable_ids);
    a->stable_ids = vm_stable_ids_copy(stable_ids, below);
    return vm_stable_ids_retain(a->stable_ids);
}

/* ---- states ---------------------------------------------------------------------- */

static void keep(struct vm_heap *h, const struct vm_root *root)
{
    struct vm_returned *state = vm_take(sizeof *state);
    state->root = *root;
    vm_import_give_back(h);
    h->import.kept = state;
}

void vm_root_import(struct vm_heap *h, struct vm_root *root)
{
    if (root->base->owner == h)
        return;
    struct vm_root import = *root;
    struct vm_inchash *inchash = &import.inchash;
    import.base = import_base(h, root->base);
    import.changes = import_changes(h, root->changes);
    inchash->frontier = import_frontier(&h->import, inchash->frontier);
    inchash->stable_ids = import_stable_ids(&h->import, inchash->stable_ids);
    keep(h, root);
    *root = import;
}

void vm_import_fini(struct vm_heap *h)
{
    struct vm_import *a = &h->import;
    vm_import_collect(h);
    if (a->kept)
        drop(a->kept);
    vm_base_release(a->present);
    vm_base_release(a->own_base);
    vm_id_list_release(a->frontier);
    vm_stable_ids_release(a->stable_ids);
    for (size_t k = 0; a->objects && k < OBJECTS; k++)
        if (a->objects[k])
            vm_obj_release(a->objects[k]);
    free(a->objects);
    free(a->at);
    free(a->given);
}
