// Integers of all widths: sign extension, wrapping, rotation, 128 bits.
// Result: correct.
#include <assert.h>
#include <stdint.h>

static uint32_t rotate(uint32_t x, unsigned by)
{
    return x << by | x >> (32 - by);
}

int main(int argc, char **argv)
{
    (void)argv;
    int8_t small = (int8_t)(argc - 129);
    assert(small == -128 && (uint8_t)small == 128 && (int)small == -128);
    assert((uint16_t)-argc == 65535 && (int64_t)(uint32_t)-argc == 4294967295);
    assert(rotate(0x80000001u, (unsigned)argc) == 3);
    uint64_t big = UINT64_MAX - 1 + (unsigned)argc;
    assert(big + (unsigned)argc == 0 && big / 3 == 0x5555555555555555u && big % 10 == 5);
    assert(__builtin_popcountll(big) == 64 && __builtin_ctz(8u * (unsigned)argc) == 3);
    int sum;
    assert(__builtin_add_overflow(INT32_MAX, argc, &sum) && sum == INT32_MIN);
    assert(-7 / (argc + 1) == -3 && -7 % (argc + 1) == -1 && -8 >> argc == -4);
    return 0;
}
