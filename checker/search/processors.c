/* processors.c - see processors.h. */
#include "processors.h"

#include <sched.h>

/* Returns the processors that the thread may run on: at least one. */
static cpu_set_t usable(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0 || CPU_COUNT(&set) == 0)
        CPU_SET(0, &set);
    return set;
}

unsigned processors_count(void)
{
    cpu_set_t set = usable();
    return (unsigned)CPU_COUNT(&set);
}

unsigned processors_present(void)
{
    cpu_set_t set = usable();
    unsigned k = 0;
    for (int cpu = 0, here = sched_getcpu(); cpu < here; cpu++)
        k += CPU_ISSET(cpu, &set) != 0;
    return k;
}

void processors_stay(unsigned k)
{
    cpu_set_t set = usable(), one;
    CPU_ZERO(&one);
    k %= (unsigned)CPU_COUNT(&set);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &set) && k-- == 0)
            CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one); /* of this thread; if it fails nothing is lost */
}
