// Jumps to labels whose addresses are in a table.  Result: correct.
#include <assert.h>

static int program(const char *code)
{
    static void *const label[] = {&&stop, &&increment, &&twice};
    int x = 0;
    goto *label[code[0] - '0'];
increment:
    x++;
    code++;
    goto *label[code[0] - '0'];
twice:
    x *= 2;
    code++;
    goto *label[code[0] - '0'];
stop:
    return x;
}

int main(void)
{
    assert(program("112120") == 10);
    return 0;
}
