// A stack without locks, in the manner of Boost.Lockfree: its head is a pointer of 48 bits and
// a tag of 16 bits in one word.  Result: correct.
// Expect: note: .* searched with every object shared whose address became a number
// -DBUG takes it that the second thread is the first to pop: assertion violation.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

template <class T> class tagged_ptr
{
    union cast_unit {
        uint64_t value;
        uint16_t tag[4];
    };
    static constexpr uint64_t mask = (1ull << 48) - 1;
    uint64_t ptr = 0;

  public:
    tagged_ptr() = default;
    tagged_ptr(T *p, uint16_t t)
    {
        cast_unit ret;
        ret.value = reinterpret_cast<uint64_t>(p);
        ret.tag[3] = t;
        ptr = ret.value;
    }
    T *get() const
    {
        return reinterpret_cast<T *>(ptr & mask);
    }
    uint16_t tag() const
    {
        cast_unit cu;
        cu.value = ptr;
        return cu.tag[3];
    }
    uint16_t next_tag() const
    {
        return uint16_t(tag() + 1);
    }
};

struct node {
    tagged_ptr<node> next;
    int value;
};

static std::atomic<tagged_ptr<node>> head;

static void push(int value)
{
    node *fresh = new node{{}, value};
    tagged_ptr<node> old = head.load();
    for (;;) {
        tagged_ptr<node> top(fresh, old.tag());
        fresh->next = tagged_ptr<node>(old.get(), fresh->next.tag());
        if (head.compare_exchange_weak(old, top))
            return;
    }
}

static node *pop()
{
    tagged_ptr<node> old = head.load();
    for (;;) {
        if (!old.get())
            return nullptr;
        tagged_ptr<node> top(old.get()->next.get(), old.next_tag());
        if (head.compare_exchange_weak(old, top))
            return old.get();
    }
}

int main()
{
    node *got[2];
    std::thread a([&] {
        push(1);
        got[0] = pop();
    });
    std::thread b([&] {
        push(2);
        got[1] = pop();
    });
    a.join();
    b.join();
    assert(got[0] && got[1] && got[0] != got[1]);
    assert(got[0]->value + got[1]->value == 3);
#ifdef BUG
    assert(got[0]->value == 1);
#endif
    delete got[0];
    delete got[1];
    return 0;
}
