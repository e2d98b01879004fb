/* automaton.c - see automaton.h.
 *
 * A state of the automaton is made of formulas that hold where it is entered ("old"), and of
 * those that hold in the next state ("next").  What is to hold ("new") is taken apart: an `or`
 * in two ways, and an until in two, since `a U b` is b, or a now and `a U b` next. */
#include "automaton.h"

#include <stdlib.h>

#include "checker/array.h"

enum { MOST_STATES = 2000 };

struct tableau {
    const struct formula_form *form;
    struct automaton *automaton;
    struct automaton_node {
        uint64_t old, next;
    } *nodes; /* of each state */
    size_t n, max;
    unsigned first;
    uint64_t unknown; /* atoms that are not known in some states */
    bool full;
};

/* A state that is being made, with what is still to be taken apart. */
struct obligation {
    uint64_t fresh, old, next;
};

static void add_edge(struct automaton *automaton, size_t from, size_t to)
{
    struct automaton_state *state = &automaton->states[from];
    for (size_t k = 0; k < state->nnext; k++)
        if (state->next[k] == to)
            return;
    ARRAY_PUSH(state->next, state->nnext, state->max_next, (uint32_t)to);
}

static struct automaton_state state_of(const struct tableau *t, uint64_t old)
{
    struct automaton_state state = {0};
    for (unsigned k = 0; k < t->form->n; k++) {
        const struct formula_node *node = &t->form->nodes[k];
        uint64_t atom = 1ull << ((node->atom + t->first) % 64);
        if (old >> k & 1 && node->op == FORMULA_ATOM)
            state.must |= atom;
        if (old >> k & 1 && node->op == FORMULA_NOT_ATOM)
            state.must_not |= atom;
    }
    unsigned set = 0;
    for (unsigned k = 0; k < t->form->n; k++) {
        const struct formula_node *node = &t->form->nodes[k];
        if (node->op != FORMULA_UNTIL)
            continue;
        if (!(old >> k & 1) || old >> node->b & 1)
            state.accepts |= 1ull << set;
        set++;
    }
    return state;
}

/* Makes a state: nothing is left to be taken apart. */
static void close_node(struct tableau *t, size_t from, const struct obligation *o)
{
    size_t k = 1;
    while (k < t->n && (t->nodes[k].old != o->old || t->nodes[k].next != o->next))
        k++;
    if (k == MOST_STATES) {
        t->full = true;
        return;
    }
    if (k == t->n) {
        struct automaton *automaton = t->automaton;
        struct automaton_node node = {o->old, o->next};
        ARRAY_PUSH(t->nodes, t->n, t->max, node);
        ARRAY_PUSH(automaton->states, automaton->n, automaton->max, state_of(t, o->old));
    }
    add_edge(t->automaton, from, k);
}

static bool is_refuted(const struct tableau *t, const struct formula_node *node, uint64_t old)
{
    if (node->op == FORMULA_FALSE)
        return true;
    if (node->op != FORMULA_ATOM && node->op != FORMULA_NOT_ATOM)
        return false;
    if (t->unknown >> ((node->atom + t->first) % 64) & 1)
        return false;
    for (unsigned k = 0; k < t->form->n; k++) {
        const struct formula_node *other = &t->form->nodes[k];
        bool literal = other->op == FORMULA_ATOM || other->op == FORMULA_NOT_ATOM;
        if (old >> k & 1 && literal && other->atom == node->atom && other->op != node->op)
            return true;
    }
    return false;
}

static void expand(struct tableau *t, size_t from, struct obligation o);

/* Splits a formula in two: what is new in each part, and whether the formula holds next in the
 * first. */
static void split(struct tableau *t, size_t from, const struct obligation *o, uint64_t first,
                  uint64_t second, uint64_t again)
{
    struct obligation one = *o, other = *o;
    one.fresh |= first & ~o->old;
    one.next |= again;
    other.fresh |= second & ~o->old;
    expand(t, from, one);
    expand(t, from, other);
}

static void expand(struct tableau *t, size_t from, struct obligation o)
{
    if (!o.fresh) {
        close_node(t, from, &o);
        return;
    }
    unsigned k = (unsigned)__builtin_ctzll(o.fresh);
    const struct formula_node *node = &t->form->nodes[k];
    uint64_t a = 1ull << node->a, b = 1ull << node->b, self = 1ull << k;
    o.fresh &= ~self;
    if (t->full || is_refuted(t, node, o.old))
        return;
    o.old |= self;
    switch (node->op) {
    case FORMULA_AND:
        o.fresh |= (a | b) & ~o.old;
        expand(t, from, o);
        break;
    case FORMULA_OR: split(t, from, &o, a, b, 0); break;
    case FORMULA_UNTIL: split(t, from, &o, a, b, self); break;
    case FORMULA_RELEASE: split(t, from, &o, b, a | b, self); break;
    case FORMULA_TRUE:
    case FORMULA_FALSE:
    case FORMULA_ATOM:
    case FORMULA_NOT_ATOM: expand(t, from, o); break;
    }
}

bool automaton_of(struct automaton *automaton, const struct formula_form *form, unsigned first,
                  uint64_t unknown)
{
    struct tableau t = {
        .form = form, .automaton = automaton, .first = first, .unknown = unknown};
    unsigned sets = 0;
    *automaton = (struct automaton){0};
    for (unsigned k = 0; k < form->n; k++)
        sets += form->nodes[k].op == FORMULA_UNTIL;
    automaton->all = sets ? ~0ull >> (64 - sets) : 0;
    ARRAY_PUSH(t.nodes, t.n, t.max, (struct automaton_node){.next = 1ull << form->root});
    ARRAY_PUSH(automaton->states, automaton->n, automaton->max, (struct automaton_state){0});
    for (size_t k = 0; k < t.n && !t.full; k++)
        expand(&t, k, (struct obligation){.fresh = t.nodes[k].next});
    free(t.nodes);
    return !t.full;
}

void automaton_of_all(struct automaton *automaton, bool by_monitor)
{
    *automaton = (struct automaton){.all = by_monitor};
    for (int k = 0; k < 2; k++)
        ARRAY_PUSH(automaton->states, automaton->n, automaton->max,
                   (struct automaton_state){0});
    add_edge(automaton, 0, 1);
    add_edge(automaton, 1, 1);
}

void automaton_fini(struct automaton *automaton)
{
    for (size_t k = 0; k < automaton->n; k++)
        free(automaton->states[k].next);
    free(automaton->states);
    *automaton = (struct automaton){0};
}
