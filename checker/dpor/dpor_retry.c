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
 * Plain writes to shared memory may come in between, since nobody can read what they wrote
 * until the thread has done something else (it would be a race).  What they have left there
 * counts as a part of the own state, so the same bytes are written in the other execution.
 *
 * Own states are only looked at where it pays: at places that a thread has come back to by
 * reading alone, and at the origins of these. */
#include <stdlib.h>
#include <string.h>

#include "checker/array.h"
#include "dpor_retry.h"
#include "dpor_tree.h"

enum {
    MOST_EVENTS = 64,
    MOST_READS = 256,
    MOST_WRITES = 16,
    MOST_KNOWN = 1 << 18,
    MOST_ALONE = 1 << 12
};

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
    free(retries->by_key);
    free(retries->by_reads);
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

/* A read-modify-write that leaves what is there counts as a read: without it, whoever reads
 * what it has stored reads the store before it, and orders less. */
static bool is_read(const struct vm_access *access)
{
    return (access->kind == VM_ACCESS_ATOMIC || access->kind == VM_ACCESS_PLAIN) &&
           (!access->write || access->orders & VM_ACCESS_SAME) && access->found;
}

/* Is the access a part of an exchange that changes nothing?  Such an exchange is logged twice:
 * as a read, and as what races with plain accesses. */
static bool is_of_exchange(const struct vm_access *accesses, size_t k)
{
    const struct vm_access *a = &accesses[k];
    return a->kind == VM_ACCESS_CHECK && k && a[-1].kind == VM_ACCESS_ATOMIC &&
           a[-1].addr == a->addr && a[-1].size == a->size;
}

/* Returns what an access has found, or left there; 0 if it is neither a read nor a plain write.
 */
static uint64_t content_of(const struct dpor *dpor, const struct vm_access *access)
{
    if (is_read(access))
        return access->found;
    bool plain = access->kind == VM_ACCESS_PLAIN && !(access->orders & VM_ACCESS_VOLATILE);
    return plain && access->write ? vm_written(dpor->vm, access) : 0;
}

/* Adds what the thread has read, or that it was there, and what it has written plainly; false
 * if it did anything else. */
