// Reading another member of a union than was written.  Result: correct.
#include <assert.h>
#include <stdint.h>
#include <string.h>

union number {
    double d;
    uint64_t bits;
    unsigned char byte[8];
    struct {
        uint32_t low, high;
    } half;
};

union small {
    char c;
    int i;
};

int main(void)
{
    union number n = {.d = 1.0};
    assert(n.bits == 0x3ff0000000000000u);
    assert(n.half.high == 0x3ff00000 && n.half.low == 0);
    assert(n.byte[7] == 0x3f && n.byte[6] == 0xf0);
    n.byte[0] = 1;
    assert(n.half.low == 1);
    union small s;
    s.c = 'x'; // the other bytes stay undefined
    union small copy = s;
    assert(copy.c == 'x');
    return 0;
}
