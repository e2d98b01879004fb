"""Families of random concurrent programs: for each a grammar (grammar.py) of what its threads
do, and what stands around that."""

from files import FILES
from grammar import Family
from hidden import HIDDEN
from objects import OBJECTS
from queues import CHOICES, QUEUES

VALUES = Family(
    spins=r"while \(atomic_load\(&f0\)",
    defines=("LARGE",),
    head="""
#ifdef LARGE
static _Atomic(int) large[3000];
#define a0 large[10]
#define a1 large[11]
#define a2 large[2000]
#define f0 large[2999]
#else
static _Atomic(int) a0, a1, a2, f0;
#endif
static _Atomic(unsigned) u;
static _Atomic(unsigned char) c0;
static _Atomic(unsigned long) l0;
struct wide { long a, b; };
static _Atomic(struct wide) wide;
union both { unsigned whole; short half[2]; };
struct bits { unsigned x : 1, y : 7; };

static int recurse(int n, int r)
{
    return n == 0 ? r & 1 : atomic_fetch_add(&a1, 1) + recurse(n - 1, r);
}

static void put(_Atomic(int) *x) { atomic_store(x, 2); }
static void take(_Atomic(int) *x) { atomic_fetch_sub(x, 1); }
static void (*const table[])(_Atomic(int) *) = {put, take};
""",
    grammar="""
statement
    3x atomic_store(&$var, $value);
    4x $register = (int)atomic_load(&$var);
    2x $register = (int)atomic_fetch_$op(&$var, $value);
    $register = (int)atomic_exchange(&$var, $value);
    2x { int e = $value; $register += atomic_compare_exchange_$strength(&$int, &e, $value); }
    $register ^= (int)atomic_fetch_$op(&c0, 255 - $value);
    $register += (int)atomic_fetch_$op(&l0, (unsigned long)$value << 40) & 3;
    if ($register == $value) { $block }
    if (atomic_load(&$var) == $value) { $block }
    for (int i = 0; i < 2; i++) { $block }
    while (atomic_load(&f0) == 0) { }
    do { $block } while (atomic_load(&f0) == 0);
    3x atomic_store(&f0, 1);
    $register = divm_choose(2);
    atomic_thread_fence(memory_order_seq_cst);
    { union both b = {.whole = 0}; b.half[1] = $value; b.half[0] = 1; atomic_store(&u, b.whole); }
    { union both b = {.whole = atomic_load(&u)}; $register = b.half[$bit]; }
    { struct wide w = atomic_load(&wide); $register = (int)(w.a + w.b); }
    { struct wide w = {$value, $value}; atomic_store(&wide, w); }
    { struct wide w = {0, 0}, x = {$value, 1};
            $register = atomic_compare_exchange_strong(&wide, &w, x); }
    { struct bits b = {.x = $bit, .y = $value}, c; memcpy(&c, &b, sizeof c);
            $register = c.y + c.x; }
    $register += recurse($value, $register);
    { int n = 1 + (r0 & 3), a[n]; memset(a, 0, sizeof a); a[n - 1] = $value; $block;
            $register += a[n - 1]; }
    { jmp_buf j; volatile int n = 0; if (setjmp(j) == 0) { $block } $register += n;
            if (n++ == 0 && atomic_load(&a0)) longjmp(j, 1); }
    { struct bits *b = alloca(sizeof *b * (2u + (r1 & 1u))); b[1].y = $value; $block;
            $register += b[1].y; }
    table[$register & 1](&$int); $register++;
var
    3x a0
    2x a1
    a2
    c0
    l0
int
    a0
    a1
op
    2x add
    sub
    or
    xor
    and
strength
    strong
    weak
value
    0
    2x 1
    2
bit
    0
    1
""",
    last="(unsigned)a0 + 3 * (unsigned)a1 + 5 * u + 7 * c0 + (unsigned)(l0 >> 40)")

