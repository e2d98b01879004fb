/* protect.h - protections of the pages of a mapping.
 *
 * An object of which all pages may be read and written has nothing of this.  Others have
 * VM_OBJ_PROTECTED in their kind, so that the interpreter does none of their accesses at once,
 * and behind their shadow (or what else stands there) a word for each page: what may be done
 * with it, and the user's instruction that said so, for reports.  The first is a part of what
 * is hashed.
 *
 * Ownership: the words are the object's. */
#ifndef VM_PROTECT_H
#define VM_PROTECT_H

#include "object.h"

enum { VM_RIGHTS_SHIFT = 61 };

/* Returns a page's word; site: a code pointer, or 0. */
static inline uint64_t vm_page(unsigned rights, uint64_t site)
{
    return (uint64_t)rights << VM_RIGHTS_SHIFT | (site & ((1ull << VM_RIGHTS_SHIFT) - 1));
}
static inline unsigned vm_page_rights(uint64_t page)
{
    return (unsigned)(page >> VM_RIGHTS_SHIFT);
}
static inline uint64_t vm_page_site(uint64_t page)
{
    uint64_t site = page & ((1ull << VM_RIGHTS_SHIFT) - 1);
    return site ? site | (uint64_t)VM_ID_CODE << VM_RIGHTS_SHIFT : 0;
}

/* Returns the protection of a page of an object that has protections. */
static inline uint64_t vm_page_at(const struct vm_obj *o, uint32_t page)
{
    uint64_t word;
    memcpy(&word, (const char *)o->data + (size_t)vm_obj_words(o) * 10 + page * sizeof word,
           sizeof word);
    return word;
}
static inline void vm_page_set(struct vm_obj *o, uint32_t page, uint64_t word)
{
    memcpy((char *)o->data + (size_t)vm_obj_words(o) * 10 + page * sizeof word, &word,
           sizeof word);
}

/* Returns the rights at an offset inside an object, with or without protections. */
static inline unsigned vm_rights_at(const struct vm_obj *o, uint32_t offset)
{
    if (!(o->kind & VM_OBJ_PROTECTED))
        return VM_PAGE_RIGHTS;
    return vm_page_rights(vm_page_at(o, offset / VM_PAGE_BYTES));
}

#endif
