// Two nodes hold each other by shared pointers.
// Result: memory error. Learned: what make_shared made in line 15 is never freed, since each
// node keeps the other one.
#include <memory>
#include <thread>

struct Node {
    int value;
    std::shared_ptr<Node> peer;
};

int main()
{
    std::thread builder([] {
        auto left = std::make_shared<Node>(Node{1, nullptr});
        auto right = std::make_shared<Node>(Node{2, left});
        left->peer = right;
    });
    builder.join();
}
