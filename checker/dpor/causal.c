/* causal.c - see causal.h. */
#include "causal.h"

#include <assert.h>
#include <string.h>

#include "checker/array.h"

enum {
    LANES = 8, /* numbers of a clock that the host compares at once: strides are multiples */
    FIRST_STRIDE = LANES,
    FIRST_WORDS = 1024,
};

static void make_scratch(struct causal *causal)
{
    causal->origin = array_zeroed(causal->stride, sizeof *causal->origin);
    causal->race_clock = array_zeroed(causal->stride, sizeof *causal->race_clock);
}

static void drop_scratch(struct causal *causal)
{
    free(causal->origin);
    free(causal->race_clock);
}

void causal_init(struct causal *causal)
{
    *causal = (struct causal){.stride = FIRST_STRIDE, .max_words = FIRST_WORDS};
    causal->words = array_zeroed(FIRST_WORDS, sizeof *causal->words);
    make_scratch(causal);
}

void causal_fini(struct causal *causal)
{
    free(causal->events);
    free(causal->procs);
    free(causal->clocks);
    free(causal->entries);
    free(causal->words);
    free(causal->conflicts);
    drop_scratch(causal);
}

void causal_was_read(struct causal *causal)
{
    drop_scratch(causal);
    make_scratch(causal);
    causal->clock = NULL;
    causal->base = NULL;
    causal->nconflicts = 0;
    causal->racer = CAUSAL_NONE;
}

/* ---- threads and clocks ---------------------------------------------------------- */

static void copy_clock(const struct causal *causal, uint16_t *to, const uint16_t *from)
{
    for (size_t i = 0; i < causal->stride; i += LANES)
        memcpy(to + i, from + i, LANES * sizeof *to);
}

/* Returns the clock of the next event, which is still to be set. */
static uint16_t *next_clock(struct causal *causal)
{
    while ((causal->nevents + 1) * causal->stride > causal->max_clocks) {
        causal->max_clocks = causal->max_clocks ? 2 * causal->max_clocks : 1024;
        causal->clocks =
            reallocarray(causal->clocks, causal->max_clocks, sizeof *causal->clocks);
        if (!causal->clocks)
            vm_exhausted();
    }
    return causal_clock(causal, causal->nevents);
}

/* Makes room for twice as many threads per clock. */
static void widen(struct causal *causal)
{
    size_t old = causal->stride;
    uint16_t *wide = array_zeroed((causal->nevents + 1) * 2 * old, sizeof *wide);
    for (size_t i = 0; i < causal->nevents; i++)
        memcpy(wide + i * 2 * old, causal->clocks + i * old, old * sizeof *wide);
    free(causal->clocks);
    drop_scratch(causal);
    causal->clocks = wide;
    causal->stride = 2 * old;
    causal->max_clocks = (causal->nevents + 1) * 2 * old;
    causal->clock = NULL;
    causal->base = NULL;
    make_scratch(causal);
}

uint32_t causal_find_proc(struct causal *causal, uint64_t thread)
{
    for (size_t i = 0; i < causal->nprocs; i++)
        if (causal->procs[i].thread == thread)
            return *causal_lately(causal, thread) = (uint32_t)i;
    return CAUSAL_NONE;
}

uint32_t causal_make_proc(struct causal *causal, uint64_t thread)
{
    if (causal->nprocs == causal->stride)
        widen(causal);
    ARRAY_PUSH(causal->procs, causal->nprocs, causal->max_procs,
               (struct causal_proc){thread, CAUSAL_NONE});
    return (uint32_t)causal->nprocs - 1;
}

/* Merges numbers of clocks, in one instruction of the host. */
static inline void merge_lanes(int16_t *restrict mine, const int16_t *restrict other)
{
    int16_t most[LANES];
    for (size_t k = 0; k < LANES; k++)
        most[k] = mine[k] < other[k] ? other[k] : mine[k];
    memcpy(mine, most, sizeof most);
}

