// The floating-point environment is fixed: rounding to nearest, no exceptions.
//
// Result: correct.
#include <assert.h>
#include <fenv.h>

int main(void)
{
    fenv_t environment;
    fexcept_t flags = 0;
    assert(fegetround() == FE_TONEAREST && fesetround(FE_TONEAREST) == 0);
    assert(fegetenv(&environment) == 0 && fesetenv(&environment) == 0);
    assert(feholdexcept(&environment) == 0 && feupdateenv(&environment) == 0);
    assert(feraiseexcept(FE_ALL_EXCEPT) == 0 && fetestexcept(FE_ALL_EXCEPT) == 0);
    assert(feclearexcept(FE_ALL_EXCEPT) == 0);
    assert(fegetexceptflag(&flags, FE_ALL_EXCEPT) == 0);
    assert(fesetexceptflag(&flags, FE_ALL_EXCEPT) == 0);
    return 0;
}
