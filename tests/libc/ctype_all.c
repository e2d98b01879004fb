// Classes of characters, narrow and wide, by name and in a locale.
#define _GNU_SOURCE
#include <ctype.h>
#include <locale.h>
#include <stdio.h>
#include <wchar.h>
#include <wctype.h>

static const struct {
    const char *name;
    int (*narrow)(int), (*narrow_in)(int, locale_t);
    int (*wide)(wint_t), (*wide_in)(wint_t, locale_t);
} classes[] = {
#define CLASS(name) {#name, is##name, is##name##_l, isw##name, isw##name##_l},
    CLASS(alnum) CLASS(alpha) CLASS(blank) CLASS(cntrl) CLASS(digit) CLASS(graph) CLASS(lower)
        CLASS(print) CLASS(punct) CLASS(space) CLASS(upper) CLASS(xdigit)};

static void check(locale_t locale, int k)
{
    wctype_t type = wctype(classes[k].name), same = wctype_l(classes[k].name, locale);
    printf("%s:", classes[k].name);
    for (int c = 0; c < 128; c++) {
        int is = classes[k].narrow(c) != 0;
        int agree = is == (classes[k].narrow_in(c, locale) != 0);
        agree += is == (classes[k].wide((wint_t)c) != 0);
        agree += is == (classes[k].wide_in((wint_t)c, locale) != 0);
        agree += is == (iswctype((wint_t)c, type) != 0);
        agree += is == (iswctype_l((wint_t)c, same, locale) != 0);
        if (agree != 5)
            printf(" (%d differs)", c);
        if (is)
            printf(" %d", c);
    }
    printf("\n");
}

int main(void)
{
    locale_t locale = newlocale(LC_ALL_MASK, "C", NULL);
    int (*ascii)(int) = isascii, (*to_ascii)(int) = toascii;
    int (*lower)(int) = tolower, (*upper)(int) = toupper;
    wint_t (*wide_lower)(wint_t) = towlower, (*wide_upper)(wint_t) = towupper;
    for (int k = 0; k < (int)(sizeof classes / sizeof *classes); k++)
        check(locale, k);
    printf("%d %d %d\n", ascii('a') != 0, ascii(200) != 0, to_ascii(200));
    printf("%c %c %c %c\n", lower('A'), upper('a'), tolower_l('A', locale),
           toupper_l('a', locale));
    printf("%c %c %c %c\n", (int)wide_lower('A'), (int)wide_upper('a'),
           (int)towlower_l('A', locale), (int)towupper_l('a', locale));
    printf("%c %c\n", (int)towctrans('a', wctrans("toupper")),
           (int)towctrans_l('A', wctrans_l("tolower", locale), locale));
    freelocale(locale);
    return 0;
}
