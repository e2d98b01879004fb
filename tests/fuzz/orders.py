"""Compares the data races that divm finds where memory orders are weaker than seq_cst with those of
an oracle, which shares nothing with it.

Two or three threads load, store and modify atomic variables with random orders, with fences in
between, and read and write plain variables, some of them only if a load gave a certain value;
some access a plain variable atomically, by builtins; some publish a new object by a pointer, at once or after they have done other things and
have written to it more, plainly or atomically; some use an object that the last one frees, or a local
variable of main, which returns if its users are gone by then; some lock a mutex, or access a variable where they try to lock it
in vain.  The oracle makes all interleavings, each step one after
the other, with vector clocks for what happens before what (C++20 [intro.races]), and says whether
two accesses race in one of them.

In some programs the atomic variables are structures, which nobody adds to.

The oracle's loads return the last store.  If only an attempt in vain keeps an older one from being read, there are races under C11's model
that it does not know, so such programs are compared under sequential consistency.

usage: orders.py [-j N] [COUNT [SEED]]
"""

import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE), str(HERE.parent / "memory" / "oracle")]
from fuzz import KEPT, arguments, check_all  # noqa: E402
from main_in_c import create, join, main_in_c  # noqa: E402
from shapes import INSTRUCTIONS, LARGE, NUMBER, PADDED, compare_exchange, declaration, load, store  # noqa: E402
from suite import verify  # noqa: E402

MEMORY, RACE = 12, 13
RUNS = [["--search=bfs"], ["--search=dpor"], ["--search=bfs", "--reduction=no-race-free"]]
LOADS = ["relaxed", "relaxed", "acquire", "acquire", "seq_cst"]
STORES = ["relaxed", "relaxed", "release", "release", "seq_cst"]
UPDATES = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"]
FENCES = ["acquire", "release", "acq_rel", "seq_cst"]
ACQUIRES = {"acquire", "acq_rel", "seq_cst"}
RELEASES = {"release", "acq_rel", "seq_cst"}
ATOMICS, PLAINS = 2, 2
MOST_STEPS = 10
STRUCTURES = .3  # of the programs
HEAD = """#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

{}
static atomic_value a[2];
static int p[2];
struct object {{ int data; atomic_int ready, users; }};
static struct object *_Atomic link;
static struct object *common;
static atomic_int users;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
"""


# ---- programs: for each thread its steps, (kind, variable, value, order, order of a failure) -----

def atomic_step(rng):
    kind = rng.choice(["load", "store", "store", "add", "cas"])
    order = rng.choice({"load": LOADS, "store": STORES}.get(kind, UPDATES))
    return kind, rng.randrange(ATOMICS), rng.randrange(1, 3), order, rng.choice(LOADS)


def plain_step(rng):
    return rng.choice(["read", "write"]), rng.randrange(PLAINS), 0, None, None


def guarded(rng):
    """A load, and a plain access only if it gave that value; the steps after it come in any case."""
    return [("if", rng.randrange(ATOMICS), rng.randrange(3), rng.choice(LOADS), None),
            *([("fence", 0, 0, rng.choice(FENCES), None)] if rng.random() < .2 else []),
            plain_step(rng), ("end", 0, 0, None, None)]


def message(rng):
    before = [("fence", 0, 0, rng.choice(FENCES), None)] if rng.random() < .3 else []
    return [plain_step(rng), *before, atomic_step(rng)]


def section(rng):
    return [("lock", 0, 0, None, None), plain_step(rng), ("unlock", 0, 0, None, None)]


def attempt(rng):
    """An access only if the mutex is locked; else it is locked and unlocked."""
    return [("try", 0, 0, None, None), plain_step(rng), ("else", 0, 0, None, None), ("end", 0, 0, None, None)]


def pointer(rng):
    if rng.random() < .5:
        return [("make", 0, 0, None, None), ("publish", 0, 0, rng.choice(STORES), None)]
    return [follow(rng)]


