// Result: correct.
// Options: -std=c++20
// What C++20 added: concepts, ranges, comparisons, spans, coroutines apart.
#include <algorithm>
#include <bit>
#include <cassert>
#include <compare>
#include <concepts>
#include <numbers>
#include <ranges>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct Version {
    int major, minor;
    auto operator<=>(const Version &) const = default;
};

template <std::integral T> constexpr T twice(T x)
{
    return x + x;
}

consteval int square(int x)
{
    return x * x;
}

static int sum(std::span<const int> numbers)
{
    int total = 0;
    for (int n : numbers)
        total += n;
    return total;
}

int main()
{
    assert((Version{1, 2} < Version{1, 10}) && (Version{2, 0} > Version{1, 10}));
    static_assert(twice(square(3)) == 18);
    std::vector<int> numbers{5, 1, 4, 2, 3};
    std::ranges::sort(numbers, std::greater{});
    assert(numbers.front() == 5 && sum(numbers) == 15 && sum(std::span(numbers).first(2)) == 9);
    std::string text;
    for (int n : numbers | std::views::filter([](int x) { return x % 2; }) |
                     std::views::transform([](int x) { return x * 10; }) | std::views::reverse)
        text += std::to_string(n) + ' ';
    assert(text == "10 30 50 ");
    assert(std::popcount(255u) == 8 && std::bit_ceil(17u) == 32 &&
           std::rotl(1u, 31) == 1u << 31);
    assert(std::string_view("abc").starts_with("ab") && std::erase(numbers, 4) == 1);
    assert(std::source_location::current().line() == __LINE__);
    Version v{.major = 1, .minor = 0};
    auto [major, minor] = v;
    auto generic = [major]<typename T>(T x) { return x + major; };
    assert(generic(1.5) == 2.5 && minor == 0 && std::numbers::pi > 3.14);
}
