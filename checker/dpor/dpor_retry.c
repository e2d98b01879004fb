/* dpor_retry.c - threads that only try again (`retry` in docs/REDUCTIONS.md).
 *
 * A thread that spins, or whose compare-exchange fails in a loop, reads and comes to where it
 * could have come by reading less.  It goes no further then: another execution has it read only
 * that, at the same moments, and go on in the same state.
 *
 * Its reads are those since its last event that did anything else, its origin.  What they lead
 * to follows from its own state at the origin and from what they found.  So it is remembered
 * by which reads a thread has come from one own state to another, and if some of the present
 * ones, in the same order, would have done, they would have done here: a read that is left out
 * changes nothing for others, and orders less.
 *
 * Own states are only looked at where it pays: at places that a thread has come back to by
 * reading alone, and at the origins of these. */
#include <stdlib.h>
#include <string.h>

#include "checker/array.h"
#include "dpor_retry.h"
#include "dpor_tree.h"

enum { MOST_EVENTS = 64, MOST_READS = 256, MOST_KNOWN = 1 << 18, MOST_ALONE = 1 << 12 };

struct retries *dpor_retries_new(void)
{
    return array_zeroed(1, sizeof(struct retries));
}

void dpor_retries_free(struct retries *retries)
{
    if (!retries)
        return;
    free(retries->born);
    free(retries->known);
    free(retries->reads);
    free(retries);
}

static uint64_t mixed(uint64_t a, uint64_t b)
{
    uint64_t h = (a ^ b << 32 ^ b >> 32) * 0x9e3779b97f4a7c15;
    return (h ^ h >> 29 ^ b) * 0xbf58476d1ce4e5b9;
}

static bool has_place(const struct places *places, uint64_t place)
{
    uint64_t bit = mixed(place, 0) >> 52;
    return places->bits[bit / 64] >> bit % 64 & 1;
}

static void add_place(struct places *places, uint64_t place)
{
    uint64_t bit = mixed(place, 0) >> 52;
    places->bits[bit / 64] |= (uint64_t)1 << bit % 64;
}

/* ---- what an event has read ------------------------------------------------------ */

static bool is_read(const struct vm_access *access)
{
    return (access->kind == VM_ACCESS_ATOMIC || access->kind == VM_ACCESS_PLAIN) &&
           !access->write && access->found;
}

/* Is the access a part of an exchange that changes nothing?  Such an exchange is logged twice:
 * as a read, and as what races with plain accesses. */
static bool is_of_exchange(const struct vm_access *accesses, size_t k)
{
    const struct vm_access *a = &accesses[k];
    return a->kind == VM_ACCESS_CHECK && k && a[-1].kind == VM_ACCESS_ATOMIC &&
           a[-1].addr == a->addr && a[-1].size == a->size;
}

/* Adds what the thread has read, or that it was there; false if it did anything else. */
static bool add_reads(struct dpor *dpor)
{
    size_t n;
    const struct vm_access *accesses = vm_accesses(dpor->vm, &n);
    for (size_t k = 0; k < n; k++) {
        const struct vm_access *a = &accesses[k];
        bool fence = a->kind == VM_ACCESS_FENCE;
        if (is_of_exchange(accesses, k) || a->kind == VM_ACCESS_NEXT)
            continue;
        if (!fence && !is_read(a))
            return false;
        uint64_t what = mixed(a->addr, (uint64_t)a->kind << 32 | a->size);
        struct read read = {.what = fence ? what : mixed(what, a->found),
                            .addr = a->addr,
                            .size = fence ? 0 : a->size,
                            .orders = a->orders & (uint8_t)~VM_ACCESS_OLD,
                            .plain = a->kind == VM_ACCESS_PLAIN};
        ARRAY_PUSH(dpor->reads, dpor->nreads, dpor->max_reads, read);
    }
    return true;
}

static struct own *own_of(const struct dpor *dpor, uint32_t event)
{
    return &dpor->steps[event].own;
}

