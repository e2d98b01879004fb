/* pages.c - see pages.h. */
#include "pages.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "heap.h"
#include "memory.h"

enum { LATELY_SETS = 1024 }; /* of VM_PAGE_WAYS pages */

bool vm_pages_suit(const struct vm_obj *init)
{
    return init->kind == VM_OBJ_GLOBAL && init->flags & VM_SHARED &&
           init->size >= VM_PAGED_FROM;
}

uint32_t vm_pages_of(const struct vm_obj *o)
{
    return (o->size - 1) / VM_PAGE + 1;
}

void vm_pages_add(struct vm_heap *h, uint32_t global, struct vm_obj *o)
{
    struct vm_table *pages = &h->pages;
    struct vm_paged paged = {.o = o, .global = global, .npages = vm_pages_of(o)};
    o->flags |= VM_PAGED;
    o->link = pages->n;
    vm_table_reserve(pages, pages->n + paged.npages);
    pages->n += paged.npages;
    if (!h->lately)
        h->lately = vm_zeros(LATELY_SETS, sizeof *h->lately);
    h->paged = vm_resize(h->paged, (h->npaged + 1) * sizeof *h->paged);
    h->paged[h->npaged++] = paged;
    h->table[VM_ID_GLOBAL].obj[global] = o;
    vm_pages_touch(h, o, 0, o->size);
}

void vm_pages_fini(struct vm_heap *h)
{
    for (size_t k = 0; k < h->npaged; k++)
        vm_obj_release(h->paged[k].o);
    for (size_t k = 0; h->lately && k < LATELY_SETS; k++)
        for (size_t way = 0; way < VM_PAGE_WAYS; way++)
            if (h->lately[k][way])
                vm_obj_release(h->lately[k][way]);
    free(h->lately);
    free(h->paged);
}

/* Returns the object of a page, or of its first page. */
static struct vm_paged *find(const struct vm_heap *h, uint32_t page)
{
    size_t low = 0, high = h->npaged;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (h->paged[middle].o->link <= page)
            low = middle;
        else
            high = middle;
    }
    return &h->paged[low];
}

static uint32_t size_of(const struct vm_obj *o, uint32_t off)
{
    return o->size - off < VM_PAGE ? o->size - off : VM_PAGE;
}

void vm_pages_touch(struct vm_heap *h, struct vm_obj *o, uint32_t off, uint64_t n)
{
    struct vm_paged *paged = find(h, o->link);
    uint32_t first = off / VM_PAGE, last = (uint32_t)((off + n - 1) / VM_PAGE);
    assert(n && off + n <= o->size && paged->o == o);
    o->flags &= (uint8_t)~VM_HASHED;
    paged->touches += last - first + 1;
    if (paged->touches >= VM_PAGED_TOUCHES || n == o->size) {
        o->flags |= VM_OWNED;
        first = 0, last = paged->npages - 1;
    }
    for (uint32_t k = first; k <= last; k++)
        vm_heap_touch(h, o->link + k);
}

/* Returns the exact masks of a part of an object, NULL if there are none. */
static uint8_t *bits_of(const struct vm_obj *o, uint32_t off, uint32_t size)
{
    uint8_t any = 0;
    for (uint32_t k = 0; o->bits && k < size; k++)
        any |= o->bits[off + k];
    if (!any)
        return NULL;
    uint8_t *bits = vm_zeros((size_t)size + 8, 1);
    return memcpy(bits, o->bits + off, size);
}

static struct vm_obj *make(const struct vm_paged *paged, uint32_t number)
{
    const struct vm_obj *o = paged->o;
    uint32_t off = number * VM_PAGE, size = size_of(o, off);
    struct vm_obj *page = vm_obj_new(size, VM_OBJ_GLOBAL);
    memcpy(page->data, o->data + off / 8, vm_obj_words(page) * 8);
    memcpy(vm_obj_shadow(page), vm_obj_shadow((struct vm_obj *)o) + off / 8,
           vm_obj_words(page) * sizeof(uint16_t));
    page->bits = bits_of(o, off, size);
    page->link = o->link + number;
    return page;
}

