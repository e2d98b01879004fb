// Members of base classes with virtual functions whose constructors are constants, so that no
// code of the program makes them.  Result: correct. -DBUG goes down one step too many:
// assertion violation.
// Options: --never='lamp.level < 0' --never='base->level == 4' --never='lamp.colour[1] == 9 && lamp.level == 2' --never='held->level == 7'
// Expect-BUG: forbidden state: lamp.level < 0, with lamp.level = -1
#include <atomic>
#include <thread>

namespace
{
struct Switch {
    int level = 1;
    virtual ~Switch() = default;
};

struct Coloured {
    int colour[2]{};
};

class Lamp : public Switch, public Coloured
{
  public:
    std::atomic<int> uses{0};
};

struct Holder {
    Lamp *lamp;
    Switch *operator->() const
    {
        return lamp;
    }
};

Lamp lamp;
Switch *base = &lamp, *held = base;
} // namespace

int main()
{
    std::thread user([] {
        for (int k = 0; k < 2; k++)
            lamp.uses++;
        lamp.colour[1] = 9;
    });
    user.join();
    base->level = 3;
    held->level -= 3;
#ifdef BUG
    Holder
    {
        &lamp
    } -> level--;
#endif
}
