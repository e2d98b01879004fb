/* ways.c - see ways.h. */
#include "ways.h"

#include <assert.h>
#include <stdlib.h>

#include "vm/heap/memory.h"

enum { LOOK = 1, FIRST_NODES = 1 << 12 };

static struct vm_way *node_at(const struct vm_ways *ways, uint64_t way)
{
    size_t k = way & (ways->capacity - 1);
    while (ways->nodes[k].what && ways->nodes[k].way != way)
        k = (k + 1) & (ways->capacity - 1);
    return &ways->nodes[k];
}

bool vm_ways_step(const struct vm_ways *ways, const struct vm_heap *h, uint64_t *way,
                  uintptr_t *leaf)
{
    uintptr_t what = node_at(ways, *way)->what;
    *leaf = what;
    if (!(what & LOOK))
        return false;
    *way = vm_way_on(*way, vm_look(h, (uint32_t)(what >> 32), (uint32_t)what >> 2));
    return true;
}

void vm_ways_prefetch(const struct vm_ways *ways, uint64_t way)
{
    __builtin_prefetch(&ways->nodes[way & (ways->capacity - 1)]);
}

uintptr_t vm_ways_find(const struct vm_ways *ways, const struct vm_heap *h, uint64_t way)
{
    uintptr_t leaf = 0;
    while (ways->n && vm_ways_step(ways, h, &way, &leaf))
        ;
    return leaf;
}

static void grow(struct vm_ways *ways)
{
    struct vm_way *old = ways->nodes;
    size_t n = ways->capacity;
    ways->capacity = n ? 2 * n : FIRST_NODES;
    ways->nodes = vm_zeros(ways->capacity, sizeof *ways->nodes);
    for (size_t k = 0; k < n; k++)
        if (old[k].what)
            *node_at(ways, old[k].way) = old[k];
    free(old);
}

static bool put(struct vm_ways *ways, uint64_t way, uintptr_t what)
{
    if (4 * ways->n >= 3 * ways->capacity)
        grow(ways);
    struct vm_way *node = node_at(ways, way);
    if (node->what)
        return node->what == what;
    *node = (struct vm_way){way, what};
    ways->n++;
    return true;
}

bool vm_ways_put_leaf(struct vm_ways *ways, uint64_t way, uintptr_t leaf)
{
    assert(leaf && !(leaf & LOOK));
    return put(ways, way, leaf);
}

bool vm_ways_put_look(struct vm_ways *ways, uint64_t way, const struct vm_look *look)
{
    return put(ways, way, (uintptr_t)look->at << 32 | look->part << 2 | LOOK);
}

size_t vm_ways_bytes(const struct vm_ways *ways)
{
    return ways->capacity * sizeof *ways->nodes;
}

void vm_ways_clear(struct vm_ways *ways)
{
    free(ways->nodes);
    *ways = (struct vm_ways){0};
}