static void merge(const struct causal *causal, uint16_t *clock, uint32_t event)
{
    const uint16_t *other = causal_clock(causal, event);
    if (causal_knows(causal, clock, event)) /* and all that came before it */
        return;
    for (size_t i = 0; i < causal->stride; i += LANES)
        merge_lanes((int16_t *)clock + i, (const int16_t *)other + i);
}

/* ---- the history of each word ---------------------------------------------------- */

static struct causal_word *slot_of(const struct causal *causal, uint64_t word)
{
    size_t i = word * 0x9e3779b97f4a7c15 >> 32;
    for (;; i++) {
        struct causal_word *slot = &causal->words[i & (causal->max_words - 1)];
        if (!slot->used || slot->word == word)
            return slot;
    }
}

/* Makes a larger table.  Words that no event of the present execution accesses are left out. */
static void rehash(struct causal *causal)
{
    struct causal_word *old = causal->words;
    size_t n = causal->max_words, live = 0;
    for (size_t i = 0; i < n; i++)
        live += old[i].used && old[i].top != CAUSAL_NONE;
    while (4 * live > causal->max_words)
        causal->max_words *= 2;
    causal->words = array_zeroed(causal->max_words, sizeof *causal->words);
    causal->nwords = live;
    for (size_t i = 0; i < n; i++)
        if (old[i].used && old[i].top != CAUSAL_NONE)
            *slot_of(causal, old[i].word) = old[i];
    free(old);
}

static void push_entry(struct causal *causal, struct causal_word *slot,
                       struct causal_entry entry)
{
    if (!slot->used) {
        *slot = (struct causal_word){.word = entry.word, .top = CAUSAL_NONE, .used = true};
        causal->nwords++;
    }
    entry.below = entry.below_write = slot->top;
    if (slot->top != CAUSAL_NONE && !causal->entries[slot->top].write)
        entry.below_write = causal->entries[slot->top].below_write;
    ARRAY_PUSH(causal->entries, causal->nentries, causal->max_entries, entry);
    slot->top = (uint32_t)causal->nentries - 1;
    slot->plain += entry.kind == VM_ACCESS_PLAIN;
}

void causal_cut(struct causal *causal, size_t n)
{
    while (causal->nevents > n) {
        struct causal_event *e = &causal->events[--causal->nevents];
        causal->procs[e->proc].last = e->before;
        while (causal->nentries > e->entries) {
            const struct causal_entry *x = &causal->entries[--causal->nentries];
            struct causal_word *slot = slot_of(causal, x->word);
            slot->top = x->below;
            slot->plain -= x->kind == VM_ACCESS_PLAIN;
        }
    }
}

/* ---- dependence ------------------------------------------------------------------ */

static bool orders(unsigned kind)
{
    return kind == VM_ACCESS_ATOMIC || kind == VM_ACCESS_KERNEL;
}

/* Do conflicting accesses of these kinds race unless something else orders them? */
static bool can_race(unsigned a, unsigned b)
{
    return (a == VM_ACCESS_PLAIN && b != VM_ACCESS_KERNEL) ||
           (b == VM_ACCESS_PLAIN && a != VM_ACCESS_KERNEL);
}

static void note_conflict(struct causal *causal, uint32_t event)
{
    for (size_t i = 0; i < causal->nconflicts; i++)
        if (causal->conflicts[i] == event)
            return;
    ARRAY_PUSH(causal->conflicts, causal->nconflicts, causal->max_conflicts, event);
}

/* Compares an access that comes now with one that came before.  An earlier plain access is
 * ordered before this one if its thread has done a visible action since. */
static void compare(struct causal *causal, const struct causal_entry *now,
                    const struct causal_entry *then)
{
    const struct causal_event *event = &causal->events[then->event];
    if (now->kind == VM_ACCESS_FIXED && orders(then->kind)) {
        merge(causal, causal->clock, then->event);
    } else if (orders(now->kind) && orders(then->kind)) {
        note_conflict(causal, then->event);
    } else if (can_race(now->kind, then->kind)) {
        uint32_t known = causal->clock[event->proc];
        if (known >= event->number + (then->kind == VM_ACCESS_PLAIN) ||
            causal->racer != CAUSAL_NONE)
            return;
        causal->racer = then->event;
        copy_clock(causal, causal->race_clock, causal->clock);
    }
}

