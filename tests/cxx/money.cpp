// Money is written and read, by code of the library where the optimiser calculates with
// addresses. Result: correct.
// -DOTHER another amount: assertion violation.
#include <cassert>
#include <iomanip>
#include <sstream>

int main()
{
    std::ostringstream out;
    out << std::put_money(1234) << ' ' << std::put_money("-56");
    long double amount = 0;
    std::istringstream in(out.str());
    in >> std::get_money(amount);
#ifdef OTHER
    assert(amount == 1233);
#else
    assert(out.str() == "1234 -56" && amount == 1234);
#endif
}
