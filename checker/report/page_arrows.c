/* page_arrows.c - the order of steps of two threads: which unlock a lock comes after, which
 * signal wakes a wait, which thread created another, which store a load reads. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"

struct arrows {
    const struct steps *steps;
    const struct cex *cex;
    json_t *all;
};

/* What an action does to the order of threads. */
enum role {
    NONE,
    TAKES = 1,     /* a lock */
    GIVES = 2,     /* it back */
    WRITES = 4,    /* a value */
    READS = 8,     /* one */
    POSTS = 16,    /* a semaphore */
    GETS = 32,     /* it */
    SIGNALS = 64,  /* a condition variable */
    AWAITS = 128,  /* one: and gives a lock back */
    WAKES = 256,   /* from it */
    ARRIVES = 512, /* at a barrier */
    LEAVES = 1024, /* it */
};

static const unsigned roles[VM_ACT_COUNT] = {
    [VM_ACT_LOCK] = TAKES,
    [VM_ACT_TRYLOCK] = TAKES,
    [VM_ACT_TIMEDLOCK] = TAKES,
    [VM_ACT_RDLOCK] = TAKES,
    [VM_ACT_WRLOCK] = TAKES,
    [VM_ACT_UNLOCK] = GIVES,
    [VM_ACT_RWUNLOCK] = GIVES,
    [VM_ACT_LOAD] = READS,
    [VM_ACT_READ] = READS,
    [VM_ACT_STORE] = WRITES,
    [VM_ACT_WRITE] = WRITES,
    [VM_ACT_RMW] = READS | WRITES,
    [VM_ACT_CMPXCHG] = READS | WRITES,
    [VM_ACT_SEM_POST] = POSTS,
    [VM_ACT_SEM_WAIT] = GETS,
    [VM_ACT_SEM_TRYWAIT] = GETS,
    [VM_ACT_COND_SIGNAL] = SIGNALS,
    [VM_ACT_COND_BROADCAST] = SIGNALS,
    [VM_ACT_COND_WAIT] = AWAITS,
    [VM_ACT_COND_TIMEDWAIT] = AWAITS,
    [VM_ACT_COND_WAKE] = WAKES,
    [VM_ACT_BARRIER] = ARRIVES,
    [VM_ACT_BARRIER_ARRIVE] = ARRIVES,
    [VM_ACT_BARRIER_LEAVE] = LEAVES,
};

static const struct step *step_at(const struct arrows *a, size_t k)
{
    return &a->steps->step[k];
}

static unsigned role_of(const struct step *step)
{
    unsigned role = step->kind == STEP_ACTION ? roles[step->action] : NONE;
    return step->fails ? role & ~(unsigned)WRITES : role;
}

/* Returns the address of the object of a step that is an action; 0: it has none. */
static uint64_t addr_of(const struct arrows *a, const struct step *step)
{
    size_t low = 0, high = a->cex->nevents;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (a->cex->events[middle].order < step->order)
            low = middle + 1;
        else
            high = middle;
    }
    bool there = low < a->cex->nevents && a->cex->events[low].order == step->order;
    return there && a->cex->events[low].kind == CEX_ACTION ? a->cex->events[low].addr : 0;
}

static void add(struct arrows *a, size_t from, size_t to, const char *kind)
{
    json_array_append_new(json_array_get(a->all, to), json_pack("[i, s]", (int)from, kind));
}

/* Returns the last step before one that has this role for the object, by any thread; n: there
 * is none. */
static size_t last_with(const struct arrows *a, size_t before, unsigned role, uint64_t addr)
{
    for (size_t k = before; k-- > 0;)
        if (role_of(step_at(a, k)) & role && addr_of(a, step_at(a, k)) == addr)
            return k;
    return a->steps->n;
}

static void add_last(struct arrows *a, size_t to, unsigned role, uint64_t addr,
                     const char *kind)
{
    size_t from = addr ? last_with(a, to, role, addr) : a->steps->n;
    if (from < a->steps->n && step_at(a, from)->tid != step_at(a, to)->tid)
        add(a, from, to, kind);
}

/* Adds the arrow to a wait that the last signal since has ended. */
static void add_wake(struct arrows *a, size_t to)
{
    uint64_t tid = step_at(a, to)->tid, addr = 0;
    size_t wait = to;
    while (wait-- > 0 && !addr)
        if (step_at(a, wait)->tid == tid && role_of(step_at(a, wait)) & AWAITS)
            addr = addr_of(a, step_at(a, wait));
    size_t from = addr ? last_with(a, to, SIGNALS, addr) : a->steps->n;
    if (from < a->steps->n && from > wait)
        add(a, from, to, "wake");
}

/* Is the thread's number in "threads 2, 3"? */
static bool names_thread(const char *object, uint64_t tid)
{
    if (strncmp(object, "thread", 6) != 0)
        return false;
    for (const char *at = object; (at = strpbrk(at, "0123456789"));) {
        char *end;
        if (strtoull(at, &end, 10) == tid)
            return true;
        at = end;
    }
    return false;
}

static bool is_first(const struct arrows *a, size_t k)
{
    for (size_t before = k; before-- > 0;)
        if (step_at(a, before)->tid == step_at(a, k)->tid)
            return false;
    return true;
}

static void add_thread(struct arrows *a, size_t k)
{
    const struct step *step = step_at(a, k);
    for (size_t from = k; is_first(a, k) && from-- > 0;)
        if (step_at(a, from)->action == VM_ACT_CREATE &&
            names_thread(step_at(a, from)->object, step->tid)) {
            add(a, from, k, "create");
            break;
        }
    if (step->kind != STEP_ACTION || step->action != VM_ACT_JOIN)
        return;
    for (size_t t = 0; t < a->cex->nthreads; t++) {
        uint64_t tid = a->cex->threads[t].tid;
        size_t from = k;
        if (!names_thread(step->object, tid))
            continue;
        while (from > 0 && step_at(a, from - 1)->tid != tid)
            from--;
        if (from > 0)
            add(a, from - 1, k, "join");
    }
}

json_t *page_arrows(const struct steps *steps, const struct cex *cex)
{
    struct arrows a = {steps, cex, json_array()};
    for (size_t k = 0; k < steps->n; k++)
        json_array_append_new(a.all, json_array());
    for (size_t k = 0; k < steps->n; k++) {
        unsigned role = role_of(step_at(&a, k));
        uint64_t addr = role ? addr_of(&a, step_at(&a, k)) : 0;
        add_thread(&a, k);
        if (role & TAKES)
            add_last(&a, k, GIVES | TAKES, addr, "lock");
        if (role & READS)
            add_last(&a, k, WRITES, addr, "value");
        if (role & GETS)
            add_last(&a, k, POSTS, addr, "semaphore");
        if (role & LEAVES)
            add_last(&a, k, ARRIVES, addr, "wake");
        if (role & WAKES)
            add_wake(&a, k);
    }
    return a.all;
}
