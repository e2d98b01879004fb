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

/* Is it a function of the C++ runtime, which counts who holds an exception? */
static bool is_of_runtime(const char *name)
{
    return !strncmp(name, "__cxa_", 6) || !strncmp(name, "__cxxabiv1::", 12);
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

/* Is the function part of a destructor that calls it: the destructor of a member? */
static bool is_member_end(const char *caller, const char *name)
{
    return caller && strstr(caller, "::~") && is_constructor(name);
}

/* Is the function the library's own, and not what a public one stands for? */
static bool is_library_part(const char *name)
{
    return is_of_runtime(name) ||
           (!strncmp(name, "std::", 5) && strncmp(name, "std::__cxx_atomic_", 18) &&
            strncmp(name, "std::__libcpp_thread_", 21));
}

char *cex_cxx_name(const struct cex_stack *stack, bool *inside)
{
    size_t k = 0;
    char *cxx_name = NULL;
    bool member = false;
    while (k < stack->n && (stack->places[k].library || !stack->places[k].line))
        k++;
    if (k == stack->n)
        return NULL;
    while (k-- > 0) {
        char *name = plain_name(stack->places[k].function);
        bool is_name = is_public(name), ends_member = is_member_end(cxx_name, name);
        *inside = is_name || member || is_library_part(name);
        if (!is_name || (cxx_name && is_constructor(name) && !is_constructor(cxx_name))) {
            free(name); /* the library's own, or an object that the function makes for itself */
            return cxx_name;
        }
        member = ends_member;
        free(ends_member ? name : cxx_name);
        cxx_name = ends_member ? cxx_name : name;
    }
    /* what it does itself, without further calls, is no business of its caller's */
    *inside = cxx_name && strncmp(cxx_name, "std::atomic", 11) != 0;
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
