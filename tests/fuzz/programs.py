"""Random small concurrent programs, as data and as C.

A program is a list of threads, thread 0 being main; a thread is a list of
statements (tuples, see STATEMENTS).  Atomic variables a0 a1 .., plain ones
p0 p1 .., mutexes m0 m1 .., one condition variable per mutex (c0 ..), semaphores
s0 .., atomic pointers q0 .. to atomic cells that threads make, registers r0 r1 ..
of each thread, which begin with 0, and x0, a pointer to a cell or NULL.  An operand
is a number or a register.  Threads with the same statements are one function.
"""

import random

# name: how it is written in C; {0} {1} .. are the operands
STATEMENTS = {
    "load": "{0} = atomic_load(&{1});",
    "store": "atomic_store(&{0}, {1});",
    "add": "{0} = atomic_fetch_add(&{1}, {2});",
    "exchange": "{0} = atomic_exchange(&{1}, {2});",
    "cas": "{0} = compare_exchange(&{1}, {2}, {3});",
    "read": "{0} = {1};",
    "write": "{0} = {1};",
    "lock": "pthread_mutex_lock(&{0});",
    "trylock": "{0} = !pthread_mutex_trylock(&{1});",
    "unlock": "pthread_mutex_unlock(&{0});",
    "wait": "pthread_cond_wait(&{0}, &{1});",
    "signal": "pthread_cond_signal(&{0});",
    "broadcast": "pthread_cond_broadcast(&{0});",
    "post": "sem_post(&{0});",
    "down": "sem_wait(&{0});",
    "trydown": "{0} = !sem_trywait(&{1});",
    "publish": "atomic_store(&{0}, cell({1}));",
    "follow": "{0} = atomic_load(&{1});",
    "load_cell": "if ({1}) {0} = atomic_load({1});",
    "store_cell": "if ({0}) atomic_store({0}, {1});",
    "add_cell": "if ({1}) {0} = atomic_fetch_add({1}, {2});",
    "noise": "cell(0);",
    "differ": "assert({0} != {1});",
    "spawn": "pthread_create(&t{0}, NULL, thread{1}, s);",
    "join": "pthread_join(t{0}, NULL);",
}

HEAD = """\
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

static inline int compare_exchange(atomic_int *x, int expected, int value)
{
    return atomic_compare_exchange_strong(x, &expected, value);
}

static _Thread_local struct cell {
    atomic_int value;
    struct cell *next;
} *cells;

static inline atomic_int *cell(int value)
{
    struct cell *made = malloc(sizeof *made);
    atomic_init(&made->value, value);
    made->next = cells;
    cells = made;
    return &made->value;
}

"""

# Which of several threads of one function has ended with which registers is not looked at,
# but how all of them have: each adds a number that stands for its own.
TWIN = """\
static atomic_uint ends;

static inline unsigned mix(unsigned x)
{
    x = (x ^ x >> 15) * 0x2c1b3c6dU;
    return (x ^ x >> 12) * 0x297a2d39U;
}

"""


def mix(x):
    x = (x ^ x >> 15) * 0x2c1b3c6d % 2**32
    return (x ^ x >> 12) * 0x297a2d39 % 2**32

# Where the plain variables are: which of these does not matter to the verdict.
PLACES = ("global", "heap", "stack", "pointer")


