/* holds.c - see holds.h. */
#include "holds.h"

#include <stdlib.h>

#include "checker/array.h"

/* The values of a formula's parts at each state: those of part k are at[k * n .. k * n + n). */
struct values {
    const struct formula_form *form;
    unsigned first;
    const struct formula_atoms *atoms;
    size_t n, loop;
    bool *at;
};

static bool value_at(const struct values *v, unsigned k, size_t i)
{
    const struct formula_node *node = &v->form->nodes[k];
    size_t next = i + 1 < v->n ? i + 1 : v->loop;
    bool a = v->at[node->a * v->n + i], b = v->at[node->b * v->n + i];
    bool after = v->at[k * v->n + next];
    unsigned atom = (node->atom + v->first) % 64;
    switch (node->op) {
    case FORMULA_TRUE: return true;
    case FORMULA_FALSE: return false;
    case FORMULA_ATOM: return v->atoms[i].are >> atom & 1;
    case FORMULA_NOT_ATOM: return !(v->atoms[i].may_be >> atom & 1);
    case FORMULA_AND: return a && b;
    case FORMULA_OR: return a || b;
    case FORMULA_UNTIL: return b || (a && after);
    case FORMULA_RELEASE: return b && (a || after);
    }
    return false;
}

/* Evaluates backwards, twice, as what comes after the last state is known only then. */
static void evaluate(struct values *v, unsigned k)
{
    bool start = v->form->nodes[k].op == FORMULA_RELEASE;
    for (size_t i = 0; i < v->n; i++)
        v->at[k * v->n + i] = start;
    for (int round = 0; round < 2; round++)
        for (size_t i = v->n; i-- > 0;)
            v->at[k * v->n + i] = value_at(v, k, i);
}

bool formula_holds(const struct formula_form *form, unsigned first,
                   const struct formula_atoms *atoms, size_t n, size_t loop)
{
    struct values v = {form, first, atoms, n, loop, array_zeroed(form->n * n, sizeof *v.at)};
    for (unsigned k = 0; k < form->n; k++)
        evaluate(&v, k);
    bool holds = v.at[form->root * n];
    free(v.at);
    return holds;
}
