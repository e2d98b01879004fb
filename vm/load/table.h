/* table.h - hash tables and growing arrays, as the loader uses them.
 *
 * Each belongs to the struct that it stands in; all zero, but for a list's item, is empty.  The
 * data of a list are freed by free.  In one thread. */
#ifndef VM_LOAD_TABLE_H
#define VM_LOAD_TABLE_H

#include <stddef.h>
#include <stdint.h>

/* A hash table from pointers or interned strings to numbers (0: absent). */
struct map {
    const void **key;
    uint32_t *value;
    size_t n, capacity;
};
uint32_t map_get(const struct map *map, const void *key);
void map_put(struct map *map, const void *key, uint32_t value);
void map_fini(struct map *map);

/* A growing array of fixed-size items. */
struct list {
    void *data;
    size_t n, capacity, item;
};
void *list_push(struct list *list, const void *item); /* to the new item */

#endif
