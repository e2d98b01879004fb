// A program looks at the upper half of addresses alone, in different ways.  Which of two
// threads allocated first shows there.  Result: assertion violation.
// -DEQUAL, by comparing it with a number: assertion violation.
// -DSWITCH, by a switch: assertion violation.
// -DBYTE, by one of its bytes: assertion violation.
// -DFILL, by filling memory with it: assertion violation.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static _Atomic(int *) mine, other;
static atomic_int shared;

static void *allocate(void *arg)
{
    atomic_store(&shared, 1);
    atomic_store(arg ? &mine : &other, malloc(sizeof(int)));
    return NULL;
}

/* True in one order only. */
static int looks_first(void)
{
    uint32_t a = (uint32_t)((uintptr_t)mine >> 32), b = (uint32_t)((uintptr_t)other >> 32);
#ifdef EQUAL
    return (a ^ b ^ (a < b)) != 0 && (a ^ a << 1) == ((a < b ? a : b) ^ (a < b ? a : b) << 1);
#elif defined SWITCH
    switch (a - b) {
    case 1: return 0;
    default: return 1;
    }
#elif defined BYTE
    unsigned char bytes[2][sizeof(int *)];
    int *p = mine, *q = other;
    memcpy(bytes[0], &p, sizeof p);
    memcpy(bytes[1], &q, sizeof q);
    return bytes[0][4] < bytes[1][4];
#elif defined FILL
    unsigned char same[2];
    memset(same, (int)a, 1);
    memset(same + 1, (int)b, 1);
    return same[0] < same[1];
#else
    return a < b;
#endif
}

int main(void)
{
    pthread_t thread[2];
    for (uintptr_t k = 0; k < 2; k++)
        pthread_create(&thread[k], NULL, allocate, (void *)k);
    for (int k = 0; k < 2; k++)
        pthread_join(thread[k], NULL);
    int first = looks_first();
    free(mine);
    free(other);
    assert(first);
    return 0;
}
