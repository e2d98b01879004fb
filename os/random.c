/* random.c - random numbers: one sequence for all who ask, the same in every run. */
#include "os/random.h"
#include "os/state.h"

static uint32_t next(uint32_t place)
{
    return place * 1103515245 + 12345;
}

uint32_t os_random(size_t size)
{
    uint32_t place = os_state()->random;
    for (size_t k = 0; k < size; k++)
        os_state()->random = next(os_state()->random);
    return place;
}

void os_random_fill(uint32_t place, unsigned char *bytes, size_t size)
{
    for (size_t k = 0; k < size; k++) {
        place = next(place);
        bytes[k] = (unsigned char)(place >> 16);
    }
}
