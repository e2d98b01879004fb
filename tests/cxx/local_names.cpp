// Reports call local variables what the source calls them, though LLVM needs names that differ,
// and nothing by a name that the source does not have.  Result: memory error.
// -DLENGTH reads past an array of variable length: memory error.
// -DUNSET reads what is not set: undefined value.
// -DUNNAMED reads past a structure of which only the members have names: memory error.
// Expect: read of x of main, which ended at .*local_names.cpp:@block
// Expect-LENGTH: out of bounds: many \+ 16 of past, which has 12 bytes
// Expect-UNSET: read from x\[1\] of main \(main
// Expect-UNNAMED: out of bounds: byte 8 of local object of 8 bytes of main, which has 8 bytes

struct pair {
    int first, second;
};

static int past(int n)
{
    int many[n];
    return (many[0] = n) + many[n + 1];
}

int main()
{
    int *kept = nullptr, x = 3;
    {
        int x[2];
        x[0] = 1;
#ifdef UNSET
        if (x[1])
            return 1;
#endif
        kept = x;
    } // @block
#ifdef LENGTH
    return past(x);
#elif defined(UNNAMED)
    auto [first, second] = pair{1, 2};
    return (&second)[first];
#else
    return *kept;
#endif
}