def follow(rng):
    kind = rng.choice(["follow", "follow", "trust", "look"])
    return kind, 0, 0, rng.choice(LOADS), None if kind == "follow" else rng.choice(LOADS)


def own_step(rng):
    """What a thread does to an object that nobody else can reach, or in the meantime."""
    return rng.choice([("fill", 0, 0, None, None), ("set", 0, 0, rng.choice(STORES), None),
                       ("fence", 0, 0, rng.choice(FENCES), None),
                       ("store", 0, 1, rng.choice(STORES), None)])


def published(rng):
    """Steps of two threads: one makes an object, and publishes it after it has done more."""
    maker = [("make", 0, 0, None, None), *[own_step(rng) for _ in range(rng.randint(1, 3))],
             ("publish", 0, 0, rng.choice(STORES), None)]
    if rng.random() < .3:
        maker.insert(0, ("fence", 0, 0, rng.choice(FENCES), None))
    reader = [follow(rng)]
    if rng.random() < .2:
        reader.append(("fence", 0, 0, rng.choice(FENCES), None))
    if rng.random() < .4:
        reader = [("if", 0, 1, rng.choice(LOADS), None), *reader, ("end", 0, 0, None, None)]
    return [maker, reader]


def used(rng, users):
    """Steps of several threads that use an object, each of which counts itself out; the last one frees
    it.  Or it is a local variable, and what comes last are the steps of main: if none is counted any
    more, it leaves the variable.  The count is in the object or not."""
    threads, inside, local = [], rng.randrange(2), rng.random() < .4
    for k in range(users + local):
        uses = [rng.choice([("observe", 0, 0, rng.choice(LOADS), None), ("mark", 0, 0, rng.choice(STORES), None),
                            ("inspect", 0, 0, None, None)]) for _ in range(rng.randint(0, 2))]
        fence = rng.choice(FENCES) if rng.random() < .3 else None
        if fence and rng.random() < .3:
            uses.append(("fence", 0, 0, rng.choice(FENCES), None))
        kind = "drop" if not local else "quit" if k < users else "leave"
        if kind == "quit" and fence:
            uses, fence = [*uses, ("fence", 0, 0, fence, None)], None
        threads.append([*uses, (kind, inside, users, rng.choice(LOADS if kind == "leave" else UPDATES), fence)])
    return threads


def mixed(rng, step):
    """The step, or one that accesses the plain variable atomically."""
    kind, variable, *_ = step
    if kind not in ("read", "write") or rng.random() < .5:
        return step
    if kind == "read":
        return "peek", variable, 0, rng.choice(LOADS), None
    return "poke", variable, 0, rng.choice(STORES), None


def handed(rng):
    """Steps of two threads: an access, and one by the other thread that comes later in any case."""
    variable = rng.randrange(PLAINS)
    access = [(rng.choice(["read", "write"]), variable, 0, None, None) for _ in range(2)]
    if rng.random() < .3:  # by the variable itself
        return [[("poke", variable, 0, rng.choice(STORES), None)],
                [("find", variable, 1, rng.choice(LOADS), None), access[1], ("end", 0, 0, None, None)]]
    return [[access[0], ("store", 0, 1, rng.choice(STORES), None)],
            [("if", 0, 1, rng.choice(LOADS), None), access[1], ("end", 0, 0, None, None)]]


