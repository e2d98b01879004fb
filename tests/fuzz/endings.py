"""Compares verdicts on random programs, whose threads wait in loops, with an oracle that shares nothing with divm.

Each thread stores, adds, tries locks and goes round in loops until a variable has some value; main
waits for some of them, or returns.  The oracle lists all states of all interleavings, step by step, with all edges
between them, and goes back from the ends: a state that is not met then is one from which no end can be
reached.  divm must say so if there is one (or that threads are stuck, if none runs on), and "no error" if there is
none, by each search and with reductions and caches on and off.

usage: endings.py [-j N] [COUNT [SEED]]
"""

import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
from fuzz import KEPT, arguments, check_all  # noqa: E402
from suite import verify  # noqa: E402

VARIABLES, VALUES = 2, 3
MOST = 20000  # states
WAYS = [[], ["-j", "1", "--search=bfs"], ["-j", "2", "--search=bfs"], ["-j", "1", "--search=dfs"],
        ["-j", "1", "--store=exact"], ["--reduction=none", "--cache=none"], ["-j", "1", "--cache=none"],
        ["--reduction=no-eager"], ["--reduction=no-joins"], ["--reduction=no-coalesce"],
        ["--reduction=no-thread-symmetry"], ["--reduction=no-conditional"], ["--continue"]]
TRIED = 4  # of each program, beside the first
OK, DEADLOCK, ENDLESS = 0, 11, 14
HEAD = """#include <pthread.h>
#include <stdatomic.h>

static atomic_int v[2];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
"""

# A thread is a list of steps, each of which is an action; (kind, ...) with places to go on as indices:
#   ("set", v, a)          v = a
#   ("take", v, a, b)      v = b if v is a
#   ("until", v, a, b, to) goes to `to` unless a <= v <= b
#   ("lock",) ("unlock",) ("try", to)  goes to `to` if it is taken


def random_thread(rng):
    steps = []

    def plain():
        kind = rng.choice(["set", "set", "take", "until"])
        v, a = rng.randrange(VARIABLES), rng.randrange(VALUES)
        if kind == "until":
            b = rng.randrange(a, VALUES)
            steps.append(("until", v, a, b, len(steps)))
        elif kind == "take":
            steps.append(("take", v, a, rng.randrange(VALUES)))
        else:
            steps.append(("set", v, a))

    for _ in range(rng.randint(1, 3)):
        shape = rng.randrange(5)
        first = len(steps)
        if shape == 0:
            steps.append(rng.choice([("lock",), ("try", first)]))
            plain()
            if rng.random() < 0.9:
                steps.append(("unlock",))
        elif shape == 1:  # a loop around others
            plain()
            v, a = rng.randrange(VARIABLES), rng.randrange(VALUES)
            steps.append(("until", v, a, rng.randrange(a, VALUES), first))
        else:
            plain()
    return steps


def random_program(rng):
    """The threads, main's own steps, and how many of them main joins (the first ones)."""
    threads = [random_thread(rng) for _ in range(rng.randint(1, 2))]
    if rng.random() < 0.3:
        threads.append(threads[0])
    joined = rng.choice([len(threads), len(threads), len(threads), 0])
    return threads, random_thread(rng) if rng.random() < 0.7 else [], joined


def in_c(program):
    threads, own, joined = program

    def body(steps):
        lines = []
        for k, step in enumerate(steps):
            kind = step[0]
            if kind == "set":
                text = f"atomic_store(&v[{step[1]}], {step[2]});"
            elif kind == "take":
                text = (f"{{ int e = {step[2]}; atomic_compare_exchange_strong(&v[{step[1]}], &e, {step[3]}); }}")
            elif kind == "until":
                text = (f"{{ int x = atomic_load(&v[{step[1]}]); "
                        f"if (!({step[2]} <= x && x <= {step[3]})) goto l{step[4]}; }}")
            elif kind == "try":
                text = f"if (pthread_mutex_trylock(&m) != 0) goto l{step[1]};"
            else:
                text = f"pthread_mutex_{kind}(&m);"
            lines.append(f"l{k}: __attribute__((unused)); {text}")
        return lines

    lines, names = [HEAD], {}
    for steps in threads:
        key = tuple(steps)
        if key not in names:
            names[key] = f"thread{len(names)}"
            lines += [f"static void *{names[key]}(void *arg)", "{", *body(steps), "return arg;", "}"]
    lines += ["int main(void)", "{", f"pthread_t t[{len(threads)}];"]
    lines += [f"pthread_create(&t[{k}], NULL, {names[tuple(s)]}, NULL);" for k, s in enumerate(threads)]
    lines += body(own)
    lines += [f"pthread_join(t[{k}], NULL);" for k in range(joined)]
    return "\n".join([*lines, "return 0;", "}", ""])


