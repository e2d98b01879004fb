// Result: correct.
// Classes of characters in the C locale.
#include <ctype.h>
#include <stdio.h>

int main(void)
{
    for (int c = 0; c < 128; c++) {
        int bits = !!isalnum(c) | !!isalpha(c) << 1 | !!isblank(c) << 2 | !!iscntrl(c) << 3 |
                   !!isdigit(c) << 4 | !!isgraph(c) << 5 | !!islower(c) << 6 |
                   !!isprint(c) << 7 | !!ispunct(c) << 8 | !!isspace(c) << 9 |
                   !!isupper(c) << 10 | !!isxdigit(c) << 11;
        printf("%x%s", bits, c % 16 == 15 ? "\n" : " ");
    }
    for (int c = 32; c < 127; c++)
        putchar(toupper(c));
    for (int c = 32; c < 127; c++)
        putchar(tolower(c));
    printf("\n%d %d\n", toupper(EOF) == EOF, isalpha(EOF));
    return 0;
}
