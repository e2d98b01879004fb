/* demangle.c - C++ symbols in messages, by the demangler of the host's C++ runtime. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checker/memory.h"
#include "checker/report/cex.h"

char *__cxa_demangle(const char *symbol, char *buffer, size_t *size, int *status);

static size_t symbol_length(const char *text)
{
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || strchr("_$.", text[n] ? text[n] : ' '))
        n++;
    return n;
}

/* "typeinfo name for std::__1::x" is just std::x to a programmer. */
static void append_plain(FILE *out, const char *name)
{
    static const char type[] = "typeinfo name for ", inner[] = "std::__1::";
    if (!strncmp(name, type, sizeof type - 1))
        name += sizeof type - 1;
    for (const char *at; (at = strstr(name, inner)); name = at + sizeof inner - 1) {
        fwrite(name, 1, (size_t)(at - name), out);
        fputs("std::", out);
    }
    fputs(name, out);
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
    return result;
}