/* The thread's events since its origin, from the last one on. */
struct suffix {
    uint32_t events[MOST_EVENTS];
    size_t n;
    uint32_t origin; /* CAUSAL_NONE: the thread had done nothing before */
    bool again;      /* it was where it is now before */
};

/* Finds them; false if there are too many. */
static bool find_suffix(const struct dpor *dpor, struct suffix *suffix)
{
    uint32_t event = (uint32_t)dpor->causal.nevents - 1;
    uint64_t place = own_of(dpor, event)->place;
    suffix->n = 0;
    suffix->again = false;
    while (own_of(dpor, event)->reads_only) {
        if (suffix->n == MOST_EVENTS)
            return false;
        suffix->events[suffix->n++] = event;
        event = dpor->causal.events[event].before;
        if (event == CAUSAL_NONE)
            break;
        suffix->again |= own_of(dpor, event)->place == place;
    }
    suffix->origin = event;
    return true;
}

/* Collects the reads of the thread's last events, in their order; false if they are too
 * many. */
static bool collect(const struct dpor *dpor, const struct suffix *suffix, size_t events,
                    struct read *reads, size_t *n)
{
    *n = 0;
    for (size_t k = events; k-- > 0;) {
        uint32_t event = suffix->events[k];
        size_t from = own_of(dpor, event)->reads, to = own_of(dpor, event + 1)->reads;
        if (*n + to - from > MOST_READS)
            return false;
        if (to > from)
            memcpy(reads + *n, dpor->reads + from, (to - from) * sizeof *reads);
        *n += to - from;
    }
    return true;
}

/* ---- what is known --------------------------------------------------------------- */

static void insert(struct retries *retries, struct known known)
{
    size_t at = known.key[0] & (retries->max_known - 1);
    while (retries->known[at].key[0])
        at = (at + 1) & (retries->max_known - 1);
    retries->known[at] = known;
    retries->nknown++;
}

static void make_room(struct retries *retries)
{
    struct known *old = retries->known;
    size_t n = retries->max_known;
    if (2 * retries->nknown < n)
        return;
    retries->max_known = n ? 2 * n : 64;
    retries->known = array_zeroed(retries->max_known, sizeof *retries->known);
    retries->nknown = 0;
    for (size_t k = 0; k < n; k++)
        if (old[k].key[0])
            insert(retries, old[k]);
    free(old);
}

static void remember(struct retries *retries, const uint64_t key[2], const struct read *reads,
                     size_t n)
{
    if (retries->nknown == MOST_KNOWN)
        return;
    make_room(retries);
    insert(retries, (struct known){{key[0], key[1]}, (uint32_t)retries->nreads, (uint32_t)n});
    for (size_t k = 0; k < n; k++)
        ARRAY_PUSH(retries->reads, retries->nreads, retries->max_reads, reads[k]);
}

/* Are the few reads among the many, in their order, and no stronger?  Then `rest` gets the
 * others of the many, and *nrest says how many. */
static bool are_among(const struct read *few, size_t nfew, const struct read *many,
                      size_t nmany, struct read *rest, size_t *nrest)
{
    size_t found = 0;
    *nrest = 0;
    for (size_t k = 0; k < nmany; k++)
        if (found < nfew && few[found].what == many[k].what &&
            !(few[found].orders & ~many[k].orders))
            found++;
        else
            rest[(*nrest)++] = many[k];
    return found == nfew;
}

/* Would fewer of these reads have led from one state to the other?  Remembers what is new. */
static bool would_fewer_do(struct dpor *dpor, uint32_t proc, const uint64_t key[2],
                           const struct read *reads, size_t n)
{
    struct retries *retries = dpor->retries;
    struct read rest[MOST_READS];
    size_t nrest;
    bool is_new = true;
    size_t mask = retries->max_known - 1, at = key[0] & mask;
    for (; retries->max_known && retries->known[at].key[0]; at = (at + 1) & mask) {
        const struct known *known = &retries->known[at];
        if (known->key[0] != key[0] || known->key[1] != key[1])
            continue;
        dpor->stats.compared += n;
        bool among = are_among(retries->reads + known->reads, known->n, reads, n, rest, &nrest);
        if (among && nrest && dpor_may_leave_out(dpor, proc, rest, nrest))
            return true;
        is_new &= !among || nrest;
    }
    if (is_new)
        remember(retries, key, reads, n);
    return false;
}

