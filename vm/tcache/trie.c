/* trie.c - see trie.h. */
#include "trie.h"

#include <assert.h>
#include <stdlib.h>

#include "vm/heap/memory.h"

enum { READ = 1, FIRST_NODES = 1 << 12 };

static struct vm_trie_node *node_at(const struct vm_trie *trie, uint64_t path)
{
    size_t k = path & (trie->capacity - 1);
    while (trie->nodes[k].what && trie->nodes[k].path != path)
        k = (k + 1) & (trie->capacity - 1);
    return &trie->nodes[k];
}

bool vm_trie_step(const struct vm_trie *trie, const struct vm_heap *h, uint64_t *path,
                  uintptr_t *leaf)
{
    uintptr_t what = node_at(trie, *path)->what;
    *leaf = what;
    if (!(what & READ))
        return false;
    *path = vm_trie_on(*path, vm_read_label(h, (uint32_t)(what >> 32), (uint32_t)what >> 2));
    return true;
}

void vm_trie_prefetch(const struct vm_trie *trie, uint64_t path)
{
    __builtin_prefetch(&trie->nodes[path & (trie->capacity - 1)]);
}

uintptr_t vm_trie_find(const struct vm_trie *trie, const struct vm_heap *h, uint64_t path)
{
    uintptr_t leaf = 0;
    while (trie->n && vm_trie_step(trie, h, &path, &leaf))
        ;
    return leaf;
}

static void grow(struct vm_trie *trie)
{
    struct vm_trie_node *old = trie->nodes;
    size_t n = trie->capacity;
    trie->capacity = n ? 2 * n : FIRST_NODES;
    trie->nodes = vm_zeros(trie->capacity, sizeof *trie->nodes);
    for (size_t k = 0; k < n; k++)
        if (old[k].what)
            *node_at(trie, old[k].path) = old[k];
    free(old);
}

static bool put(struct vm_trie *trie, uint64_t path, uintptr_t what)
{
    if (4 * trie->n >= 3 * trie->capacity)
        grow(trie);
    struct vm_trie_node *node = node_at(trie, path);
    if (node->what)
        return node->what == what;
    *node = (struct vm_trie_node){path, what};
    trie->n++;
    return true;
}

bool vm_trie_put_leaf(struct vm_trie *trie, uint64_t path, uintptr_t leaf)
{
    assert(leaf && !(leaf & READ));
    return put(trie, path, leaf);
}

bool vm_trie_put_read(struct vm_trie *trie, uint64_t path, const struct vm_read_entry *entry)
{
    return put(trie, path, (uintptr_t)entry->at << 32 | entry->part << 2 | READ);
}

size_t vm_trie_bytes(const struct vm_trie *trie)
{
    return trie->capacity * sizeof *trie->nodes;
}

void vm_trie_clear(struct vm_trie *trie)
{
    free(trie->nodes);
    *trie = (struct vm_trie){0};
}