LOCALS = Family(
    stale=True,
    head="""
static atomic_int zero, n0, n1;
static _Atomic(atomic_int *) p0 = &zero, p1 = &zero;

__attribute__((noinline)) static void pass(atomic_int *q)
{
    atomic_int w = 1;
    p0 = &w;
    n1++;
    p0 = q;
}

__attribute__((noinline)) static void leave(atomic_int *q)
{
    atomic_int w = 2;
    p1 = q;
    n0++;
    (void)w;
}

__attribute__((noinline)) static void deep(int n, atomic_int *q)
{
    atomic_int w = n;
    if (n)
        deep(n - 1, &w);
    else
        p0 = q;
    if (n == 3 || n == 17)
        n1++;
}

static void land(jmp_buf to, atomic_int *q)
{
    atomic_int w = 3;
    p0 = &w;
    n0++;
    p1 = q;
    longjmp(to, 1);
}

__attribute__((noinline)) static void jump(atomic_int *q)
{
    jmp_buf here;
    if (!setjmp(here))
        land(here, q);
}
""",
    grammar="""
statement
    4x $pointer = &$local;
    2x $count++;
    $pointer = &zero;
    if ($count == $value) $pointer = &zero;
    if ($count == $value) $register += *$pointer;
    if ($pointer == &$local) { $block }
    $pointer = $pointer;
    $register += $pointer == $pointer;
    2x { atomic_int $new = $value; $block }
    for (int i = 0; i < 2; i++) { atomic_int $new = $value; $block }
    2x $function(&$local);
    deep(9, &$local);
    deep(18, &$local);
    jump(&$local);
    $local = $value;
    $register = $local;
    { atomic_int *e = &$local; atomic_compare_exchange_strong(&$pointer, &e, &$local); }
pointer
    p0
    p1
count
    n0
    n1
function
    pass
    leave
value
    0
    2x 1
    2
""",
    integer="atomic_int",
    last="(unsigned)n0 + 3 * (unsigned)n1 + 7 * (p0 == &zero) + (p1 == p0)")

HEAP = Family(
    stale=True,
    defines=("OLD", "SMALL"),
    head="""
struct node {
    atomic_int value;
    _Atomic(struct node *) next, other;
    int plain;
    struct node *mine;
};
static _Atomic(struct node *) q0, q1, q2;
static atomic_int a0;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct node *list;
static int length;

static struct node *node(int value)
{
    struct node *x = calloc(1, sizeof *x);
    x->value = value;
    x->plain = value;
    return x;
}

static void push(_Atomic(struct node *) *top, struct node *x)
{
    struct node *was = *top;
    do
        x->next = was;
    while (!atomic_compare_exchange_weak(top, &was, x));
}

#ifdef SMALL
enum { OLD_NODES = 40 };
#else
enum { OLD_NODES = 260 };
#endif

static void make_old(void)
{
    struct node *at = node(0);
    q2 = at;
    for (int k = 0; k < OLD_NODES; k++) {
        struct node *next = node(k & 1);
        next->plain = k / 2;
        at->next = next;
        at->mine = k == 3 ? at : next;
        at = next;
    }
    at->next = at->mine;
    q1 = at;
    q0 = q2->next;
}

static void insert(_Atomic(struct node *) *at, struct node *x, int depth)
{
    struct node *was = NULL;
    if (depth == 3 || atomic_compare_exchange_strong(at, &was, x))
        return;
    insert(x->value < was->value ? &was->next : &was->other, x, depth + 1);
}
""",
    grammar="""
statement
    3x $x = node($value);
    3x $q = $x;
    3x $x = $q;
    $x = $y;
    $x = atomic_exchange(&$q, $z);
    $x = NULL;
    $q = NULL;
    { struct node *e = $y; $register = atomic_compare_exchange_strong(&$q, &e, $x); }
    { struct node *e = NULL; $register = atomic_compare_exchange_strong(&$q, &e, $x); }
    2x if ($x) $y = $x->$link;
    if ($x) $x->$link = $y;
    if ($x) { $block }
    2x $register = $x == $y;
    2x $register = $q == $q;
    2x if ($x) $register = $x->value;
    if ($x) $x->value = $value;
    if ($x) $x->value++;
    free($x); $x = NULL;
    { struct node *e = atomic_exchange(&$q, NULL); if (e) { $register = e->value; free(e); } }
    push(&$q, node($value));
    insert(&$q, node($value), 0);
    for (struct node *e = $q; e; e = e->next) { $register++; if ($register > 3) break; }
    2x pthread_mutex_lock(&m); { struct node *e = node($value); e->mine = list; list = e;
            length++; } pthread_mutex_unlock(&m);
    2x pthread_mutex_lock(&m); if (list) { struct node *e = list; list = e->mine; length--;
            $register += e->plain; free(e); } pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m); if (list && list->mine) { struct node *e = list->mine;
            list->mine = e->mine; e->mine = list; list = e; } pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m); for (struct node *e = list; e; e = e->mine) $register += e->plain;
            pthread_mutex_unlock(&m);
    if ($x) { struct node *e = $x; $x = realloc(e, 2 * sizeof *e); $register += $x->plain; }
    a0++;
    $register = a0;
    { char *s = strdup("ab"); s[0] = (char)$register; $block $register = s[0]; free(s); }
    { struct node e = {.plain = $value}; struct node *d = malloc(sizeof e);
            memcpy(d, &e, sizeof e); $register = d->plain; free(d); }
x
    x
    y
y
    2x x
    y
z
    x
    y
    NULL
q
    3x q0
    2x q1
    q2
link
    2x next
    other
value
    0
    2x 1
    2
""",
    locals="struct node *x = NULL, *y = NULL;",
    setup="""
#ifdef OLD
    make_old();
#endif
    (void)make_old;
""",
    last="(unsigned)a0 + 2 * (q0 == q1) + 3 * (q1 == q2) + (unsigned)length + 11 * !q0 + !list")

