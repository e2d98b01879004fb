/* pages.h - zeroed memory that grows where it is, within a budget.  Internal.
 *
 * What is large gets addresses of its own, more than it uses, so that growing moves no
 * byte and touches only what is new; and huge pages as soon as 2 MB are whole.
 * Threads: a struct store_pages belongs to one at a time, a budget is shared. */
#ifndef STORE_PAGES_H
#define STORE_PAGES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* The bytes of all that a store has. */
struct store_budget {
    _Atomic size_t bytes, peak;
    size_t max; /* immutable after open, 0 = no limit */
};

/* Takes bytes; false, and nothing is taken, if there is not so much left. */
bool store_budget_take(struct store_budget *budget, size_t bytes);
/* Is so much left now? */
bool store_budget_allows(const struct store_budget *budget, size_t bytes);
void store_budget_give(struct store_budget *budget, size_t bytes);

struct store_pages {
    void *at;
    size_t bytes;
    size_t reserved; /* addresses from `at` on; 0: it is malloc'ed */
};

/* From STORE_PAGES_FROM on, a size should be a multiple of STORE_PAGE. */
enum { STORE_PAGE = 4096, STORE_PAGES_FROM = 64 << 10, STORE_PAGES_ALIGN = 64 };
enum { STORE_HUGE_PAGE = 2 << 20 };

/* Returns addresses without memory, which get huge pages, from a multiple of STORE_HUGE_PAGE
 * on; NULL if there are none. */
void *store_pages_reserve(size_t bytes);
/* Grows to so many bytes, a multiple of STORE_PAGES_ALIGN; `at` may change.  False, and nothing
 * has changed, if there is no memory or the budget does not allow it. */
bool store_pages_grow(struct store_pages *pages, size_t bytes, struct store_budget *budget);
void store_pages_free(struct store_pages *pages, struct store_budget *budget);

#endif
