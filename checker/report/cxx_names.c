/* cxx_names.c - names visible actions as C++ programs do: "std::mutex::lock", not how libc++
 * does it.
 *
 * From the user's line inwards the calls are std::lock_guard<...>::lock_guard,
 * std::mutex::lock, pthread_mutex_lock...; or std::promise<int>::set_value,
 * std::__assoc_state<int>::set_value...  The last one before the library's own names is
 * what was done.  If these are of libc++, too, the action is only a part of it; so it is if
 * an object is made there, such as a lock_guard. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checker/report/cex.h"

static char *cut(char *text, size_t n)
{
    text[n] = '\0';
    return text;
}

/* Returns the '<' that belongs to the '>' at the end, or NULL. */
static char *template_arguments(char *name)
{
    size_t n = strlen(name), depth = 0;
    if (!n || name[n - 1] != '>' || strstr(name, "operator"))
        return NULL;
    while (n-- > 0) {
        depth += name[n] == '>';
        depth -= name[n] == '<';
        if (!depth)
            return &name[n];
    }
    return NULL;
}

/* Replaces std::__atomic_base<int, true>::load by std::atomic<int>::load. */
static void name_atomic(char *name)
{
    static const char base[] = "std::__atomic_base<", plain[] = "std::atomic<";
    const char *const flags[] = {", true>::", ", false>::"};
    if (strncmp(name, base, sizeof base - 1) != 0)
        return;
    for (size_t k = 0; k < 2; k++) {
        char *flag = strstr(name, flags[k]);
        if (flag)
            memmove(flag, flag + strlen(flags[k]) - 3, strlen(flag + strlen(flags[k]) - 3) + 1);
    }
    memcpy(name, plain, sizeof plain - 1);
    memmove(name + sizeof plain - 1, name + sizeof base - 1,
            strlen(name + sizeof base - 1) + 1);
}

/* Returns the function's name as a C++ programmer writes it, malloc'ed. */
static char *plain_name(const char *function)
{
    char *name = cex_demangle(function), *arguments;
    if (!strncmp(function, "_Z", 2)) /* with its parameters */
        cut(name, strcspn(name, "("));
    arguments = template_arguments(name);
    if (arguments)
        *arguments = '\0';
    name_atomic(name);
    return name;
}

static bool is_public(const char *name)
{
    return !strncmp(name, "std::", 5) && !strstr(name, "__") && !strstr(name, "lambda");
}

/* Does the name end in "NAME::NAME", "NAME<...>::NAME" or "~NAME"? */
static bool is_constructor(const char *name)
{
    const char *last = name, *class = name;
    int depth = 0;
    for (const char *at = name; *at; at++) {
        depth += (*at == '<') - (*at == '>');
        if (!depth && !strncmp(at, "::", 2)) {
            class = last;
            last = at + 2;
        }
    }
    size_t n = strcspn(last, "[<");
    return *last == '~' ||
           (last != name && !strncmp(class, last, n) && strchr("<:[", class[n]));
}

char *cex_cxx_name(const struct cex_stack *stack, bool *inside)
{
    size_t k = 0;
    char *cxx_name = NULL;
    while (k < stack->n && (stack->places[k].library || !stack->places[k].line))
        k++;
    if (k == stack->n)
        return NULL;
    *inside = false;
    while (k-- > 0) {
        char *name = plain_name(stack->places[k].function);
        if (!is_public(name)) {
            *inside = !strncmp(name, "std::", 5) && strncmp(name, "std::__cxx_atomic_", 18) &&
                      strncmp(name, "std::__libcpp_thread_", 21);
            free(name);
            return cxx_name;
        }
        if (cxx_name && is_constructor(name) && !is_constructor(cxx_name)) {
            *inside = true; /* an object that the function makes for itself */
            free(name);
            return cxx_name;
        }
        free(cxx_name);
        cxx_name = name;
    }
    return cxx_name;
}

char *cex_waits_in(const struct cex_thread *thread)
{
    bool inside = false;
    char *name = thread->action == VM_ACT_JOIN ? NULL : cex_cxx_name(&thread->stack, &inside);
    if (name && inside)
        return name;
    free(name);
    return NULL;
}
