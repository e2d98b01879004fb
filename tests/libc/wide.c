// Result: correct.
// Wide and multibyte strings in the C locale's ASCII part.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

static void print(const wchar_t *s)
{
    for (; *s; s++)
        putchar((int)*s);
    putchar('\n');
}

int main(void)
{
    wchar_t buf[32], *end;
    wcscpy(buf, L"wide");
    wcscat(buf, L" string");
    print(buf);
    printf("%zu %d %d\n", wcslen(buf), wcscmp(L"a", L"b") < 0, wcsncmp(L"abc", L"abd", 2));
    print(wcschr(buf, L's'));
    print(wcsstr(buf, L"ring"));
    printf("%ld %g\n", wcstol(L"42x", &end, 10), wcstod(L"2.5", NULL));
    print(end);
    printf("%d %d %c\n", iswalpha(L'a') != 0, iswdigit(L'a') != 0, (char)towupper(L'b'));

    wchar_t *heap = malloc(6 * sizeof *heap);
    printf("%zu\n", mbstowcs(heap, "hello", 6));
    print(heap);
    char narrow[8];
    printf("%zu %s\n", wcstombs(narrow, heap, sizeof narrow), narrow);
    free(heap);
    wmemset(buf, L'z', 3);
    buf[3] = 0;
    print(buf);
    swprintf(buf, 32, L"[%1$*2$d][%1$.*2$d]", 7, 3);
    printf("%ls\n", buf);
    swprintf(buf, 32, L"%d-%ls-%s", 7, L"w", "n");
    print(buf);
    int a, b;
    printf("%d", swscanf(L"3 4", L"%d %d", &a, &b));
    printf(" %d %d\n", a, b);
    printf("%ls %lc\n", L"wide in narrow", (wint_t)L'!');
    printf("%d %d\n", mblen("a", 1), mbtowc(buf, "b", 1));
    return 0;
}
