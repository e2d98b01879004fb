// A structure that must be aligned more than its first member by nature, where it is not.
// Result: memory error.
// Expect: misaligned write of 4 bytes: bytes.8., where 16 bytes are the alignment
// -DREAD reads it: memory error.
// Expect-READ: misaligned read of 4 bytes: bytes.8., where 16 bytes are the alignment
// -DELEMENT an element of an array of such structures: memory error.
// Expect-ELEMENT: misaligned write of 4 bytes: bytes.40., where 16 bytes are the alignment
// -DVOLATILE the access is volatile: memory error.
// -DLOCAL in a local variable, at an address that is known when it is compiled: memory error.
// Expect-LOCAL: misaligned write of 4 bytes: local.8. of main, where 16 bytes are the alignment
// -DWHOLE assigns a whole one: memory error.
// Expect-WHOLE: misaligned write of 32 bytes: bytes.8., where 16 bytes are the alignment
// -DFROM reads a whole one: memory error.
// Expect-FROM: misaligned read of 32 bytes: bytes.8., where 16 bytes are the alignment
// -DSET sets all of one: memory error.
// Expect-SET: misaligned write of 32 bytes: bytes.8., where 16 bytes are the alignment
// -DGIVEN passes it by value: memory error.
// Expect-GIVEN: misaligned read of 32 bytes: bytes.8., where 16 bytes are the alignment
// -DALIGNED it is aligned: correct.
// -DBYTES it is copied bytewise: correct.
#include <string.h>

struct wide {
    _Alignas(16) int first;
    long rest[3];
};

#ifdef ALIGNED
#define AT 16
#else
#define AT 8
#endif

static _Alignas(16) char bytes[128];

static struct wide other;

static long sum(struct wide x)
{
    return x.first + x.rest[2];
}

int main(void)
{
    struct wide *volatile place = (struct wide *)(void *)(bytes + AT);
    struct wide *wide = place;
    volatile int index = 1;
#ifdef READ
    return wide->first;
#elif defined ELEMENT
    wide[index].first = 1;
    return 0;
#elif defined VOLATILE
    return *(volatile int *)&wide->first;
#elif defined LOCAL
    _Alignas(16) char local[64] = {0};
    ((struct wide *)(void *)(local + AT))->first = index;
    return local[0];
#elif defined WHOLE
    *wide = other;
    return 0;
#elif defined FROM
    other = *wide;
    return other.first;
#elif defined SET
    memset(wide, 0, sizeof *wide);
    return other.first;
#elif defined GIVEN
    return (int)sum(*wide);
#elif defined BYTES
    memcpy(&other, bytes + AT, sizeof other);
    memcpy(bytes + AT, &other, sizeof other);
    return other.first;
#else
    wide->first = 1;
    wide[index].rest[index] = index;
    other = *wide;
    *wide = other;
    memset(wide, 0, sizeof *wide);
    return (int)sum(*wide);
#endif
}
