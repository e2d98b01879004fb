// Of two writes that stand side by side, the one is named that the other thread meets.
//
// Result: data race. -DOTHER: data race.
// Expect: write_a at neighbours_named.c:@a
// Expect-OTHER: write_b at neighbours_named.c:@b
#include <pthread.h>

static struct {
    int a, b;
} both;

static void write_a(void)
{
    both.a = 1; // @a
}

static void write_b(void)
{
    both.b = 1; // @b
}

static void *look(void *arg)
{
#ifdef OTHER
    return both.b ? arg : NULL;
#else
    return both.a ? arg : NULL;
#endif
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    write_b();
    write_a();
    write_b();
    pthread_join(thread, NULL);
    return 0;
}