THREADS = Family(
    head="""
static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER, mr, me, mo;
static pthread_cond_t c0 = PTHREAD_COND_INITIALIZER, c1 = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t w0 = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t b0;
static pthread_spinlock_t s0;
static pthread_once_t o0 = PTHREAD_ONCE_INIT;
static pthread_key_t k0;
static sem_t e0;
static mtx_t t0;
static atomic_int a0, a1;
static int p0, p1, p2;

static void once(void)
{
    a0++;
}

static void destroy(void *x)
{
    a1 += x == &p0;
}

static void cleaned(void *x)
{
    (void)x;
    a1++;
}

static int own(pthread_mutex_t *m)
{
    int got = pthread_mutex_lock(m);
    if (got == EOWNERDEAD)
        pthread_mutex_consistent(m);
    return got == EOWNERDEAD;
}

__attribute__((noinline)) static void leave(int n)
{
    if (n)
        leave(n - 1);
    pthread_exit(NULL);
}
""",
    setup="""
    pthread_mutexattr_t ma;
    pthread_mutexattr_init(&ma);
    pthread_mutexattr_settype(&ma, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mr, &ma);
    pthread_mutexattr_settype(&ma, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&me, &ma);
    pthread_mutexattr_setrobust(&ma, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mo, &ma);
    pthread_barrier_init(&b0, NULL, 2);
    pthread_spin_init(&s0, 0);
    pthread_key_create(&k0, destroy);
    sem_init(&e0, 0, 1);
    mtx_init(&t0, mtx_plain);
""",
    grammar="""
statement
    3x pthread_mutex_lock(&m1); $block pthread_mutex_unlock(&m1);
    2x pthread_mutex_lock(&m0); p0 += $value; $register += p0; pthread_mutex_unlock(&m0);
    pthread_mutex_lock(&m1); p1 += $value; $register += p1; pthread_mutex_unlock(&m1);
    if (!pthread_mutex_trylock(&m0)) { $register++; $block pthread_mutex_unlock(&m0); }
    pthread_mutex_lock(&mr); $block pthread_mutex_lock(&mr); p2++; pthread_mutex_unlock(&mr);
            pthread_mutex_unlock(&mr);
    if (!pthread_mutex_lock(&me)) { $register += pthread_mutex_lock(&me) == EDEADLK;
            pthread_mutex_unlock(&me); }
    $register += pthread_mutex_unlock(&me) == EPERM;
    $register += own(&mo); pthread_mutex_unlock(&mo);
    $register += own(&mo); if ($register == $value) { END(8); return 0; } pthread_mutex_unlock(&mo);
    { struct timespec x = {0, 0}; if (!pthread_mutex_timedlock(&m0, &x)) { $register++;
            pthread_mutex_unlock(&m0); } }
    pthread_mutex_lock(&m0); if (p0 == 0) pthread_cond_wait(&c0, &m0); $register += p0;
            pthread_mutex_unlock(&m0);
    2x pthread_mutex_lock(&m0); while (p0 == 0) pthread_cond_wait(&c0, &m0); $register += p0;
            pthread_mutex_unlock(&m0);
    2x pthread_mutex_lock(&m0); p0++; pthread_cond_$wake(&c0); pthread_mutex_unlock(&m0);
    pthread_mutex_lock(&m0); p0--; pthread_mutex_unlock(&m0); pthread_cond_$wake(&c0);
    { struct timespec x = {0, 0}; pthread_mutex_lock(&m0);
            $register += pthread_cond_timedwait(&c0, &m0, &x) != 0; pthread_mutex_unlock(&m0); }
    2x pthread_rwlock_rdlock(&w0); $register += p1; pthread_rwlock_unlock(&w0);
    pthread_rwlock_wrlock(&w0); p1++; pthread_rwlock_unlock(&w0);
    if (!pthread_rwlock_trywrlock(&w0)) { p1++; pthread_rwlock_unlock(&w0); }
    if (!pthread_rwlock_tryrdlock(&w0)) { $register += p1; $block pthread_rwlock_unlock(&w0); }
    sem_wait(&e0); $block sem_post(&e0);
    sem_post(&e0);
    $register += sem_trywait(&e0) == 0;
    $register += pthread_barrier_wait(&b0) != 0;
    pthread_spin_lock(&s0); p2 += $value; $register += p2; pthread_spin_unlock(&s0);
    if (!pthread_spin_trylock(&s0)) { $register += p2; pthread_spin_unlock(&s0); }
    pthread_once(&o0, once);
    pthread_setspecific(k0, &p$bit);
    $register += pthread_getspecific(k0) == &p$bit;
    mtx_lock(&t0); $register++; mtx_unlock(&t0);
    2x a$bit++;
    2x $register += a$bit;
    a$bit = $value;
    if ($register == $value) { $block }
    if (a$bit == $value) { $block }
    if (a$bit == $value) { END(9); leave($value); }
    pthread_cleanup_push(cleaned, NULL); $block pthread_cleanup_pop($bit);
    pthread_testcancel();
    if (other) pthread_cancel(other);
""" + CHOICES,
    options=((), (), ("--spurious-wakeups",), ("--clock=choice",), ("--clock=prompt",)),
    last="(unsigned)a0 + 3 * (unsigned)a1 + 5 * (unsigned)p0 + (unsigned)p1 + 7 * (unsigned)p2")

