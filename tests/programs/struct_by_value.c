// Structs of every size as arguments and results.  Result: correct.
#include <assert.h>

struct one {
    char c;
};

struct pair {
    float x, y;
};

struct odd {
    char text[7];
};

struct twin {
    long a;
    double b;
};

struct large {
    int n[20];
};

static struct one flip(struct one s)
{
    s.c = (char)-s.c;
    return s;
}

static struct pair swap(struct pair p)
{
    return (struct pair){p.y, p.x};
}

static struct odd shift(struct odd s)
{
    for (int k = 0; k < 6; k++)
        s.text[k] = s.text[k + 1];
    return s;
}

static struct twin twice(struct twin t, int times)
{
    return times ? twice((struct twin){2 * t.a, 2 * t.b}, times - 1) : t;
}

static struct large fill(struct large l, int with)
{
    for (int k = 0; k < 20; k++)
        l.n[k] += with;
    return l;
}

int main(void)
{
    assert(flip((struct one){3}).c == -3);
    struct pair p = swap((struct pair){1, 2});
    assert(p.x == 2 && p.y == 1);
    assert(shift((struct odd){"abcdef"}).text[0] == 'b');
    struct twin t = twice((struct twin){1, 0.5}, 4);
    assert(t.a == 16 && t.b == 8);
    struct large l = {{1, 2, 3}}, m = fill(fill(l, 1), 2);
    assert(l.n[0] == 1 && m.n[0] == 4 && m.n[2] == 6 && m.n[19] == 3);
    return 0;
}
