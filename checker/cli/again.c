/* again.c - the command line as words that another command can be given, as reports suggest. */
#include <stdlib.h>
#include <string.h>

#include "checker/cli/cli.h"
#include "checker/memory.h"

static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                            "_@%+=:,./-";

/* Writes a word, in single quotes if need be; these end for a single quote. */
void again_print(FILE *out, const char *word)
{
    if (*word && !word[strspn(word, plain)]) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word; word++) {
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word, out);
    }
    fputc('\'', out);
}

void again_add(char **words, const char *word)
{
    char *text = NULL;
    size_t size;
    FILE *out = check_text_stream(&text, &size);
    fprintf(out, "%s ", *words ? *words : "");
    again_print(out, word);
    fclose(out);
    free(*words);
    *words = text;
}
