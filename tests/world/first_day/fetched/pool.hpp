// A pool of threads: functions are done by whoever is free.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

class Pool {
public:
    explicit Pool(unsigned threads);
    // All that was given is done first.
    ~Pool();
    void give(std::function<void()> work);
    std::size_t waiting() const;

private:
    void run();

    std::mutex lock;
    std::condition_variable changed;
    std::deque<std::function<void()>> work;
    bool ends = false;
    std::vector<std::thread> threads;
};
