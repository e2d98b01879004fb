/* The networks of addresses by class.  musl's take an address for a number without
 * turning its bytes. */
#include <arpa/inet.h>

enum { CLASS_A = 24, CLASS_B = 16, CLASS_C = 8 };

/* Returns how many bits of the address number the host in its network. */
static unsigned host_bits(uint32_t address)
{
    return address >> 31 == 0 ? CLASS_A : address >> 30 == 2 ? CLASS_B : CLASS_C;
}

in_addr_t inet_network(const char *text)
{
    return ntohl(inet_addr(text));
}

struct in_addr inet_makeaddr(in_addr_t network, in_addr_t host)
{
    unsigned bits = network < 1 << 8 ? CLASS_A : network < 1 << 16 ? CLASS_B : CLASS_C;
    return (struct in_addr){htonl(network << bits | host)};
}

in_addr_t inet_lnaof(struct in_addr address)
{
    uint32_t number = ntohl(address.s_addr);
    return number & ((1u << host_bits(number)) - 1);
}

in_addr_t inet_netof(struct in_addr address)
{
    uint32_t number = ntohl(address.s_addr);
    return number >> host_bits(number);
}
