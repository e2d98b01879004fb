/* symmetry.c - see symmetry.h. */
#include "symmetry.h"

#include <string.h>

#include "canon.h"
#include "vm/machine.h"

/* Orders of one state that are tried at the most.  If there are more that matter, it may have
 * more than one form: so it is looked at more than once, and nothing is missed. */
enum { MOST_ORDERS = 10000 };

static const uint64_t SINGLED = 0x9e3779b97f4a7c15;

/* The least form so far. */
struct least {
    bool any;
    uint64_t rest[2];
    unsigned norders;
};

/* An order, and the form by it. */
struct ordered {
    uint8_t rank[VM_TWINS], order[VM_TWINS];
    uint64_t rest[2];
};

static uint64_t twins_of(const struct vm *vm)
{
    return vm->heap.settled.numbers->twins;
}

/* Which of those that look alike has which rank may matter: they are led to from elsewhere, or
 * lead to the same. */
static uint64_t unsettled_ties(const struct vm_twins *twins)
{
    uint64_t ties = twins->tied & twins->named;
    if (twins->reached != twins->reached_apart)
        return ties;
    for (uint64_t left = ties; left; left &= left - 1) {
        unsigned twin = (unsigned)__builtin_ctzll(left);
        if (!twins->asked[twin])
            ties &= ~((uint64_t)1 << twin);
    }
    return ties;
}

static unsigned count_cells(const struct vm_twins *twins)
{
    unsigned n = 0;
    for (unsigned k = 0; k < twins->n; k++)
        n += twins->cell[twins->order[k]] == k + 1;
    return n;
}

/* Twins are told apart by where they are led to from and what they lead to, until that tells no
 * more of them.  The last pass is made even if nothing is tied any more: each pass changes the
 * order, so how many are made must not depend on ties of threads that have ended. */
static void refine(struct vm *vm)
{
    struct vm_twins *twins = &vm->twins;
    uint64_t mask = twins_of(vm);
    unsigned ncells;
    do {
        ncells = count_cells(twins);
        vm_canon_tell(vm);
        for (uint64_t left = mask; left; left &= left - 1) {
            unsigned twin = (unsigned)__builtin_ctzll(left);
            uint64_t *colour = &twins->colour[twin][1];
            *colour =
                vm_fold(*colour ^ vm_fold(twins->asked[twin] ^ vm_fold(twins->seen[twin])));
        }
        vm_twins_rank(twins, mask);
    } while (count_cells(twins) != ncells);
}

static void keep_order(const struct vm_twins *twins, struct ordered *ordered)
{
    memcpy(ordered->rank, twins->rank, sizeof ordered->rank);
    memcpy(ordered->order, twins->order, sizeof ordered->order);
    memcpy(ordered->rest, twins->rest, sizeof ordered->rest);
}

/* Would the form be the same if these two changed places in this order? */
static bool can_swap(struct vm *vm, const struct ordered *ordered, unsigned a, unsigned b)
{
    struct vm_twins *twins = &vm->twins;
    memcpy(twins->rank, ordered->rank, sizeof twins->rank);
    memcpy(twins->order, ordered->order, sizeof twins->order);
    twins->rank[a] = ordered->rank[b];
    twins->rank[b] = ordered->rank[a];
    twins->order[twins->rank[a] - 1] = (uint8_t)a;
    twins->order[twins->rank[b] - 1] = (uint8_t)b;
    vm_canon_ranked(vm);
    return !memcmp(twins->rest, ordered->rest, sizeof ordered->rest);
}

/* Can all that look alike change places with one another?  Then any order does. */
static bool can_all_swap(struct vm *vm, const struct ordered *ordered, uint64_t ties)
{
    const uint8_t *cell = vm->twins.cell;
    for (unsigned k = 1; k < vm->twins.n; k++) {
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

/* Those that look alike, of which the ranks come first: their numbers. */
static unsigned first_tie(const struct vm_twins *twins, uint64_t ties, uint8_t *alike)
{
    unsigned n = 0, cell = 0;
    for (unsigned k = 0; k < twins->n; k++) {
        unsigned twin = twins->order[k];
        if (ties >> twin & 1 && (!n || twins->cell[twin] == cell)) {
            cell = twins->cell[twin];
            alike[n++] = (uint8_t)twin;
        }
    }
    return n;
}

/* Twins are as refine leaves them.  Gives the first of the orders that it looks at. */
static void search(struct vm *vm, struct least *least, struct ordered *first)
{
    struct vm_twins *twins = &vm->twins;
    uint64_t colour[VM_TWINS][2], ties;
    uint8_t alike[VM_TWINS];
    struct ordered tried[VM_TWINS];
    vm_canon_ranked(vm);
    keep_order(twins, first);
    ties = unsettled_ties(twins);
    unsigned n = first_tie(twins, ties, alike), ntried = 0;
    if (!n || can_all_swap(vm, first, ties)) {
        take_least(least, first);
        return;
    }
    memcpy(colour, twins->colour, sizeof colour);
    for (unsigned k = 0; k < n && least->norders < MOST_ORDERS; k++) {
        bool again = false;
        for (unsigned j = 0; j < k && !again; j++)
            again = tried[j].rank[alike[j]] && can_swap(vm, &tried[j], alike[j], alike[k]);
        tried[k].rank[alike[k]] = 0;
        if (again)
            continue;
        memcpy(twins->colour, colour, sizeof colour);
        twins->colour[alike[k]][1] = vm_fold(colour[alike[k]][1] ^ SINGLED);
        vm_twins_rank(twins, twins_of(vm));
        refine(vm);
        search(vm, least, &tried[k]);
        if (!ntried++)
            *first = tried[k];
    }
}

bool vm_symmetry_order(struct vm *vm)
{
    struct vm_twins *twins = &vm->twins;
    if (!vm_canon_ranked(vm))
        return false;
    if (!(twins->tied & twins->named))
        return true;
    struct least least = {0};
    struct ordered first;
    refine(vm);
    search(vm, &least, &first);
    memcpy(twins->rest, least.rest, sizeof twins->rest);
    return true;
}
