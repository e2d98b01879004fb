/* canonical_order.c - see canonical_order.h. */
#include "canonical_order.h"

#include <string.h>

#include "graph_walk.h"
#include "vm/machine.h"

/* The most orders of one state that are tried. A state with more orders that matter may get
 * more than one form: then it is explored more than once, and nothing is missed. */
enum { MOST_ORDERS = 10000 };

static const uint64_t SINGLED = 0x9e3779b97f4a7c15;

/* The least form so far, with its order. */
struct least {
    bool any;
    uint64_t rest[2];
    unsigned norders;
};

/* An order, and the form by it. */
struct ordered {
    uint8_t rank[VM_MAX_SYMMETRIC], order[VM_MAX_SYMMETRIC];
    uint64_t rest[2];
};

static uint64_t symmetric_threads(const struct vm *vm)
{
    return vm->heap.inchash.stable_ids->symmetric;
}

/* Returns the threads that look alike and whose ranks among each other may matter: something
 * else points to them, or they point to the same objects. */
static uint64_t open_ties(const struct vm_symmetry *symmetry)
{
    uint64_t ties = symmetry->tied & symmetry->named;
    if (symmetry->reached != symmetry->reached_apart)
        return ties;
    for (uint64_t left = ties; left; left &= left - 1) {
        unsigned tid = (unsigned)__builtin_ctzll(left);
        if (!symmetry->asked[tid])
            ties &= ~((uint64_t)1 << tid);
    }
    return ties;
}

static unsigned count_cells(const struct vm_symmetry *symmetry)
{
    unsigned n = 0;
    for (unsigned k = 0; k < symmetry->n; k++)
        n += symmetry->cell[symmetry->order[k]] == k + 1;
    return n;
}

/* Tells symmetric threads apart by what points to them and what they point to, until a pass
 * tells no more of them apart. The last pass is made even if nothing is tied any more: each
 * pass changes the order, so how many are made must not depend on ties of threads that have
 * ended. */
static void refine(struct vm *vm)
{
    struct vm_symmetry *symmetry = &vm->symmetry;
    uint64_t mask = symmetric_threads(vm);
    unsigned ncells;
    do {
        ncells = count_cells(symmetry);
        vm_walk_apart(vm);
        for (uint64_t left = mask; left; left &= left - 1) {
            unsigned tid = (unsigned)__builtin_ctzll(left);
            uint64_t *colour = &symmetry->colour[tid][1];
            *colour =
                vm_fold(*colour ^ vm_fold(symmetry->asked[tid] ^ vm_fold(symmetry->seen[tid])));
        }
        vm_symmetry_rank_all(symmetry, mask);
    } while (count_cells(symmetry) != ncells);
}

static void keep_order(const struct vm_symmetry *symmetry, struct ordered *ordered)
{
    memcpy(ordered->rank, symmetry->rank, sizeof ordered->rank);
    memcpy(ordered->order, symmetry->order, sizeof ordered->order);
    memcpy(ordered->rest, symmetry->rest, sizeof ordered->rest);
}

/* Would the form be the same if these two threads changed places in this order? */
static bool can_swap(struct vm *vm, const struct ordered *ordered, unsigned a, unsigned b)
{
    struct vm_symmetry *symmetry = &vm->symmetry;
    memcpy(symmetry->rank, ordered->rank, sizeof symmetry->rank);
    memcpy(symmetry->order, ordered->order, sizeof symmetry->order);
    symmetry->rank[a] = ordered->rank[b];
    symmetry->rank[b] = ordered->rank[a];
    symmetry->order[symmetry->rank[a] - 1] = (uint8_t)a;
    symmetry->order[symmetry->rank[b] - 1] = (uint8_t)b;
    vm_walk_ranked(vm);
    return !memcmp(symmetry->rest, ordered->rest, sizeof ordered->rest);
}

/* Can all threads that look alike change places with one another?  Then any order does. */
static bool can_all_swap(struct vm *vm, const struct ordered *ordered, uint64_t ties)
{
    const uint8_t *cell = vm->symmetry.cell;
    for (unsigned k = 1; k < vm->symmetry.n; k++) {
        unsigned a = ordered->order[k - 1], b = ordered->order[k];
        if (ties >> a & 1 && cell[a] == cell[b] && !can_swap(vm, ordered, a, b))
            return false;
    }
    return true;
}

static void take_least(struct least *least, const struct ordered *ordered)
{
    const uint64_t *a = ordered->rest, *b = least->rest;
    least->norders++;
    if (!least->any || a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]))
        memcpy(least->rest, a, sizeof least->rest);
    least->any = true;
}

/* Lists the threads that look alike with the first ranks; returns how many they are. */
static unsigned first_tie(const struct vm_symmetry *symmetry, uint64_t ties, uint8_t *alike)
{
    unsigned n = 0, cell = 0;
    for (unsigned k = 0; k < symmetry->n; k++) {
        unsigned tid = symmetry->order[k];
        if (ties >> tid & 1 && (!n || symmetry->cell[tid] == cell)) {
            cell = symmetry->cell[tid];
            alike[n++] = (uint8_t)tid;
        }
    }
    return n;
}

/* Tries orders of the threads that still look alike.  Symmetric threads are as refine leaves
 * them.  *first gets the first order that is tried. */
static void search(struct vm *vm, struct least *least, struct ordered *first)
{
    struct vm_symmetry *symmetry = &vm->symmetry;
    uint64_t colour[VM_MAX_SYMMETRIC][2], ties;
    uint8_t alike[VM_MAX_SYMMETRIC];
    struct ordered tried[VM_MAX_SYMMETRIC];
    vm_walk_ranked(vm);
    keep_order(symmetry, first);
    ties = open_ties(symmetry);
    unsigned n = first_tie(symmetry, ties, alike), ntried = 0;
    if (!n || can_all_swap(vm, first, ties)) {
        take_least(least, first);
        return;
    }
    memcpy(colour, symmetry->colour, sizeof colour);
    for (unsigned k = 0; k < n && least->norders < MOST_ORDERS; k++) {
        bool again = false;
        for (unsigned j = 0; j < k && !again; j++)
            again = tried[j].rank[alike[j]] && can_swap(vm, &tried[j], alike[j], alike[k]);
        tried[k].rank[alike[k]] = 0;
        if (again)
            continue;
        memcpy(symmetry->colour, colour, sizeof colour);
        symmetry->colour[alike[k]][1] = vm_fold(colour[alike[k]][1] ^ SINGLED);
        vm_symmetry_rank_all(symmetry, symmetric_threads(vm));
        refine(vm);
        search(vm, least, &tried[k]);
        if (!ntried++)
            *first = tried[k];
    }
}

bool vm_canonical_order(struct vm *vm)
{
    struct vm_symmetry *symmetry = &vm->symmetry;
    if (!vm_walk_ranked(vm))
        return false;
    if (!(symmetry->tied & symmetry->named))
        return true;
    struct least least = {0};
    struct ordered first;
    refine(vm);
    search(vm, &least, &first);
    memcpy(symmetry->rest, least.rest, sizeof symmetry->rest);
    return true;
}