/* Are older accesses ordered before `then` in any case in which they concern `now`? */
static bool hides(const struct causal_entry *now, const struct causal_entry *then)
{
    return then->write && then->kind != VM_ACCESS_CHECK &&
           (then->kind != VM_ACCESS_KERNEL || now->kind == VM_ACCESS_KERNEL ||
            now->kind == VM_ACCESS_FIXED);
}

/* Compares an access with the earlier ones to its word; at: the last of these. */
static void look_back(struct causal *causal, const struct causal_entry *now, uint32_t proc,
                      uint32_t at)
{
    unsigned open = now->mask;
    while (at != CAUSAL_NONE && open) {
        const struct causal_entry *then = &causal->entries[at];
        bool conflict = (now->write || then->write) && then->mask & open;
        bool own = then->event == causal->nevents || causal->events[then->event].proc == proc;
        if (conflict && !own)
            compare(causal, now, then);
        if (hides(now, then))
            open &= ~(unsigned)then->mask;
        at = now->write ? then->below : then->below_write;
    }
}

/* Returns which bytes of an aligned word of 8 an access has. */
static uint8_t mask_of(const struct vm_access *a, uint64_t word)
{
    uint64_t begin = word * 8, end = a->addr + a->size;
    unsigned mask = begin < a->addr ? 0xffu << (a->addr - begin) : 0xff;
    return (uint8_t)(end - begin < 8 ? mask & ((1u << (end - begin)) - 1) : mask);
}

/* Compares a part of an access with what it conflicts with. */
static void account_past(struct causal *causal, uint32_t proc, const struct causal_entry *now,
                         const struct causal_word *slot)
{
    size_t known = causal->nconflicts;
    look_back(causal, now, proc, slot->top);
    for (size_t i = known; i < causal->nconflicts; i++)
        merge(causal, causal->clock, causal->conflicts[i]);
}

/* Compares an access with earlier ones, word by word; keep: later accesses are to find it. */
static void account(struct causal *causal, uint32_t proc, const struct vm_access *a, bool keep)
{
    bool races_only = a->kind == VM_ACCESS_CHECK; /* with plain ones */
    assert(a->size > 0);
    uint64_t last = (a->addr + a->size - 1) / 8;
    keep &= a->kind != VM_ACCESS_FIXED;
    for (uint64_t word = a->addr / 8; word <= last; word++) {
        if (keep && 2 * causal->nwords >= causal->max_words)
            rehash(causal);
        struct causal_word *slot = slot_of(causal, word);
        bool has_past = slot->used && slot->top != CAUSAL_NONE && (slot->plain || !races_only);
        if (!has_past && !keep)
            continue;
        struct causal_entry entry = {
            .word = word,
            .event = (uint32_t)causal->nevents,
            .mask = mask_of(a, word),
            .kind = (uint8_t)a->kind,
            .write = a->write,
        };
        if (has_past)
            account_past(causal, proc, &entry, slot);
        if (keep)
            push_entry(causal, slot, entry);
    }
}

/* Has no event of the present execution anything to do with this word and the next one? */
static bool are_untouched(const struct causal *causal, uint64_t word)
{
    const struct causal_word *slot = slot_of(causal, word);
    if (slot->used && slot->top != CAUSAL_NONE)
        return false;
    slot = slot_of(causal, word + 1);
    return !slot->used || slot->top == CAUSAL_NONE;
}

/* Sets the clock from which the thread's next event starts: that of its last event, and of the
 * event that woke it. */
