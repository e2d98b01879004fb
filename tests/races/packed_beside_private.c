// Threads push nodes to a stack whose head is a pointer of 48 bits and a tag, and work with
// local variables to which no packed pointer leads: those stay private, though every access to
// what is shared is a step.  Result: correct.
// Options: --races=allow --max-states=400
// Expect: searched with every object shared whose address became a number
// -DBUG takes it that the first one wins: assertion violation.
// -DPACKED a local variable has an address that becomes a number: incomplete.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

enum { BITS = 48, ROUNDS = 6 };

struct node {
    struct node *next;
    int value;
};

static _Atomic(uint64_t) head;

static uint64_t pack(struct node *p, uint64_t tag)
{
    return (uint64_t)p | tag << BITS;
}

static struct node *unpack(uint64_t word)
{
    return (struct node *)(word & (((uint64_t)1 << BITS) - 1));
}

static void push(struct node *n)
{
    uint64_t old = head;
    do
        n->next = unpack(old);
    while (!atomic_compare_exchange_strong(&head, &old, pack(n, (old >> BITS) + 1)));
}

static int work(int n)
{
    int parts[2] = {0}, sum = 0;
#ifdef PACKED
    volatile uint64_t number = (uint64_t)parts << 16;
    (void)number;
#endif
    for (int k = 0; k < ROUNDS; k++)
        parts[k % 2] += n * k;
    for (int k = 0; k < 2; k++)
        sum += parts[k];
    return sum;
}

static void *run(void *number)
{
    struct node *mine = malloc(sizeof *mine);
    mine->value = work(*(int *)number);
    push(mine);
    return NULL;
}

int main(void)
{
    int numbers[] = {1, 2};
    pthread_t id[2];
    for (int k = 0; k < 2; k++)
        pthread_create(&id[k], NULL, run, &numbers[k]);
    for (int k = 0; k < 2; k++)
        pthread_join(id[k], NULL);
    struct node *first = unpack(head), *second = first->next;
    assert(first->value + second->value == 15 * 3 && !second->next);
#ifdef BUG
    assert(first->value < second->value);
#endif
    free(first);
    free(second);
    return 0;
}