static bool is_same(const struct vm_obj *page, const struct vm_obj *other)
{
    return page->key == other->key && page->link == other->link &&
           !memcmp(page->data, other->data, vm_obj_words(page) * 10) &&
           !page->bits == !other->bits &&
           (!page->bits || !memcmp(page->bits, other->bits, page->size));
}

/* Returns the new page, or an equal page that was made lately and replaces it. So states that
 * are reached in different ways share pages, and changing from one state to another need not
 * copy them. The pages of a set are sorted by their last use. */
static struct vm_obj *made_lately(struct vm_heap *h, struct vm_obj *page)
{
    vm_heap_hash(h, page);
    struct vm_obj **set = h->lately[page->key % LATELY_SETS];
    unsigned k = 0;
    while (k < VM_PAGE_WAYS - 1 && set[k] && !is_same(set[k], page))
        k++;
    struct vm_obj *was = set[k], *found = was && is_same(was, page) ? was : page;
    memmove(set + 1, set, k * sizeof *set);
    set[0] = vm_obj_retain(found);
    if (was)
        vm_obj_release(was);
    if (found != page) {
        vm_obj_release(page);
        vm_obj_retain(found);
    }
    return found;
}

void vm_pages_make(struct vm_heap *h)
{
    if (!h->npaged)
        return;
    for (size_t k = h->log_open; k < h->nlog; k++) {
        uint32_t page = h->log[k].index;
        struct vm_obj **at = &h->pages.obj[page];
        if (h->log[k].region != VM_PAGES || *at)
            continue;
        const struct vm_paged *paged = find(h, page);
        *at = made_lately(h, make(paged, page - paged->o->link));
        h->copied++;
        h->bytes_copied += (*at)->size;
    }
}

void vm_pages_disown(struct vm_heap *h)
{
    for (size_t k = 0; k < h->npaged; k++) {
        h->paged[k].touches = 0;
        h->paged[k].o->flags &= (uint8_t)~VM_OWNED;
    }
}

void vm_pages_load(struct vm_heap *h, const struct vm_obj *page)
{
    struct vm_obj *o = find(h, page->link)->o;
    uint32_t off = (page->link - o->link) * VM_PAGE;
    o->flags &= (uint8_t)~VM_HASHED;
    memcpy(o->data + off / 8, page->data, vm_obj_words(page) * 8);
    memcpy(vm_obj_shadow(o) + off / 8, vm_obj_shadow((struct vm_obj *)page),
           vm_obj_words(page) * sizeof(uint16_t));
    if (page->bits && !o->bits)
        o->bits = vm_zeros((size_t)o->size + 8, 1);
    if (page->bits)
        memcpy(o->bits + off, page->bits, page->size);
    else if (o->bits)
        memset(o->bits + off, 0, page->size);
}

void vm_pages_place(struct vm_heap *h)
{
    for (size_t k = 0; k < h->npaged; k++)
        h->table[VM_ID_GLOBAL].obj[h->paged[k].global] = h->paged[k].o;
}

void vm_pages_valid(const struct vm_heap *h)
{
    for (size_t k = 0; k < h->npaged; k++) {
        const struct vm_paged *paged = &h->paged[k];
        assert(h->table[VM_ID_GLOBAL].obj[paged->global] == paged->o);
        for (uint32_t n = 0; n < paged->npages; n++) {
            struct vm_obj *is = h->pages.obj[paged->o->link + n];
            if (!is)
                continue;
            struct vm_obj *should = make(paged, n);
            vm_obj_valid(is);
            assert(!memcmp(is->data, should->data, vm_obj_words(is) * 10));
            assert(!is->bits == !should->bits);
            assert(!is->bits || !memcmp(is->bits, should->bits, is->size));
            vm_obj_release(should);
        }
    }
}
