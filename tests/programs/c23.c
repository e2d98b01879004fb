// Options: -std=c23
// Of C23's library: <stdbit.h>, <stdckdint.h>, sizes of blocks, numbers in base 2, and what it
// took from POSIX. Result: correct. -DSIZE a block is freed with another size: memory error.
// -DTWICE a block is freed twice: memory error.
// Expect-SIZE: mismatched deallocation: free of 8 bytes: .*which has 4 bytes
// Expect-TWICE: double free
#include <assert.h>
#include <limits.h>
#include <stdbit.h>
#include <stdckdint.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>

// Each function against its definition, bit by bit.
#define CHECK(type, x)                                                                     \
    do {                                                                                   \
        type value = (x);                                                                  \
        constexpr unsigned width = 8 * sizeof value;                                       \
        unsigned ones = 0, leading = width, trailing = width;                              \
        for (unsigned bit = 0; bit < width; bit++)                                         \
            if (value >> bit & 1) {                                                        \
                ones++;                                                                    \
                leading = width - 1 - bit;                                                 \
                trailing = trailing == width ? bit : trailing;                             \
            }                                                                              \
        type inverse = (type)~value;                                                       \
        assert(stdc_count_ones(value) == ones && stdc_count_zeros(value) == width - ones); \
        assert(stdc_leading_zeros(value) == leading);                                      \
        assert(stdc_leading_ones(inverse) == leading);                                     \
        assert(stdc_trailing_zeros(value) == trailing);                                    \
        assert(stdc_trailing_ones(inverse) == trailing);                                   \
        assert(stdc_first_leading_one(value) == (ones ? leading + 1 : 0));                 \
        assert(stdc_first_leading_zero(inverse) == (ones ? leading + 1 : 0));              \
        assert(stdc_first_trailing_one(value) == (ones ? trailing + 1 : 0));               \
        assert(stdc_first_trailing_zero(inverse) == (ones ? trailing + 1 : 0));            \
        assert(stdc_has_single_bit(value) == (ones == 1));                                 \
        assert(stdc_bit_width(value) == width - leading);                                  \
        assert(stdc_bit_floor(value) == (ones ? (type)1 << (width - leading - 1) : 0));    \
        if (value <= (type)((type) - 1 / 2 + 1))                                           \
            assert(stdc_bit_ceil(value) >= value &&                                        \
                   stdc_has_single_bit(stdc_bit_ceil(value)) &&                            \
                   (value < 2 || stdc_bit_ceil(value) / 2 < value));                       \
    } while (0)

static void bits(void)
{
    static const unsigned long long numbers[] = {0, 1, 2, 3, 12, 0x80, 0xff, 0x100, 0x8000};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        CHECK(unsigned char, (unsigned char)numbers[k]);
        CHECK(unsigned short, (unsigned short)numbers[k]);
        CHECK(unsigned, (unsigned)(numbers[k] << 9));
        CHECK(unsigned long, numbers[k] << 40);
        CHECK(unsigned long long, ~numbers[k]);
    }
    assert(stdc_bit_ceil(ULLONG_MAX) == 0 && stdc_leading_zeros_uc(1) == 7);
    static_assert(__STDC_ENDIAN_NATIVE__ == __STDC_ENDIAN_LITTLE__);
}

static void is_printed(const char *expected, const char *text)
{
    if (strcmp(expected, text) != 0) {
        puts(text);
        abort();
    }
}

static void base_2(void)
{
    char text[80];
    wchar_t wide[40];
    snprintf(text, sizeof text, "%b %#b %#B %08b %.0b|%-4hhb|", 5u, 6u, 6u, 5u, 0u, 257u);
    is_printed("101 0b110 0B110 00000101 |1   |", text);
    snprintf(text, sizeof text, "%llb", ULLONG_MAX);
    assert(strlen(text) == 64 && strspn(text, "1") == 64);
    swprintf(wide, sizeof wide / sizeof *wide, L"%#b", 5u);
    assert(wcscmp(wide, L"0b101") == 0);
}

int main(void)
{
    int sum;
    bool overflows = ckd_add(&sum, INT_MAX, 1);
    assert(overflows && sum == INT_MIN);
    bits();
    base_2();

    char secret[] = "secret", end[] = "ab:cd", *copy = strndup("abcd", 2);
    memset_explicit(secret, 0, sizeof secret);
    assert(secret[0] == 0 && strcmp(copy, "ab") == 0);
    assert(memccpy(secret, end, ':', sizeof end) == secret + 3);
    free(copy);

    struct timespec resolution;
    struct tm then;
    assert(timespec_getres(&resolution, TIME_UTC) == TIME_UTC && resolution.tv_nsec > 0);
    time_t day = 86'400;
    assert(gmtime_r(&day, &then) && then.tm_mday == 2 && timegm(&then) == day);

    alignas(64) char line[128];
    assert(memalignment(line) >= 64 && memalignment(line + 2) == 2 &&
           memalignment(nullptr) == 0);
    free_aligned_sized(aligned_alloc(64, 128), 64, 128);
    free_sized(nullptr, 3);
    char *block = malloc(4);
#ifdef SIZE
    free_sized(block, 8);
#else
    free_sized(block, 4);
#endif
#ifdef TWICE
    free_sized(block, 4);
#endif
}
