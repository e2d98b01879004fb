/* readset.h - the read set of a transition.
 *
 * While the read set is recorded, the heap's tables seem to be empty: each object appears when
 * it is first asked for (vm_heap_get), and is noted with its contents.  So nothing can be read
 * without being noted, and later accesses cost nothing.
 *
 * Threads may use different parts of a larger object that they share: each its own lock of an
 * array.  Whoever says which bytes it reads (vm_heap_part) sees only those, and has to ask each
 * time.
 *
 * A read set belongs to one heap.  Memory is exhausted: as vm_alloc says. */
#ifndef VM_READSET_H
#define VM_READSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vm_heap;
struct vm_obj;

enum {
    VM_MAX_READS = 64,
    VM_READ_REGIONS = 3,     /* regions: heap, frames, globals */
    VM_READ_NEW_SIZE = 4096, /* bytes of a new object; so they are few together */
    VM_WHOLE_WORDS = 8       /* smaller objects are read as a whole */
};

struct vm_read_entry {
    uint32_t at;        /* the upper half of a pointer, or VM_READ_END, VM_READ_MAY_WRITE */
    uint32_t part;      /* VM_READ_ALL, _HEAD, or _WORD + which */
    uint64_t label;     /* vm_read_label */
    struct vm_obj *was; /* the object that was there; lives as long as the log has it */
};

/* Reads of what is no object.  VM_READ_END: the end of the heap's objects, which is the index
 * of the next one.  VM_READ_MAY_WRITE: whether other threads may write a tracked variable,
 * whose number is the part (may_write.h). */
enum { VM_READ_END = 0xffffffff, VM_READ_MAY_WRITE = 0xfffffffe };
enum { VM_READ_ALL, VM_READ_HEAD, VM_READ_WORD };

static inline bool vm_read_is_object(const struct vm_read_entry *entry)
{
    return entry->at < VM_READ_MAY_WRITE;
}

struct vm_readset {
    bool recording;
    bool whole;                /* objects are looked at as a whole, whatever their size */
    bool ends_at_list, listed; /* where the list of threads ends it; it has come to the list */
    bool aborted;              /* the transition depends on more than what is read */
    uint32_t n;
    struct vm_read_entry at[VM_MAX_READS]; /* in order, each once */
    struct vm_obj **seen[VM_READ_REGIONS],
        **all[VM_READ_REGIONS];         /* the tables as they seem, and are */
    uint32_t capacity[VM_READ_REGIONS]; /* of seen, all NULL while nothing is recorded */
};

/* Returns a label of what is read there: equal labels, equal contents; 0 if there is none. */
uint64_t vm_read_label(const struct vm_heap *h, uint32_t at, uint32_t part);

/* Begins to record.  ends_at_list: it ends where the threads are listed; else they must not be.
 */
void vm_readset_begin(struct vm_heap *h, bool ends_at_list);
/* Notes that the list of threads is about to be read; reading it is not noted. */
void vm_readset_list(struct vm_heap *h);
/* Ends recording: the tables have all objects again, with what was changed.  May be called
 * twice. */
void vm_readset_finish(struct vm_heap *h);
/* Ends recording as vm_readset_finish does; the read set is of no use. */
void vm_readset_abort(struct vm_heap *h);
void vm_readset_free(struct vm_heap *h);
/* Notes the object of p and returns it; NULL if it was noted before, or if there is none. */
struct vm_obj *vm_readset_note(struct vm_heap *h, uint64_t p);
/* Notes n bytes at p and returns the object, which does not appear in the tables. */
struct vm_obj *vm_readset_note_part(struct vm_heap *h, uint64_t p, uint64_t n);
/* Returns the place of the present object of an index, noted or not. */
struct vm_obj **vm_readset_place(struct vm_heap *h, unsigned region, uint32_t index);
/* Is the object noted as a whole? */
bool vm_readset_has_all(const struct vm_readset *readset, uint32_t at);
/* Notes that the end of the heap's objects matters. */
void vm_readset_note_end(struct vm_heap *h);
/* Notes that it matters who may write a tracked variable. */
void vm_readset_note_may_write(struct vm_heap *h, uint32_t number);
/* Notes that an object of this size is about to be made there. */
void vm_readset_note_new(struct vm_heap *h, unsigned region, uint32_t index, uint32_t size);

#endif
