// flockfile holds a stream over several calls.  Result: correct.
// -DBUG does without: assertion violation.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static FILE *f;

static void *work(void *arg)
{
    putc('x', f);
    return arg;
}

int main(void)
{
    pthread_t t;
    char text[20] = "";
    f = fopen("/tmp/lines", "w+");
    pthread_create(&t, NULL, work, NULL);
#ifndef BUG
    flockfile(f);
    assert(ftrylockfile(f) == 0);
    funlockfile(f);
#endif
    putc('a', f);
    putc('b', f);
#ifndef BUG
    funlockfile(f);
#endif
    pthread_join(t, NULL);
    rewind(f);
    fread(text, 1, sizeof text - 1, f);
    fclose(f);
    assert(strstr(text, "ab"));
    return 0;
}
