/* adopt.c - see adopt.h. */
#include "adopt.h"

#include <stdlib.h>
#include <string.h>

#include "heap.h"
#include "memory.h"

enum {
    OBJECTS = 1024,
    LARGE = 4096, /* bytes; an object with more is nobody's own */
    FAR = 24,     /* so many places: it gets a trunk of its own */
};

static bool are_alike(const struct vm_heap *h, const struct vm_obj *o, const struct vm_obj *own)
{
    return o == own || (o && own && !h->exact && vm_obj_alike(o, own));
}

/* ---- objects ------------------------------------------------------------------------------
 */

static struct vm_obj **own_objects(struct vm_adopted *a)
{
    enum { SIZE = OBJECTS * sizeof *a->objects };
    if (!a->objects)
        a->objects = memset(vm_alloc(SIZE), 0, SIZE);
    return a->objects;
}

/* What has no sums may have no hashes yet, and get them while it is looked at. */
static bool can_be_own(const struct vm_heap *h, const struct vm_obj *o)
{
    return !h->exact && o->flags & VM_HASHED && o->size <= LARGE;
}

static struct vm_obj *adopt_object(struct vm_heap *h, struct vm_obj *o)
{
    if (!o || !can_be_own(h, o))
        return o ? vm_obj_retain(o) : NULL;
    struct vm_obj **own = &own_objects(&h->adopted)[vm_fold(o->key) % OBJECTS];
    if (!are_alike(h, o, *own)) {
        if (*own)
            vm_obj_release(*own);
        *own = vm_obj_twin(o);
    }
    return vm_obj_retain(*own);
}

/* ---- trunks -------------------------------------------------------------------------------
 */

struct differing {
    struct vm_heap *h;
    const struct vm_tree *own;
    uint32_t region;
    bool far; /* in too many places */
};

static void note_difference(void *context, uint32_t index, const struct vm_obj *o)
{
    struct differing *d = context;
    struct vm_adopted *a = &d->h->adopted;
    if (d->far || are_alike(d->h, o, vm_tree_at(d->own, index)))
        return;
    if (a->n == FAR)
        d->far = true;
    else
        a->at[a->n++] = (struct vm_change){d->region, index, (struct vm_obj *)o};
}

/* False if there are too many. */
static bool find_differences(struct vm_heap *h, const struct vm_trunk *own,
                             const struct vm_trunk *trunk)
{
    struct differing d = {.h = h};
    if (!h->adopted.at)
        h->adopted.at = vm_alloc(FAR * sizeof *h->adopted.at);
    h->adopted.n = 0;
    for (; d.region < VM_REGIONS && !d.far; d.region++) {
        const struct vm_tree *tree = &trunk->tree[d.region];
        d.own = &own->tree[d.region];
        if (d.own->levels != tree->levels)
            return false;
        if (tree->levels)
            vm_tree_differ(d.own->root, tree->root, tree->levels, note_difference, &d);
    }
    return !d.far;
}

/* That of the heap's next states.  NULL: there is none, or they have one each for their pages.
 */
static struct vm_trunk *present_trunk(const struct vm_heap *h)
{
    struct vm_trunk *trunk = h->base.trunk;
    if (h->exact || h->npaged || !trunk || trunk->owner != h)
        return NULL;
    return trunk == h->graft.from ? h->graft.to : trunk;
}

static void replace(struct vm_trunk **at, struct vm_trunk *trunk)
{
    vm_trunk_release(*at);
    *at = trunk;
}

static struct vm_trunk *adopt_trunk(struct vm_heap *h, struct vm_trunk *trunk)
{
    struct vm_adopted *a = &h->adopted;
    struct vm_trunk *present = present_trunk(h), *own = NULL;
    if (trunk == a->trunk && (present == a->present || present == a->own_trunk))
        return vm_trunk_retain(a->own_trunk);
    if (present && find_differences(h, present, trunk))
        own = vm_trunk_retain(present);
    if (!own) {
        own = vm_trunk_copy(h, trunk);
        a->n = 0;
    }
    replace(&a->present, present ? vm_trunk_retain(present) : NULL);
    replace(&a->trunk, vm_trunk_retain(trunk));
    replace(&a->own_trunk, own);
    return vm_trunk_retain(own);
}

static bool has_place(const struct vm_changes *changes, const struct vm_change *change)
{
    for (uint32_t k = 0; changes && k < changes->n; k++)
        if (changes->at[k].index == change->index && changes->at[k].region == change->region)
            return true;
    return false;
}

/* What stands in place of the objects of the heap's own trunk. */
static struct vm_changes *adopt_changes(struct vm_heap *h, const struct vm_changes *from)
{
    const struct vm_adopted *a = &h->adopted;
    size_t most = a->n + (from ? from->n : 0), n = 0;
    struct vm_change *found = vm_found_reserve(h, most);
    for (uint32_t k = 0; from && k < from->n; k++) {
        struct vm_change change = from->at[k];
        const struct vm_tree *own = &a->own_trunk->tree[change.region];
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
        changes->at[k].o = adopt_object(h, found[k].o);
    }
    return changes;
}

/* ---- ids ----------------------------------------------------------------------------------
 */

static struct vm_ids *adopt_border(struct vm_adopted *a, struct vm_ids *border)
{
    if (border && !(a->border && vm_ids_alike(border, a->border))) {
        vm_ids_release(a->border);
        a->border = vm_ids_copy(border);
    }
    return border ? vm_ids_retain(a->border) : NULL;
}

static struct vm_numbers *adopt_numbers(struct vm_adopted *a, struct vm_numbers *numbers)
{
    if (numbers && !(a->numbers && vm_numbers_alike(numbers, a->numbers))) {
        vm_numbers_release(a->numbers);
        a->numbers = vm_numbers_copy(numbers);
    }
    return numbers ? vm_numbers_retain(a->numbers) : NULL;
}

/* ---- states -------------------------------------------------------------------------------
 */

void vm_root_adopt(struct vm_heap *h, struct vm_root *root)
{
    if (root->trunk->owner == h)
        return;
    struct vm_root adopted = *root;
    struct vm_settled *settled = &adopted.settled;
    adopted.trunk = adopt_trunk(h, root->trunk);
    adopted.changes = adopt_changes(h, root->changes);
    settled->border = adopt_border(&h->adopted, settled->border);
    settled->numbers = adopt_numbers(&h->adopted, settled->numbers);
    vm_root_release(root);
    *root = adopted;
}

void vm_adopted_fini(struct vm_adopted *a)
{
    vm_trunk_release(a->trunk);
    vm_trunk_release(a->present);
    vm_trunk_release(a->own_trunk);
    vm_ids_release(a->border);
    vm_numbers_release(a->numbers);
    for (size_t k = 0; a->objects && k < OBJECTS; k++)
        if (a->objects[k])
            vm_obj_release(a->objects[k]);
    free(a->objects);
    free(a->at);
}
