/* cxx_name_test.c - names of C++ as reports write them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "vm/cxx_name.h"

static void shortens(const char *name, const char *expected)
{
    char text[512];
    snprintf(text, sizeof text, "%s", name);
    vm_cxx_name_shorten(text);
    assert_string_equal(text, expected);
}

static void drops_what_is_default(void **state)
{
    (void)state;
    shortens(
        "std::__1::basic_string<char, std::__1::char_traits<char>, std::__1::allocator<char> >",
        "std::string");
    shortens("std::__1::vector<(anonymous namespace)::Job, "
             "std::__1::allocator<(anonymous namespace)::Job> >::push_back",
             "std::vector<Job>::push_back");
    shortens("Channel<std::__1::unique_ptr<Job, std::__1::default_delete<Job> > >::put",
             "Channel<std::unique_ptr<Job>>::put");
    shortens("std::__1::map<int, std::__1::vector<int, std::__1::allocator<int> >, "
             "std::__1::less<int>, std::__1::allocator<std::__1::pair<const int, "
             "std::__1::vector<int, std::__1::allocator<int> > > > >",
             "std::map<int, std::vector<int>>");
    shortens("f(std::__1::basic_string<char, std::__1::char_traits<char>, "
             "std::__1::allocator<char>>, int)",
             "f(std::string, int)");
}

static void keeps_the_rest(void **state)
{
    (void)state;
    shortens("main", "main");
    shortens("", "");
    shortens("Pool<std::__1::allocator<int> >", "Pool<std::allocator<int>>");
    shortens("std::__1::unique_ptr<Job, Returner<Job> >",
             "std::unique_ptr<Job, Returner<Job>>");
    shortens("std::__1::basic_string<wchar_t, std::__1::char_traits<wchar_t>, "
             "std::__1::allocator<wchar_t> >",
             "std::basic_string<wchar_t>");
    shortens("a::b<c, std::__1::allocator<d", "a::b<c, std::allocator<d");
    shortens("Node::operator->", "Node::operator->");
    shortens("f<int>(int, std::__1::hash<int>, int)", "f<int>(int, std::hash<int>, int)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drops_what_is_default),
        cmocka_unit_test(keeps_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
