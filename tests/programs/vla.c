// Arrays of variable length, in loops and recursion.  Result: correct.
#include <assert.h>
#include <stddef.h>

static int sum(int n, int rows[n][n])
{
    int total = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            total += rows[i][j];
    return total;
}

static int triangle(int n)
{
    int row[n + 1];
    row[n] = n ? triangle(n - 1) : 0;
    return row[n] + n;
}

int main(void)
{
    for (int n = 1; n < 5; n++) {
        int square[n][n];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                square[i][j] = i * j;
        assert(sizeof square == n * n * sizeof(int));
        assert(sum(n, square) == (n * (n - 1) / 2) * (n * (n - 1) / 2));
    }
    assert(triangle(10) == 55);
    return 0;
}
