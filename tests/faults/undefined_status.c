// The status that main returns is undefined, in C, too.  Result: undefined value.
// Expect: the result of main is undefined.*main at undefined_status.c:@status
struct pair {
    int set, unset;
};

static int second(struct pair pair)
{
    return pair.unset;
}

int main(void)
{
    struct pair pair;
    pair.set = 0;
    return second(pair); // @status
}
