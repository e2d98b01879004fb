#include <assert.h>
#include <stdio.h>

#include "channel.h"

int main(void)
{
    struct channel c;
    channel_init(&c);
    for (int k = 0; k < 5; k++) {
        channel_send(&c, k);
        assert(channel_receive(&c) == k);
    }
    channel_fini(&c);
    puts("in order");
    return 0;
}
