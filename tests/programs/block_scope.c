// Local variables end with their block, and are new each time.  Result: correct.
// -DREAD reads one of a block that was left: memory error.
// -DWRITE writes one, and nobody looks: memory error.
// -DNEXT reads that of the round before: memory error.
// -DOUT reads one that a jump left behind: memory error.
// -DCASE reads one that break left behind: memory error.
// -DARRAY reads a part of an array: memory error.
// -DUNSET reads one that only the first round set: undefined value.
// -DRESULT returns from a block, or leaves it and gives no result: undefined value.
// -DTHREAD gives it to a thread that is waited for too late: memory error.
// Expect-READ: after its lifetime: read of x of main, which ended at .*block_scope.c:@block
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stddef.h>

static int *kept;
static jmp_buf out;

static int keep(int *p)
{
    kept = p;
    return *p;
}

static void *look(void *p)
{
    return *(int *)p == 1 ? p : NULL;
}

static int rounds(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        int x = i, later[2];
        if (i == 1)
            continue;
        later[1] = x;
        sum += keep(&x) + keep(&later[1]);
        if (i == 5)
            break;
        for (int k = 0; k < 2; k++) {
            int y = k, *p = &y;
            sum += *p;
            if (i == 4)
                goto end;
        }
        int length[i + 1];
        length[i] = i;
        sum += length[i];
    }
end:
    return sum;
}

static int cases(int which)
{
    switch (which) {
        int bypassed;
    case 0: bypassed = 1; return keep(&bypassed);
    case 1: {
        int own = 2;
        keep(&own);
        break;
    }
    default: return 0;
    }
#ifdef CASE
    return *kept;
#else
    return 2;
#endif
}

static int jumps(void)
{
    int volatile n = 0;
    if (setjmp(out) < 2) {
        int inner = n++;
        longjmp(out, keep(&inner) + 1);
    }
    return n;
}

static int again(void)
{
    int n = 0, sum = 0;
start: {
    int x = n;
    sum += keep(&x);
    if (++n < 3)
        goto start;
}
#ifdef OUT
    sum += *kept;
#endif
    return sum;
}

static int set_once(void)
{
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        int x;
#ifdef UNSET
        if (i == 0)
#endif
            x = 1;
        sum += x;
    }
    return sum > 1;
}

/* The ways out of the block have its end in common. */
static int result(int n)
{
    for (int i = 0; i < 2; i++) {
        int x = i;
        keep(&x);
        if (x == n)
            return 1;
        if (x > n)
            break;
    }
#ifndef RESULT
    return 0;
#endif
}

int main(void)
{
    int *p = NULL, a = 1;
    assert(rounds(4) == 18 && rounds(6) == 26 && cases(0) == 1 && cases(1) == 2);
    assert(result(1) && !result(-1) && jumps() == 2 && again() == 3 && set_once());
    {
        int x = 1;
        p = &x;
        a += *p;
    } // @block
#ifdef READ
    a += *p;
#elif defined(WRITE)
    *p = 2;
#elif defined(NEXT)
    for (int i = 0; i < 2; i++) {
        int x = i;
        a += i ? *p : 0;
        p = &x;
    }
#elif defined(ARRAY)
    {
        int many[100] = {1};
        p = &many[3];
    }
    a += *p;
#endif
    pthread_t t;
    {
        int x = 1;
        pthread_create(&t, NULL, look, &x);
#ifdef THREAD
    }
    pthread_join(t, NULL);
#else
        pthread_join(t, NULL);
    }
#endif
    return a == 0;
}
