// A worker keeps the pointer of an observer that its owner has let go.
// Result: memory error. Learned: main deletes the observer in line 28 while the publisher,
// which has read the pointer before it was taken away, adds to seen in line 12.
#include <atomic>
#include <memory>
#include <thread>

struct Observer {
    int seen = 0;
    void notify(int value)
    {
        seen += value;
    }
};

struct Subject {
    std::unique_ptr<Observer> owner = std::make_unique<Observer>();
    std::atomic<Observer *> current{owner.get()};

    void publish(int value)
    {
        if (Observer *observer = current)
            observer->notify(value);
    }
    void close()
    {
        current = nullptr;
        owner.reset();
    }
};

int main()
{
    Subject subject;
    std::thread publisher([&] { subject.publish(3); });
    subject.close();
    publisher.join();
}