def random_program(rng):
    makers = [guarded, guarded, message, message, lambda rng: [atomic_step(rng)],
              lambda rng: [plain_step(rng)], pointer]
    mixes, publishes, ends = rng.random() < .3, rng.random() < .3, rng.random() < .25
    if ends:
        mixes = publishes = False
    if rng.random() < .4:
        makers += [section, section, attempt]
    if rng.random() < .2:
        makers = [section, section, attempt, attempt, lambda rng: [plain_step(rng)]]
    while True:
        program = [[s for _ in range(rng.randint(1, 3)) for s in rng.choice(makers)(rng)]
                   for _ in range(rng.choice([2, 2, 3]))]
        if mixes:
            program[:2] = [a + b for a, b in zip(handed(rng), program)]
            program = [[mixed(rng, s) for s in thread] for thread in program]
        if publishes:
            program[:2] = [a + b for a, b in zip(published(rng), program)]
        if ends:
            users = rng.randint(2, len(program))
            threads = used(rng, users)
            program = [b + a for a, b in zip(threads[:users], program)] + program[users:] + threads[users:]
        steps = [s for thread in program for s in thread]
        weak = any(s[3] and s[3] != "seq_cst" and s[0] != "fence" for s in steps)
        weak |= any(s[0] == "try" for s in steps)
        if len([s for s in steps if s[0] not in ("end", "else")]) <= MOST_STEPS and weak:
            return program


def without_sums(program):
    """The program with a compare-exchange in the place of each addition"""
    return [[("cas", *s[1:]) if s[0] == "add" else s for s in steps] for steps in program]


def in_c(program, shape=NUMBER):
    """The program; the last steps are those of main if it leaves a variable."""
    order = "memory_order_{}".format
    count = "&{}users".format
    inside = ["", "common->"]
    texts = {
        "load": lambda v, x, o, f: f"r = {load(shape, f'&a[{v}]', order(o))};",
        "store": lambda v, x, o, f: store(shape, f"&a[{v}]", x, order(o)),
        "add": lambda v, x, o, f: f"r = atomic_fetch_add_explicit(&a[{v}], {x}, {order(o)});",
        "cas": lambda v, x, o, f: compare_exchange(shape, "r", f"&a[{v}]", 0, x, "strong", order(o), order(f)),
        "fence": lambda v, x, o, f: f"atomic_thread_fence({order(o)});",
        "if": lambda v, x, o, f: f"if ({load(shape, f'&a[{v}]', order(o))} == {x}) {{",
        "find": lambda v, x, o, f: f"if (__atomic_load_n(&p[{v}], __ATOMIC_{o.upper()}) == {x}) {{",
        "end": lambda v, x, o, f: "}",
        "read": lambda v, x, o, f: f"r = p[{v}];",
        "write": lambda v, x, o, f: f"p[{v}] = 1;",
        "peek": lambda v, x, o, f: f"r = __atomic_load_n(&p[{v}], __ATOMIC_{o.upper()});",
        "poke": lambda v, x, o, f: f"__atomic_store_n(&p[{v}], 1, __ATOMIC_{o.upper()});",
        "lock": lambda v, x, o, f: "pthread_mutex_lock(&m);",
        "unlock": lambda v, x, o, f: "pthread_mutex_unlock(&m);",
        "try": lambda v, x, o, f: "if (pthread_mutex_trylock(&m)) {",
        "else": lambda v, x, o, f: "} else { pthread_mutex_unlock(&m);",
        "make": lambda v, x, o, f: "n = malloc(sizeof *n); if (!n) abort(); n->data = 1; "
                                   "atomic_init(&n->ready, 0);",
        "fill": lambda v, x, o, f: "n->data = 1;",
        "set": lambda v, x, o, f: f"atomic_store_explicit(&n->ready, 1, {order(o)});",
        "publish": lambda v, x, o, f: f"atomic_store_explicit(&link, n, {order(o)});",
        "follow": lambda v, x, o, f: f"{{ struct object *l = atomic_load_explicit(&link, {order(o)}); "
                                     "if (l) r = l->data; }",
        "trust": lambda v, x, o, f: f"{{ struct object *l = atomic_load_explicit(&link, {order(o)}); if (l && "
                                    f"atomic_load_explicit(&l->ready, {order(f)}) == 1) r = l->data; }}",
        "look": lambda v, x, o, f: f"{{ struct object *l = atomic_load_explicit(&link, {order(o)}); "
                                   f"if (l) r = atomic_load_explicit(&l->ready, {order(f)}); }}",
        "observe": lambda v, x, o, f: f"r = atomic_load_explicit(&common->ready, {order(o)});",
        "mark": lambda v, x, o, f: f"atomic_store_explicit(&common->ready, 1, {order(o)});",
        "inspect": lambda v, x, o, f: "r = common->data;",
        "drop": lambda v, x, o, f: f"if (atomic_fetch_sub_explicit({count(inside[v])}, 1, {order(o)}) == 1) {{ "
                                   + (f"atomic_thread_fence({order(f)}); " if f else "") + "free(common); }",
        "quit": lambda v, x, o, f: f"atomic_fetch_sub_explicit({count(inside[v])}, 1, {order(o)});",
        "leave": lambda v, x, o, f: f"if (atomic_load_explicit({count(inside[v])}, {order(o)}) == 0) {{ "
                                    + (f"atomic_thread_fence({order(f)}); " if f else "") + "sink = r; return false; }",
    }

    def body(steps):
        return ["    volatile int sink;", "    int r = 0;", "    struct object *n = NULL;", "    (void)n;",
                *("    " + texts[kind](v, x, o, f) for kind, v, x, o, f in steps), "    sink = r;", "    (void)sink;"]

    leaves = program[-1][-1][0] == "leave"
    threads = program[:-1] if leaves else program
    lines = [HEAD.format(declaration(shape))]
    for k, steps in enumerate(threads):
        lines += [f"static void *thread{k}(void *arg)", "{", *body(steps), "    return arg;", "}"]
    users = [x for steps in program for kind, _, x, *_ in steps if kind in ("drop", "quit")][:1]
    before = [f"users = {n};" for n in users] + [
        "common = " + ("&local" if leaves else "malloc(sizeof *common); if (!common) abort()") + "; common->data = 1; "
        f"atomic_init(&common->ready, 0); atomic_init(&common->users, {n});" for n in users]
    if leaves:
        return "\n".join(lines + main_that_leaves(len(threads), before, body(program[-1])))
    return "\n".join(lines + main_in_c(len(threads), before))


