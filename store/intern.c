/* intern.c - see intern.h. */
#include "intern.h"

#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { LOCAL_BITS = STORE_NUMBER_BITS - STORE_STRIPE_BITS, TAG_SHIFT = LOCAL_BITS };
enum { FIRST_SLOTS = 16 };

struct string {
    uint32_t tag, n;
    unsigned char bytes[];
};

/* The value that is looked for. */
struct value {
    uint64_t hash;
    uint64_t pair;
    const void *bytes; /* NULL: a pair */
    uint32_t tag, n;
};

void store_table_open(struct store_table *table, struct store_budget *budget)
{
    memset(table, 0, sizeof *table);
    table->budget = budget;
    for (unsigned i = 0; i < STORE_STRIPES; i++)
        pthread_mutex_init(&table->stripes[i].lock, NULL);
}

void store_table_close(struct store_table *table)
{
    for (unsigned i = 0; i < STORE_STRIPES; i++) {
        struct store_stripe *stripe = &table->stripes[i];
        store_pages_free(&stripe->index, table->budget);
        store_pages_free(&stripe->values, table->budget);
        store_pages_free(&stripe->bytes, table->budget);
        pthread_mutex_destroy(&stripe->lock);
    }
}

size_t store_table_bytes(struct store_table *table)
{
    size_t bytes = 0;
    for (unsigned i = 0; i < STORE_STRIPES; i++) {
        const struct store_stripe *stripe = &table->stripes[i];
        bytes += stripe->index.bytes + stripe->values.bytes + stripe->bytes.bytes;
    }
    return bytes;
}

static size_t small_bytes(const struct store_pages *pages)
{
    return pages->reserved ? 0 : pages->bytes;
}

size_t store_table_small_bytes(struct store_table *table)
{
    size_t bytes = 0;
    for (unsigned i = 0; i < STORE_STRIPES; i++) {
        struct store_stripe *stripe = &table->stripes[i];
        pthread_mutex_lock(&stripe->lock);
        bytes += small_bytes(&stripe->index) + small_bytes(&stripe->values) +
                 small_bytes(&stripe->bytes);
        pthread_mutex_unlock(&stripe->lock);
    }
    return bytes;
}

/* ---- room ------------------------------------------------------------------------ */

/* Makes room for so many bytes, an eighth more than there is at least. */
static bool make_room(struct store_pages *pages, size_t bytes, struct store_budget *budget)
{
    if (bytes <= pages->bytes)
        return true;
    size_t more = pages->bytes + pages->bytes / 8;
    size_t unit =
        more < STORE_PAGES_FROM && bytes < STORE_PAGES_FROM ? STORE_PAGES_ALIGN : STORE_PAGE;
    if (more < bytes)
        more = bytes;
    return store_pages_grow(pages, (more + unit - 1) / unit * unit, budget);
}

/* ---- the index ------------------------------------------------------------------- */

static struct string *string_at(const struct store_stripe *stripe, uint32_t local)
{
    const uint32_t *starts = stripe->values.at;
    return (struct string *)((uint64_t *)stripe->bytes.at + starts[local - 1]);
}

static uint64_t hash_pair(uint64_t x)
{
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
    return x ^ x >> 32;
}

static uint64_t hash_string(uint32_t tag, const void *bytes, uint32_t n)
{
    return XXH3_64bits_withSeed(bytes, n, tag);
}

static uint64_t hash_at(const struct store_stripe *stripe, uint32_t local)
{
    if (!stripe->bytes.at)
        return hash_pair(((const uint64_t *)stripe->values.at)[local - 1]);
    const struct string *string = string_at(stripe, local);
    return hash_string(string->tag, string->bytes, string->n);
}

/* Returns the slot where the search for a hash begins.  The top bits of a hash choose the
 * stripe, the next ones the slot, and the last ones are in the index. */
static uint32_t home(uint64_t hash, uint32_t nslots)
{
    return (uint32_t)((hash << STORE_STRIPE_BITS >> 32) * nslots >> 32);
}

static uint32_t entry_of(uint64_t hash, uint32_t local)
{
    return (uint32_t)hash << TAG_SHIFT | local;
}

static void put_entry(struct store_stripe *stripe, uint64_t hash, uint32_t local)
{
    uint32_t *index = stripe->index.at;
    uint32_t i = home(hash, stripe->nslots);
    while (index[i])
        i = i + 1 == stripe->nslots ? 0 : i + 1;
    index[i] = entry_of(hash, local);
}

/* Grows the index by a quarter: at most 7 in 8 slots are used. */
static bool grow_index(struct store_stripe *stripe, struct store_budget *budget)
{
    if (stripe->n < stripe->nslots / 8 * 7)
        return true;
    size_t slots = stripe->nslots ? stripe->nslots + stripe->nslots / 4 : FIRST_SLOTS;
    if (!make_room(&stripe->index, slots * sizeof(uint32_t), budget))
        return false;
    stripe->nslots = (uint32_t)(stripe->index.bytes / sizeof(uint32_t));
    memset(stripe->index.at, 0, stripe->index.bytes);
    for (uint32_t local = 1; local <= stripe->n; local++)
        put_entry(stripe, hash_at(stripe, local), local);
    return true;
}

