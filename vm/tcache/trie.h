/* trie.h - a tree of looks (readset.h): at a node stands what is looked at next, and its
 * children are told apart by what is seen there.  At a leaf is what its owner has put there.
 *
 * It is kept as a table of nodes, by the hash of the way to each: of what was seen before.
 * A tree belongs to one machine; all zero is an empty one. */
#ifndef VM_TRIE_H
#define VM_TRIE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vm/machine.h"

struct vm_trie_node {
    uint64_t path;
    uintptr_t what; /* 0: empty; odd: what is looked at; or a leaf */
};

struct vm_trie {
    struct vm_trie_node *nodes;
    size_t n, capacity;
};

/* The way that goes on with what was seen. */
static inline uint64_t vm_trie_on(uint64_t path, uint64_t label)
{
    return vm_fold(path + label);
}

/* One step of the way to it: false if it has come there. */
bool vm_trie_step(const struct vm_trie *trie, const struct vm_heap *h, uint64_t *path,
                  uintptr_t *leaf);
/* Of the next step. */
void vm_trie_prefetch(const struct vm_trie *trie, uint64_t path);
/* The leaf to which the heap leads from there; 0 if it leads to none yet. */
uintptr_t vm_trie_find(const struct vm_trie *trie, const struct vm_heap *h, uint64_t path);
/* A leaf, an even number, or a look comes to the end of a way; false if something else is
 * there. */
bool vm_trie_put_leaf(struct vm_trie *trie, uint64_t path, uintptr_t leaf);
bool vm_trie_put_read(struct vm_trie *trie, uint64_t path, const struct vm_read_entry *entry);
size_t vm_trie_bytes(const struct vm_trie *trie);
void vm_trie_clear(struct vm_trie *trie);

#endif
