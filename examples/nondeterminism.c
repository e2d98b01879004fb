// divm_choose(n) gives every value below n, each in a run of its own: a test for all
// short inputs instead of a few.  The search for a number in a sorted array goes
// wrong at one place.  Result: assertion violation.
// -DFIXED searches up to the end: correct.
// Expect: assertion
#include <assert.h>
#include <divm.h>

enum { N = 4 };

static int find(const int *sorted, int n, int wanted)
{
    int low = 0, high = n;
    while (low < high) {
        int middle = (low + high) / 2;
        if (sorted[middle] == wanted)
            return middle;
        if (sorted[middle] < wanted)
            low = middle + 1;
        else
#ifdef FIXED
            high = middle;
#else
            high = middle - 1;
#endif
    }
    return -1;
}

int main(void)
{
    int sorted[N];
    for (int k = 0; k < N; k++) {
        sorted[k] = divm_choose(6);
        divm_assume(k == 0 || sorted[k - 1] < sorted[k]);
    }
    int place = divm_choose(N);
    assert(find(sorted, N, sorted[place]) == place);
    return 0;
}
