/* intern.h - numbers for values: equal ones get the same, others another.  Internal.
 *
 * Two kinds of table: of pairs of numbers (64 bits), and of strings of bytes.  Both are in
 * stripes by hash, each with a lock; what is in them stays until close.
 * Threads: all calls may run concurrently, except open and close. */
#ifndef STORE_INTERN_H
#define STORE_INTERN_H

#include <pthread.h>
#include <stdint.h>

#include "pages.h"
#include "store.h"

/* Numbers are below 1 << STORE_NUMBER_BITS, and never 0. */
enum { STORE_STRIPE_BITS = 6, STORE_STRIPES = 1 << STORE_STRIPE_BITS, STORE_NUMBER_BITS = 29 };

struct store_stripe {
    pthread_mutex_t lock;      /* protects the rest */
    uint32_t n, nslots;        /* values; slots of the index */
    struct store_pages index;  /* a value's number in the stripe, and bits of its hash */
    struct store_pages values; /* pairs; or where the bytes of each string begin */
    struct store_pages bytes;  /* of strings: their lengths, tags, contents */
    uint32_t end;              /* of the bytes, in units of 8 */
};

struct store_table {
    struct store_stripe stripes[STORE_STRIPES];
    struct store_budget *budget;
};

void store_table_open(struct store_table *table, struct store_budget *budget);
void store_table_close(struct store_table *table);
/* Returns the number of a pair; 0 if there is no room. */
uint32_t store_intern_pair(struct store_table *table, uint64_t pair);
/* Returns the number of a string.  A tag keeps strings of several kinds apart. */
uint32_t store_intern_bytes(struct store_table *table, uint32_t tag, const void *bytes,
                            uint32_t n);
/* Write and read a table as bytes: see store_save.  A table that is loaded must be empty. */
bool store_table_save(struct store_table *table, const struct store_stream *to);
bool store_table_load(struct store_table *table, const struct store_stream *from);
/* Returns how many bytes of the budget the table has. */
size_t store_table_bytes(struct store_table *table);
/* Returns how many of these come from malloc. */
size_t store_table_small_bytes(struct store_table *table);

#endif
