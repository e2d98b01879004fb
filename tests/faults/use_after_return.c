// A pointer to a local variable outlives the function.  Result: memory error.
// -DSCOPE outlives only the block, but is not used after it: correct.
// Expect: use_after_return.c:@here
static int *escaped;

static void leave(void)
{
    int local = 1;
    escaped = &local;
}

int main(void)
{
#ifdef SCOPE
    int sum = 0;
    for (int k = 0; k < 2; k++) {
        int inner = k;
        escaped = &inner;
        sum += *escaped;
    }
    return sum - 1;
#else
    leave();
    return *escaped; // @here
#endif
}
