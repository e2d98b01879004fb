// realloc keeps what was written, and does not mind what was not.  Result: correct.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int n = 2;
    int *p = malloc(n * sizeof *p);
    if (!p)
        return 0;
    p[0] = 10;
    int *q = realloc(p, 50 * sizeof *p);
    if (!q) {
        free(p);
        return 0;
    }
    assert(q[0] == 10);
    q[1] = 11;
    q[49] = 12;
    p = realloc(q, sizeof *p);
    assert(p && p[0] == 10);
    p = realloc(p, 2 * sizeof *p);
    assert(p && p[0] == 10);
    free(p);
    p = realloc(NULL, 8);
    assert(p);
    free(p);
    return 0;
}
