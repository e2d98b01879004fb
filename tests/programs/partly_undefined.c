// What is not set does not matter, and optimised code computes with all of it at once: a sum
// knows the bits that no carry from below can change, and a comparison its outcome where that
// is the same for the least and the greatest value.  Result: correct. -DMATTERS compares with a
// number that is decided by what is not set: undefined value.
// Options: -O2
struct low {
    unsigned unset : 8, set : 24;
};
struct three {
    unsigned unset : 8, one : 8, two : 16;
};
struct sign {
    unsigned unset : 8;
    int set : 24;
};

volatile int one = 1;

__attribute__((noinline)) static void init(struct low *low, struct three *three,
                                           struct sign *sign)
{
    low->set = (unsigned)one;
    three->one = three->two = (unsigned)one;
    sign->set = -one;
}

__attribute__((noinline)) static int is_small(const struct low *x)
{
    return x->set < 1000;
}

__attribute__((noinline)) static int is_negative(const struct sign *x)
{
    return x->set < 1000 && x->set < 0;
}

__attribute__((noinline)) static void add(struct three *x)
{
    x->one += 1;
    x->two += 2;
}

int main(void)
{
    struct low low;
    struct three three;
    struct sign sign;
    init(&low, &three, &sign);
    add(&three);
#ifdef MATTERS
    unsigned whole;
    __builtin_memcpy(&whole, &low, sizeof whole);
    if (whole < 384)
        return 1;
#endif
    return !(is_small(&low) && is_negative(&sign) && three.one == 2 && three.two == 3);
}
