// An exception would have to leave a C function, which promises that none does: the
// program is ended where it is thrown, although somebody would catch it.
// Result: uncaught exception.
// Options: tests/cxx/nounwind.ll
// Expect: uncaught exception.*int
#include <cassert>

extern "C" void through(void (*callback)());

int main()
{
    bool caught = false;
    try {
        through([] { throw 1; });
    } catch (int) {
        caught = true;
    }
    return caught;
}
