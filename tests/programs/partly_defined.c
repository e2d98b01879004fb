// Definedness bit by bit: masks, shifts and merges of partly defined words.
// Result: correct.
// -DBUG looks at one bit more: undefined value.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    unsigned char *p = malloc(4);
    if (!p)
        return 0;
    p[0] = 0x0f;
    p[2] = 0x01;
    unsigned word = p[0] | (unsigned)p[1] << 8 | (unsigned)p[2] << 16;
    assert((word & 0xff) == 0x0f);
    assert((word & 0x0000000f) == 0x0f);
    assert((word >> 16 & 0xff) == 1);
    word = (word & 0xff00ff) | 0x3400;
    assert(word == 0x1340f);
#ifdef BUG
    assert((p[1] & 1) == 0 || p[0]);
    if (p[1] & 1)
        p[0] = 0;
#endif
    assert((p[1] & 0) == 0 && (p[1] ^ p[1] & 0) >> 8 == 0);
    free(p);
    return 0;
}