static void begin(struct causal *causal, uint32_t proc, uint32_t waker)
{
    uint32_t last = causal->procs[proc].last;
    causal->nconflicts = 0;
    causal->racer = CAUSAL_NONE;
    causal->clock = next_clock(causal);
    if (last != CAUSAL_NONE) {
        causal->base = causal_clock(causal, last);
        copy_clock(causal, causal->clock, causal->base);
        if (waker != CAUSAL_NONE) {
            merge(causal, causal->clock, waker);
            copy_clock(causal, causal->origin, causal->clock);
            causal->base = causal->origin;
        }
    } else { /* its maker has written the frame by which it is resumed */
        memset(causal->clock, 0, causal->stride * sizeof *causal->clock);
        struct vm_access self = {.addr = causal->procs[proc].thread,
                                 .size = offsetof(struct vm_saved, word),
                                 .kind = VM_ACCESS_FIXED};
        account(causal, proc, &self, false);
        copy_clock(causal, causal->origin, causal->clock);
        causal->base = causal->origin;
    }
}

static void follow_end(struct causal *causal, uint64_t thread)
{
    uint32_t proc = causal_known_proc(causal, thread);
    if (proc != CAUSAL_NONE && causal->procs[proc].last != CAUSAL_NONE)
        merge(causal, causal->clock, causal->procs[proc].last);
}

static void depend_on_all(struct causal *causal, uint32_t proc)
{
    for (uint32_t q = 0; q < causal->nprocs; q++) {
        uint32_t last = causal->procs[q].last;
        bool boot = causal->procs[q].thread == 0;
        if (q == proc || last == CAUSAL_NONE || boot)
            continue;
        if (!causal_knows(causal, causal->clock, last))
            note_conflict(causal, last);
    }
    for (size_t i = 0; i < causal->nconflicts; i++)
        merge(causal, causal->clock, causal->conflicts[i]);
}

void causal_add(struct causal *causal, uint32_t proc, uint32_t waker,
                const struct vm_access *accesses, size_t n, bool ends)
{
    assert(causal->nevents < CAUSAL_MOST_EVENTS);
    begin(causal, proc, waker);
    struct causal_event event = {
        .proc = proc,
        .number = causal_number(causal, proc) + 1,
        .before = causal->procs[proc].last,
        .entries = causal->nentries,
    };
    causal->clock[proc] = (uint16_t)event.number;
    /* The thread that woke it has written the word for which it waited. */
    struct vm_access wait = {
        .addr = causal->procs[proc].thread + offsetof(struct vm_saved, word),
        .size = offsetof(struct vm_saved, unused) - offsetof(struct vm_saved, word),
        .kind = VM_ACCESS_KERNEL,
    };
    if (!are_untouched(causal, wait.addr / 8))
        account(causal, proc, &wait, false);
    for (size_t i = 0; i < n; i++)
        if (accesses[i].kind == VM_ACCESS_ENDED)
            follow_end(causal, accesses[i].addr);
        else if (accesses[i].kind != VM_ACCESS_FENCE)
            account(causal, proc, &accesses[i], true);
    if (ends)
        depend_on_all(causal, proc);
    ARRAY_PUSH(causal->events, causal->nevents, causal->max_events, event);
    causal->procs[proc].last = (uint32_t)causal->nevents - 1;
}

void causal_blocked(struct causal *causal, uint32_t proc, uint32_t waker)
{
    begin(causal, proc, waker);
    causal->clock[proc]++;
}

/* ---- races ----------------------------------------------------------------------- */

bool causal_reversible(const struct causal *causal, uint32_t event)
{
    if (causal_knows(causal, causal->base, event))
        return false;
    for (size_t i = 0; i < causal->nconflicts; i++)
        if (causal->conflicts[i] != event &&
            causal_knows(causal, causal_clock(causal, causal->conflicts[i]), event))
            return false;
    return true;
}

/* ---- logs ------------------------------------------------------------------------ */

static uint64_t classes_of(const struct vm_access *access)
{
    uint64_t first = access->addr / 8, last = (access->addr + access->size - 1) / 8;
    uint64_t classes = 0;
    if (last - first >= 8)
        return UINT64_MAX;
    for (uint64_t word = first; word <= last; word++)
        classes |= (uint64_t)1 << (word * 0x9e3779b97f4a7c15 >> 58);
    return classes;
}