class Program:
    def __init__(self, threads, maker, place):
        self.threads, self.place, self.registers = threads, place, maker.registers
        self.atomics, self.plains, self.mutexes = maker.atomics, maker.plains, maker.mutexes
        self.semaphores, self.pointers = maker.semaphores, maker.pointers
        self.function = [next(k for k in range(n + 1) if k == n or k and threads[k] is body)
                         for n, body in enumerate(threads)]
        self.twins = [n for n, k in enumerate(self.function) if self.function.count(k) > 1]

    def c(self, never=None):
        """As C.  With an outcome (see oracle.py), main asserts that it does not end so."""
        out = [HEAD]
        for k in range(self.atomics):
            out.append(f"static atomic_int a{k};\n")
        for k in range(self.mutexes):
            out.append(f"static pthread_mutex_t m{k} = PTHREAD_MUTEX_INITIALIZER;\n")
            out.append(f"static pthread_cond_t c{k} = PTHREAD_COND_INITIALIZER;\n")
        out += [f"static sem_t s{k};\n" for k in range(self.semaphores)]
        out += [f"static _Atomic(atomic_int *) q{k};\n" for k in range(self.pointers)]
        if self.place == "global":
            out += [f"static int p{k};\n" for k in range(self.plains)]
        else:
            out.append("struct plain {\n    int p[%d];\n};\n" % max(self.plains, 1))
            out += [f"#define p{k} (s->p[{k}])\n" for k in range(self.plains)]
        if self.place == "pointer":
            out.append("static struct plain *s;\n")
        if never:
            out.append(f"static int last[{len(self.threads)}][{self.registers}];\n{TWIN}")
        out += [f"static void *thread{n}(void *arg);\n" for n in range(1, len(self.threads))
                if self.function[n] == n]
        for n, body in reversed(list(enumerate(self.threads))[1:]):
            if self.function[n] != n:
                continue
            out.append(f"\nstatic void *thread{n}(void *arg)\n{{\n")
            if self.place != "pointer":
                kind = "struct plain" if self.place in ("heap", "stack") else "void"
                out.append(f"    {kind} *s = arg;\n    (void)s;\n")
            out += self.body(body)
            if never and n in self.twins:
                digits = " | ".join(f"((unsigned)r{k} & 15) << {4 * k}"
                                    for k in range(self.registers))
                out.append(f"    atomic_fetch_add(&ends, mix({digits} | {n} << 20));\n")
            elif never:
                out += [f"    last[{n}][{k}] = r{k};\n" for k in range(self.registers)]
            out += ["    (void)arg;\n    return NULL;\n}\n"]
        out.append("\nint main(void)\n{\n")
        out += [f"    sem_init(&s{k}, 0, 0);\n" for k in range(self.semaphores)]
        out.append({
            "global": "    void *s = NULL;\n",
            "heap": "    struct plain *s = calloc(1, sizeof *s);\n",
            "stack": "    struct plain on_stack = {{0}}, *s = &on_stack;\n",
            "pointer": "    s = calloc(1, sizeof *s);\n",
        }[self.place])
        out += self.body(self.threads[0])
        if never:
            same = [f"{name} == {value}" for name, value in self.ends(never)]
            out.append("    assert(!(" + " &&\n             ".join(same) + "));\n")
        if self.place in ("heap", "pointer"):
            out.append("    free(s);\n")
        return "".join(out + ["    return 0;\n}\n"])

    def ends(self, outcome):
        """What the outcome says: (expression, value)"""
        told, ends = [], 0
        for n in range(1, len(self.threads)):
            of, outcome = outcome[:self.registers], outcome[self.registers:]
            if n in self.twins:
                digits = sum((r & 15) << 4 * k for k, r in enumerate(of))
                ends += mix(digits | self.function[n] << 20)
            else:
                told += [(f"last[{n}][{k}]", r) for k, r in enumerate(of)]
        if self.twins:
            told.append(("ends", f"{ends % 2**32}u"))
        return told + list(zip([f"a{k}" for k in range(self.atomics)], outcome))

    def body(self, statements):
        names = [f"r{k}" for k in range(self.registers)]
        out = [f"    int {', '.join(r + ' = 0' for r in names)};\n"]
        if self.pointers:
            out.append("    atomic_int *x0 = NULL;\n")
            names.append("x0")
        out += [f"    (void){r};\n" for r in names]
        out += [f"    pthread_t t{s[1]};\n" for s in statements if s[0] == "spawn"]
        return out + block([self.placed(s) for s in statements], 1)

    def placed(self, statement):
        """spawn with its function, too"""
        if statement[0] != "spawn":
            return statement
        return (*statement, self.function[statement[1]])


