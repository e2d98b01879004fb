// A call without a prototype is right if the promoted arguments are what the function takes
// (C17 6.5.2.2p6), also through a pointer.  Result: correct.
// -DFEWER passes one too few, -DOTHER another type: bad call.
// Options: -std=gnu17 -Xclang -w
static int add(int a, long b)
{
    return a + (int)b;
}

static int half(double x)
{
    return (int)(x / 2);
}

static struct {
    int (*f)();
} table[] = {{add}, {half}};

int main(void)
{
    int sum = table[0].f('\1', 2L) + table[1].f(5.0f);
#ifdef FEWER
    sum += table[0].f(1);
#elif defined OTHER
    sum += table[1].f(4);
#endif
    return sum != 5;
}