/* ---- a thread tries again -------------------------------------------------------- */

static bool are_equal(const uint64_t a[2], const uint64_t b[2])
{
    return a[0] == b[0] && a[1] == b[1];
}

/* Returns the thread's own state at its origin; NULL if that is not known. */
static const uint64_t *state_at_origin(const struct dpor *dpor, const struct suffix *suffix)
{
    const struct retries *retries = dpor->retries;
    if (suffix->origin != CAUSAL_NONE) {
        const struct own *own = own_of(dpor, suffix->origin);
        return own->known ? own->state : NULL;
    }
    uint32_t proc = dpor->causal.events[suffix->events[0]].proc;
    return proc < retries->nborn && retries->born[proc].known ? retries->born[proc].state
                                                              : NULL;
}

/* Has the thread been in the present own state before, so that it can leave out what it has
 * read since? */
static bool was_here(struct dpor *dpor, const struct suffix *suffix, const uint64_t state[2])
{
    const uint64_t *origin = state_at_origin(dpor, suffix);
    uint32_t proc = dpor->causal.events[suffix->events[0]].proc;
    struct read reads[MOST_READS];
    size_t n;
    for (size_t k = 1; k <= suffix->n; k++) {
        const struct own *own = k < suffix->n ? own_of(dpor, suffix->events[k]) : NULL;
        const uint64_t *then = !own ? origin : own->known ? own->state : NULL;
        if (then && are_equal(then, state))
            return collect(dpor, suffix, k, reads, &n) &&
                   dpor_may_leave_out(dpor, proc, reads, n);
    }
    return false;
}

static bool only_tries_again(struct dpor *dpor, const struct suffix *suffix,
                             const uint64_t state[2])
{
    struct read reads[MOST_READS];
    size_t n;
    const uint64_t *origin = state_at_origin(dpor, suffix);
    if (was_here(dpor, suffix, state))
        return true;
    if (!origin || !collect(dpor, suffix, suffix->n, reads, &n))
        return false;
    uint64_t key[2] = {mixed(origin[0], state[0]) | 1, mixed(origin[1], state[1])};
    return would_fewer_do(dpor, dpor->causal.events[suffix->events[0]].proc, key, reads, n);
}

static void look_at_suffix(struct dpor *dpor, struct own *own)
{
    struct suffix suffix;
    if (!find_suffix(dpor, &suffix))
        return;
    if (suffix.again)
        add_place(&dpor->retries->again, own->place);
    if (suffix.again && suffix.origin != CAUSAL_NONE)
        add_place(&dpor->retries->origins, own_of(dpor, suffix.origin)->place);
    if (!has_place(&dpor->retries->again, own->place))
        return;
    own->known = vm_own_state(dpor->vm, own->state);
    own->retries = own->known && only_tries_again(dpor, &suffix, own->state);
}

void dpor_note_birth(struct dpor *dpor, uint32_t proc)
{
    struct retries *retries = dpor->retries;
    if (retries && dpor->causal.procs[proc].last == CAUSAL_NONE)
        retries->next.known =
            vm_own_state_of(dpor->vm, dpor->causal.procs[proc].thread, retries->next.state);
}

/* Notes that the thread has done something for the first time. */
static void end_birth(struct dpor *dpor, uint32_t proc)
{
    struct retries *retries = dpor->retries;
    while (retries->nborn <= proc)
        ARRAY_PUSH(retries->born, retries->nborn, retries->max_born, (struct born){0});
    retries->born[proc] = retries->next;
}

