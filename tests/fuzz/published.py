"""Compares what divm says of objects that are published after atomic accesses to them with what it
says when all objects are shared from the beginning (--reduction=no-private).

A thread stores to an object of its own, loads from it and changes it, with fences and stores of a
global variable in between, and publishes it; another one loads the pointer, and then the object's members.
All accesses are atomic and have random memory orders.  The object, on the heap or the stack, is
made before the other thread or after it.  The program asserts that a few of the values that were
loaded do not come together.  (Races are compared with an oracle by orders.py, loads of global
variables by weak.py.)

usage: published.py [-j N] [COUNT [SEED]]
"""

import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
from fuzz import KEPT, arguments, check_all  # noqa: E402
from suite import verify  # noqa: E402

ASSERT, RACE = 10, 13
LOADS = ["relaxed", "acquire", "seq_cst"]
STORES = ["relaxed", "relaxed", "release", "seq_cst"]
UPDATES = ["relaxed", "acq_rel", "release"]
FENCES = ["acquire", "release", "seq_cst"]
RUNS = [["--search=bfs", "--reduction=no-private"], ["--search=bfs"], ["--search=dpor"]]
REGISTERS = 5
TEXT = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {{
    atomic_int a, b;
}};

static _Atomic(struct object *) published;
static atomic_int global;
static int r[{registers}];

static void *reader(void *arg)
{{
    {before}
    struct object *o = {load_pointer};
    if (o) {{
        {reads}
    }}
    return arg;
}}

int main(void)
{{
    pthread_t thread;
    {early}
    pthread_create(&thread, NULL, reader, NULL);
    {late}
    {steps}
    pthread_join(thread, NULL);
    assert(!({together}));
}}
"""
HEAP = "struct object *o = calloc(1, sizeof *o); if (!o) abort();"
STACK = "struct object local = {0}, *o = &local;"


def load(rng, what):
    return f"atomic_load_explicit(&{what}, memory_order_{rng.choice(LOADS)})"


def store(rng, what, value):
    return f"atomic_store_explicit(&{what}, {value}, memory_order_{rng.choice(STORES)});"


def fence(rng):
    return f"atomic_thread_fence(memory_order_{rng.choice(FENCES)});"


def own_step(rng):
    return rng.choice([
        lambda: store(rng, "o->a", rng.randint(1, 2)),
        lambda: store(rng, "o->b", 1),
        lambda: store(rng, "global", rng.randint(1, 2)),
        lambda: f"atomic_fetch_add_explicit(&o->a, 1, memory_order_{rng.choice(UPDATES)});",
        lambda: f"r[2] = {load(rng, 'o->a')};",
        lambda: f"r[3] = {load(rng, 'global')};",
        lambda: fence(rng),
    ])()


def some(rng, chance, step):
    return [step] if rng.random() < chance else []


def program(rng):
    make, early = rng.choice([HEAP, HEAP, STACK]), rng.random() < .5
    asked = rng.sample(range(REGISTERS), rng.randint(1, 3))
    return TEXT.format(
        registers=REGISTERS, early=make if early else "", late="" if early else make,
        before=" ".join([*some(rng, .4, f"r[4] = {load(rng, 'global')};"),
                         *some(rng, .3, store(rng, "global", 2)), *some(rng, .3, fence(rng))]),
        load_pointer=load(rng, "published"),
        reads=" ".join([f"r[0] = {load(rng, 'o->a')};", *some(rng, .3, fence(rng)),
                        f"r[1] = {load(rng, rng.choice(['o->a', 'o->b']))};",
                        *some(rng, .3, store(rng, "o->a", 3))]),
        steps="\n    ".join([*[own_step(rng) for _ in range(rng.randint(1, 4))],
                             store(rng, "published", "o"), *some(rng, .5, own_step(rng))]),
        together=" && ".join(f"r[{k}] == {rng.choice([0, 0, 1, 1, 2, 3])}" for k in asked))


def check(seed, number):
    """({what it is}, None or what is wrong); the program is kept if something is"""
    rng = random.Random(f"published/{seed}/{number}")
    KEPT.mkdir(parents=True, exist_ok=True)
    source = KEPT / f"published-{seed}-{number}.c"
    source.write_text(program(rng))
    for races in ("--races=allow", "--races=error"):
        first = None
        for given in RUNS:
            run = verify("-j", "1", "-w", "--no-trace-file", "--leaks=no", races, *given, source)
            first = first or run
            either = races == "--races=error" and {first.status, run.status} == {ASSERT, RACE}
            if run.status not in (0, ASSERT, RACE) or (run.status != first.status and not either):
                return {"wrong"}, f"status {first.status} with all objects shared\n{run.show()}"
    source.unlink()
    return {{0: "correct", ASSERT: "the values come together", RACE: "a race"}[first.status]}, None


def tests(count, seed):
    """For run.py: (name, function returning None or what is wrong)."""
    for number in range(count):
        yield f"fuzz published {seed}/{number}", lambda n=number: check(seed, n)[1]


def main():
    given = arguments("compares published objects with shared ones")
    jobs = [(given.seed, number) for number in range(given.count)]
    return check_all(check, jobs, given.j, lambda job: f"{job[0]}/{job[1]}", lambda _, kinds: kinds)


if __name__ == "__main__":
    sys.exit(main())
