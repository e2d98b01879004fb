// Result: correct.
#include <any>
#include <cassert>
#include <optional>
#include <string>
#include <tuple>
#include <variant>

int main()
{
    std::variant<int, std::string> v = "text";
    assert(std::holds_alternative<std::string>(v));
    try {
        (void)std::get<int>(v);
        assert(false);
    } catch (const std::bad_variant_access &) {
    }
    assert(std::visit([](auto &&x) { return sizeof x; }, v) == sizeof(std::string));
    std::optional<int> o;
    assert(o.value_or(3) == 3);
    std::any a = 5;
    assert(std::any_cast<int>(a) == 5);
    auto [x, y] = std::tuple(1, 2);
    assert(x + y == 3);
}
