// Result: correct.
// setjmp and longjmp: values, nesting, a buffer used again.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf outer, inner;

static void deep(int n, int value)
{
    if (n == 0)
        longjmp(outer, value);
    deep(n - 1, value);
    printf("not reached\n");
}

static void nested(void)
{
    switch (setjmp(inner)) {
    case 0: printf("inner set\n"); longjmp(inner, 5);
    case 5: printf("inner 5\n"); longjmp(outer, 6);
    }
}

int main(void)
{
    volatile int rounds = 0;
    int v = setjmp(outer);
    printf("setjmp: %d, round %d\n", v, rounds);
    rounds++;
    if (v == 0)
        deep(3, 4);
    if (v == 4)
        deep(0, 0); /* becomes 1 */
    if (v == 1)
        nested();

    jmp_buf *heap = malloc(sizeof *heap);
    if (setjmp(*heap) == 0)
        longjmp(*heap, 9);
    free(heap);
    printf("done after %d\n", rounds);
    return 0;
}
