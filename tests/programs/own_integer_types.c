// What <divm.h> declares may be declared by the program with other integer types.
// Result: correct.
// -DWRONG with a type that is no integer: bad call.
// -DASSERT the condition that is assumed is a large number: assertion violation.
// Options: -std=gnu17
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef WRONG
void __VERIFIER_assume(double);
#elif defined ASSERT
void __VERIFIER_assume(intptr_t);
#else
void __VERIFIER_assume(bool);
#endif
int __VERIFIER_nondet_bool(void);
long __VERIFIER_nondet_char(void);
unsigned __VERIFIER_nondet_uchar();
long divm_choose(short);
void divm_assume(unsigned long);
signed char __VERIFIER_nondet_short(void);

int main(void)
{
    int b = __VERIFIER_nondet_bool();
    long c = __VERIFIER_nondet_char();
    unsigned u = __VERIFIER_nondet_uchar();
    assert((b == 0 || b == 1) && c >= -128 && c <= 127 && u < 256);
    divm_assume((c == -128 || c == 127) && (u == 0 || u == 255));
    divm_assume(1ul << 40);
    divm_assume(1ul << 63);
    long d = divm_choose(3);
    assert(d >= 0 && d < 3);
    __VERIFIER_assume(d == 2);
    assert(d == 2);
#ifdef ASSERT
    __VERIFIER_assume((intptr_t)1 << 32);
    __VERIFIER_assume(INTPTR_MIN);
    assert(c == 127);
#endif
    if (d == 0)
        return __VERIFIER_nondet_short();
    return 0;
}
