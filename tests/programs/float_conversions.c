// Numbers that just fit into the type they are converted to.  Result: correct.
#include <assert.h>
#include <limits.h>
#include <stdint.h>

int main(void)
{
    volatile double least = -0x1p63, most = 0x1.fffffffffffffp62, large = 0x1.fffffffffffffp63;
    volatile float least32 = -0x1p31f, tiny = -0.99f;
    assert((int64_t)least == INT64_MIN && (int64_t)most == INT64_MAX - 1023);
    assert((uint64_t)large == UINT64_MAX - 2047);
    assert((int)least32 == INT_MIN && (unsigned)tiny == 0);
    volatile double almost = -128.9, byte = 255.9;
    assert((signed char)almost == -128 && (unsigned char)byte == 255);
    return 0;
}
