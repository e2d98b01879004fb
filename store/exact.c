/* exact.c - see exact.h. */
#include "exact.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "segment.h"
#include "store.h"

/* The size of pieces into which longer contents are cut, so that a change of a few bytes of a
 * large object makes few new pieces.  A multiple of 4. */
enum { PIECE = 512 };

void store_exact_open(struct store_exact *exact, struct store_budget *budget)
{
    store_table_open(&exact->pairs, budget);
    store_table_open(&exact->contents, budget);
}

void store_exact_close(struct store_exact *exact)
{
    store_table_close(&exact->pairs);
    store_table_close(&exact->contents);
}

void store_fold_fini(struct store_fold *fold)
{
    free(fold->memo);
    free(fold->nodes);
    free(fold->child);
    free(fold->list);
}

/* ---- contents -------------------------------------------------------------------- */

/* Returns a number for contents.  The numbers of the pieces are contents again, with another
 * tag. */
uint32_t store_exact_contents(struct store_exact *exact, const void *bytes, size_t n)
{
    uint32_t tag = 0, number = 0;
    uint32_t *numbers = NULL;
    while (n > PIECE) {
        size_t pieces = (n + PIECE - 1) / PIECE;
        uint32_t *next = malloc(pieces * sizeof *next);
        bool room = next;
        for (size_t i = 0; room && i < pieces; i++) {
            size_t size = i + 1 < pieces ? PIECE : n - i * PIECE;
            next[i] = store_intern_bytes(&exact->contents, tag, (const char *)bytes + i * PIECE,
                                         (uint32_t)size);
            room = next[i];
        }
        free(numbers);
        if (!room) {
            free(next);
            return 0;
        }
        bytes = numbers = next;
        n = pieces * sizeof *next;
        tag++;
    }
    number = store_intern_bytes(&exact->contents, tag, bytes, (uint32_t)n);
    free(numbers);
    return number;
}

/* ---- numbers and lists ----------------------------------------------------------- */

/* Kinds of numbers in a list: they tell pairs from the numbers that the list began with, and
 * none makes 0. */
enum kind { KIND_PAIR, KIND_OWN, KIND_EDGE, KIND_OTHER };
enum { KIND_BITS = 2, TAGGED_BITS = STORE_NUMBER_BITS + KIND_BITS };

/* Values of KIND_OTHER: an edge to a new node; the tag. */
enum { OTHER_NEW = 0, OTHER_TAG = 1 };

/* Nodes at a smaller distance from the roots are in the one list. */
enum { LIST_DEPTH = 2 };

struct store_node {
    size_t at;      /* its word */
    size_t new;     /* how many edges to new nodes come before its own */
    size_t nnew;    /* of its own */
    uint32_t depth; /* from the roots */
    uint32_t value; /* the number of what is below it */
};

static uint32_t tagged(enum kind kind, uint32_t number)
{
    return (uint32_t)kind << STORE_NUMBER_BITS | number;
}

static size_t memo_slot(const struct store_fold *fold, uint64_t pair)
{
    return (pair * 0x9e3779b97f4a7c15 >> 32) & (fold->memo_size - 1);
}

/* Returns the number of a pair; 0 if there is no room. */
static uint32_t intern_pair(struct store_exact *exact, struct store_fold *fold, uint32_t a,
                            uint32_t b)
{
    uint64_t pair = (uint64_t)a << 32 | b;
    struct store_memo *memo = &fold->memo[memo_slot(fold, pair)];
    if (memo->pair == pair && memo->number)
        return memo->number;
    uint32_t number = store_intern_pair(&exact->pairs, pair);
    if (!number)
        return 0;
    *memo = (struct store_memo){pair, tagged(KIND_PAIR, number)};
    return memo->number;
}

/* Folds a list until `left` numbers are left, a power of 2; each stands for about as many
 * numbers of the list.  False if there is no room. */
static bool fold_list(struct store_exact *exact, struct store_fold *fold, uint32_t *list,
                      size_t n, size_t left)
{
    size_t groups = left;
    while (2 * groups < n)
        groups *= 2;
    for (; n > left; n = groups, groups /= 2)
        for (size_t i = 0; i < groups; i++) {
            size_t from = i * n / groups, to = (i + 1) * n / groups;
            list[i] = to - from == 1 ? list[from]
                                     : intern_pair(exact, fold, list[from], list[from + 1]);
            if (to - from > 1 && !list[i])
                return false;
        }
    return true;
}

/* ---- graphs ---------------------------------------------------------------------- */

static uint32_t edges_of(uint64_t word)
{
    return (uint32_t)word & (uint32_t)STORE_GRAPH_EDGES;
}

static bool reserve(struct store_fold *fold, size_t n)
{
    if (fold->memo_size < 2 * n || !fold->memo_size) {
        size_t size = fold->memo_size ? fold->memo_size : 512;
        while (size < 2 * n)
            size *= 2;
        struct store_memo *memo = calloc(size, sizeof *memo);
        if (!memo)
            return false;
        free(fold->memo);
        fold->memo = memo;
        fold->memo_size = size;
    }
    if (n <= fold->max_nodes)
        return true;
    size_t max = 2 * n;
    void *nodes = realloc(fold->nodes, max * sizeof *fold->nodes);
    fold->nodes = nodes ? nodes : fold->nodes;
    void *child = realloc(fold->child, max * sizeof *fold->child);
    fold->child = child ? child : fold->child;
    void *list = realloc(fold->list, 3 * (max + 1) * sizeof *fold->list);
    fold->list = list ? list : fold->list;
    if (nodes && child && list)
        fold->max_nodes = max;
    return nodes && child && list;
}

