// Pointers to functions in .init_array and its like are called as a linker would have them
// called: by number, then the others, those with the attribute last; destructors the other way
// round. Result: correct.
#include <assert.h>
#include <stdint.h>

typedef void function(void);
#define IN(name) __attribute__((section(name), used, aligned(8)))
#define STEP(name, n)           \
    static void name(void)      \
    {                           \
        assert(order++ == (n)); \
    }

static int order;
STEP(earliest, 0)
STEP(number_101, 1)
STEP(attribute_150, 2)
STEP(number_200, 3)
STEP(number_65535, 4)
STEP(plain, 5)
STEP(first_of_two, 6)
STEP(second_of_two, 7)
STEP(as_integer, 8)
STEP(last_is_first, 9)
STEP(in_ctors, 10)
STEP(attribute, 11)
STEP(end_attribute, 13)
STEP(in_dtors, 14)
STEP(end_plain, 15)
STEP(end_200, 16)
STEP(end_101, 17)

IN(".init_array.00200") static function *const p200 = number_200;
IN(".init_array.101") static function *const p101 = number_101;
IN(".init_array.65535") static function *const p65535 = number_65535;
IN(".init_array") static function *const p1 = plain;
IN(".init_array") static function *const p2[] = {first_of_two, second_of_two};
IN(".init_array") const uintptr_t p3 = (uintptr_t)as_integer;
IN(".ctors") static function *const p4[] = {in_ctors, last_is_first};
IN(".preinit_array") static function *const p0 = earliest;
IN(".fini_array.00101") static function *const q101 = end_101;
IN(".fini_array.200") static function *const q200 = end_200;
IN(".fini_array") static function *const q1 = end_plain;
IN(".dtors") static function *const q2 = in_dtors;

__attribute__((constructor)) static void with_attribute(void)
{
    attribute();
}

__attribute__((constructor(150))) static void with_priority(void)
{
    attribute_150();
}

__attribute__((destructor)) static void at_end(void)
{
    end_attribute();
}

int main(void)
{
    assert(order++ == 12);
    return p1 != plain;
}
