// Large global variables, of which threads write parts: single elements, blocks, pointers,
// what lies across the pages that the machine keeps them in.
//
// Result: correct.  -DLEAK: memory error.  -DOUTSIDE: memory error.  -DRACE: data race.
// -DVALUE: assertion violation.  -DUNSET: undefined value.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 3000 };

static char text[LENGTH * 4];
static int *pointer[LENGTH];
static struct __attribute__((packed)) {
    char c;
    long numbers[LENGTH];
} packed;
static atomic_int counter[LENGTH];
static struct {
    char big[LENGTH * 2];
    unsigned few : 3, more : 7;
} fields;

static void *first(void *arg)
{
    int *old = pointer[7];
    memset(text + 500, 'a', 600);
    pointer[7] = malloc(sizeof(int));
    *pointer[7] = *old + 1;
#ifndef LEAK
    free(old);
#endif
    for (int k = 0; k < LENGTH; k += 127)
        packed.numbers[k] = k;
    atomic_fetch_add(&counter[63], 1);
    fields.few = 5;
    atomic_fetch_add(&counter[64], 1);
    return arg;
}

static void *second(void *arg)
{
    memcpy(text + 2000, text + 1100, 600);
    atomic_fetch_add(&counter[64], 1);
    text[4000] = 'b';
    pointer[LENGTH - 1] = (int *)text;
    atomic_fetch_add(&counter[63], 2);
#ifdef RACE
    text[600] = 'c';
#endif
#ifdef OUTSIDE
    text[LENGTH * 4 + counter[0]] = 'c';
#endif
    return arg;
}

int main(void)
{
    pthread_t t[2];
    memset(text, ' ', sizeof text);
    pointer[7] = calloc(1, sizeof(int));
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(counter[63] == 3 && counter[64] == 2);
    assert(text[499] == ' ' && text[500] == 'a' && text[1099] == 'a' && text[1100] == ' ');
    assert(text[4000] == 'b' && *(char *)pointer[LENGTH - 1] == ' ');
    assert(*pointer[7] == 1 && fields.few == 5 && fields.more == 0);
    memmove(text + 1, text, 5000);
    assert(text[500] == ' ' && text[501] == 'a' && text[4001] == 'b');
#ifdef VALUE
    assert(packed.numbers[127] == 0);
#endif
    assert(packed.numbers[127] == 127 && packed.numbers[126] == 0);
#ifdef UNSET
    char unset[8];
    memcpy(text + 1020, unset, sizeof unset);
    return text[1024];
#else
    free(pointer[7]);
    return 0;
#endif
}