/* Finds the nodes, how deep they are, and which node is at the end of each edge to a new one;
 * returns how many they are. */
static size_t scan(struct store_fold *fold, const uint64_t *words, size_t n)
{
    size_t nnodes = 0, nchildren = 0, new = 0;
    for (size_t at = 0; at < n;) {
        struct store_node *node = &fold->nodes[nnodes];
        node->at = at;
        node->new = new;
        if (words[at] & STORE_GRAPH_ROOT)
            node->depth = 0;
        else
            fold->child[nchildren++] = (uint32_t)nnodes;
        nnodes++;
        uint32_t nedges = edges_of(words[at++]);
        for (size_t end = at + nedges; at < end; at++)
            new += !words[at];
        node->nnew = new - node->new;
    }
    for (size_t i = 0; i < nnodes; i++) {
        const struct store_node *node = &fold->nodes[i];
        for (size_t k = 0; k < node->nnew; k++)
            fold->nodes[fold->child[node->new + k]].depth = node->depth + 1;
    }
    assert(new == nchildren);
    return nnodes;
}

/* Returns the number of a node and its edges, without where edges to new nodes lead; 0 if there
 * is no room. */
static uint32_t own_number(struct store_exact *exact, struct store_fold *fold,
                           const uint64_t *words, const struct store_node *node, uint32_t *list)
{
    uint32_t nedges = edges_of(words[node->at]);
    const uint64_t *edge = &words[node->at + 1];
    list[0] = tagged(KIND_OWN, (uint32_t)(words[node->at] >> 32));
    for (uint32_t k = 0; k < nedges; k++)
        list[k + 1] =
            edge[k] ? tagged(KIND_EDGE, (uint32_t)edge[k]) : tagged(KIND_OTHER, OTHER_NEW);
    if (!fold_list(exact, fold, list, nedges + 1, 1))
        return 0;
    return list[0];
}

/* Lists the node's number and the numbers of what is below it; returns how many these are, 0 if
 * there is no room. */
static size_t list_node(struct store_exact *exact, struct store_fold *fold,
                        const uint64_t *words, const struct store_node *node, uint32_t *list)
{
    size_t n = 1;
    list[0] = own_number(exact, fold, words, node, list);
    for (size_t k = 0; node->depth + 1 >= LIST_DEPTH && k < node->nnew; k++)
        list[n++] = fold->nodes[fold->child[node->new + k]].value;
    return list[0] ? n : 0;
}

/* Folds the nodes from the last to the first, since what is below a node comes after it. */
static bool fold_nodes(struct store_exact *exact, struct store_fold *fold,
                       const uint64_t *words, size_t nnodes)
{
    for (size_t i = nnodes; i-- > 0;) {
        struct store_node *node = &fold->nodes[i];
        if (node->depth < LIST_DEPTH)
            continue;
        size_t n = list_node(exact, fold, words, node, fold->list);
        if (!n || !fold_list(exact, fold, fold->list, n, 1))
            return false;
        node->value = fold->list[0];
    }
    return true;
}

/* Maps numbers that can be fingerprints to such numbers, one to one. */
static uint64_t mix(uint64_t x)
{
    assert(store_is_print(x));
    do {
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
        x = (x ^ x >> 27) * 0x94d049bb133111eb;
        x ^= x >> 31;
    } while (!store_is_print(x));
    return x;
}

/* Deals the one list: its even places in the first half of fold->list, its odd ones from `half`
 * on, since neighbours, which are often alike, are in both.  Returns how long it is, 0 if there
 * is no room. */
static size_t deal_list(struct store_exact *exact, struct store_fold *fold, bool tag,
                        const uint64_t *words, size_t nnodes, size_t half)
{
    uint32_t *list = fold->list, *own = list + 2 * half;
    size_t n = 2;
    list[0] = list[half] = tagged(KIND_OTHER, OTHER_TAG + tag); /* so that both have one */
    for (size_t i = 0; i < nnodes; i++) {
        if (fold->nodes[i].depth >= LIST_DEPTH)
            continue;
        size_t more = list_node(exact, fold, words, &fold->nodes[i], own);
        if (!more)
            return 0;
        for (size_t k = 0; k < more; k++, n++)
            list[n % 2 * half + n / 2] = own[k];
    }
    return n;
}

uint64_t store_exact_graph(struct store_exact *exact, struct store_fold *fold, bool tag,
                           const uint64_t *words, size_t n)
{
    if (!reserve(fold, n))
        return 0;
    size_t nnodes = scan(fold, words, n), half = n + 1;
    if (!fold_nodes(exact, fold, words, nnodes))
        return 0;
    uint32_t *even = fold->list, *odd = even + half;
    size_t nlist = deal_list(exact, fold, tag, words, nnodes, half);
    if (!nlist || !fold_list(exact, fold, even, (nlist + 1) / 2, 1) ||
        !fold_list(exact, fold, odd, nlist / 2, 1))
        return 0;
    return mix((uint64_t)1 << 2 * TAGGED_BITS | (uint64_t)*even << TAGGED_BITS | *odd);
}