def main_that_leaves(threads, before, steps):
    """A main that waits for the threads in the function that has the variable, or after it has left that"""
    return [f"static pthread_t t[{threads}];", "static bool start(void)", "{", "    struct object local;",
            *("    " + line for line in before), *create(threads), *steps, *join(threads), "    return true;", "}",
            "int main(void)", "{", "    if (start())", "        return 0;", *join(threads), "}", ""]


# ---- the oracle ----------------------------------------------------------------------------------

def both(x, y):
    return tuple(map(max, x, y))


class Execution:
    """What has happened: immutable, so that equal ones are looked at once."""

    def __init__(self, n):
        none = (0,) * n
        self.at = none  # steps that each thread has done
        self.clocks = (none,) * n  # what happened before each thread's next step
        self.pending = (none,) * n  # what an acquire fence would add
        self.fixed = (none,) * n  # what the last release fence fixed
        # of the atomics; which object the pointer leads to; of the plain variables; of the users that have gone
        self.values = (0,) * ATOMICS + (None,) + (0,) * PLAINS + (0,)
        # what who acquires that will know; the mutex, the plain variables and the users are last
        self.passed = (none,) * (ATOMICS + 3 + PLAINS)
        self.holder = None
        self.made = (None,) * n  # the object that each thread has made last
        self.ready = frozenset()  # (object, what who acquires that will know) of those that are
        self.accesses = frozenset()  # (place, thread, step, writes, atomically)
        self.races = False

    def key(self):
        return tuple(vars(self).values())

    def copy(self):
        other = object.__new__(Execution)
        vars(other).update(vars(self))
        return other


def changed(values, k, value):
    return values[:k] + (value,) + values[k + 1:]


def access(e, k, place, writes, atomically=False):
    for where, thread, step, wrote, so in e.accesses:
        if (where == place and thread != k and (writes or wrote) and not (atomically and so)
                and e.clocks[k][thread] < step):
            e.races = True
    e.accesses |= {(place, k, e.clocks[k][k], writes, atomically)}