static bool add_reads(struct dpor *dpor)
{
    size_t n;
    const struct vm_access *accesses = vm_accesses(dpor->vm, &n);
    for (size_t k = 0; k < n; k++) {
        const struct vm_access *a = &accesses[k];
        bool fence = a->kind == VM_ACCESS_FENCE;
        if (dpor->machine.mixed_accesses &&
            (a->orders & VM_ACCESS_SAME || is_of_exchange(accesses, k)))
            return false; /* it can race as a write does */
        if (is_of_exchange(accesses, k) || a->kind == VM_ACCESS_NEXT)
            continue;
        uint64_t content = fence ? 1 : content_of(dpor, a);
        if (!content)
            return false;
        uint64_t what = mixed(a->addr, (uint64_t)a->kind << 32 | a->size);
        struct read read = {.what = fence ? what : mixed(what, content),
                            .addr = a->addr,
                            .event = (uint32_t)dpor->causal.nevents - 1,
                            .size = fence ? 0 : a->size,
                            .orders = a->orders & (uint8_t)~VM_ACCESS_OLD,
                            .plain = a->kind == VM_ACCESS_PLAIN,
                            .written = !fence && !is_read(a) && a->write};
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
    while (own_of(dpor, event)->tries) {
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

/* What a thread has left in the memory that others can reach, by plain writes: each place once.
 */
struct left {
    struct read at[MOST_WRITES];
    size_t n;
};

static bool meets(const struct read *a, const struct read *b)
{
    return a->addr < b->addr + b->size && b->addr < a->addr + a->size;
}

enum overlap { APART, SAME, PARTLY };

/* How the bytes of an access meet the places that were written: the same ones, at *at? */
static enum overlap meet(const struct left *left, const struct read *access, size_t *at)
{
    for (*at = 0; *at < left->n; ++*at)
        if (meets(&left->at[*at], access))
            return left->at[*at].addr == access->addr && left->at[*at].size == access->size
                       ? SAME
                       : PARTLY;
    return APART;
}

/* Adds a write; false if it meets others in part, or if they are too many. */
static bool leave(struct left *left, const struct read *write)
{
    size_t at;
    enum overlap overlap = meet(left, write, &at);
    if (overlap == PARTLY || at == MOST_WRITES)
        return false;
    left->n += overlap == APART;
    left->at[at] = *write;
    return true;
}

/* Adds to the own state what was left; the places have no order. */
static void add_left(uint64_t state[2], const struct left *left)
{
    uint64_t sum[2] = {0};
    for (size_t k = 0; k < left->n; k++) {
        sum[0] += mixed(left->at[k].what, 1);
        sum[1] += mixed(left->at[k].what, 2);
    }
    for (size_t k = 0; left->n && k < 2; k++)
        state[k] = mixed(state[k], sum[k]);
}

/* What a thread has done since its origin. */
struct tries {
    struct read reads[MOST_READS]; /* in their order */
    size_t n;
    size_t from[MOST_EVENTS]; /* of the suffix's events: their reads from here on */
    struct left left;
};

/* Adds an access.  A read of what the thread itself has written follows from what it did
 * before; an atomic one might find what another has written, and if it meets the place in part,
 * nobody knows. */
static bool add_try(struct tries *tries, const struct read *access)
{
    size_t at;
    enum overlap overlap = access->size ? meet(&tries->left, access, &at) : APART;
    if (access->written) {
        for (size_t k = 0; k < tries->n; k++)
            if (!tries->reads[k].plain && meets(&tries->reads[k], access))
                return false;
        return leave(&tries->left, access);
    }
    if (overlap != APART)
        return overlap == SAME && access->plain;
    if (tries->n == MOST_READS)
        return false;
    tries->reads[tries->n++] = *access;
    return true;
}

/* Collects what the thread has done since its origin; false if it is too much, or not known. */
static bool collect(const struct dpor *dpor, const struct suffix *suffix, struct tries *tries)
{
    tries->n = tries->left.n = 0;
    for (size_t k = suffix->n; k-- > 0;) {
        uint32_t event = suffix->events[k];
        tries->from[k] = tries->n;
        for (size_t i = own_of(dpor, event)->reads; i < own_of(dpor, event + 1)->reads; i++)
            if (!add_try(tries, &dpor->reads[i]))
                return false;
    }
    return true;
}

/* ---- what is known --------------------------------------------------------------- */

static void put(const struct retries *retries, uint32_t *table, uint64_t hash, uint32_t known)
{
    size_t at = hash & (retries->max_slots - 1);
    while (table[at])
        at = (at + 1) & (retries->max_slots - 1);
    table[at] = known;
}

static uint64_t hash_of(const uint64_t key[2], const struct read *reads, size_t n)
{
    uint64_t hash = key[1];
    for (size_t k = 0; k < n; k++)
        hash = mixed(hash, reads[k].what + reads[k].orders);
    return mixed(hash, key[0]);
}

static bool is_of_key(const struct known *known, const uint64_t key[2])
{
    return known->key[0] == key[0] && known->key[1] == key[1];
}

/* The slot of both states, which may be free. */
static uint32_t *slot_of_key(const struct retries *retries, const uint64_t key[2])
{
    size_t mask = retries->max_slots - 1, at = key[0] & mask;
    while (retries->by_key[at] && !is_of_key(&retries->known[retries->by_key[at] - 1], key))
        at = (at + 1) & mask;
    return &retries->by_key[at];
}

static bool has_reads(const struct retries *retries, const struct known *known,
                      const struct read *reads, size_t n)
{
    for (size_t k = 0; k < n && known->n == n; k++) {
        const struct read *its = &retries->reads[known->reads + k];
        if (its->what != reads[k].what || its->orders != reads[k].orders)
            return false;
    }
    return known->n == n;
}

/* What is known of both states and just these reads, or NULL. */
static struct known *find(const struct retries *retries, const uint64_t key[2],
                          const struct read *reads, size_t n)
{
    size_t mask = retries->max_slots - 1, at = hash_of(key, reads, n) & mask;
    for (; retries->max_slots && retries->by_reads[at]; at = (at + 1) & mask) {
        struct known *known = &retries->known[retries->by_reads[at] - 1];
        if (is_of_key(known, key) && has_reads(retries, known, reads, n))
            return known;
    }
    return NULL;
}

static void make_room(struct retries *retries)
{
    if (2 * retries->nknown < retries->max_slots)
        return;
    retries->max_slots = retries->max_slots ? 2 * retries->max_slots : 64;
    free(retries->by_key);
    free(retries->by_reads);
    retries->by_key = array_zeroed(retries->max_slots, sizeof *retries->by_key);
    retries->by_reads = array_zeroed(retries->max_slots, sizeof *retries->by_reads);
    for (uint32_t k = 0; k < retries->nknown; k++) {
        const struct known *known = &retries->known[k];
        *slot_of_key(retries, known->key) = k + 1;
        put(retries, retries->by_reads,
            hash_of(known->key, retries->reads + known->reads, known->n), k + 1);
    }
}

static uint64_t whats_of(const struct read *reads, size_t n)
{
    uint64_t whats = 0;
    for (size_t k = 0; k < n; k++)
        whats |= (uint64_t)1 << (reads[k].what >> 58);
    return whats;
}

static void remember(struct retries *retries, const uint64_t key[2], const struct read *reads,
                     size_t n)
{
    if (retries->nknown == MOST_KNOWN)
        return;
    make_room(retries);
    uint32_t *slot = slot_of_key(retries, key);
    ARRAY_PUSH(retries->known, retries->nknown, retries->max_known,
               (struct known){.key = {key[0], key[1]},
                              .whats = whats_of(reads, n),
                              .reads = (uint32_t)retries->nreads,
                              .n = (uint32_t)n,
                              .before = *slot,
                              .checked = (uint32_t)retries->nknown});
    *slot = (uint32_t)retries->nknown;
    put(retries, retries->by_reads, hash_of(key, reads, n), *slot);
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

/* Would fewer of these reads have led from one state to the other?  Remembers what is new.
 * Where it was asked before and they would not, looks only at what has become known since. */
static bool would_fewer_do(struct dpor *dpor, uint32_t proc, const uint64_t key[2],
                           const struct read *reads, size_t n)
{
    struct retries *retries = dpor->retries;
    struct read rest[MOST_READS];
    size_t nrest;
    uint64_t whats = whats_of(reads, n);
    struct known *same = find(retries, key, reads, n);
    uint32_t at = retries->max_slots ? *slot_of_key(retries, key) : 0;
    for (; at > (same ? same->checked : 0); at = retries->known[at - 1].before) {
        const struct known *known = &retries->known[at - 1];
        if (known->n >= n || known->whats & ~whats)
            continue;
        dpor->stats.compared += n;
        if (are_among(retries->reads + known->reads, known->n, reads, n, rest, &nrest) &&
            dpor_may_leave_out(dpor, proc, rest, nrest))
            return true;
    }
    if (same)
        same->checked = (uint32_t)retries->nknown;
    else
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
static bool was_here(struct dpor *dpor, const struct suffix *suffix, const struct tries *tries,
                     const uint64_t state[2])
{
    const uint64_t *origin = state_at_origin(dpor, suffix);
    uint32_t proc = dpor->causal.events[suffix->events[0]].proc;
    for (size_t k = 1; k <= suffix->n; k++) {
        const struct own *own = k < suffix->n ? own_of(dpor, suffix->events[k]) : NULL;
        const uint64_t *then = !own ? origin : own->known ? own->state : NULL;
        size_t from = tries->from[k - 1];
        if (then && are_equal(then, state))
            return dpor_may_leave_out(dpor, proc, tries->reads + from, tries->n - from);
    }
    return false;
}

static bool only_tries_again(struct dpor *dpor, const struct suffix *suffix,
                             const struct tries *tries, const uint64_t state[2])
{
    const uint64_t *origin = state_at_origin(dpor, suffix);
    if (was_here(dpor, suffix, tries, state))
        return true;
    if (!origin)
        return false;
    uint64_t key[2] = {mixed(origin[0], state[0]) | 1, mixed(origin[1], state[1])};
    uint32_t proc = dpor->causal.events[suffix->events[0]].proc;
    return would_fewer_do(dpor, proc, key, tries->reads, tries->n);
}

static void look_at_suffix(struct dpor *dpor, struct own *own)
{
    struct suffix suffix;
    struct tries tries;
    if (!find_suffix(dpor, &suffix))
        return;
    if (suffix.again)
        add_place(&dpor->retries->again, own->place);
    if (suffix.again && suffix.origin != CAUSAL_NONE)
        add_place(&dpor->retries->origins, own_of(dpor, suffix.origin)->place);
    if (!has_place(&dpor->retries->again, own->place) || !collect(dpor, &suffix, &tries))
        return;
    own->known = vm_own_state(dpor->vm, own->state);
    if (!own->known)
        return;
    add_left(own->state, &tries.left);
    own->retries = only_tries_again(dpor, &suffix, &tries, own->state);
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

/* Is the transition that begins with this event one that may be a try?  One that allocates
 * memory, or frees it, does more: the memory may leak.  So does one that lets others reach an
 * object.  Before there are several threads nothing is logged. */
static bool may_be_try(const struct dpor *dpor, const struct own *own, size_t first)
{
    static const struct own nothing;
    const struct own *before = first ? own_of(dpor, (uint32_t)first - 1) : &nothing;
    return vm_is_concurrent(dpor->vm) && first + 1 == dpor->causal.nevents &&
           own->allocations == before->allocations && own->published == before->published;
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
                        .allocations = vm_allocations(dpor->vm),
                        .published = vm_published(dpor->vm)};
    own->tries = !unborn && may_be_try(dpor, own, first) && add_reads(dpor);
    if (!own->tries)
        dpor->nreads = own->reads;
    present(dpor)->own.reads = dpor->nreads;
    if (!own->place)
        return;
    if (own->tries)
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

/* Adds the writes among the reads that were added last. */
static bool leave_writes(const struct dpor *dpor, struct left *left)
{
    for (size_t k = present(dpor)->own.reads; k < dpor->nreads; k++)
        if (dpor->reads[k].written && !leave(left, &dpor->reads[k]))
            return false;
    return true;
}

/* Does it come back to where it was, and has done nothing but try until then?  Also if that
 * cannot be told.  (The cycle is found as Brent does, 1980.) */
static bool comes_back(struct dpor *dpor, uint64_t thread, bool *asked)
{
    uint64_t state[2], mark[2] = {0};
    struct left left = {.n = 0};
    for (size_t n = 0, next = 0; n < MOST_ALONE; n++) {
        if (!step_alone(dpor, thread, *asked))
            return false;
        *asked = false;
        dpor->nreads = present(dpor)->own.reads;
        if (!add_reads(dpor))
            return false;
        bool known = vm_own_state(dpor->vm, state) && leave_writes(dpor, &left);
        add_left(state, &left);
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
