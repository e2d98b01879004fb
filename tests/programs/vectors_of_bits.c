// Vectors of bool are a bit for each in memory, also where they are constant.  Result: correct.
#include <assert.h>

typedef _Bool four __attribute__((ext_vector_type(4)));
typedef _Bool sixteen __attribute__((ext_vector_type(16)));

static four some = {1, 0, 1};
static struct {
    char before;
    sixteen bits;
    int after;
} whole = {1, {1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1}, 7};
static sixteen last[2] = {{0}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}};

int main(void)
{
    four copy = some;
    assert(copy[0] && !copy[1] && copy[2] && !copy[3]);
    assert(*(unsigned char *)&some == 5);
    assert(whole.bits[7] && !whole.bits[8] && whole.bits[15] && whole.after == 7);
    assert(last[1][14] && !last[1][15] && !last[0][14]);
    return 0;
}
