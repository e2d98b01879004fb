// Two owners release a buffer: each looks whether it is there, and deletes it.
// Result: memory error.
// Learned: who deleted the buffer first.
#include <atomic>
#include <thread>

struct Buffer {
    int size = 0;
    std::atomic<int> used{0};
};

struct Owner {
    std::atomic<Buffer *> buffer{new Buffer};
    void release()
    {
        if (Buffer *b = buffer.load()) {
            buffer.store(nullptr);
            b->used = 0;
            delete b;
        }
    }
};

int main()
{
    Owner owner;
    std::thread a([&] { owner.release(); });
    owner.release();
    a.join();
}
