// A list of free nodes whose counter is never counted up.
// Result: assertion violation. Learned: thread 2 has read that node 0 is the first and node 1
// the second one; thread 1 takes both and gives node 0 back. The head looks as it did, so
// thread 2's exchange succeeds (row 19), and node 1, which is in use, is free again.
#include <atomic>
#include <cassert>
#include <thread>

struct node {
    std::atomic<node *> next;
    bool used;
};
struct head {
    node *top;
    unsigned long count;
};

static node nodes[2];
static std::atomic<head> list;

static void push(node *n)
{
    head old = list.load();
    do
        n->next = old.top;
    while (!list.compare_exchange_strong(old, {n, old.count}));
}

static node *pop()
{
    head old = list.load();
    while (old.top && !list.compare_exchange_strong(old, {old.top->next, old.count})) {
    }
    return old.top;
}

static void take(node *n)
{
    assert(!n || !n->used);
    if (n)
        n->used = true;
}

int main()
{
    push(&nodes[1]);
    push(&nodes[0]);
    std::thread thief([] { pop(); });
    node *first = pop(), *second = pop();
    take(second);
    if (first)
        push(first);
    thief.join();
    take(pop());
    take(pop());
}