def acquire(e, k, place, at_once):
    if at_once:
        e.clocks = changed(e.clocks, k, both(e.clocks[k], e.passed[place]))
    else:
        e.pending = changed(e.pending, k, both(e.pending[k], e.passed[place]))


def release(e, k, place, at_once, goes_on):
    knows = e.clocks[k] if at_once else e.fixed[k]
    e.passed = changed(e.passed, place, both(knows, e.passed[place]) if goes_on else knows)


def look(e, k, made, order):
    """Loads from an object whether it is ready."""
    access(e, k, (made, "ready"), False, True)
    known = dict(e.ready).get(made)
    if known:
        clocks = "clocks" if order in ACQUIRES else "pending"
        mine = getattr(e, clocks)
        setattr(e, clocks, changed(mine, k, both(mine[k], known)))
    return bool(known)


def mark(e, k, made, order):
    """Stores in an object that it is ready."""
    access(e, k, (made, "ready"), True, True)
    knows = e.clocks[k] if order in RELEASES else e.fixed[k]
    e.ready = frozenset({x for x in e.ready if x[0] != made} | {(made, knows)})


def put_fence(e, k, order):
    if order in ACQUIRES:
        e.clocks = changed(e.clocks, k, both(e.clocks[k], e.pending[k]))
    if order in RELEASES:
        e.fixed = changed(e.fixed, k, e.clocks[k])


def ask_users(e, k, kind, inside, users, order, fence):
    """Counts a user out, or asks how many there are; if there are none, the object ends, after a fence or at once."""
    if inside:
        access(e, k, ("common", "users"), kind != "leave", True)
    acquire(e, k, -1, order in ACQUIRES)
    if kind != "leave":
        release(e, k, len(e.passed) - 1, order in RELEASES, True)
        e.values = e.values[:-1] + (e.values[-1] + 1,)
    if kind == "quit" or e.values[-1] < users:
        return
    put_fence(e, k, fence)
    for member in ("data", "ready", "users"):
        access(e, k, ("common", member), True)


def block_end(steps, at, kind="end"):
    while steps[at][0] != kind:
        at += 1
    return at


def after(program, before, k):
    """The execution with one more step of thread k, or None if it waits."""
    e = before.copy()
    at = e.at[k]
    kind, v, x, order, failure = program[k][at]
    if kind == "lock" and e.holder is not None:
        return None
    e.clocks = changed(e.clocks, k, changed(e.clocks[k], k, at + 1))
    nxt = at + 1
    if kind == "fence":
        put_fence(e, k, order)
    elif kind in ("load", "if"):
        acquire(e, k, v, order in ACQUIRES)
        if kind == "if" and e.values[v] != x:
            nxt = block_end(program[k], at) + 1
    elif kind == "store":
        release(e, k, v, order in RELEASES, False)
        e.values = changed(e.values, v, x)
    elif kind == "add" or (kind == "cas" and e.values[v] == 0):
        acquire(e, k, v, order in ACQUIRES)
        release(e, k, v, order in RELEASES, True)
        e.values = changed(e.values, v, e.values[v] + x if kind == "add" else x)
    elif kind == "cas":
        acquire(e, k, v, failure in ACQUIRES)
    elif kind in ("read", "write"):
        access(e, k, v, kind == "write")
        if kind == "write":
            e.values = changed(e.values, ATOMICS + 1 + v, 1)
    elif kind in ("peek", "find"):
        access(e, k, v, False, True)
        acquire(e, k, ATOMICS + 2 + v, order in ACQUIRES)
        if kind == "find" and e.values[ATOMICS + 1 + v] != x:
            nxt = block_end(program[k], at) + 1
    elif kind == "poke":
        access(e, k, v, True, True)
        release(e, k, ATOMICS + 2 + v, order in RELEASES, False)
        e.values = changed(e.values, ATOMICS + 1 + v, 1)
    elif kind == "make":
        e.made = changed(e.made, k, (k, at))
        access(e, k, (e.made[k], "data"), True)
        access(e, k, (e.made[k], "ready"), True)
    elif kind == "fill":
        access(e, k, (e.made[k], "data"), True)
    elif kind == "set":
        mark(e, k, e.made[k], order)
    elif kind == "publish":
        release(e, k, ATOMICS, order in RELEASES, False)
        e.values = changed(e.values, ATOMICS, e.made[k])
    elif kind in ("follow", "trust", "look"):
        acquire(e, k, ATOMICS, order in ACQUIRES)
        made = e.values[ATOMICS]
        if made and (kind == "follow" or (look(e, k, made, failure) and kind == "trust")):
            access(e, k, (made, "data"), False)
    elif kind == "observe":
        look(e, k, "common", order)
    elif kind == "mark":
        mark(e, k, "common", order)
    elif kind == "inspect":
        access(e, k, ("common", "data"), False)
    elif kind in ("drop", "quit", "leave"):
        ask_users(e, k, kind, v, x, order, failure)
    elif kind == "lock":
        e.holder = k
        acquire(e, k, ATOMICS + 1, True)
    elif kind == "try" and e.holder is None:
        e.holder = k
        acquire(e, k, ATOMICS + 1, True)
        nxt = block_end(program[k], at, "else")
    elif kind == "unlock" or (kind == "else" and e.holder == k):
        e.holder = None
        release(e, k, ATOMICS + 1, True, False)
    while nxt < len(program[k]) and program[k][nxt][0] == "end":
        nxt += 1
    e.at = changed(e.at, k, nxt)
    return e