# Accesses that may race.
PLAIN = Family(
    spins=r"while \(v == 0\)",
    head="""
struct pair {
    int a, b;
};
static int a0, a1, shared[4];
static struct pair s0, s1;
static struct pair *q0 = &s0, *q1 = &s1;
static struct large {
    struct pair pair;
    long rest[4];
} large;
static atomic_int c0;
static volatile int v;

static struct pair sum(struct pair x, struct pair y)
{
    return (struct pair){(x.a + y.a) & 3, (x.b + y.b) & 3};
}

static struct large copy(struct large x, struct large y)
{
    x.pair.b = y.pair.a;
    return x;
}
""",
    grammar="""
statement
    3x $int = $value;
    3x $register = $int;
    2x $int += $value;
    $struct = $struct;
    memcpy(&$struct, &(struct pair){$value, $value}, sizeof s0);
    memmove(&shared[1], &shared[$bit], sizeof shared[0] * 2);
    memset(shared, $bit, sizeof shared[0] * 2);
    $struct = (struct pair){$value, $value};
    $struct = sum($struct, $struct);
    large = copy(large, large);
    large.pair.$field = $value;
    $register = copy(large, large).pair.$field;
    $pointer = &$struct;
    $pointer = $pointer;
    2x $pointer->$field = $value;
    2x $register = $pointer->$field;
    $register = $pointer == $pointer;
    $pointer = calloc(1, sizeof s0);
    { struct pair *e = q0; q0 = q1; q1 = e; }
    if ($register == $value) { $block }
    if ($int == $value) { $block }
    for (int i = 0; i < 2; i++) { $block }
    c0++;
    $register = c0;
    v = $value;
    $register = v;
    while (v == 0) { }
    $int = divm_choose(2);
    divm_atomic_begin(); $int += $value; $register = $int; divm_atomic_end();
int
    a0
    2x a1
    shared[$bit]
    s0.$field
struct
    s0
    s1
    *q0
    *q1
pointer
    q0
    q1
field
    a
    b
value
    0
    2x 1
    2
bit
    0
    1
""",
    budget=7,
    options=((), ("--races=allow",), ("--races=allow",), ("--races=allow",)),
    last="(unsigned)a0 + 3 * (unsigned)a1 + 5 * (unsigned)(s0.a + s1.b) + (unsigned)shared[1]")

