// Pointer chasing: a list of NODES nodes in shuffled order, walked ROUNDS times.
// Result: correct.  A kernel for the speed of instructions.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef NODES
#define NODES 2000
#endif
#ifndef ROUNDS
#define ROUNDS 5000
#endif

struct node {
    struct node *next;
    uint32_t value;
};

int main(void)
{
    struct node **order = malloc(NODES * sizeof *order);
    uint32_t x = 12345, sum = 0;
    if (!order)
        return 1;
    for (int k = 0; k < NODES; k++) {
        order[k] = malloc(sizeof **order);
        if (!order[k])
            return 1;
        order[k]->value = (uint32_t)k;
    }
    for (int k = NODES - 1; k > 0; k--) {
        x = x * 1664525u + 1013904223u;
        int j = (int)(x >> 8) % (k + 1);
        struct node *swap = order[k];
        order[k] = order[j];
        order[j] = swap;
    }
    for (int k = 0; k < NODES; k++)
        order[k]->next = k + 1 < NODES ? order[k + 1] : NULL;
    for (int r = 0; r < ROUNDS; r++)
        for (const struct node *n = order[0]; n; n = n->next)
            sum = sum * 31 + n->value;
    printf("%u\n", sum);
    for (int k = 0; k < NODES; k++)
        free(order[k]);
    free(order);
    return 0;
}
