/* adopt.c - see adopt.h. */
#include "adopt.h"

#include <stdlib.h>
#include <string.h>

#include "heap.h"
#include "memory.h"

enum {
    MANY = 16, /* references; with fewer it is not worth it */
    OBJECTS = 256,
};

static struct vm_trunk *adopt_trunk(struct vm_heap *h, struct vm_trunk *trunk)
{
    struct vm_adopted *a = &h->adopted;
    if (trunk != a->trunk) {
        vm_trunk_release(a->trunk);
        vm_trunk_release(a->own_trunk);
        a->trunk = vm_trunk_retain(trunk);
        a->own_trunk = vm_trunk_copy(h, trunk);
    }
    return vm_trunk_retain(a->own_trunk);
}

static struct vm_ids *adopt_border(struct vm_adopted *a, struct vm_ids *border)
{
    if (border && border != a->border) {
        vm_ids_release(a->border);
        vm_ids_release(a->own_border);
        a->border = vm_ids_retain(border);
        a->own_border = vm_ids_copy(border);
    }
    return border ? vm_ids_retain(a->own_border) : NULL;
}

static struct vm_numbers *adopt_numbers(struct vm_adopted *a, struct vm_numbers *numbers)
{
    if (numbers && numbers != a->numbers) {
        vm_numbers_release(a->numbers);
        vm_numbers_release(a->own_numbers);
        a->numbers = vm_numbers_retain(numbers);
        a->own_numbers = vm_numbers_copy(numbers);
    }
    return numbers ? vm_numbers_retain(a->own_numbers) : NULL;
}

/* What has no sums may have no hashes yet, and get them while it is copied. */
static bool is_wanted(const struct vm_heap *h, struct vm_obj *o)
{
    return !h->exact && atomic_load_explicit(&o->refs, memory_order_relaxed) >= MANY;
}

static struct vm_obj *adopt_object(struct vm_heap *h, struct vm_obj *o)
{
    if (!is_wanted(h, o))
        return vm_obj_retain(o);
    if (!h->adopted.objects) {
        size_t size = OBJECTS * sizeof *h->adopted.objects;
        h->adopted.objects = memset(vm_alloc(size), 0, size);
    }
    struct vm_obj **last = h->adopted.objects[((uintptr_t)o >> 4) % OBJECTS], **own = last + 1;
    if (*last != o) {
        if (*last) {
            vm_obj_release(*last);
            vm_obj_release(*own);
        }
        *last = vm_obj_retain(o);
        *own = vm_obj_twin(o);
    }
    return vm_obj_retain(*own);
}

static struct vm_changes *adopt_changes(struct vm_heap *h, const struct vm_changes *from)
{
    if (!from)
        return NULL;
    struct vm_changes *changes = vm_changes_new(from->n);
    for (uint32_t k = 0; k < from->n; k++) {
        changes->at[k] = from->at[k];
        if (from->at[k].o)
            changes->at[k].o = adopt_object(h, from->at[k].o);
    }
    return changes;
}

struct vm_root vm_root_adopt(struct vm_heap *h, const struct vm_root *root, struct vm_root *old)
{
    struct vm_root adopted = *root;
    if (root->trunk->owner == h) {
        vm_root_retain(root, old);
        return adopted;
    }
    struct vm_settled *settled = &adopted.settled;
    adopted.trunk = adopt_trunk(h, root->trunk);
    adopted.changes = adopt_changes(h, root->changes);
    settled->border = adopt_border(&h->adopted, settled->border);
    settled->numbers = adopt_numbers(&h->adopted, settled->numbers);
    return adopted;
}

void vm_adopted_fini(struct vm_adopted *a)
{
    vm_trunk_release(a->trunk);
    vm_trunk_release(a->own_trunk);
    vm_ids_release(a->border);
    vm_ids_release(a->own_border);
    vm_numbers_release(a->numbers);
    vm_numbers_release(a->own_numbers);
    for (size_t k = 0; a->objects && k < OBJECTS; k++)
        if (a->objects[k][0]) {
            vm_obj_release(a->objects[k][0]);
            vm_obj_release(a->objects[k][1]);
        }
    free(a->objects);
}
