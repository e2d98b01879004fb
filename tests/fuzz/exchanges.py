"""Counts the executions of random programs whose threads exchange values, take a lock and wait for a semaphore, and
compares them with an oracle that shares nothing with divm.

Two executions are the same if they differ only in the order of steps that commute.  A
compare-exchange that fails is a read, and so is an exchange for the value that is there:
reads commute with one another; so do a trylock and a trywait that fail.  So an execution is what was written to each variable, in this
order, and between which of these writes each of the others came.  The oracle makes all of them,
step by step, and whatever each can end in; divm must look at as many, and find each of these ends.

usage: exchanges.py [-j N] [COUNT [SEED]]
"""

import json
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
from fuzz import KEPT, arguments, check_all  # noqa: E402
from main_in_c import main_in_c  # noqa: E402
from suite import verify  # noqa: E402

VARIABLES = 2
LOCK, SEMAPHORE = VARIABLES, VARIABLES + 1  # two more: is it held, and its value
FIRST = (0, 0, 0, 1)
MOST = 3000  # executions of a program
ENDS = 2  # of each program, that are looked for
HEAD = """#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int v[2];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t s;
static int last[4];
"""
# What is known of each kind of step: its text, and what it writes, if anything: (new, result).
# A store is a write whatever it writes.
STEPS = {
    "load": ("r = atomic_load({v});", lambda old, a, b: (None, old)),
    "store": ("atomic_store({v}, {a});", lambda old, a, b: (a, None)),
    "exchange": ("r = atomic_exchange({v}, {a});",
                 lambda old, a, b: (a if a != old else None, old)),
    "or": ("r = atomic_fetch_or({v}, {a});", lambda old, a, b: (old | a, old)),
    "cas": ("{{ int e = {a}; if (!atomic_compare_exchange_strong({v}, &e, {b})) r = e; }}",
            lambda old, a, b: (b, None) if old == a else (None, old)),
    "lock": ("pthread_mutex_lock(&m);", lambda old, a, b: (1, None)),
    "unlock": ("pthread_mutex_unlock(&m);", lambda old, a, b: (0, None)),
    "try": ("if (!pthread_mutex_trylock(&m)) {{",
            lambda old, a, b: (None, 5) if old else (1, None)),
    "release": ("pthread_mutex_unlock(&m); }} else r = 5;", lambda old, a, b: (0, None)),
    "post": ("sem_post(&s);", lambda old, a, b: (old + 1, None)),
    "wait": ("sem_wait(&s);", lambda old, a, b: (old - 1, None)),
    "trywait": ("if (sem_trywait(&s)) r = 6;",
                lambda old, a, b: (old - 1, None) if old else (None, 6)),
}
WITHIN = 2  # steps that a trylock leaves out where it fails
KINDS = ["cas"] * 5 + ["load"] * 2 + ["store", "exchange", "or"]


def random_program(rng):
    """For each thread its steps: (kind, variable, a, b)."""
    def step():
        a, b = rng.sample(range(3), 2)
        return rng.choice(KINDS), rng.choice([0, 0, VARIABLES - 1]), a, b

    def section():
        take, leave = rng.choice([("lock", "unlock"), ("try", "release")])
        return [(take, LOCK, 0, 0), step(), (leave, LOCK, 0, 0)]

    def signal():
        return [(rng.choice(["post", "post", "wait", "trywait"]), SEMAPHORE, 0, 0)]

    def steps():
        makers = rng.choices([section, signal, lambda: [step()]], [3, 2, 5], k=rng.randint(1, 2))
        return [s for make in makers for s in make()]
    return [steps() for _ in range(rng.randint(2, 4))]


def in_c(program, never=None):
    """never: an end, (values of the variables, what each thread got last), that is an error."""
    lines = [HEAD]
    for k, steps in enumerate(program):
        lines += [f"static void *thread{k}(void *arg)", "{", "    int r = 9;"]
        lines += ["    " + STEPS[kind][0].format(v=f"&v[{v}]", a=a, b=b)
                  for kind, v, a, b in steps]
        lines += [f"    last[{k}] = r;", "    return arg;", "}"]
    return "\n".join(lines + main_in_c(len(program), [f"sem_init(&s, 0, {FIRST[SEMAPHORE]});"], never))


