// A destructor ends the thread that calls a virtual function of its object: while it runs, the
// object is of that class still, and nothing is written.  Result: correct.
// -DBASE the destructor of the base class does, when the object is of that class: data race.
// -DBEGUN the base class's constructor begins the thread: data race.
#include <atomic>
#include <thread>

struct Base {
    std::atomic<bool> stop{false};
    std::thread t;
    void start()
    {
        t = std::thread([this] {
            while (!stop)
                step();
        });
    }
    void end()
    {
        stop = true;
        t.join();
    }
#ifdef BEGUN
    Base() { start(); }
#else
    Base() {}
#endif
    virtual void step() {}
#ifdef BASE
    virtual ~Base() { end(); }
#else
    virtual ~Base() {}
#endif
};

struct Derived final : Base {
    std::atomic<int> steps{0};
#ifndef BEGUN
    Derived() { start(); }
#endif
    void step() override { steps = 1; }
#ifndef BASE
    ~Derived() override { end(); }
#endif
};

int main()
{
    Derived object;
}
