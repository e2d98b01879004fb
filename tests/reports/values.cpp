// Values of many types, and an engine that is stopped twice.  Result: assertion violation.
// Learned: each value is shown as the source has it: an enumerator, a struct, a double, a char.
#include <atomic>
#include <cassert>
#include <thread>

enum class State { Idle, Running, Stopped };

struct Point {
    int x, y;
};

struct Engine {
    std::atomic<State> state{State::Idle};
    std::atomic<Point> where{Point{0, 0}};
    std::atomic<double> ratio{1.0};
    std::atomic<char> mark{'a'};
    std::atomic<bool> on{false};
    std::atomic<Engine *> next{nullptr};
};

static Engine engine;
static std::atomic<int> stops;

static void start()
{
    engine.state = State::Running;
    engine.where = Point{3, 4};
    engine.ratio = 1.25;
    engine.mark = 'x';
    engine.on = true;
    engine.next = &engine;
}

static void stop()
{
    if (engine.state.load() == State::Running) {
        Point p = engine.where;
        engine.ratio.store(engine.ratio.load() * p.x);
        if (engine.mark == 'x' && engine.on && engine.next.load())
            ++stops;
        engine.state = State::Stopped;
    }
}

int main()
{
    start();
    std::thread a(stop);
    stop();
    a.join();
    assert(stops <= 1);
}
