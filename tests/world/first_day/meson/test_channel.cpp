#include "channel.h"

#include <gtest/gtest.h>
#include <thread>

class Channel : public testing::Test {
protected:
    Channel() { channel_init(&channel); }
    ~Channel() override { channel_fini(&channel); }
    void send(int from, int to)
    {
        for (int k = from; k < to; k++)
            channel_send(&channel, k);
    }

    struct channel channel;
};

TEST_F(Channel, OneSendsAndOneReceives)
{
    std::thread sender([this] { send(0, 3); });
    for (int k = 0; k < 3; k++)
        EXPECT_EQ(channel_receive(&channel), k);
    sender.join();
}

TEST_F(Channel, TwoSend)
{
    std::thread one([this] { send(0, 1); }), two([this] { send(1, 2); });
    int sum = channel_receive(&channel);
    sum += channel_receive(&channel);
    one.join();
    two.join();
    EXPECT_EQ(sum, 1);
}

TEST_F(Channel, TwoSendAndTwoReceive)
{
    std::thread receiver([this] { channel_receive(&channel); });
    std::thread one([this] { send(0, 1); }), two([this] { send(1, 3); });
    channel_receive(&channel);
    channel_receive(&channel);
    receiver.join();
    one.join();
    two.join();
}