def block(statements, depth):
    out, indent = [], "    " * depth
    for name, *operands in statements:
        if name in ("if", "while"):
            register, value, inner = operands
            out += [f"{indent}{name} ({register} == {value}) {{\n"]
            out += block(inner, depth + 1) + [f"{indent}}}\n"]
        else:
            out.append(indent + STATEMENTS[name].format(*operands) + "\n")
    return out


class Maker:
    """Makes one program from a random number generator.  A lively one goes wrong in no
    way, but ends in many: all that its threads do they do to atomic variables, and
    none waits for what may not come.  In a crowd many threads, which threads make, do a
    little, most of it to cells."""

    def __init__(self, rng, lively, crowd):
        self.rng, self.lively, self.crowd = rng, lively, crowd
        self.atomics = rng.choice([1, 2, 2] if lively else [1, 1, 2])
        self.plains = 0 if lively else rng.choice([0, 1, 1, 2])
        self.mutexes = rng.choice([0, 0, 1, 1, 2, 2])
        self.semaphores = rng.choice([0, 0, 0, 1])
        self.pointers = rng.choice([0, 1] if lively else [0, 0, 1])
        self.registers = 4 if lively else 2
        if crowd:
            self.atomics, self.mutexes, self.semaphores, self.pointers = 1, 0, 0, 1

    def register(self):
        return f"r{self.rng.randrange(self.registers)}"

    def operand(self):
        return self.register() if self.rng.random() < 0.3 else self.rng.randrange(3)

    def atomic(self):
        return f"a{self.rng.randrange(self.atomics)}"

    def plain(self):
        return f"p{self.rng.randrange(self.plains)}"

    def statements(self, budget, held=()):
        out = []
        while budget > 0:
            kinds = ["load"] * 3 + ["store"] * 3 + ["add", "exchange", "cas", "if"]
            kinds += [] if self.lively else ["differ"]
            if self.crowd:
                kinds = ["load", "store", "publish", "publish", "noise", "load_cell", "load_cell",
                         "store_cell", "add_cell"]
            if self.plains:
                kinds += ["read"] * (4 if held else 2) + ["write"] * (4 if held else 2)
            free = [m for m in range(self.mutexes) if m not in held]
            if self.lively:
                free = [m for m in free if not held or m > max(held)]
            kinds += ["lock"] * ((9 if held else 3) * len(free)) + ["trylock"] * len(free)
            if held:
                kinds += ["wait"] * bool(self.plains)
            if self.mutexes:
                kinds += ["signal"]
            if self.semaphores:
                kinds += ["post", "post", "trydown"] + ["down"] * (not self.lively)
            if self.pointers:
                kinds += ["publish", "publish", "noise", "follow", "load_cell", "store_cell",
                          "add_cell"]
            kind = self.rng.choice(kinds)
            budget -= 1
            if kind in ("lock", "trylock"):
                m = self.rng.choice(free)
                inner_budget = self.rng.randint(1, max(1, budget))
                inner = self.statements(inner_budget, (*held, m))
                budget -= inner_budget
                if kind == "lock":
                    out += [("lock", f"m{m}"), *inner, ("unlock", f"m{m}")]
                else:
                    got = "r1"  # the inner statements may change it: it is tested first
                    out += [("trylock", got, f"m{m}"),
                            ("if", got, 1, [*inner, ("unlock", f"m{m}")])]
            elif kind == "if":
                inner_budget = self.rng.randint(1, max(1, budget))
                inner = self.statements(inner_budget, held)
                budget -= inner_budget
                out.append(("if", self.register(), self.rng.randrange(3), inner))
            else:
                out += self.simple(kind, held)
        return out

    def simple(self, kind, held):
        if kind == "load":
            return [(kind, self.register(), self.atomic())]
        if kind == "store":
            return [(kind, self.atomic(), self.operand())]
        if kind == "add":
            return [(kind, self.register(), self.atomic(), self.rng.randint(1, 2))]
        if kind == "exchange":
            return [(kind, self.register(), self.atomic(), self.operand())]
        if kind == "cas":
            return [(kind, self.register(), self.atomic(), self.rng.randrange(2),
                     self.rng.randint(1, 2))]
        if kind == "read":
            return [(kind, self.register(), self.plain())]
        if kind == "write":
            return [(kind, self.plain(), self.operand())]
        if kind == "differ":
            if self.rng.random() < 0.6:
                return []
            return [(kind, self.register(), self.rng.randint(2, 4))]
        if kind == "wait":
            m, r, p = self.rng.choice(held), self.register(), self.plain()
            again = self.rng.choice(["if", "while"])
            return [("read", r, p),
                    (again, r, 0, [("wait", f"c{m}", f"m{m}"), ("read", r, p)])]
        if kind == "signal":
            m = self.rng.randrange(self.mutexes)
            return [(self.rng.choice(["signal", "broadcast"]), f"c{m}")]
        return self.of_semaphore(kind) or self.of_cell(kind)

    def of_semaphore(self, kind):
        if kind in ("post", "down"):
            return [(kind, "s0")]
        return [(kind, self.register(), "s0")] if kind == "trydown" else []

    def of_cell(self, kind):
        if kind == "noise":
            return [(kind,)]
        if kind == "publish":
            return [(kind, "q0", self.rng.randrange(3))]
        follow = [("follow", "x0", "q0")] if self.rng.random() < 0.7 else []
        if kind == "load_cell":
            return [*follow, (kind, self.register(), "x0")]
        if kind == "store_cell":
            return [*follow, (kind, "x0", self.operand())]
        if kind == "add_cell":
            return [*follow, (kind, self.register(), "x0", 1)]
        return follow

    def main(self, children):
        out = []
        for n in children:
            out.append(("spawn", n))
            if self.rng.random() < 0.25:
                out += self.statements(self.rng.randint(1, 2))
        for n in children:
            out.append(("join", n))
        names = [f"a{k}" for k in range(self.atomics)] + [f"p{k}" for k in range(self.plains)]
        for name in self.rng.sample(names, 0 if self.lively else self.rng.randint(1, len(names))):
            out.append(("load" if name[0] == "a" else "read", "r0", name))
            out.append(("differ", "r0", self.rng.choice([-1, 1, 2, 3, 4])))
        return out

    def thread(self, budget, children):
        out = self.statements(budget if self.lively else self.rng.randint(1, budget))
        for n in children:
            out.insert(self.rng.randint(0, len(out)), ("spawn", n))
        return out + [("join", n) for n in children]


def make(rng):
    lively = rng.random() < 0.5
    maker = Maker(rng, lively, crowd=lively and rng.random() < 0.5)
    threads = rng.choice([4, 4, 5] if maker.crowd else [2, 3, 3, 4])
    budget = {2: 9, 3: 6, 4: 3, 5: 2}
    nested = 0.5 if maker.crowd else 0.3
    parent = [None] + [rng.randrange(n) if rng.random() < nested else 0
                       for n in range(1, threads)]
    children = [[n for n in range(threads) if parent[n] == k] for k in range(threads)]
    bodies = [maker.thread(rng.choice([1, 2, 2, 3]) if maker.crowd else budget[threads],
                           children[n]) for n in range(1, threads)]
    alike = rng.choice([0, 0, 0.5, 1])
    for n in range(2, threads):
        like = rng.randrange(1, n)
        if not children[n] and not children[like] and rng.random() < alike:
            bodies[n - 1] = bodies[like - 1]
    return Program([maker.main(children[0]), *bodies], maker, rng.choice(PLACES))


if __name__ == "__main__":
    import sys

    print(make(random.Random(sys.argv[1])).c(), end="")
