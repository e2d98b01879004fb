// A recursion without an end: stopped by the limit on memory, and never
// called free of errors.  Result: refused or incomplete or memory error.
// Options: --max-memory=400M
static int down(int n)
{
    return down(n + 1) + 1;
}

int main(void)
{
    return down(0);
}
