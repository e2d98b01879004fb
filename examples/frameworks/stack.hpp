// stack.hpp - a stack for several threads, with two mistakes.
#ifndef STACK_HPP
#define STACK_HPP

#include <condition_variable>
#include <mutex>
#include <optional>
#include <vector>

class Stack
{
  public:
    void push(int value)
    {
        std::lock_guard guard(lock);
        values.push_back(value);
        filled.notify_one();
    }

    std::optional<int> pop()
    {
        std::lock_guard guard(lock);
        return take();
    }

    int wait_and_pop()
    {
        std::unique_lock guard(lock);
        filled.wait(guard, [this] { return !values.empty(); });
        return *take();
    }

    bool empty()
    {
        std::lock_guard guard(lock);
        return values.empty();
    }

    // Mistake: looks at the values without the lock.
    std::size_t size()
    {
        return values.size();
    }

    // Mistake: another thread may have taken the last value in between.
    int top_or(int otherwise)
    {
        return empty() ? otherwise : pop().value_or(-1);
    }

  private:
    std::optional<int> take()
    {
        if (values.empty())
            return {};
        int value = values.back();
        values.pop_back();
        return value;
    }

    std::mutex lock;
    std::condition_variable filled;
    std::vector<int> values;
};

#endif
