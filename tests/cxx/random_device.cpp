// Random numbers are one fixed sequence for all threads. Result: correct.
// -DSAME looks for a number that is there twice: assertion violation.
#include <cassert>
#include <random>
#include <thread>

static unsigned draw()
{
    return std::random_device{}();
}

int main()
{
    unsigned other = 0;
    std::thread t([&] { other = draw(); });
    unsigned mine = draw();
    t.join();
#ifdef SAME
    assert(mine == other);
#else
    assert(mine != other && draw() != mine);
    std::random_device device("/dev/random");
    std::mt19937 engine(device());
    int dice = std::uniform_int_distribution(1, 6)(engine);
    assert(dice >= 1 && dice <= 6);
    while (draw() % 2 == 0) {
    }
#endif
}
