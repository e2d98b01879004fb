// Two threads write lines to one stream: it has a lock, and lines stay whole.
// Result: correct.  -DBUG=1..2 claims that one of the orders does not occur: assertion
// violation.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#ifndef BUG
#define BUG 0
#endif

static FILE *f;

static void *work(void *arg)
{
    fputs(arg, f);
    return NULL;
}

int main(void)
{
    pthread_t t;
    char text[20] = "";
    f = fopen("/tmp/lines", "w+");
    pthread_create(&t, NULL, work, "one\n");
    work("two\n");
    pthread_join(t, NULL);
    rewind(f);
    fread(text, 1, sizeof text - 1, f);
    fclose(f);
    int order = strcmp(text, "one\ntwo\n") == 0 ? 1 : strcmp(text, "two\none\n") == 0 ? 2 : 0;
    assert(order && order != BUG);
    return 0;
}
