// Result: correct.
#include <cassert>
#include <typeindex>
#include <typeinfo>

struct A { virtual ~A() = default; };
struct B : virtual A {};
struct C : virtual A {};
struct D : B, C {};

int main()
{
    D d;
    A *a = &d;
    assert(dynamic_cast<D *>(a) == &d);
    assert(dynamic_cast<C *>(static_cast<B *>(&d)) == &d);
    assert(typeid(*a) == typeid(D) && typeid(*a) != typeid(B));
    assert(std::type_index(typeid(int)) == std::type_index(typeid(int)));
    A plain;
    assert(!dynamic_cast<B *>(&plain));
    try {
        (void)dynamic_cast<B &>(plain);
        assert(false);
    } catch (const std::bad_cast &) {
    }
}
