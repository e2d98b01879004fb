// Locales, messages and money: there is one locale, that of C with UTF-8 characters.
//
// Result: correct.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <langinfo.h>
#include <libintl.h>
#include <locale.h>
#include <monetary.h>
#include <nl_types.h>
#include <signal.h>
#include <string.h>
#include <wchar.h>

static void messages(void)
{
    assert(!strcmp(gettext("text"), "text"));
    assert(!strcmp(dgettext("domain", "text"), "text"));
    assert(!strcmp(dcgettext("domain", "text", LC_MESSAGES), "text"));
    assert(!strcmp(ngettext("one", "more", 1), "one"));
    assert(!strcmp(dngettext("domain", "one", "more", 2), "more"));
    assert(!strcmp(dcngettext("domain", "one", "more", 2, LC_MESSAGES), "more"));
    assert(!strcmp(textdomain("domain"), "domain"));
    assert(bindtextdomain("domain", "/tmp"));
    assert(!bind_textdomain_codeset("domain", "UTF-8"));
    assert(catopen("none", 0) == (nl_catd)-1);
    assert(errno != 0);
}

int main(void)
{
    char text[32];
    assert(!strcmp(setlocale(LC_ALL, NULL), "C"));
    assert(!strcmp(localeconv()->decimal_point, "."));
    locale_t own = newlocale(LC_ALL_MASK, "C", NULL), copy = duplocale(own);
    assert(uselocale(copy) == LC_GLOBAL_LOCALE && uselocale(NULL) == copy);
    assert(!strcmp(nl_langinfo(RADIXCHAR), "."));
    assert(!strcmp(nl_langinfo_l(DAY_1, own), "Sunday"));
    assert(strfmon(text, sizeof text, "%n", 12.5) > 0 && strstr(text, "12.50"));
    assert(strfmon_l(text, sizeof text, own, "%n", 1.5) > 0);
    assert(!strcmp(strerror_l(ENOENT, own), strerror(ENOENT)));
    assert(strerror_r(EINVAL, text, sizeof text) == 0 && strsignal(SIGINT));
    uselocale(LC_GLOBAL_LOCALE);
    freelocale(copy);
    freelocale(own);
    messages();
    return 0;
}