void causal_log_add(struct causal_log *log, const struct vm_access *accesses, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!orders(accesses[i].kind))
            continue;
        uint64_t classes = classes_of(&accesses[i]);
        log->touched |= classes;
        if (accesses[i].write)
            log->written |= classes;
        ARRAY_PUSH(log->at, log->n, log->max, accesses[i]);
    }
}

static bool conflicts(const struct vm_access *a, const struct vm_access *b)
{
    return (a->write || b->write) && a->addr < b->addr + b->size && b->addr < a->addr + a->size;
}

bool causal_conflict(const struct causal_log *a, const struct causal_log *b)
{
    if (!(a->touched & b->written) && !(a->written & b->touched))
        return false;
    for (size_t i = 0; i < a->n; i++)
        for (size_t k = 0; k < b->n; k++)
            if (conflicts(&a->at[i], &b->at[k]))
                return true;
    return false;
}

/* Would an access that writes only if the value lets it write if this earlier write had not
 * come before?  The value is then what that write found, since whatever else comes between the
 * two depends on it. */
static bool writes_without(const struct vm_access *now, const struct vm_access *then)
{
    if (now->writes_if == VM_ACCESS_PERHAPS || !then->has_old || then->addr != now->addr ||
        then->size != now->size)
        return true; /* it may */
    return (then->old == now->operand) == (now->writes_if == VM_ACCESS_IF_EQUAL);
}

static bool writes_still(const struct vm_access *now, const struct causal_log *then)
{
    if (now->writes_if != VM_ACCESS_ALWAYS)
        for (size_t i = 0; i < then->n; i++)
            if (then->at[i].write && conflicts(&then->at[i], now))
                return writes_without(now, &then->at[i]);
    return now->write;
}

void causal_log_without(struct causal_log *log, const struct causal_log *now,
                        const struct causal_log *then)
{
    *log = (struct causal_log){.at = log->at, .max = log->max};
    causal_log_join(log, now);
    for (size_t k = 0; k < log->n; k++) {
        struct vm_access *access = &log->at[k];
        access->write = writes_still(access, then);
        if (access->write)
            log->written |= classes_of(access);
    }
}

bool causal_dependent(const struct causal_log *a, const struct causal_log *b)
{
    return a->ends || b->ends || causal_conflict(a, b);
}

void causal_log_join(struct causal_log *log, const struct causal_log *more)
{
    while (log->max - log->n < more->n)
        log->at = array_grow(log->at, log->max, &log->max, sizeof *log->at);
    if (more->n)
        memcpy(log->at + log->n, more->at, more->n * sizeof *log->at);
    log->n += more->n;
    log->touched |= more->touched;
    log->written |= more->written;
    log->ends |= more->ends;
}

bool causal_writes(const struct causal_log *log, uint64_t word)
{
    struct vm_access wait = {.addr = word, .size = sizeof(int)};
    if (log->written & classes_of(&wait))
        for (size_t i = 0; i < log->n; i++)
            if (conflicts(&log->at[i], &wait))
                return true;
    return false;
}

/* Returns the last event before `end` that has written some of these bytes of the aligned word
 * of 8, in a way that orders. */
static uint32_t last_write(const struct causal *causal, uint64_t word, unsigned bytes,
                           uint32_t end)
{
    const struct causal_word *slot = slot_of(causal, word);
    uint32_t at = slot->used ? slot->top : (uint32_t)CAUSAL_NONE;
    while (at != CAUSAL_NONE) {
        const struct causal_entry *entry = &causal->entries[at];
        if (entry->write && orders(entry->kind) && entry->mask & bytes && entry->event < end)
            return entry->event;
        at = entry->below_write;
    }
    return CAUSAL_NONE;
}

uint32_t causal_last_store(const struct causal *causal, uint64_t place, uint32_t size)
{
    return last_write(causal, place / 8, ((1u << size) - 1) << place % 8, UINT32_MAX);
}

uint32_t causal_last_write(const struct causal *causal, uint64_t word, uint32_t end)
{
    if (word % 8 > 4) /* it is in two */
        return end ? end - 1 : (uint32_t)CAUSAL_NONE;
    return last_write(causal, word / 8, 0xff, end);
}
