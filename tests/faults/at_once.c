// What the machine does at once (vm/pair.def) is found as if it were done one by one.
// Result: correct.
// -DPRODUCT overflows in the product of an index: arithmetic.
// -DSUM overflows in the sum: arithmetic.
// -DDIFFERENCE overflows in a difference: arithmetic.
// -DBEYOND reads beyond the array: memory error.
// -DBEFORE reads before it: memory error.
// -DASKEW reads between two elements, from a pointer to before them: memory error.
// -DNOTHING reads through a null pointer: memory error.
// -DGONE reads what was freed: memory error.
// -DUNKNOWN has an undefined index: undefined value.
// -DUNSET adds up an undefined element: undefined value.
// -DCOUNTER overflows in the counter of a loop: arithmetic.
// -DLIMIT has an undefined limit of a loop: undefined value.
// -DLEFT reads beyond an array, for a product of two elements: memory error.
// -DRIGHT reads beyond the other: memory error.
// -DLEFTUNSET multiplies an undefined element: undefined value.
// -DRIGHTUNSET multiplies by one: undefined value.
// Expect-PRODUCT: signed overflow: 1073741824 \* 2 in 32 bits \(row_of at at_once.c:@row\)
// Expect-SUM: signed overflow: 2147483646 \+ 5 in 32 bits \(row_of at at_once.c:@row\)
// Expect-DIFFERENCE: overflow: -2147483648 - 1 in 32 bits \(before at at_once.c:@before\)
// Expect-BEYOND: access out of bounds: .*row_of at at_once.c:@row
// Expect-BEFORE: access out of bounds: .*before at at_once.c:@before
// Expect-ASKEW: misaligned access: .*row_of at at_once.c:@row
// Expect-NOTHING: null pointer dereference: .*row_of at at_once.c:@row
// Expect-GONE: use after free: .*row_of at at_once.c:@row
// Expect-UNKNOWN: undefined value used.*row_from at at_once.c:@from
// Expect-UNSET: undefined value used.*main at at_once.c:@unset
// Expect-COUNTER: signed overflow: 2147483647 \+ 1 in 32 bits \(up at at_once.c:@up\)
// Expect-LIMIT: undefined value used.*count at at_once.c:@count
// Expect-LEFT: access out of bounds: .*product at at_once.c:@product
// Expect-RIGHT: access out of bounds: .*product at at_once.c:@product
// Expect-LEFTUNSET: undefined value used.*main at at_once.c:@left
// Expect-RIGHTUNSET: undefined value used.*main at at_once.c:@right
#include <limits.h>
#include <stdlib.h>

static double row_of(const double *m, int i, int k)
{
    return m[i * 2 + k]; // @row
}

static double row_from(const double *m, const int *i)
{
    return m[*i * 2 + 1]; // @from
}

static int before(const int *v, int at, int by)
{
    return v[at - by]; // @before
}

static int count(int from, const int *to)
{
    int n = 0, last = *to;
    for (int i = from; i < last; i++) // @count
        n += i & 1;
    return n;
}

static int up(int from)
{
    int n = 0;
    for (int i = from; i <= INT_MAX; i++) // @up
        n += i & 1;
    return n;
}

static double dot(const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < 2; k++)
        sum += row_of(a, k, 1) * b[k * 2];
    return sum;
}

static double product(const double *a, const double *b, int i, int j, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[i * 2 + k] * b[k * 2 + j]; // @product
    return sum;
}

static double squares(const double *a, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[k * 2 + k] * a[k * 2 + k];
    return sum;
}

int main(int argc, char **argv)
{
    double m[4] = {1, 2, 3, 4}, *heap = malloc(4 * sizeof *heap), r = 0;
    int v[2] = {5, 6}, limit = 9;
    (void)argv;
    if (!heap)
        abort();
    for (int k = 0; k < 3; k++)
        heap[k] = k;
#if defined PRODUCT
    r = row_of(m, 1 << 30, argc);
#elif defined SUM
    r = row_of(m, INT_MAX / 2, argc + 4);
#elif defined DIFFERENCE
    r = before(v, INT_MIN, argc);
#elif defined BEYOND
    r = row_of(m, 2, argc - 1);
#elif defined BEFORE
    r = before(v, 0, argc);
#elif defined ASKEW
    r = row_of((const double *)((const char *)m - 1), 0, argc);
#elif defined NOTHING
    r = row_of(NULL, 0, argc);
#elif defined GONE
    free(heap);
    r = row_of(heap, 0, argc);
#elif defined UNKNOWN
    int *index = malloc(sizeof *index);
    r = row_from(m, index);
#elif defined UNSET
    if (dot(heap, m) + row_of(heap, 1, argc) > 1) // @unset
        r = 1;
#elif defined LEFT
    r = product(m, m, 2, 0, argc);
#elif defined RIGHT
    r = product(m, m, 0, 1, argc + 2);
#elif defined LEFTUNSET
    if (product(heap, m, 1, 0, argc + 1) > 1) // @left
        r = 1;
#elif defined RIGHTUNSET
    if (product(m, heap, 0, 1, argc + 1) > 1) // @right
        r = 1;
#elif defined COUNTER
    r = up(INT_MAX - 3);
#elif defined LIMIT
    int *last = malloc(sizeof *last);
    r = count(0, last);
#endif
    v[1] = 1;
    r += row_from(m, &v[1]) - 4 + dot(m, m) + count(0, &limit) + before(v, 1, 1) -
         (2 * 1 + 4 * 3) - 4 - 5;
    r += product(m, m, 0, 0, 2) - 7 + product(m, m, 1, 1, 2) - 22 + squares(m, 2) - 17;
    free(heap);
    return r != 0;
}
