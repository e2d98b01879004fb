/* pages.c - see pages.h. */
#include "pages.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25 /* Linux 6.1 */
#endif

/* ---- the budget ------------------------------------------------------------------ */

bool store_budget_take(struct store_budget *budget, size_t bytes)
{
    size_t now = atomic_fetch_add_explicit(&budget->bytes, bytes, memory_order_relaxed) + bytes;
    if (budget->max && now > budget->max) {
        atomic_fetch_sub_explicit(&budget->bytes, bytes, memory_order_relaxed);
        return false;
    }
    size_t peak = atomic_load_explicit(&budget->peak, memory_order_relaxed);
    while (now > peak &&
           !atomic_compare_exchange_weak_explicit(&budget->peak, &peak, now,
                                                  memory_order_relaxed, memory_order_relaxed))
        continue;
    return true;
}

bool store_budget_allows(const struct store_budget *budget, size_t bytes)
{
    return !budget->max ||
           atomic_load_explicit(&budget->bytes, memory_order_relaxed) + bytes <= budget->max;
}

void store_budget_give(struct store_budget *budget, size_t bytes)
{
    atomic_fetch_sub_explicit(&budget->bytes, bytes, memory_order_relaxed);
}

/* ---- addresses ------------------------------------------------------------------- */

void *store_pages_reserve(size_t bytes)
{
    char *p = mmap(NULL, bytes + STORE_HUGE_PAGE, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    size_t head = -(uintptr_t)p & (STORE_HUGE_PAGE - 1);
    if (head)
        munmap(p, head);
    munmap(p + head + bytes, STORE_HUGE_PAGE - head);
    madvise(p + head, bytes, MADV_HUGEPAGE);
    return p + head;
}

/* Joins small pages.  The system gives a huge page if all of it is there when it is first
 * touched; where one has become whole later, its small pages are joined. */
static void join_pages(char *at, size_t before, size_t bytes)
{
    size_t start = before & ~((size_t)STORE_HUGE_PAGE - 1);
    if (start < before && start + STORE_HUGE_PAGE <= bytes)
        madvise(at + start, STORE_HUGE_PAGE, MADV_COLLAPSE); /* or it stays as it is */
}

static bool grow_here(struct store_pages *pages, size_t bytes)
{
    char *at = pages->at;
    if (mprotect(at + pages->bytes, bytes - pages->bytes, PROT_READ | PROT_WRITE) < 0)
        return false;
    join_pages(at, pages->bytes, bytes);
    /* Soon all of it is written.  A page that is first looked at would be mapped twice, and
     * all workers interrupted the second time. */
    madvise(at + pages->bytes, bytes - pages->bytes, MADV_POPULATE_WRITE);
    return true;
}

/* Moves large memory to other addresses: of mapped pages only the addresses change. */
static bool move(struct store_pages *pages, size_t bytes)
{
    size_t reserved = (2 * bytes + STORE_HUGE_PAGE - 1) & ~((size_t)STORE_HUGE_PAGE - 1);
    struct store_pages to = {store_pages_reserve(reserved), 0, reserved};
    if (!to.at)
        return false;
    if (pages->reserved && mremap(pages->at, pages->bytes, pages->bytes,
                                  MREMAP_MAYMOVE | MREMAP_FIXED, to.at) != MAP_FAILED) {
        munmap((char *)pages->at + pages->bytes, pages->reserved - pages->bytes);
        to.bytes = pages->bytes;
        *pages = to;
        return grow_here(pages, bytes);
    }
    if (!grow_here(&to, bytes)) {
        munmap(to.at, to.reserved);
        return false;
    }
    if (pages->bytes)
        memcpy(to.at, pages->at, pages->bytes);
    if (pages->reserved)
        munmap(pages->at, pages->reserved);
    else
        free(pages->at);
    pages->at = to.at;
    pages->reserved = to.reserved;
    return true;
}

static bool grow_small(struct store_pages *pages, size_t bytes)
{
    char *at = aligned_alloc(STORE_PAGES_ALIGN, bytes);
    if (!at)
        return false;
    if (pages->bytes)
        memcpy(at, pages->at, pages->bytes);
    memset(at + pages->bytes, 0, bytes - pages->bytes);
    free(pages->at);
    pages->at = at;
    return true;
}

bool store_pages_grow(struct store_pages *pages, size_t bytes, struct store_budget *budget)
{
    assert(bytes > pages->bytes && bytes % STORE_PAGES_ALIGN == 0);
    assert(bytes < STORE_PAGES_FROM || bytes % STORE_PAGE == 0);
    size_t more = bytes - pages->bytes;
    if (!store_budget_take(budget, more))
        return false;
    bool grown = bytes < STORE_PAGES_FROM   ? grow_small(pages, bytes)
                 : bytes <= pages->reserved ? grow_here(pages, bytes)
                                            : move(pages, bytes);
    if (grown)
        pages->bytes = bytes;
    else
        store_budget_give(budget, more);
    return grown;
}

void store_pages_free(struct store_pages *pages, struct store_budget *budget)
{
    if (pages->reserved)
        munmap(pages->at, pages->reserved);
    else
        free(pages->at);
    store_budget_give(budget, pages->bytes);
    *pages = (struct store_pages){0};
}
