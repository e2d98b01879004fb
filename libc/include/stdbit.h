/* stdbit.h - C23's bits of unsigned numbers (7.18), which musl does not have.  The counts are
 * the compiler's; a number of no bits has its width of leading and of trailing zeros. */
#ifndef _STDBIT_H
#define _STDBIT_H

#define __STDC_VERSION_STDBIT_H__ 202311L
#define __STDC_ENDIAN_LITTLE__ __ORDER_LITTLE_ENDIAN__
#define __STDC_ENDIAN_BIG__ __ORDER_BIG_ENDIAN__
#define __STDC_ENDIAN_NATIVE__ __BYTE_ORDER__

#ifdef __cplusplus
extern "C" {
#endif

/* The functions for one type; a type narrower than unsigned long long is widened without a
 * sign. */
#define __STDC_BITS(suffix, type)                                                     \
    static inline unsigned stdc_leading_zeros_##suffix(type __x)                      \
    {                                                                                 \
        return __x ? (unsigned)__builtin_clzll(__x) - (64 - 8 * (unsigned)sizeof __x) \
                   : 8 * (unsigned)sizeof __x;                                        \
    }                                                                                 \
    static inline unsigned stdc_trailing_zeros_##suffix(type __x)                     \
    {                                                                                 \
        return __x ? (unsigned)__builtin_ctzll(__x) : 8 * (unsigned)sizeof __x;       \
    }                                                                                 \
    static inline unsigned stdc_count_ones_##suffix(type __x)                         \
    {                                                                                 \
        return (unsigned)__builtin_popcountll(__x);                                   \
    }                                                                                 \
    static inline unsigned stdc_leading_ones_##suffix(type __x)                       \
    {                                                                                 \
        return stdc_leading_zeros_##suffix((type)~__x);                               \
    }                                                                                 \
    static inline unsigned stdc_trailing_ones_##suffix(type __x)                      \
    {                                                                                 \
        return stdc_trailing_zeros_##suffix((type)~__x);                              \
    }                                                                                 \
    static inline unsigned stdc_count_zeros_##suffix(type __x)                        \
    {                                                                                 \
        return stdc_count_ones_##suffix((type)~__x);                                  \
    }                                                                                 \
    static inline unsigned stdc_first_leading_one_##suffix(type __x)                  \
    {                                                                                 \
        return __x ? stdc_leading_zeros_##suffix(__x) + 1 : 0;                        \
    }                                                                                 \
    static inline unsigned stdc_first_trailing_one_##suffix(type __x)                 \
    {                                                                                 \
        return __x ? stdc_trailing_zeros_##suffix(__x) + 1 : 0;                       \
    }                                                                                 \
    static inline unsigned stdc_first_leading_zero_##suffix(type __x)                 \
    {                                                                                 \
        return stdc_first_leading_one_##suffix((type)~__x);                           \
    }                                                                                 \
    static inline unsigned stdc_first_trailing_zero_##suffix(type __x)                \
    {                                                                                 \
        return stdc_first_trailing_one_##suffix((type)~__x);                          \
    }                                                                                 \
    static inline _Bool stdc_has_single_bit_##suffix(type __x)                        \
    {                                                                                 \
        return stdc_count_ones_##suffix(__x) == 1;                                    \
    }                                                                                 \
    static inline unsigned stdc_bit_width_##suffix(type __x)                          \
    {                                                                                 \
        return 8 * (unsigned)sizeof __x - stdc_leading_zeros_##suffix(__x);           \
    }                                                                                 \
    static inline type stdc_bit_floor_##suffix(type __x)                              \
    {                                                                                 \
        return (type)(__x ? 1ull << (stdc_bit_width_##suffix(__x) - 1) : 0);          \
    }                                                                                 \
    static inline type stdc_bit_ceil_##suffix(type __x)                               \
    {                                                                                 \
        unsigned __width = __x ? stdc_bit_width_##suffix((type)(__x - 1)) : 0;        \
        return (type)(__width < 64 ? 1ull << __width : 0);                            \
    }

__STDC_BITS(uc, unsigned char)
__STDC_BITS(us, unsigned short)
__STDC_BITS(ui, unsigned int)
__STDC_BITS(ul, unsigned long)
__STDC_BITS(ull, unsigned long long)
#undef __STDC_BITS

#ifdef __cplusplus
}
#else

#define __stdc_bits(name, x)              \
    _Generic((x),                         \
        unsigned char: stdc_##name##_uc,  \
        unsigned short: stdc_##name##_us, \
        unsigned int: stdc_##name##_ui,   \
        unsigned long: stdc_##name##_ul,  \
        unsigned long long: stdc_##name##_ull)(x)

#define stdc_leading_zeros(x) __stdc_bits(leading_zeros, x)
#define stdc_leading_ones(x) __stdc_bits(leading_ones, x)
#define stdc_trailing_zeros(x) __stdc_bits(trailing_zeros, x)
#define stdc_trailing_ones(x) __stdc_bits(trailing_ones, x)
#define stdc_first_leading_zero(x) __stdc_bits(first_leading_zero, x)
#define stdc_first_leading_one(x) __stdc_bits(first_leading_one, x)
#define stdc_first_trailing_zero(x) __stdc_bits(first_trailing_zero, x)
#define stdc_first_trailing_one(x) __stdc_bits(first_trailing_one, x)
#define stdc_count_zeros(x) __stdc_bits(count_zeros, x)
#define stdc_count_ones(x) __stdc_bits(count_ones, x)
#define stdc_has_single_bit(x) __stdc_bits(has_single_bit, x)
#define stdc_bit_width(x) __stdc_bits(bit_width, x)
#define stdc_bit_floor(x) __stdc_bits(bit_floor, x)
#define stdc_bit_ceil(x) __stdc_bits(bit_ceil, x)

#endif

#endif
