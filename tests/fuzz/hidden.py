"""Random programs that hide pointers: packed into words with tags, in pieces, as differences."""

from grammar import Family

HIDDEN = Family(
    defines=("LARGE",),
    head="""
#include <stdint.h>

struct node {
    int value;
    struct node *next;
    atomic_int n;
#ifdef LARGE
    int more[40];
#endif
};

union cast {
    uint64_t whole;
    uint16_t part[4];
};

static _Atomic(uint64_t) w0, w1;
static _Atomic(intptr_t) d0;
static atomic_int a0;

static struct node *make(int n)
{
    struct node *made = calloc(1, sizeof *made);
    made->n = n;
    return made;
}

static uint64_t pack(struct node *p, int tag)
{
    union cast c = {.whole = (uint64_t)p};
    c.part[3] = (uint16_t)tag;
    return c.whole;
}

static int tag_of(uint64_t w)
{
    return (int)(w >> 48);
}

static struct node *unpack(uint64_t w)
{
    return (struct node *)(w & (((uint64_t)1 << 48) - 1));
}

static void come(struct node *to)
{
    to->n++;
}
""",
    setup="    w0 = pack(make(0), 1);",
    locals="""struct node *mine = make(0); int own[2] = {0}; atomic_int count = 0; uint64_t keep = 0;
    (void)mine; (void)own; (void)count; (void)keep;""",
    grammar="""
statement
    4x w$bit = pack($node, $value);
    9x { struct node *o = unpack(w$bit); if (o) { $use } }
    3x { struct node *o = unpack(keep); if (o) { $use } }
    2x keep = pack($node, $value);
    keep = pack(make($value), $value);
    keep = w$bit;
    2x { uint64_t w = w0; if (atomic_compare_exchange_strong(&w0, &w, pack($node, tag_of(w) + 1)))
            { $register++; } }
    { uint64_t w = w0; w1 = pack(unpack(w), tag_of(w)); }
    { struct node *from = mine; memcpy(&keep, &from, 6); }
    { struct node *from = mine; memcpy((char *)&keep + 6, (char *)&from + 6, 2); }
    w$bit = ((uint64_t)$node << 8) + $value;
    { struct node *o = (struct node *)(w$bit >> 8); if (o && !tag_of((uint64_t)o)) { $use } }
    d0 = (intptr_t)$node - (intptr_t)mine;
    d0 = (intptr_t)mine - (intptr_t)&w0;
    { intptr_t d = d0; if (d) { struct node *o = (struct node *)((intptr_t)&w0 + d); $use } }
    2x mine->next = make($value);
    mine = make($value);
    own[$register & 1] += $value;
    mine->value += $value;
    $register += own[1];
    count += $value;
    $register += count;
    w$bit = pack((struct node *)&count, 0);
    own[((uint64_t)mine >> 16) & 0]++;
    a0++;
    $register += a0;
    if ($register == $value) { $block }
    { struct node *o = mine; $use }
use
    3x o->n++;
    2x $register += o->n;
    4x o->value = $value;
    3x $register += o->value;
    come(o);
    if (o->next) come(o->next);
    if (o->n == $value) { $block }
node
    3x mine
    mine->next
value
    0
    2x 1
    2
bit
    0
    1
""",
    budget=7, threads=(1, 2, 2, 3), last="(unsigned)a0")