static bool is_equal(const struct store_stripe *stripe, uint32_t local,
                     const struct value *value)
{
    if (!value->bytes)
        return ((const uint64_t *)stripe->values.at)[local - 1] == value->pair;
    const struct string *string = string_at(stripe, local);
    return string->tag == value->tag && string->n == value->n &&
           !memcmp(string->bytes, value->bytes, value->n);
}

static uint32_t find(const struct store_stripe *stripe, const struct value *value)
{
    const uint32_t *index = stripe->index.at;
    enum { LOCAL_MASK = (1 << LOCAL_BITS) - 1 };
    if (!stripe->nslots)
        return 0;
    uint32_t i = home(value->hash, stripe->nslots);
    for (; index[i]; i = i + 1 == stripe->nslots ? 0 : i + 1)
        if (!((index[i] ^ entry_of(value->hash, 0)) & ~(uint32_t)LOCAL_MASK) &&
            is_equal(stripe, index[i] & LOCAL_MASK, value))
            return index[i] & LOCAL_MASK;
    return 0;
}

/* ---- new values ------------------------------------------------------------------ */

static bool append_pair(struct store_stripe *stripe, uint64_t pair, struct store_budget *budget)
{
    if (!make_room(&stripe->values, (stripe->n + 1) * sizeof pair, budget))
        return false;
    ((uint64_t *)stripe->values.at)[stripe->n] = pair;
    return true;
}

static bool append_string(struct store_stripe *stripe, const struct value *value,
                          struct store_budget *budget)
{
    uint64_t units = (sizeof(struct string) + (uint64_t)value->n + 7) / 8;
    if (stripe->end + units > UINT32_MAX ||
        !make_room(&stripe->bytes, (stripe->end + units) * 8, budget) ||
        !make_room(&stripe->values, (stripe->n + 1) * sizeof(uint32_t), budget))
        return false;
    ((uint32_t *)stripe->values.at)[stripe->n] = stripe->end;
    struct string *string = (struct string *)((uint64_t *)stripe->bytes.at + stripe->end);
    string->tag = value->tag;
    string->n = value->n;
    memcpy(string->bytes, value->bytes, value->n);
    stripe->end += (uint32_t)units;
    return true;
}

static uint32_t find_or_add(struct store_stripe *stripe, const struct value *value,
                            struct store_budget *budget)
{
    uint32_t local = find(stripe, value);
    if (local)
        return local;
    if (stripe->n + 1 == 1 << LOCAL_BITS || !grow_index(stripe, budget))
        return 0;
    if (!(value->bytes ? append_string(stripe, value, budget)
                       : append_pair(stripe, value->pair, budget)))
        return 0;
    put_entry(stripe, value->hash, ++stripe->n);
    return stripe->n;
}

static uint32_t intern(struct store_table *table, const struct value *value)
{
    unsigned i = (unsigned)(value->hash >> (64 - STORE_STRIPE_BITS));
    struct store_stripe *stripe = &table->stripes[i];
    pthread_mutex_lock(&stripe->lock);
    uint32_t local = find_or_add(stripe, value, table->budget);
    pthread_mutex_unlock(&stripe->lock);
    return local ? local << STORE_STRIPE_BITS | i : 0;
}

uint32_t store_intern_pair(struct store_table *table, uint64_t pair)
{
    return intern(table, &(struct value){.hash = hash_pair(pair), .pair = pair});
}

uint32_t store_intern_bytes(struct store_table *table, uint32_t tag, const void *bytes,
                            uint32_t n)
{
    return intern(table, &(struct value){
                             .hash = hash_string(tag, bytes, n),
                             .bytes = bytes,
                             .tag = tag,
                             .n = n,
                         });
}

/* ---- as bytes -------------------------------------------------------------------- */

static bool move(const struct store_stream *stream, void *bytes, size_t n)
{
    return !n || stream->move(stream->context, bytes, n);
}

bool store_table_save(struct store_table *table, const struct store_stream *to)
{
    for (unsigned i = 0; i < STORE_STRIPES; i++) {
        struct store_stripe *stripe = &table->stripes[i];
        const struct store_pages *pages[] = {&stripe->index, &stripe->values, &stripe->bytes};
        uint32_t counts[] = {stripe->n, stripe->nslots, stripe->end};
        if (!move(to, counts, sizeof counts))
            return false;
        for (unsigned k = 0; k < 3; k++) {
            size_t bytes = pages[k]->bytes;
            if (!move(to, &bytes, sizeof bytes) || !move(to, pages[k]->at, bytes))
                return false;
        }
    }
    return true;
}

static bool load_pages(struct store_pages *pages, struct store_budget *budget,
                       const struct store_stream *from)
{
    size_t bytes;
    return move(from, &bytes, sizeof bytes) &&
           (!bytes || store_pages_grow(pages, bytes, budget)) && move(from, pages->at, bytes);
}

bool store_table_load(struct store_table *table, const struct store_stream *from)
{
    for (unsigned i = 0; i < STORE_STRIPES; i++) {
        struct store_stripe *stripe = &table->stripes[i];
        uint32_t counts[3];
        if (!move(from, counts, sizeof counts) ||
            !load_pages(&stripe->index, table->budget, from) ||
            !load_pages(&stripe->values, table->budget, from) ||
            !load_pages(&stripe->bytes, table->budget, from))
            return false;
        stripe->n = counts[0];
        stripe->nslots = counts[1];
        stripe->end = counts[2];
    }
    return true;
}