def can_race(program):
    first = Execution(len(program))
    seen, left = {first.key()}, [first]
    while left:
        e = left.pop()
        for k, steps in enumerate(program):
            if e.at[k] == len(steps):
                continue
            more = after(program, e, k)
            if not more:
                continue
            if more.races:
                return True
            if more.key() not in seen:
                seen.add(more.key())
                left.append(more)
    return False


# ---- the comparison ------------------------------------------------------------------------------

def check(seed, number):
    """({whether it races}, None or what is wrong); the program is kept if something is"""
    rng = random.Random(f"orders/{seed}/{number}")
    program = random_program(rng)
    shape = rng.choice([*INSTRUCTIONS, PADDED, LARGE]) if rng.random() < STRUCTURES else NUMBER
    if shape.members:
        program = without_sums(program)
    races = can_race(program)
    KEPT.mkdir(parents=True, exist_ok=True)
    source = KEPT / f"orders-{seed}-{number}.c"
    source.write_text(in_c(program, shape))
    ends = any(s[0] in ("drop", "leave") for steps in program for s in steps)
    kind = {("a race" if races else "no race") + (f", {shape.name}" if shape.members else "")
            + (", an end" if ends else "") + (" of a local" if program[-1][-1][0] == "leave" else "")}
    wrong = {RACE, MEMORY} if ends else {RACE}
    tries = any(s[0] == "try" for steps in program for s in steps)
    for given in RUNS:
        run = verify("-j", "1", "--no-trace-file", "--leaks=no", *given,
                     *(["--memory=sc"] if tries else []), source)
        if run.status not in (wrong if races else {0}):
            return kind, f"{run.told()}, but it has {'a' if races else 'no'} race\n{run.show()}"
    source.unlink()
    return kind, None


def tests(count, seed):
    """For run.py: (name, function returning None or what is wrong)."""
    for number in range(count):
        yield f"fuzz orders {seed}/{number}", lambda n=number: check(seed, n)[1]


def main():
    given = arguments("compares races by memory orders with an oracle's")
    jobs = [(given.seed, number) for number in range(given.count)]
    return check_all(check, jobs, given.j, lambda job: f"{job[0]}/{job[1]}", lambda _, kinds: kinds)


if __name__ == "__main__":
    sys.exit(main())
