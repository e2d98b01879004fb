/* profile.c - see profile.h. */
#include "profile.h"

#include <stdlib.h>

#include "checker/array.h"

enum { MOST_COUNTS = 4096, MOST_NUMBER = 1 << 16 };

void profile_fini(struct profile *profile)
{
    free(profile->counts);
    free(profile->parents);
    free(profile->shared);
}

static void count(struct profile *profile, uint32_t number, uint64_t addr, uint32_t size)
{
    for (size_t i = 0; i < profile->ncounts; i++) {
        struct profile_count *c = &profile->counts[i];
        if (c->number == number && c->addr == addr && c->size == size) {
            c->actions++;
            return;
        }
    }
    if (profile->ncounts < MOST_COUNTS)
        ARRAY_PUSH(profile->counts, profile->ncounts, profile->max_counts,
                   (struct profile_count){addr, size, number, 1});
}

void profile_action(struct profile *profile, uint32_t number, const struct vm_coming *coming)
{
    count(profile, number, 0, 0);
    if (coming->size)
        count(profile, number, coming->addr, coming->size);
}

void profile_thread(struct profile *profile, uint32_t number, uint32_t parent)
{
    if (number >= MOST_NUMBER)
        return;
    while (profile->nparents <= number)
        ARRAY_PUSH(profile->parents, profile->nparents, profile->max_parents, 0);
    profile->parents[number] = parent;
}

void profile_run(struct profile *profile, uint64_t steps, uint32_t threads)
{
    profile->runs++;
    profile->steps = steps > profile->steps ? steps : profile->steps;
    profile->threads = threads > profile->threads ? threads : profile->threads;
}

/* Do several threads act on the object, and is it listed already? */
static bool is_listed(const struct profile *profile, const struct profile_count *c)
{
    for (size_t i = 0; i < profile->nshared; i++)
        if (profile->shared[i].addr == c->addr && profile->shared[i].size == c->size)
            return true;
    return false;
}

static bool is_shared(const struct profile *profile, const struct profile_count *c)
{
    for (size_t i = 0; i < profile->ncounts; i++) {
        const struct profile_count *other = &profile->counts[i];
        if (other->addr == c->addr && other->size == c->size && other->number != c->number)
            return true;
    }
    return false;
}

void profile_end(struct profile *profile)
{
    for (size_t i = 0; i < profile->ncounts; i++) {
        const struct profile_count *c = &profile->counts[i];
        if (c->size && is_shared(profile, c) && !is_listed(profile, c))
            ARRAY_PUSH(profile->shared, profile->nshared, profile->max_shared,
                       (struct vm_coming){.addr = c->addr, .size = c->size});
    }
}

/* Is the thread `number`, or made by it, or by one that is? */
static bool descends(const struct profile *profile, uint32_t from, uint32_t number)
{
    for (size_t far = 0; from && far <= profile->nparents; far++) {
        if (from == number)
            return true;
        from = from < profile->nparents ? profile->parents[from] : 0;
    }
    return false;
}

uint32_t profile_actions(const struct profile *profile, const struct vm_coming *object,
                         uint32_t number)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < profile->ncounts; i++) {
        const struct profile_count *c = &profile->counts[i];
        bool same =
            object->size ? c->addr == object->addr && c->size == object->size : c->size == 0;
        if (same && descends(profile, c->number, number))
            sum += c->actions;
    }
    uint64_t runs = profile->runs ? profile->runs : 1;
    sum = (sum + runs - 1) / runs;
    return sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX;
}

struct vm_coming profile_draw(const struct profile *profile, struct random *random)
{
    if (!profile->nshared)
        return (struct vm_coming){0};
    return profile->shared[random_below(random, profile->nshared)];
}