/* Returns how many allocations there were before the transition whose first event this is.  A
 * transition that allocates memory, or frees it, does more than read: the memory may leak. */
static size_t allocations_before(const struct dpor *dpor, size_t first)
{
    return first ? own_of(dpor, (uint32_t)first - 1)->allocations : 0;
}

void dpor_note_reads(struct dpor *dpor, size_t first)
{
    if (!dpor->retries)
        return;
    bool begins = dpor->causal.events[first].before == CAUSAL_NONE;
    if (begins)
        end_birth(dpor, dpor->causal.events[first].proc);
    bool unborn = begins && !dpor->retries->next.known; /* then it is born here */
    dpor->retries->next.known = false;
    struct own *own = own_of(dpor, (uint32_t)dpor->causal.nevents - 1);
    *own = (struct own){.place = vm_own_place(dpor->vm),
                        .reads = own_of(dpor, (uint32_t)first)->reads,
                        .allocations = vm_allocations(dpor->vm)};
    /* Nothing is logged before there are several threads. */
    own->reads_only = !unborn && vm_is_concurrent(dpor->vm) &&
                      first + 1 == dpor->causal.nevents &&
                      own->allocations == allocations_before(dpor, first) && add_reads(dpor);
    if (!own->reads_only)
        dpor->nreads = own->reads;
    present(dpor)->own.reads = dpor->nreads;
    if (!own->place)
        return;
    if (own->reads_only)
        look_at_suffix(dpor, own);
    else if (unborn || has_place(&dpor->retries->origins, own->place))
        own->known = vm_own_state(dpor->vm, own->state);
}

bool dpor_retries(const struct dpor *dpor, uint32_t proc)
{
    uint32_t last = dpor->causal.procs[proc].last;
    return last != CAUSAL_NONE && own_of(dpor, last)->retries;
}

/* ---- nothing else is left -------------------------------------------------------- */

/* Makes the thread's next transition, by the last stores.  False: the thread is not there any
 * more, or has ended.  asked: the machine asks which thread it shall be. */
static bool step_alone(struct dpor *dpor, uint64_t thread, bool asked)
{
    struct vm *vm = dpor->vm;
    enum vm_stop why = asked ? VM_STOP_CHOOSE : vm_run(vm);
    for (; why == VM_STOP_CHOOSE; why = vm_run(vm)) {
        struct vm_choice choice = vm_pending(vm);
        int value = 0;
        while (choice.candidates && value < choice.n &&
               choice.candidates[value].thread != thread)
            value++;
        if (value == choice.n)
            return false;
        vm_choose(vm, value);
    }
    return why == VM_STOP_END && vm_thread(vm) == thread && !vm_flags(vm);
}

/* Does the thread come back to where it was, and has it done nothing but read until then?  True
 * also if that cannot be told.  (The cycle is found as Brent does, 1980.) */
static bool comes_back(struct dpor *dpor, uint64_t thread, bool *asked)
{
    uint64_t state[2], mark[2] = {0};
    for (size_t n = 0, next = 0; n < MOST_ALONE; n++) {
        if (!step_alone(dpor, thread, *asked))
            return false;
        *asked = false;
        dpor->nreads = present(dpor)->own.reads;
        if (!add_reads(dpor))
            return false;
        bool known = vm_own_state(dpor->vm, state);
        vm_start(dpor->vm);
        if (!known || (n && are_equal(state, mark)))
            return true;
        if (n == next) {
            memcpy(mark, state, sizeof mark);
            next = 2 * n + 1;
        }
    }
    return true;
}

bool dpor_is_stuck(struct dpor *dpor, bool asked)
{
    for (uint32_t proc = 0; proc < dpor->causal.nprocs; proc++)
        if (dpor_retries(dpor, proc) &&
            !comes_back(dpor, dpor->causal.procs[proc].thread, &asked))
            return false;
    return true;
}
