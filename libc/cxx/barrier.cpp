// barrier.cpp - how the last thread to arrive at a std::barrier is found: by counting.
// libc++ has a tree of tickets, where each thread begins at a place that depends on its id:
// many more actions, and a look at an address as a number.
#include <__config>

#include <atomic>
#include <barrier>

_LIBCPP_BEGIN_NAMESPACE_STD

class __barrier_algorithm_base
{
    ptrdiff_t &expected; // changes only between two phases
    atomic<ptrdiff_t> arrived{0};

  public:
    explicit __barrier_algorithm_base(ptrdiff_t &e) : expected(e)
    {
    }

    // Whether this is the last; nobody arrives again before that one has begun a new phase.
    bool arrive()
    {
        ptrdiff_t all = expected; // before the last can have arrived
        if (arrived.fetch_add(1) + 1 < all)
            return false;
        arrived.store(0);
        return true;
    }
};

_LIBCPP_EXPORTED_FROM_ABI __barrier_algorithm_base *
__construct_barrier_algorithm_base(ptrdiff_t &expected)
{
    return new __barrier_algorithm_base(expected);
}

_LIBCPP_EXPORTED_FROM_ABI bool __arrive_barrier_algorithm_base(__barrier_algorithm_base *barrier,
                                                               __barrier_phase_t) noexcept
{
    return barrier->arrive();
}

_LIBCPP_EXPORTED_FROM_ABI void
__destroy_barrier_algorithm_base(__barrier_algorithm_base *barrier) noexcept
{
    delete barrier;
}

_LIBCPP_END_NAMESPACE_STD
