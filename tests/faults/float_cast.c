// A floating point number too large for the integer type.  Result: arithmetic.
// -DNAN something that is no number: arithmetic.
// -DINSIDE one that fits: correct.
// Expect: float_cast.c:@large
// Expect-NAN: float_cast.c:@nan
int main(int argc, char **argv)
{
    (void)argv;
    double d = argc;
#if defined NAN
    double zero = d - 1;
    return (int)(zero / zero); // @nan
#elif defined INSIDE
    return (int)(d * 2147483647.5) == 2147483647 ? 0 : 1;
#else
    return (int)(d * 2147483648.0); // @large
#endif
}
