// A recursion without an end: stopped by the limit on memory, and never
// called free of errors.  Result: incomplete.
// Options: --max-memory=400M
// Expect: more than 282891136 bytes of memory, \d+ calls deep in down, whose recursion
// Expect: in down .*recursion_endless.c:@down., \d+ times
static int down(int n)
{
    return down(n + 1) + 1; // @down
}

int main(void)
{
    return down(0);
}
