// Calendar functions and what <arpa/inet.h> has.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fenv.h>
#include <math.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void dates(void)
{
    time_t then = 951782400;
    struct tm tm, *got;
    char text[32];
    setenv("TZ", "UTC0", 1);
    printf("%s", ctime(&then));
    printf("%s", ctime_r(&then, text));
    got = gmtime(&then);
    printf("%s", asctime_r(got, text));
    got = localtime(&then);
    printf("%d", got->tm_yday);
    printf(" %d", localtime_r(&then, &tm)->tm_wday);
    memset(&tm, 0, sizeof tm);
    printf(" %d", strptime("2001-02-03", "%Y-%m-%d", &tm) != NULL);
    printf(" %d %d %d\n", tm.tm_year, tm.tm_mon, tm.tm_mday);
}

static void addresses(void)
{
    struct in_addr address = {htonl(0x7f000001)};
    char text[32];
    uint32_t (*host)(uint32_t) = ntohl;
    uint16_t (*port)(uint16_t) = ntohs;
    printf("%s", inet_ntoa(address));
    printf(" %x %x", host(inet_addr("1.2.3.4")), port(htons(80)));
    printf(" %d %x", inet_aton("10.1", &address), host(address.s_addr));
    printf(" %x %x", inet_netof(address), inet_lnaof(address));
    printf(" %x", host(inet_makeaddr(10, 2).s_addr));
    printf(" %x", inet_network("1.2.3.4"));
    printf(" %d", inet_pton(AF_INET, "9.8.7.6", &address));
    printf(" %s\n", inet_ntop(AF_INET, &address, text, sizeof text));
}

int main(void)
{
    dates();
    addresses();
    return 0;
}
