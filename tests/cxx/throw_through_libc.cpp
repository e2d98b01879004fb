// What a comparison throws leaves qsort and bsearch, as C++ says.
// Result: correct.
#include <cassert>
#include <cstdlib>
#include <stdexcept>

static int compare(const void *, const void *)
{
    throw std::runtime_error("cannot compare");
}

int main()
{
    int numbers[] = {3, 1, 2}, caught = 0;
    try {
        std::qsort(numbers, 3, sizeof *numbers, compare);
    } catch (const std::runtime_error &) {
        caught++;
    }
    try {
        std::bsearch(numbers, numbers, 3, sizeof *numbers, compare);
    } catch (const std::runtime_error &) {
        caught++;
    }
    assert(caught == 2);
}
