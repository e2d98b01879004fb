// What was computed once for a key: many may read it at a time.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <shared_mutex>

template <typename Key, typename Value>
class Cache {
public:
    std::optional<Value> find(const Key &key) const
    {
        std::shared_lock guard(lock);
        auto at = values.find(key);
        return at == values.end() ? std::nullopt : std::optional<Value>(at->second);
    }

    void put(const Key &key, const Value &value)
    {
        std::unique_lock guard(lock);
        values.insert_or_assign(key, value);
    }

    // The planted error: whoever comes between the two computes it once more.
    Value find_or_compute(const Key &key, const std::function<Value()> &compute)
    {
        if (std::optional<Value> value = find(key))
            return *value;
        Value value = compute();
        put(key, value);
        return value;
    }

private:
    mutable std::shared_mutex lock;
    std::map<Key, Value> values;
};
