// Without --clock=choice clocks stand still, whatever is waited for.
//
// Result: correct.
#include <assert.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    time_t before = time(NULL);
    sleep(10);
    assert(time(NULL) == before);
    return 0;
}