SIGNALS = Family(
    head="""
static atomic_int a0, a1, a2;
static _Atomic(pthread_t) first, second;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t e0;
static int p0;

static void handle(int number)
{
    a0 += number == SIGUSR1 ? 1 : 2;
    if (a1 == 1)
        sem_post(&e0);
}

static void clean(void *x)
{
    (void)x;
    a1++;
}
""",
    setup="""
    sem_init(&e0, 0, 0);
    signal(SIGUSR1, handle);
    signal(SIGUSR2, handle);
    first = second = pthread_self();
""",
    locals="sigset_t set; sigemptyset(&set); sigaddset(&set, SIGUSR1); (void)set;",
    grammar="""
statement
    2x a$bit++;
    2x $register += a$bit;
    a$bit = $value;
    if ($register == $value) { $block }
    if (a$bit == $value) { $block }
    $who = pthread_self();
    pthread_kill($who, $signal);
    raise($signal);
    kill(getpid(), $signal);
    pthread_cancel($who);
    pthread_sigmask($how, &set, NULL);
    { int got = 0; pthread_sigmask(SIG_BLOCK, &set, NULL); raise(SIGUSR1); sigwait(&set, &got);
            $register += got == SIGUSR1; }
    pthread_setcanceltype($type, NULL);
    pthread_setcancelstate($state, NULL);
    pthread_testcancel();
    pthread_cleanup_push(clean, NULL); $block pthread_cleanup_pop($bit);
    pthread_mutex_lock(&m); p0++; $register += p0; pthread_mutex_unlock(&m);
    sem_post(&e0);
    $register += sem_trywait(&e0) == 0;
    $register += sem_wait(&e0) != 0;
    { struct timespec x = {0, 1}; $register += nanosleep(&x, NULL) != 0; }
who
    first
    second
signal
    2x SIGUSR1
    SIGUSR2
how
    SIG_BLOCK
    SIG_UNBLOCK
    SIG_SETMASK
type
    PTHREAD_CANCEL_ASYNCHRONOUS
    PTHREAD_CANCEL_DEFERRED
state
    PTHREAD_CANCEL_DISABLE
    PTHREAD_CANCEL_ENABLE
value
    0
    2x 1
    2
bit
    0
    1
""",
    budget=6,
    threads=(1, 2, 2, 3),
    last="(unsigned)a0 + 3 * (unsigned)a1 + 5 * (unsigned)p0")

PROCESSES = Family(
    head="""
static struct both { atomic_int a, b; int p; } *both;
static atomic_int a0, a1;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ways[2];
static int p0;

static void child(int n)
{
    both->a += n;
    a0 += n;
}
""",
    setup="""
    both = mmap(NULL, sizeof *both, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (pipe2(ways, O_NONBLOCK))
        return 0;
""",
    locals="pid_t made = 0; (void)made;",
    grammar="""
statement
    3x if (!made && (made = fork()) == 0) { child($value); $child both->a++; _exit($value); }
    2x if (made > 0) { int how; if (waitpid(made, &how, 0) == made) {
            $register += WEXITSTATUS(how); made = 0; } }
    if (made > 0) { int how = 0; if (waitpid(made, &how, WNOHANG) == made) {
            $register += WEXITSTATUS(how); made = 0; } }
    3x both->$field++;
    2x $register += both->$field;
    a$bit++;
    $register += a$bit;
    if (both->$field == $value) { $block }
    if ($register == $value) { $block }
    { char c = '0' + $value; $register += (int)write(ways[1], &c, 1); }
    { char c = '0'; $register += (int)read(ways[0], &c, 1) + c - '0'; }
    pthread_mutex_lock(&m); p0++; $register += p0; pthread_mutex_unlock(&m);
child
    both->$field++;
    a1++; both->b += a1;
    { char c = '1'; write(ways[1], &c, 1); }
    if (both->b == $value) both->a++;
field
    a
    b
value
    0
    2x 1
    2
bit
    0
    1
""",
    budget=5,
    threads=(1, 2),
    last="(unsigned)both->a + 3 * (unsigned)both->b + 5 * (unsigned)a0 + 7 * (unsigned)p0")

FAMILIES = {"values": VALUES, "locals": LOCALS, "heap": HEAP, "threads": THREADS, "plain": PLAIN,
            "signals": SIGNALS, "processes": PROCESSES, "objects": OBJECTS, "files": FILES,
            "queues": QUEUES, "hidden": HIDDEN}
