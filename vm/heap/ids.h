/* ids.h - lists of ids, which many states have in common.
 *
 * What ids are: settled.h.  Heap objects have names, which come and go with threads, or are old
 * and got their ids all at once.  There may be many old ones; so their list is apart, and what
 * a new thread costs does not depend on it.
 *
 * Ownership: reference-counted and immutable; a struct vm_numbers has a reference of the list
 * below it. */
#ifndef VM_IDS_H
#define VM_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers of threads' objects are below VM_NAMES, and the ids of old objects are not. */
enum { VM_NAMES = 1 << 12 };

struct vm_ids {
    uint32_t refs;
    uint32_t n;
    uint32_t at[];
};

/* The ids of heap objects. */
struct vm_numbers {
    uint32_t refs;
    uint32_t first, n;    /* at[]: of the indexes from first to n - 1; 0: not settled */
    struct vm_ids *below; /* of those below first; NULL: first is 0 */
    uint64_t old;         /* a hash of what is old, 0: nothing */
    uint64_t hash;        /* of all ids and the twins */
    uint64_t twins;       /* of threads (twins.h): by number */
    uint32_t nholders;
    uint32_t at[]; /* and behind: by name, the index that has it, nholders of them; 0: none */
};

struct vm_ids *vm_ids_new(uint32_t n);
struct vm_ids *vm_ids_copy(const struct vm_ids *ids);
bool vm_ids_alike(const struct vm_ids *ids, const struct vm_ids *other);
/* NULL is fine, here and below. */
struct vm_ids *vm_ids_retain(struct vm_ids *ids);
void vm_ids_release(struct vm_ids *ids);

/* Of which only at[] and below are still to be set; bytes in at[]. */
struct vm_numbers *vm_numbers_new(const struct vm_numbers *head);
size_t vm_numbers_room(const struct vm_numbers *head);
/* What comes after `before`: these names, and old objects keep their ids, or if `old` is not
 * NULL, have these (names in it count for nothing). */
struct vm_numbers *vm_numbers_next(const struct vm_numbers *before, struct vm_ids *old,
                                   const uint32_t *holder, uint32_t nholders, uint64_t twins);
/* Takes the reference of the list that is to be below it. */
struct vm_numbers *vm_numbers_copy(const struct vm_numbers *numbers, struct vm_ids *below);
/* Whatever is below them? */
bool vm_numbers_alike(const struct vm_numbers *numbers, const struct vm_numbers *other);
struct vm_numbers *vm_numbers_retain(struct vm_numbers *numbers);
void vm_numbers_release(struct vm_numbers *numbers);
void vm_numbers_valid(const struct vm_numbers *numbers);

static inline uint32_t vm_numbers_at(const struct vm_numbers *numbers, uint32_t index)
{
    if (index >= numbers->first)
        return index < numbers->n ? numbers->at[index - numbers->first] : 0;
    return numbers->below->at[index];
}

static inline const uint32_t *vm_numbers_holders(const struct vm_numbers *numbers)
{
    return numbers->at + (numbers->n - numbers->first);
}

/* The index that has a name, 0: none. */
static inline uint32_t vm_numbers_holder(const struct vm_numbers *numbers, uint32_t name)
{
    return numbers && name < numbers->nholders ? vm_numbers_holders(numbers)[name] : 0;
}

#endif
