/* encounters.c - see encounters.h. */
#include "encounters.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "checker/array.h"
#include "checker/memory.h"

struct encounters {
    pthread_mutex_t lock; /* of what follows */
    struct encounter *at; /* with one entry for each pair */
    size_t n, max;
    size_t *places; /* a hash table of numbers in `at`, + 1 */
    size_t nplaces; /* a power of two, at least twice n */
};

/* The action that a thread stands before, and where that is in the program's own code. */
struct stand {
    struct vm_coming coming;
    struct vm_place place;
};

struct encounters *encounters_new(void)
{
    enum { FIRST = 256 };
    struct encounters *encounters = check_zeros(1, sizeof *encounters);
    pthread_mutex_init(&encounters->lock, NULL);
    encounters->nplaces = FIRST;
    encounters->places = check_zeros(FIRST, sizeof *encounters->places);
    return encounters;
}

void encounters_free(struct encounters *encounters)
{
    if (!encounters)
        return;
    pthread_mutex_destroy(&encounters->lock);
    free(encounters->at);
    free(encounters->places);
    free(encounters);
}

/* ---- the set --------------------------------------------------------------------- */

static int compare_places(const char *file, unsigned line, const char *other,
                          unsigned other_line)
{
    int files = strcmp(file, other);
    return files ? files : (line > other_line) - (line < other_line);
}

static int compare(const void *x, const void *y)
{
    const struct encounter *a = x, *b = y;
    for (int k = 0; k < 2; k++) {
        int places = compare_places(a->at[k].file, a->at[k].line, b->at[k].file, b->at[k].line);
        if (places)
            return places;
    }
    return strcmp(a->object, b->object);
}

/* Hashes an encounter: equal texts of a program mostly have one address. */
static uint64_t hash_of(const struct encounter *m)
{
    uint64_t hash = (uint64_t)m->at[0].line << 32 | m->at[1].line;
    for (const char *at = m->object; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 0x100000001b3;
    hash *= 0x9e3779b97f4a7c15;
    return hash ^ hash >> 32;
}

/* Returns where an encounter is in the table, or is to be. */
static size_t *place_of(const struct encounters *encounters, const struct encounter *m)
{
    size_t at = hash_of(m) & (encounters->nplaces - 1);
    while (encounters->places[at] &&
           compare(&encounters->at[encounters->places[at] - 1], m) != 0)
        at = (at + 1) & (encounters->nplaces - 1);
    return &encounters->places[at];
}

static void grow(struct encounters *encounters)
{
    free(encounters->places);
    encounters->nplaces *= 2;
    encounters->places = check_zeros(encounters->nplaces, sizeof *encounters->places);
    for (size_t k = 0; k < encounters->n; k++)
        *place_of(encounters, &encounters->at[k]) = k + 1;
}

static void put(struct encounters *encounters, struct encounter encounter)
{
    pthread_mutex_lock(&encounters->lock);
    size_t *place = place_of(encounters, &encounter);
    if (!*place) {
        ARRAY_PUSH(encounters->at, encounters->n, encounters->max, encounter);
        *place = encounters->n;
        if (2 * encounters->n > encounters->nplaces)
            grow(encounters);
    }
    pthread_mutex_unlock(&encounters->lock);
}

/* ---- looking --------------------------------------------------------------------- */

/* Is the action an access of a variable, or a wait for a lock or a semaphore, or an attempt to
 * take one?  What threads do with each other (create, join) has one order, and is not always an
 * action. */
static bool is_access(enum vm_action action)
{
    switch ((int)action) {
    case VM_ACT_LOAD:
    case VM_ACT_STORE:
    case VM_ACT_RMW:
    case VM_ACT_CMPXCHG:
    case VM_ACT_LOCK:
    case VM_ACT_TRYLOCK:
    case VM_ACT_TIMEDLOCK:
    case VM_ACT_RDLOCK:
    case VM_ACT_WRLOCK:
    case VM_ACT_SEM_WAIT:
    case VM_ACT_SEM_TRYWAIT: return true;
    default: return false;
    }
}

static bool stands(const struct vm *vm, uint64_t thread, struct stand *stand)
{
    stand->coming = vm_coming(vm, thread);
    if (!stand->coming.size || !is_access(stand->coming.action))
        return false;
    for (uint64_t frame = stand->coming.frame; frame; frame = vm_caller(vm, frame))
        if (vm_frame_place(vm, frame, &stand->place))
            return true;
    return false;
}

static bool meet(const struct stand *a, const struct stand *b)
{
    return (a->coming.write || b->coming.write) &&
           a->coming.addr < b->coming.addr + b->coming.size &&
           b->coming.addr < a->coming.addr + a->coming.size;
}

static void note(struct encounters *encounters, const struct vm *vm, const struct stand *a,
                 const struct stand *b)
{
    bool turned =
        compare_places(a->place.file, a->place.line, b->place.file, b->place.line) > 0;
    const struct stand *first = turned ? b : a, *second = turned ? a : b;
    put(encounters, (struct encounter){.at = {{first->place.file, first->place.line},
                                              {second->place.file, second->place.line}},
                                       .object = vm_global_name(vm, a->coming.addr)});
}

void encounters_note(struct encounters *encounters, const struct vm *vm,
                     const struct vm_choice *choice)
{
    enum { MOST = 256 };
    struct stand stand[MOST];
    int n = 0;
    if (!encounters || !choice->scheduling || !choice->candidates || choice->n < 2)
        return;
    for (int i = 0; i < choice->n && n < MOST; i++)
        n += stands(vm, vm_pending_thread(vm, i), &stand[n]);
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            if (meet(&stand[i], &stand[j]))
                note(encounters, vm, &stand[i], &stand[j]);
}

struct encounter *encounters_list(struct encounters *encounters, size_t *n)
{
    *n = encounters ? encounters->n : 0;
    struct encounter *list = check_zeros(*n + 1, sizeof *list);
    if (*n) {
        memcpy(list, encounters->at, *n * sizeof *list);
        qsort(list, *n, sizeof *list, compare);
    }
    return list;
}
