/* cxx_name.c - see cxx_name.h. */
#include "cxx_name.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static void cut_out(char *at, size_t n)
{
    memmove(at, at + n, strlen(at + n) + 1);
}

static void drop_all(char *name, const char *part)
{
    for (char *at = name; (at = strstr(at, part));)
        cut_out(at, strlen(part));
}

/* Returns the end of the template arguments that begin behind this '<': the '>' that closes
 * them, or NULL. */
static char *closing(char *at)
{
    for (int depth = 1; *at; at++) {
        if (!strncmp(at, "->", 2))
            at++;
        else if (*at == '<')
            depth++;
        else if (*at == '>' && !--depth)
            return at;
    }
    return NULL;
}

/* Is the place among the arguments of a template, and not of a function? */
static bool is_in_template(const char *name, const char *place)
{
    int depth = 0;
    for (; name < place; name++) {
        if (!strncmp(name, "->", 2))
            name++;
        else
            depth += (*name == '<') - (*name == '>');
    }
    return depth > 0;
}

/* Drops what is given to a template after other arguments and is the standard's default there:
 * ", std::allocator<...>". */
static void drop_default(char *name, const char *argument)
{
    for (char *at = name; (at = strstr(at, argument));) {
        char *end = closing(at + strlen(argument));
        const char *after = end ? end + 1 + strspn(end + 1, " ") : "";
        if ((*after == '>' || *after == ',') && is_in_template(name, at))
            cut_out(at, (size_t)(after - at));
        else
            at += strlen(argument);
    }
}

/* Closes templates by ">>" and not "> >". */
static void drop_spaces(char *name)
{
    for (char *at = name; (at = strstr(at, "> >"));)
        cut_out(++at, 1);
}

static void name_strings(char *name)
{
    static const char string[] = "std::basic_string<char>", *const is = "std::string";
    for (char *at = name; (at = strstr(at, string)); at += strlen(is)) {
        memcpy(at, is, strlen(is));
        cut_out(at + strlen(is), strlen(string) - strlen(is));
    }
}

void vm_cxx_name_shorten(char *name)
{
    static const char *const defaults[] = {
        ", std::char_traits<", ", std::allocator<", ", std::default_delete<",
        ", std::less<",        ", std::hash<",      ", std::equal_to<",
    };
    if (!strchr(name, ':'))
        return;
    for (char *at = name; (at = strstr(at, "std::__1::"));)
        cut_out(at + strlen("std::"), strlen("__1::"));
    drop_all(name, "(anonymous namespace)::");
    for (size_t k = 0; k < sizeof defaults / sizeof *defaults; k++)
        drop_default(name, defaults[k]);
    drop_spaces(name);
    name_strings(name);
}
