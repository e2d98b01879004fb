/* wakeup.c - see wakeup.h. */
#include "wakeup.h"

#include <string.h>

#include "checker/array.h"

void wakeup_drop(struct wakeup *list)
{
    while (list) {
        struct wakeup *node = list;
        list = node->next;
        wakeup_drop(node->child);
        free(node);
    }
}

struct wakeup *wakeup_new(uint32_t proc, uint32_t number, bool unknown,
                          const struct causal_log *log)
{
    size_t bytes = log->n * sizeof *log->at;
    struct wakeup *node = malloc(sizeof *node + bytes);
    if (!node)
        vm_exhausted();
    *node = (struct wakeup){.proc = proc, .number = number, .unknown = unknown, .log = *log};
    node->log.at = node->accesses;
    if (bytes)
        memcpy(node->accesses, log->at, bytes);
    return node;
}

struct wakeup *wakeup_copy(const struct wakeup *list)
{
    struct wakeup *first = NULL, **end = &first;
    for (; list; list = list->next) {
        *end = wakeup_new(list->proc, list->number, list->unknown, &list->log);
        (*end)->child = wakeup_copy(list->child);
        end = &(*end)->next;
    }
    return first;
}

/* Puts a node at the end of the list, or into a node that is the same event. */
static void merge(struct wakeup **list, struct wakeup *node)
{
    for (; *list; list = &(*list)->next)
        if ((*list)->proc == node->proc && (*list)->number == node->number)
            break;
    struct wakeup *same = *list;
    if (!same) {
        *list = node;
        return;
    }
    while (node->child) {
        struct wakeup *child = node->child;
        node->child = child->next;
        child->next = NULL;
        merge(&same->child, child);
    }
    wakeup_drop(node);
}

void wakeup_pass(struct wakeup **list, const struct causal *causal)
{
    struct wakeup *rest = *list;
    *list = NULL;
    while (rest) {
        struct wakeup *node = rest;
        rest = node->next;
        node->next = NULL;
        if (node->number > causal_number(causal, node->proc)) {
            merge(list, node);
            continue;
        }
        wakeup_pass(&node->child, causal);
        while (node->child) {
            struct wakeup *child = node->child;
            node->child = child->next;
            child->next = NULL;
            merge(list, child);
        }
        wakeup_drop(node);
    }
}

static bool knows(const struct wakeup_item *later, const struct wakeup_item *earlier)
{
    return later->clock[earlier->proc] >= earlier->number;
}

/* Returns the place of the thread's first event in the sequence, or n if there is none. */
static size_t place_of(const struct wakeup_sequence *sequence, uint32_t proc)
{
    size_t at = 0;
    while (at < sequence->n && sequence->items[at].proc != proc)
        at++;
    return at;
}

bool wakeup_begins_with(const struct wakeup_sequence *sequence, uint32_t proc)
{
    size_t at = place_of(sequence, proc);
    for (size_t i = 0; at < sequence->n && i < at; i++)
        if (knows(&sequence->items[at], &sequence->items[i]))
            return false;
    return at < sequence->n;
}

bool wakeup_is_initial(const struct wakeup_sequence *sequence, uint32_t proc, bool unknown,
                       const struct causal_log *log)
{
    if (place_of(sequence, proc) < sequence->n)
        return wakeup_begins_with(sequence, proc);
    if (unknown)
        return false;
    for (size_t i = 0; i < sequence->n; i++)
        if (sequence->items[i].unknown || causal_dependent(&sequence->items[i].log, log))
            return false;
    return true;
}

static void append(struct wakeup **list, const struct wakeup_sequence *sequence)
{
    while (*list)
        list = &(*list)->next;
    for (size_t i = 0; i < sequence->n; i++) {
        const struct wakeup_item *item = &sequence->items[i];
        *list = wakeup_new(item->proc, item->number, item->unknown, &item->log);
        list = &(*list)->child;
    }
}

/* Takes the thread's first event out of the sequence: mostly that is one of the first there. */
static void take_first(struct wakeup_sequence *sequence, uint32_t proc)
{
    size_t at = place_of(sequence, proc);
    if (at == sequence->n)
        return;
    memmove(sequence->items + 1, sequence->items, at * sizeof *sequence->items);
    sequence->items++;
    sequence->n--;
}

void wakeup_insert(struct wakeup **list, struct wakeup_sequence *sequence)
{
    struct wakeup_sequence rest = *sequence;
    struct wakeup *node = *list;
    while (node) {
        if (!wakeup_is_initial(&rest, node->proc, node->unknown, &node->log)) {
            node = node->next;
            continue;
        }
        take_first(&rest, node->proc);
        if (!node->child || !rest.n)
            return;
        list = &node->child;
        node = *list;
    }
    append(list, &rest);
}
