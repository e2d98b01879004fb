// One writes samples, one reads them: in order, none is lost.
#include <boost/lockfree/spsc_queue.hpp>
#include <cassert>
#include <thread>

struct Sample {
    int number;
    double value;
};

int main()
{
    boost::lockfree::spsc_queue<Sample, boost::lockfree::capacity<2>> ring;
    int lost = 0;
    std::thread writer([&] {
        for (int k = 0; k < 4; k++)
            lost += !ring.push({k, k / 2.0});
    });
    int last = -1, read = 0;
    Sample sample;
    for (int k = 0; k < 4; k++)
        if (ring.pop(sample)) {
            assert(sample.number > last && sample.value == sample.number / 2.0);
            last = sample.number;
            read++;
        }
    writer.join();
    read += static_cast<int>(ring.consume_all([](const Sample &) {}));
    assert(read + lost == 4);
}
