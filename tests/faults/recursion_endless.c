// A recursion without an end: stopped by the limit on memory, and never
// called free of errors.  Result: refused.
// Options: --max-memory=400M
// Expect: the program uses more than 400000000 bytes of memory
static int down(int n)
{
    return down(n + 1) + 1;
}

int main(void)
{
    return down(0);
}
