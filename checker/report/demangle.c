/* demangle.c - C++ symbols in messages, by the demangler of the host's C++ runtime; and what
 * test frameworks make of a test: Catch2 and doctest a function with a number, GoogleTest a
 * class. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checker/memory.h"
#include "checker/report/cex.h"
#include "vm/cxx_name.h"

char *__cxa_demangle(const char *symbol, char *buffer, size_t *size, int *status);

static size_t symbol_length(const char *text)
{
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || strchr("_$.", text[n] ? text[n] : ' '))
        n++;
    return n;
}

/* Appends a demangled name.  "typeinfo name for std::__1::x" is just std::x to a programmer. */
static void append_plain(FILE *out, char *name)
{
    static const char *const types[] = {"typeinfo name for ", "typeinfo for "};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (!strncmp(name, types[i], strlen(types[i])))
            name += strlen(types[i]);
    vm_cxx_name_shorten(name);
    fputs(name, out);
}

static void cut_out(char *at, size_t n)
{
    memmove(at, at + n, strlen(at + n) + 1);
}

/* Replaces the function that a macro has made, `made`, a number and `member`, by the macro that
 * the user wrote, which is shorter. */
static void name_test_cases(char *text, const char *made, const char *member, const char *macro)
{
    for (char *at = text; (at = strstr(at, made));) {
        size_t n = strlen(made) + strspn(at + strlen(made), "0123456789");
        if (strncmp(at + n, member, strlen(member)) != 0) {
            at += n;
            continue;
        }
        memcpy(at, macro, strlen(macro));
        at += strlen(macro);
        cut_out(at, n + strlen(member) - strlen(macro));
    }
}

void cex_name_tests(char *text)
{
    static const char class[] = "_Test::TestBody";
    name_test_cases(text, "C_A_T_C_H_T_E_S_T_", "::test", "TEST_CASE_METHOD");
    name_test_cases(text, "C_A_T_C_H_T_E_S_T_", "", "TEST_CASE");
    name_test_cases(text, "DOCTEST_ANON_CLASS_", "::f", "TEST_CASE_FIXTURE");
    name_test_cases(text, "DOCTEST_ANON_FUNC_", "", "TEST_CASE");
    for (char *at = text; (at = strstr(at, class)); at += strlen("_Test"))
        cut_out(at + strlen("_Test"), strlen("::TestBody"));
}

char *cex_demangle(const char *text)
{
    char *result = NULL;
    size_t size;
    FILE *out = check_text_stream(&result, &size);
    for (const char *at; (at = strstr(text, "_Z")); text = at + symbol_length(at)) {
        char *symbol = check_strndup(at, symbol_length(at));
        char *name = symbol ? __cxa_demangle(symbol, NULL, NULL, NULL) : NULL;
        fwrite(text, 1, (size_t)(at - text), out);
        if (name)
            append_plain(out, name);
        else
            fputs(symbol ? symbol : "", out);
        free(symbol);
        free(name);
    }
    fputs(text, out);
    if (fclose(out) != 0)
        check_memory(NULL);
    cex_name_tests(result);
    return result;
}