def value_of(history):
    return history[-1][0][1]


def can_go_on(program, execution, k):
    done, _, histories = execution
    if done[k] == len(program[k]):
        return False
    kind, variable, _, _ = program[k][done[k]]
    value = value_of(histories[variable])
    return not value if kind == "lock" else kind != "wait" or value > 0


def after(program, execution, k):
    """The execution with one more step of thread k.  It is what each thread has done and got
    last, and of each variable its values with who wrote each and who saw it."""
    done, got, histories = execution
    kind, variable, a, b = program[k][done[k]]
    history = histories[variable]
    event = (k, done[k])
    new, result = STEPS[kind][1](value_of(history), a, b)
    if new is None:
        history = history[:-1] + ((history[-1][0], history[-1][1] | {event}),)
    else:
        history += (((event, new), frozenset()),)
    left_out = WITHIN if kind == "try" and new is None else 0
    return (done[:k] + (done[k] + 1 + left_out,) + done[k + 1:],
            got[:k] + (got[k] if result is None else result,) + got[k + 1:],
            histories[:variable] + (history,) + histories[variable + 1:])


def executions(program):
    """How many there are, and in what they end; None if these are too many, or one does not."""
    n = len(program)
    first = ((0,) * n, (9,) * n, tuple((((None, x), frozenset()),) for x in FIRST))
    seen, left, whole, ends = {first}, [first], 0, set()
    while left:
        execution = left.pop()
        done, got, histories = execution
        going = [k for k in range(n) if can_go_on(program, execution, k)]
        if not going and any(done[k] < len(program[k]) for k in range(n)):
            return None
        if not going:
            whole += 1
            ends.add((tuple(map(value_of, histories[:VARIABLES])), got))
        for k in going:
            more = after(program, execution, k)
            if more not in seen:
                seen.add(more)
                left.append(more)
        if whole > MOST:
            return None
    return whole, ends


def looked_at(source, *options):
    return verify("-j", "1", "--no-trace-file", "--format=json", *options, source)


def compare(source, program, rng):
    count, ends = executions(program)
    source.write_text(in_c(program))
    run = looked_at(source, "--search=dpor", "--reduction=no-thread-symmetry")
    if run.status != 0:
        return run.show()
    found = json.loads(run.text)["executions"]
    if found != count:
        return f"{found} executions, but there are {count}\n{run.show()}"
    for end in rng.sample(sorted(ends), min(ENDS, len(ends))):
        source.write_text(in_c(program, end))
        for search in ("bfs", "dpor", "auto"):
            run = looked_at(source, f"--search={search}")
            if run.status != 10:
                return f"{run.told()}, but it can end with {end}\n{run.show()}"
    return None


def check(seed, number):
    """({None}, what is wrong or None); the program is kept if something is"""
    rng = random.Random(f"exchanges/{seed}/{number}")
    program = random_program(rng)
    while not executions(program):
        program = random_program(rng)
    KEPT.mkdir(parents=True, exist_ok=True)
    source = KEPT / f"exchanges-{seed}-{number}.c"
    problem = compare(source, program, rng)
    if not problem:
        source.unlink()
    return set(), problem


def tests(count, seed):
    """For run.py: (name, function returning None or what is wrong)."""
    for number in range(count):
        yield f"fuzz exchanges {seed}/{number}", lambda n=number: check(seed, n)[1]


def main():
    given = arguments("compares executions with an oracle's")
    jobs = [(given.seed, number) for number in range(given.count)]
    return check_all(check, jobs, given.j, lambda job: f"{job[0]}/{job[1]}", lambda *_: ["counted"])


if __name__ == "__main__":
    sys.exit(main())