def successor(state, k, steps):
    """What step k of that thread makes of the state; None if it has to wait; "misuse": it gives back
    a lock that it has not."""
    places, values, owner = state
    place = places[k]
    step = steps[place]
    kind, to = step[0], place + 1
    if kind == "set":
        values = tuple(step[2] if i == step[1] else x for i, x in enumerate(values))
    elif kind == "take" and values[step[1]] == step[2]:
        values = tuple(step[3] if i == step[1] else x for i, x in enumerate(values))
    elif kind == "until" and not step[2] <= values[step[1]] <= step[3]:
        to = step[4]
    elif kind == "lock":
        if owner is not None:
            return None
        owner = k
    elif kind == "try":
        if owner is None:
            owner = k
        else:
            to = step[1]
    elif kind == "unlock":
        if owner != k:
            return "misuse"
        owner = None
    return tuple(to if i == k else p for i, p in enumerate(places)), values, owner


def successors(program, state):
    """Of a state in which main, who is the last one, has not ended: (states, ends)."""
    threads, own, joined = program
    places = state[0]
    main, found = len(threads), []
    for k, steps in enumerate([*threads, own]):
        if places[k] < len(steps):
            found.append(successor(state, k, steps))
        elif k == main and all(places[i] == len(threads[i]) for i in range(joined)):
            return [s for s in found if s is not None], True
    return [s for s in found if s is not None], False


def judge(program):
    """OK, or the errors that there are, as a set; None if the program is of no use."""
    threads, own, _ = program
    first = ((0,) * (len(threads) + 1), (0,) * VARIABLES, None)
    before, left, ends, stuck = {first: []}, [first], [], False
    while left:
        state = left.pop()
        after, over = successors(program, state)
        if "misuse" in after or len(before) > MOST:
            return None
        if over:
            ends.append(state)
        elif not after:
            stuck = True
        for s in after:
            if s not in before:
                before[s] = []
                left.append(s)
            before[s].append(state)
    good = set(ends)
    while ends:
        for s in before[ends.pop()]:
            if s not in good:
                good.add(s)
                ends.append(s)
    if len(good) == len(before):
        return {OK}
    # A thread may be stuck with another one running: divm may say either, whichever it comes to first.
    locks = any(step[0] == "lock" for steps in [*threads, own] for step in steps)
    return {ENDLESS, DEADLOCK} if stuck or locks else {ENDLESS}


def check(seed, number):
    """({None}, what is wrong or None); the program is kept if something is"""
    rng = random.Random(f"endings/{seed}/{number}")
    program = random_program(rng)
    while not (expected := judge(program)):
        program = random_program(rng)
    KEPT.mkdir(parents=True, exist_ok=True)
    source = KEPT / f"endings-{seed}-{number}.c"
    source.write_text(in_c(program))
    for way in [WAYS[0], *rng.sample(WAYS[1:], TRIED)]:
        run = verify("--no-trace-file", *way, source)
        if run.status not in expected:
            return set(), f"{run.told()}, expected {expected}, with {' '.join(way)}\n{run.show()}"
    source.unlink()
    return expected, None


def tests(count, seed):
    """For run.py: (name, function returning None or what is wrong)."""
    for number in range(count):
        yield f"fuzz endings {seed}/{number}", lambda n=number: check(seed, n)[1]


def main():
    given = arguments("compares endless runs with an oracle's")
    jobs = [(given.seed, number) for number in range(given.count)]
    return check_all(check, jobs, given.j, lambda job: f"{job[0]}/{job[1]}",
                     lambda *_: ["endless or stuck" if 0 not in _[-1] else "ends"])


if __name__ == "__main__":
    sys.exit(main())
