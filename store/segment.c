/* segment.c - see segment.h. */
#include "segment.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { DOUBLE_BELOW = 4, READY_PART = 16 };

static size_t ngroups_of(const struct store_segments *all, size_t segment)
{
    return store_head(all, segment) >> STORE_HEAD_SHIFT;
}

static uint64_t get_print(const struct store_group *group, unsigned i)
{
    return atomic_load_explicit(&group->print[i], memory_order_relaxed);
}

/* ---- memory ---------------------------------------------------------------------- */

enum { ROW_BYTES = STORE_SEGMENTS * STORE_ROW * sizeof(struct store_group) };

/* Returns the size of the bits for so many bytes of groups. */
static size_t full_bytes(size_t bytes)
{
    enum { LINES = STORE_SEGMENTS * STORE_FULL_ROWS * sizeof(uint16_t) };
    return (bytes / ROW_BYTES / STORE_FULL_ROWS + 1) * LINES;
}

/* Reserves more addresses than there is memory.  Where addresses are limited, a part of those
 * that are left. */
static bool reserve(struct store_segments *all)
{
    enum { MOST_BITS = 40, PART = 4 };
    size_t most = (size_t)1 << MOST_BITS, bytes = most;
    char *at = store_pages_reserve(bytes);
    while (!at && (bytes /= 2) >= ROW_BYTES)
        at = store_pages_reserve(bytes);
    if (!at)
        return false;
    if (bytes < most) {
        munmap(at + bytes / PART, bytes - bytes / PART);
        bytes /= PART;
    }
    all->groups = (struct store_group *)at;
    all->bytes = bytes;
    /* The bits get small pages: hardly anything of a huge one would be used. */
    void *full = mmap(NULL, full_bytes(bytes), PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    all->full = full == MAP_FAILED ? NULL : full;
    return all->full;
}

/* Makes the first so many bytes writable.  It opens more than is asked for, so that this is
 * rare: what is not written takes no memory. */
static bool open_bytes(struct store_segments *all, size_t bytes)
{
    enum { PART = 8 };
    size_t more = bytes + bytes / PART + STORE_HUGE_PAGE;
    more -= more % STORE_HUGE_PAGE;
    more = more > all->bytes ? all->bytes : more;
    char *from = (char *)all->groups + all->open;
    if (bytes > more || mprotect(from, more - all->open, PROT_READ | PROT_WRITE) < 0 ||
        mprotect(all->full, full_bytes(more), PROT_READ | PROT_WRITE) < 0)
        return false;
    all->open = more;
    return true;
}

/* Makes room for so many groups of a segment. */
static bool make_rows(struct store_segments *all, size_t ngroups)
{
    size_t bytes = (ngroups + STORE_ROW - 1) / STORE_ROW * ROW_BYTES;
    pthread_mutex_lock(&all->lock);
    bool made = bytes <= all->open || open_bytes(all, bytes);
    pthread_mutex_unlock(&all->lock);
    return made;
}

bool store_segments_open(struct store_segments *all, unsigned users,
                         struct store_budget *budget)
{
    enum { N = STORE_SEGMENTS };
    *all = (struct store_segments){.users = users, .budget = budget};
    pthread_mutex_init(&all->lock, NULL);
    size_t line = alignof(struct store_used);
    all->heads = aligned_alloc(line, N * sizeof *all->heads);
    all->used = aligned_alloc(line, N * sizeof *all->used);
    if (!all->heads || !all->used || !store_budget_take(budget, N * sizeof(struct store_group)))
        return false;
    for (size_t i = 0; i < N; i++) {
        atomic_init(&all->heads[i], 1 << STORE_HEAD_SHIFT);
        atomic_init(&all->used[i].n, 0);
    }
    return reserve(all) && make_rows(all, 1);
}

void store_segments_close(struct store_segments *all)
{
    if (!all->budget)
        return; /* it was not opened */
    if (all->groups)
        munmap(all->groups, all->bytes);
    if (all->full)
        munmap(all->full, full_bytes(all->bytes));
    free(all->heads);
    free(all->used);
    pthread_mutex_destroy(&all->lock);
}

/* ---- looking up and putting in --------------------------------------------------- */

/* Puts a fingerprint into an empty slot; false if another thread was first.  Here and below:
 * whoever is alone writes without locking the cache line, which would wait for all that was
 * written before. */
static bool set_print(const struct store_segments *all, _Atomic uint64_t *at, uint64_t print)
{
    uint64_t empty = 0;
    if (all->users > 1)
        return atomic_compare_exchange_strong_explicit(at, &empty, print, memory_order_relaxed,
                                                       memory_order_relaxed);
    atomic_store_explicit(at, print, memory_order_relaxed);
    return true;
}

/* Offers a link to a slot, where the lowest link stays.  Relaxed: the link is one word, and is
 * only read as one. */
static void offer_link(const struct store_segments *all, const struct store_slot *slot,
                       uint32_t link)
{
    _Atomic uint32_t *at = &slot->group->link[slot->i];
    uint32_t seen = atomic_load_explicit(at, memory_order_relaxed);
    while (!seen || link < seen) {
        if (all->users == 1)
            atomic_store_explicit(at, link, memory_order_relaxed);
        if (all->users == 1 || atomic_compare_exchange_weak_explicit(
                                   at, &seen, link, memory_order_relaxed, memory_order_relaxed))
            return;
    }
}

/* Offers a link to a state that was there: links of states that were found in other levels stay
 * as they are. */
static void offer_again(const struct store_segments *all, const struct store_slot *slot,
                        uint64_t seen, uint32_t link)
{
    if (all->level && store_level_in(seen) == all->level)
        offer_link(all, slot, link);
}

/* Returns how many of so many slots may be used before the segment grows: 55 in 64, which makes
 * 16 bytes a state even after it has grown by 9/64. */
static size_t room(size_t ngroups, bool stuck)
{
    size_t slots = ngroups * STORE_GROUP;
    return stuck ? slots - slots / 16 : slots - slots * 9 / 64;
}

/* Returns how many of the slots left are reserved at once.  They are many, since whoever
 * reserves some waits for what another thread has written; but at most half of an equal share,
 * so that of the last slots few are reserved, lest others find none while they are not
 * needed. */
static size_t portion(const struct store_segments *all, size_t left)
{
    size_t n = left / (2 * all->users);
    return n == 0 ? 1 : n > UINT8_MAX ? UINT8_MAX : n;
}

static void set_aside(store_reserve *reserve, size_t n)
{
    atomic_store_explicit(reserve, (uint8_t)n, memory_order_relaxed);
}

/* Reserves a slot before one is taken, which keeps at least one slot empty, so that every probe
 * ends.  *few is set once, when as many slots are left as will be needed while memory is
 * got. */
static bool reserve_slot(const struct store_segments *all, size_t segment,
                         store_reserve *reserve, size_t ngroups, bool *few)
{
    size_t have = atomic_load_explicit(reserve, memory_order_relaxed);
    if (have == 0) {
        _Atomic size_t *count = &all->used[segment].n;
        size_t most = room(ngroups, store_head(all, segment) & STORE_STUCK);
        size_t used = atomic_load_explicit(count, memory_order_relaxed);
        size_t n = portion(all, used < most ? most - used : 0);
        used = atomic_fetch_add_explicit(count, n, memory_order_relaxed);
        have = used >= most ? 0 : used + n > most ? most - used : n;
        if (have < n)
            atomic_fetch_sub_explicit(count, n - have, memory_order_relaxed);
        if (have == 0)
            return false;
        size_t mark = most - most / READY_PART;
        *few = used < mark && used + n >= mark;
    }
    set_aside(reserve, have - 1);
    return true;
}

static void keep_slot(store_reserve *reserve)
{
    set_aside(reserve, atomic_load_explicit(reserve, memory_order_relaxed) + 1u);
}

static struct store_place home_of(const struct store_segments *all, size_t segment,
                                  uint64_t print)
{
    size_t ngroups = ngroups_of(all, segment);
    return (struct store_place){
        .id = print, .group = store_home(print, ngroups), .ngroups = ngroups};
}

/* Goes on to the first slot that has the fingerprint or none.  Relaxed: a fingerprint is one
 * word that does not change, and tells nothing of other memory. */
static inline struct store_slot look_on(const struct store_segments *all, size_t segment,
                                        uint64_t print, struct store_place *place,
                                        uint64_t *seen)
{
    struct store_group *group = store_group_at(all, segment, place->group);
    for (;; place->passed++) {
        if (place->passed == STORE_GROUP) {
            place->passed = 0;
            place->group = place->group + 1 == place->ngroups ? 0 : place->group + 1;
            group = store_group_at(all, segment, place->group);
        }
        unsigned i = (unsigned)(print + place->passed) % STORE_GROUP;
        *seen = get_print(group, i);
        if (!((*seen ^ print) << STORE_SEGMENT_BITS) || !*seen)
            return (struct store_slot){group, i};
    }
}

enum store_probe store_segment_put(const struct store_segments *all, size_t segment,
                                   store_reserve *reserve, uint64_t print, uint32_t link,
                                   const struct store_place *from)
{
    size_t ngroups = ngroups_of(all, segment);
    bool known = from && from->id == print && from->ngroups == ngroups;
    struct store_place place = known ? *from : home_of(all, segment, print);
    bool reserved = false, few = false;
    for (;;) {
        uint64_t seen;
        struct store_slot slot = look_on(all, segment, print, &place, &seen);
        if (!seen) {
            if (!reserved && !(reserved = reserve_slot(all, segment, reserve, ngroups, &few)))
                return STORE_PROBE_NO_ROOM;
            if (!set_print(all, &slot.group->print[slot.i], store_in_slot(print, all->level)))
                continue;
            offer_link(all, &slot, link);
            return few ? STORE_PROBE_NEW_OF_FEW : STORE_PROBE_NEW;
        }
        if (reserved)
            keep_slot(reserve);
        offer_again(all, &slot, seen, link);
        return STORE_PROBE_FOUND;
    }
}

bool store_segment_offer(const struct store_segments *all, size_t segment, uint64_t print,
                         uint32_t link, struct store_place *place)
{
    uint64_t seen;
    *place = home_of(all, segment, print);
    struct store_slot slot = look_on(all, segment, print, place, &seen);
    if (seen) {
        offer_again(all, &slot, seen, link);
    } else {
        store_prefetch_to_write(&slot.group->print[slot.i]);
        store_prefetch_to_write(&slot.group->link[slot.i]);
    }
    return seen;
}

struct store_slot store_segment_find(const struct store_segments *all, size_t segment,
                                     uint64_t print)
{
    uint64_t seen;
    struct store_place place = home_of(all, segment, print);
    struct store_slot slot = look_on(all, segment, print, &place, &seen);
    return seen ? slot : (struct store_slot){NULL, 0};
}

/* Returns which slots of a group are used, as bits. */
static uint16_t used_in(const struct store_group *group)
{
    static_assert(STORE_GROUP == 16, "a bit for each slot");
    unsigned used = 0;
    for (unsigned i = 0; i < STORE_GROUP; i++)
        used |= (unsigned)(get_print(group, i) != 0) << i;
    return (uint16_t)used;
}

enum { ALL_USED = UINT16_MAX };

uint64_t store_segment_candidate(const struct store_segments *all, size_t segment,
                                 uint64_t bits, uint64_t after)
{
    size_t ngroups = ngroups_of(all, segment);
    size_t last = store_home(((bits + 1) << STORE_LINK_SHIFT) - 1, ngroups);
    bool passed = false;
    uint64_t best = 0;
    for (size_t g = store_home(bits << STORE_LINK_SHIFT, ngroups);;
         g = g + 1 == ngroups ? 0 : g + 1) {
        const struct store_group *group = store_group_at(all, segment, g);
        for (unsigned i = 0; i < STORE_GROUP; i++) {
            uint64_t seen = get_print(group, i), print = store_print_in(segment, seen);
            if (seen && print >> STORE_LINK_SHIFT == bits && print > after &&
                (!best || print < best))
                best = print;
        }
        passed |= g == last;
        if (passed && used_in(group) != ALL_USED)
            return best;
    }
}

/* ---- levels ---------------------------------------------------------------------- */

/* Sets levels to 0.  Most of the table has 0 already, which is not written again. */
static void forget_levels_in(struct store_group *group)
{
    for (unsigned i = 0; i < STORE_GROUP; i++) {
        uint64_t print = get_print(group, i);
        if (store_level_in(print))
            atomic_store_explicit(&group->print[i], store_in_slot(print, 0),
                                  memory_order_relaxed);
    }
}

static void forget_levels(struct store_segments *all)
{
    for (size_t segment = 0; segment < STORE_SEGMENTS; segment++)
        for (size_t g = 0; g < ngroups_of(all, segment); g++)
            forget_levels_in(store_group_at(all, segment, g));
}

void store_segments_next_level(struct store_segments *all)
{
    uint64_t level = all->level >> STORE_LEVEL_SHIFT;
    if (level == STORE_LAST_LEVEL) {
        forget_levels(all);
        level = 0;
    }
    all->level = (level + 1) << STORE_LEVEL_SHIFT;
}

/* ---- growing --------------------------------------------------------------------- */

/* A run is a group that is not full and the full ones before it: whatever stands in a run
 * has its home in it.  With more groups, no home is further down than it was.  So runs are
 * taken out and put in anew from the last to the first: what was put in stays where it is,
 * and what is put in meets only what was, or emptiness.  The run of the last group, which
 * may go on in the first ones, is taken out before and put in after all others; these
 * cannot come to the end of the table then, as they are no more than what fitted there. */

struct taken {
    uint64_t print; /* as in a slot */
    uint32_t link;
};

/* A segment of so many groups, with which slots of each are used, as bits; the list of these is
 * as long as it must be when the segment has grown. */
struct table {
    const struct store_segments *all;
    size_t segment, ngroups;
    uint16_t *used;
};

static struct store_group *at(const struct table *table, size_t g)
{
    return store_group_at(table->all, table->segment, g);
}

static bool all_used(const struct table *table, size_t g)
{
    return table->used[g] == ALL_USED;
}

/* Prefetches the groups of a row that exist. */
static void prefetch_row(const struct table *table, size_t first)
{
    for (size_t g = first; g < table->ngroups && g < first + STORE_ROW; g++)
        store_prefetch_group(table->all, table->segment, g);
}

/* Finds which slots are used.  The next row, which stands elsewhere, is prefetched meanwhile,
 * to be written soon. */
static void find_used(const struct table *table)
{
    prefetch_row(table, 0);
    for (size_t g = 0; g < table->ngroups; g++) {
        if (g % STORE_ROW == 0)
            prefetch_row(table, g + STORE_ROW);
        table->used[g] = used_in(at(table, g));
    }
}

/* Puts a slot into the first empty place from its home on. */
static void place(const struct table *table, const struct taken *taken)
{
    size_t ngroups = table->ngroups, g = store_home(taken->print, ngroups);
    while (all_used(table, g))
        g = g + 1 == ngroups ? 0 : g + 1;
    unsigned used = table->used[g], first = taken->print % STORE_GROUP;
    unsigned skip = (unsigned)__builtin_ctz(~((used | used << STORE_GROUP) >> first));
    unsigned i = (first + skip) % STORE_GROUP;
    struct store_group *group = at(table, g);
    table->used[g] = (uint16_t)(used | 1u << i);
    atomic_store_explicit(&group->print[i], taken->print, memory_order_relaxed);
    atomic_store_explicit(&group->link[i], taken->link, memory_order_relaxed);
}

/* Empties n groups from g on, the first after the last; returns how many slots were taken. */
static size_t take_out(const struct table *table, size_t g, size_t n, struct taken *out)
{
    size_t taken = 0;
    for (; n > 0; n--, g = g + 1 == table->ngroups ? 0 : g + 1) {
        struct store_group *group = at(table, g);
        for (unsigned used = table->used[g]; used; used &= used - 1) {
            unsigned i = (unsigned)__builtin_ctz(used);
            out[taken++] =
                (struct taken){get_print(group, i),
                               atomic_load_explicit(&group->link[i], memory_order_relaxed)};
            atomic_store_explicit(&group->print[i], 0, memory_order_relaxed);
            atomic_store_explicit(&group->link[i], 0, memory_order_relaxed);
        }
        table->used[g] = 0;
    }
    return taken;
}

/* The runs of a table before it grows. */
struct shape {
    size_t first, last; /* of the run of the last group */
    size_t ends;        /* how many groups it has */
    size_t longest;     /* groups of a run */
};

static struct shape shape_of(const struct table *table)
{
    size_t ngroups = table->ngroups, run = 0;
    struct shape shape = {.first = ngroups - 1};
    while (shape.first > 0 && all_used(table, shape.first - 1))
        shape.first--;
    shape.ends = ngroups - shape.first;
    if (all_used(table, ngroups - 1))
        do {
            shape.ends++;
        } while (all_used(table, shape.last++));
    shape.longest = shape.ends;
    for (size_t g = shape.last; g < shape.first; g++) {
        run++;
        if (run > shape.longest)
            shape.longest = run;
        if (!all_used(table, g))
            run = 0;
    }
    return shape;
}

/* Moves the slots of a segment to where they belong with more groups. */
static void spread(const struct table *from, const struct table *to, const struct shape *shape,
                   struct taken *out)
{
    struct taken *ends = out + shape->longest * STORE_GROUP;
    size_t nends = take_out(from, shape->first, shape->ends, ends);
    for (size_t end = shape->first; end > shape->last;) {
        size_t start = end - 1;
        while (start > shape->last && all_used(from, start - 1))
            start--;
        size_t n = take_out(from, start, end - start, out);
        for (size_t i = 0; i < n; i++)
            place(to, &out[i]);
        end = start;
    }
    for (size_t i = 0; i < nends; i++)
        place(to, &ends[i]);
}

/* Notes full groups of a segment that has grown: groups it had before may have room now. */
static void note_full(const struct table *table)
{
    for (size_t first = 0; first < table->ngroups; first += STORE_ROW) {
        unsigned full = 0;
        for (size_t g = first; g < table->ngroups && g < first + STORE_ROW; g++)
            full |= (unsigned)all_used(table, g) << g % STORE_ROW;
        atomic_store_explicit(store_full_at(table->all, table->segment, first), (uint16_t)full,
                              memory_order_relaxed);
    }
}

static size_t more_groups(size_t ngroups)
{
    size_t step = ngroups / 64 * 9 + ngroups % 64 * 9 / 64;
    return ngroups < DOUBLE_BELOW ? 2 * ngroups : ngroups + (step ? step : 1);
}

/* Adds nothing by a compare-exchange: compilers make a load of an operation that adds or sets
 * nothing. */
static void write_nothing(_Atomic uint64_t *at)
{
    uint64_t none = 0;
    atomic_compare_exchange_strong_explicit(at, &none, 0, memory_order_relaxed,
                                            memory_order_relaxed);
}

/* Changes nothing: others may have grown the segment since, and use the groups. */
void store_segment_make_ready(struct store_segments *all, size_t segment)
{
    size_t ngroups = ngroups_of(all, segment), more = more_groups(ngroups);
    struct table to = {.all = all, .segment = segment, .ngroups = more};
    if (!store_budget_allows(all->budget, (more - ngroups) * sizeof(struct store_group)) ||
        !make_rows(all, more))
        return;
    for (size_t g = ngroups; g < more; g++)
        if (g % STORE_ROW == 0 || g % STORE_ROW == STORE_ROW - 1)
            write_nothing(&at(&to, g)->print[0]);
}

/* Writes pages first: a page that is first read would be mapped twice, and all workers
 * interrupted the second time. */
static void write_first(const struct table *table, size_t from)
{
    for (size_t g = from; g < table->ngroups; g++)
        atomic_store_explicit(&at(table, g)->print[0], 0, memory_order_relaxed);
}

/* Takes memory for more groups from the budget; false if there is none. */
static bool take_groups(struct store_segments *all, size_t ngroups, size_t more)
{
    size_t bytes = (more - ngroups) * sizeof(struct store_group);
    if (!store_budget_take(all->budget, bytes))
        return false;
    bool made = make_rows(all, more);
    if (!made)
        store_budget_give(all->budget, bytes);
    return made;
}

static bool grow(struct store_segments *all, struct table *table)
{
    const struct table from = *table;
    struct table to = from;
    to.ngroups = more_groups(from.ngroups);
    find_used(&from);
    struct shape shape = shape_of(&from);
    struct taken *out = malloc((shape.longest + shape.ends) * STORE_GROUP * sizeof *out);
    bool grown = out && take_groups(all, from.ngroups, to.ngroups);
    if (grown) {
        write_first(&to, from.ngroups);
        spread(&from, &to, &shape, out);
        note_full(&to);
        *table = to;
    }
    free(out);
    return grown;
}

size_t store_segment_grow(struct store_segments *all, size_t segment)
{
    size_t ngroups = ngroups_of(all, segment);
    size_t stuck = store_head(all, segment) & STORE_STUCK;
    size_t used = atomic_load_explicit(&all->used[segment].n, memory_order_relaxed);
    if (used >= room(ngroups, false)) {
        struct table table = {.all = all, .segment = segment, .ngroups = ngroups};
        table.used = calloc(more_groups(ngroups), sizeof *table.used);
        if (!table.used || !grow(all, &table))
            stuck = STORE_STUCK;
        free(table.used);
        ngroups = table.ngroups;
    }
    return ngroups << STORE_HEAD_SHIFT | stuck;
}

bool store_segment_widen(struct store_segments *all, size_t segment, size_t ngroups)
{
    size_t before = ngroups_of(all, segment);
    if (ngroups > before && !take_groups(all, before, ngroups))
        return false;
    atomic_store_explicit(&all->heads[segment], ngroups << STORE_HEAD_SHIFT,
                          memory_order_relaxed);
    return true;
}
