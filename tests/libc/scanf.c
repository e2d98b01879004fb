// Result: correct.
// Reading numbers, words and sets from a string.
#include <stdio.h>

int main(void)
{
    int a, b, n;
    unsigned x;
    long l;
    float f;
    double d;
    char word[16], rest[16], c;

    n = sscanf("12 -34", "%d %d", &a, &b);
    printf("%d: %d %d\n", n, a, b);
    n = sscanf("0x1f 077 9", "%x %o %ld", &x, (unsigned *)&a, &l);
    printf("%d: %u %d %ld\n", n, x, a, l);
    n = sscanf("3.5e2 -0.125", "%f %lf", &f, &d);
    printf("%d: %g %g\n", n, f, d);
    n = sscanf("  hello world", "%15s%c%15s", word, &c, rest);
    printf("%d: [%s][%c][%s]\n", n, word, c, rest);
    n = sscanf("key=value;", "%15[^=]=%15[a-z]", word, rest);
    printf("%d: [%s][%s]\n", n, word, rest);
    n = sscanf("123456", "%3d%*d%n", &a, &b);
    printf("%d: %d %d\n", n, a, b);
    n = sscanf("abc", "%d", &a);
    printf("%d\n", n);
    n = sscanf("", "%d", &a);
    printf("%d\n", n);
    n = sscanf("0x10 010 10", "%i %i %i", &a, &b, &n);
    printf("%d %d %d\n", a, b, n);
    n = sscanf("50%", "%d%%", &a);
    printf("%d: %d\n", n, a);
    return 0;
}
