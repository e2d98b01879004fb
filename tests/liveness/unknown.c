// What is not known counts as false: where nobody is in f its variable has no value.
// Result: formula violated.  -DNOT: so its negation is true: correct.
// Options: --ltl='F(f::x == 7)'
static int f(int n)
{
#ifdef NOT
    int x = 7;
#else
    int x = n;
#endif
    return x + n;
}

int main(void)
{
    return f(0) > 7;
}
