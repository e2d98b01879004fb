// Result: uncaught exception.
// Expect: uncaught exception: int
static void thrower()
{
    throw 1;
}

static void quiet() noexcept
{
    thrower();
}

int main()
{
    try {
        quiet();
    } catch (...) {
    }
}
