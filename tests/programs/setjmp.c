// setjmp and longjmp out of nested calls.  Result: correct.
// -DRETURNED jumps into a function that has returned: memory error or bad call.
#include <assert.h>
#include <setjmp.h>

static jmp_buf place;
static int deepest;

static void dive(int depth)
{
    deepest = depth;
    if (depth == 5)
        longjmp(place, 7);
    dive(depth + 1);
}

static int remember(void)
{
    return setjmp(place);
}

int main(void)
{
#ifdef RETURNED
    if (!remember())
        longjmp(place, 1);
#else
    volatile int before = 1;
    int code = setjmp(place);
    if (!code) {
        before = 2;
        dive(0);
        assert(0);
    }
    assert(code == 7 && deepest == 5 && before == 2);
    (void)remember;
#endif
    return 0;
}
