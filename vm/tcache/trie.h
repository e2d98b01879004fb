/* trie.h - a decision trie of reads (readset.h): each node says what is read next, and its
 * children are told apart by the contents that are read.  A leaf holds what its owner has put
 * there.
 *
 * The trie is kept as a table of nodes, by a hash of the path to each: of the contents that
 * were read on it.  A trie belongs to one machine; all zero is an empty one. */
#ifndef VM_TRIE_H
#define VM_TRIE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vm/machine.h"

struct vm_trie_node {
    uint64_t path;
    uintptr_t what; /* 0: empty; odd: the next read; or a leaf */
};

struct vm_trie {
    struct vm_trie_node *nodes;
    size_t n, capacity;
};

/* Returns the path that goes on with these contents. */
static inline uint64_t vm_trie_on(uint64_t path, uint64_t label)
{
    return vm_fold(path + label);
}

/* Goes one step along the path; false if a leaf, or nothing, is there. */
bool vm_trie_step(const struct vm_trie *trie, const struct vm_heap *h, uint64_t *path,
                  uintptr_t *leaf);
/* Prefetches the node of the next step. */
void vm_trie_prefetch(const struct vm_trie *trie, uint64_t path);
/* Returns the leaf to which the heap leads from there; 0 if it leads to none yet. */
uintptr_t vm_trie_find(const struct vm_trie *trie, const struct vm_heap *h, uint64_t path);
/* Puts a leaf, which is an even number, or a read at the end of a path; false if something else
 * is there. */
bool vm_trie_put_leaf(struct vm_trie *trie, uint64_t path, uintptr_t leaf);
bool vm_trie_put_read(struct vm_trie *trie, uint64_t path, const struct vm_read_entry *entry);
size_t vm_trie_bytes(const struct vm_trie *trie);
void vm_trie_clear(struct vm_trie *trie);

#endif
