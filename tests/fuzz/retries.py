"""Compares the ends of random programs whose threads wait in loops, and try again, with those of an
oracle that shares nothing with divm.

A thread that spins, whose compare-exchange fails, or that reads twice until both agree, goes no
further in an execution where another would have it do the same by reading less
(`retry` in docs/REDUCTIONS.md).  The oracle follows every step of every thread, loops and all.
Each end that it finds must be found, and some that it does not find must not be.

Some write plainly to a variable of their own that others can reach, or keep there what their
compare-exchange expects.

In some programs the atomic variables are structures, which nobody adds to.

With --weak the accesses have random orders, and some threads read or write another one's variable, which may
be a data race; then the two searches are compared with each other.  A search by states may have no end where
a seq_cst read-modify-write is tried again beside weaker accesses (docs/MEMORY_MODELS.md): then only the
search by executions is judged.

usage: retries.py [-j N] [--weak] [COUNT [SEED]]
"""

import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE), str(HERE.parent / "memory" / "oracle")]
from fuzz import KEPT, arguments, check_all  # noqa: E402
from main_in_c import main_in_c  # noqa: E402
from shapes import INSTRUCTIONS, NUMBER, declaration  # noqa: E402
from suite import verify  # noqa: E402

VARIABLES = 3
MOST = 4000  # states of a program
ENDS, OTHERS = 2, 1  # of each program, that are looked for
RACE, INCOMPLETE = 13, 5  # exit statuses
PATIENCE = "--max-time=20s"  # for a search by states that may have no end
LEAST, GREATEST = -1, 6  # of values: what leaves these is no program
HEAD = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

"""
OF_NUMBERS = """#define LOAD(v) atomic_load_explicit(v, ORDER_L)
#define STORE(v, x) atomic_store_explicit(v, x, ORDER_S)
#define ADD(v, x) atomic_fetch_add_explicit(v, x, ORDER_X)
#define SWAP(v, x) atomic_exchange_explicit(v, x, ORDER_X)
#define OR(v, x) atomic_fetch_or_explicit(v, x, ORDER_X)
#define CAS(v, e, x) atomic_compare_exchange_strong_explicit(v, e, x, ORDER_X, ORDER_F)
"""
OF_STRUCTURES = """#define WORD(x) ((struct word){x})
#define LOAD(v) ({ struct word w = atomic_load_explicit(v, ORDER_L); w.value; })
#define STORE(v, x) atomic_store_explicit(v, WORD(x), ORDER_S)
#define SWAP(v, x) ({ struct word w = atomic_exchange_explicit(v, WORD(x), ORDER_X); w.value; })
#define CAS(v, e, x) ({ struct word w = {*(e)}; \\
    bool same = atomic_compare_exchange_strong_explicit(v, &w, WORD(x), ORDER_X, ORDER_F); \\
    if (!same) *(e) = w.value; \\
    same; })
"""
VARIABLES_IN_C = """static atomic_value v[3];
static int last[3], slot[3], kept[3];
"""
# Of each statement its text, where t is the thread and u another one, and its steps.  A step reads and writes at most one variable:
# (operation, variable, ...), with x and y the registers of a thread; "if" goes on elsewhere.
STATEMENTS = {
    "spin": ("while (LOAD(&v[{p}]) != {a});",
             [("load", "p", 1), ("if", lambda x, y, a: y != a, 0)]),
    "yield": ("while (LOAD(&v[{p}]) < {a}) {{ }}",
              [("load", "p", 1), ("if", lambda x, y, a: y < a, 0)]),
    "push": ("x = LOAD(&v[{p}]); while (!CAS(&v[{p}], &x, x + {a})) {{ }}",
             [("load", "p", 0), ("cas", "p", lambda x, a: x + a), ("if", lambda x, y, a: not y, 1)]),
    "again": ("do x = LOAD(&v[{p}]); while (!CAS(&v[{p}], &x, x + {a}));",
              [("load", "p", 0), ("cas", "p", lambda x, a: x + a), ("if", lambda x, y, a: not y, 0)]),
    "fill": ("x = LOAD(&v[{p}]); do slot[{t}] = x; while (!CAS(&v[{p}], &x, x + {a}));",
             [("load", "p", 0), ("cas", "p", lambda x, a: x + a), ("if", lambda x, y, a: not y, 1)]),
    "keep": ("slot[{t}] = LOAD(&v[{p}]); while (!CAS(&v[{p}], &slot[{t}], slot[{t}] + {a})) {{ }} x = slot[{t}];",
             [("load", "p", 0), ("cas", "p", lambda x, a: x + a), ("if", lambda x, y, a: not y, 1)]),
    "wait": ("do slot[{t}] = x = LOAD(&v[{p}]); while (x < {a});",
             [("load", "p", 0), ("if", lambda x, y, a: x < a, 0)]),
    "lock": ("while (SWAP(&v[{p}], 1));",
             [("swap", "p", 1), ("if", lambda x, y, a: y != 0, 0)]),
    "grab": ("while (OR(&v[{p}], 1) & 1);",
             [("or", "p", 1), ("if", lambda x, y, a: y & 1, 0)]),
    "poll": ("while (ADD(&v[{p}], 0) < {a});",
             [("or", "p", 0), ("if", lambda x, y, a: y < a, 0)]),
    "both": ("do {{ x = LOAD(&v[{p}]); y = LOAD(&v[{q}]); }} while (x + y < {a});",
             [("load", "p", 0), ("load", "q", 1), ("if", lambda x, y, a: x + y < a, 0)]),
    "same": ("do {{ y = LOAD(&v[{p}]); x = LOAD(&v[{q}]); }} while (LOAD(&v[{p}]) != y);",
             [("load", "p", 1), ("load", "q", 0), ("same", "p", 0)]),
    "store": ("STORE(&v[{p}], {a});", [("store", "p", None)]),
    "zero": ("STORE(&v[{p}], 0);", [("store", "p", 0)]),
    "add": ("x = ADD(&v[{p}], {a});", [("add", "p", None)]),
    "load": ("x = LOAD(&v[{p}]);", [("load", "p", 0)]),
    "peek": ("y = LOAD(&v[{p}]); if (y == {a}) kept[{t}] = slot[{u}];", [("load", "p", 1)]),
    "poke": ("y = LOAD(&v[{p}]); if (y >= {a}) slot[{u}] = 1;", [("load", "p", 1)]),
}
TRYING = {"lock", "grab", "poll"}  # by read-modify-writes
ADDING = {"add", "grab", "poll"}  # to numbers only
STRUCTURES = .25  # of the programs
KINDS = ["spin", "yield", "push", "push", "again", "lock", "grab", "poll", "both", "same", "store", "store",
         "zero", "add", "load", "fill", "fill", "keep", "wait"]
RACING = ["peek", "peek", "poke"]
ORDERS = {"ORDER_L": ["relaxed", "acquire", "seq_cst"], "ORDER_S": ["relaxed", "release", "seq_cst"],
          "ORDER_X": ["relaxed", "acquire", "release", "acq_rel", "seq_cst"],
          "ORDER_F": ["relaxed", "acquire"]}


def random_program(rng, kinds):
    def statement():
        p, q = rng.sample(range(VARIABLES), 2)
        return rng.choice(kinds), rng.choice([0, p]), q, rng.randint(1, 2)
    return [[statement() for _ in range(rng.randint(1, 3))] for _ in range(rng.randint(2, 3))]


def in_c(program, orders, shape, never=None):
    macros, value = (OF_STRUCTURES, "LOAD(&v[{}])") if shape.members else (OF_NUMBERS, "v[{}]")
    lines = [f"#define {name} memory_order_{order}" for name, order in orders.items()]
    lines += [HEAD, declaration(shape), macros, VARIABLES_IN_C]
    for k, statements in enumerate(program):
        lines += [f"static void *thread{k}(void *arg)", "{", "    int x = 0, y = 0;"]
        lines += ["    " + STATEMENTS[kind][0].format(p=p, q=q, a=a, t=k, u=(k + 1 + q % (len(program) - 1)) % len(program))
                  for kind, p, q, a in statements]
        lines += [f"    last[{k}] = x;", "    return arg;", "}"]
    return "\n".join(lines + main_in_c(len(program), never=never, value=value))


def step(state, k, code):
    """The state after the next step of thread k."""
    places, registers, values = state
    (operation, variable, what), base, a = code[places[k]]
    x, y = registers[k]
    at = places[k] + 1
    if operation == "load":
        x, y = (values[variable], y) if what == 0 else (x, values[variable])
    elif operation == "same":
        at = base + what if values[variable] != y else at
    elif operation == "store":
        values = put(values, variable, a if what is None else what)
    elif operation == "add":
        x, values = values[variable], put(values, variable, values[variable] + a)
    elif operation == "swap":
        y, values = values[variable], put(values, variable, what)
    elif operation == "or":
        y, values = values[variable], put(values, variable, values[variable] | what)
    elif operation == "cas":
        y = values[variable] == x
        x, values = (x, put(values, variable, what(x, a))) if y else (values[variable], values)
        y = int(y)
    while at < len(code) and code[at][0][0] == "if":
        (_, test, target), base, b = code[at]
        at = base + target if test(x, y, b) else at + 1
    return put(places, k, at), put(registers, k, (x, y)), values


def put(items, k, item):
    return items[:k] + (item,) + items[k + 1:]


def steps_of(statements):
    code = []
    for kind, p, q, a in statements:
        base = len(code)
        for operation, where, what in STATEMENTS[kind][1]:
            code.append(((operation, {"p": p, "q": q}.get(where, where) if operation != "if"
                          else where, what), base, a))
    return code


def ends(program):
    """What it can end in; None if there are too many states, or one that leads to no end."""
    codes = [steps_of(statements) for statements in program]
    n = len(program)
    first = ((0,) * n, ((0, 0),) * n, (0,) * VARIABLES)
    before, left, found = {first: []}, [first], []
    while left:
        state = left.pop()
        going = [k for k in range(n) if state[0][k] < len(codes[k])]
        if not going:
            found.append(state)
        for k in going:
            more = step(state, k, codes[k])
            if not all(LEAST <= value <= GREATEST for value in more[2]):
                return None
            if more not in before:
                before[more] = []
                left.append(more)
            before[more].append(state)
        if len(before) > MOST:
            return None
    reaching, left = set(found), list(found)
    while left:
        for state in before[left.pop()]:
            if state not in reaching:
                reaching.add(state)
                left.append(state)
    if len(reaching) < len(before):
        return None
    return {(state[2], tuple(x for x, _ in state[1])) for state in found}


def looked_at(source, *options):
    return verify("-j", "1", "--no-trace-file", *options, source)


def compare(source, program, shape, orders, possible, rng, weak):
    wanted = [(end, True) for end in rng.sample(sorted(possible), min(ENDS, len(possible)))]
    for _ in range(OTHERS + weak * ENDS):
        values, got = zip(*rng.sample(sorted(possible) * 2, 2))
        end = tuple(values[0]), tuple(got[1])
        wanted.append((end, end in possible))
    kinds = {kind for statements in program for kind, *_ in statements}
    racy = weak and any(kind in RACING for kind in kinds)
    endless = weak and orders["ORDER_X"] == "seq_cst" and kinds & TRYING
    limit = [PATIENCE] if endless else []
    for end, can in wanted:
        source.write_text(in_c(program, orders, shape, end))
        runs = [looked_at(source, "--search=dpor"), looked_at(source, "--search=bfs", *limit)]
        if limit and runs[1].status == INCOMPLETE:
            runs.pop()
        expected = {10} if can else {0, 10} if weak else {0}
        for run in runs:
            error = 10 if racy and run.status == RACE else run.status
            if error not in expected or (error == 0) != (runs[-1].status == 0):
                return f"{run.told()}, but {runs[-1].told()}, and {end} is {can}\n{run.show()}"
    return None


def check(seed, number, weak=False):
    """({None}, what is wrong or None); the program is kept if something is"""
    rng = random.Random(f"retries/{seed}/{number}")
    kinds = [kind for kind in KINDS if kind != "keep"] + RACING if weak and rng.random() < .5 else KINDS
    shape = rng.choice(INSTRUCTIONS) if rng.random() < STRUCTURES else NUMBER
    if shape.members:
        kinds = [kind for kind in kinds if kind not in ADDING]
    while True:
        program = random_program(rng, kinds)
        possible = ends(program)
        if possible:
            break
    orders = {name: rng.choice(choices) if weak else "seq_cst" for name, choices in ORDERS.items()}
    KEPT.mkdir(parents=True, exist_ok=True)
    source = KEPT / f"retries-{seed}-{number}{'-weak' if weak else ''}.c"
    problem = compare(source, program, shape, orders, possible, rng, weak)
    if not problem:
        source.unlink()
    return set(), problem


def tests(count, seed):
    """For run.py: (name, function returning None or what is wrong)."""
    for number in range(count):
        weak = number % 2 == 1
        yield f"fuzz retries {seed}/{number}", lambda n=number, w=weak: check(seed, n, w)[1]


def main():
    weak = "--weak" in sys.argv
    sys.argv = [a for a in sys.argv if a != "--weak"]
    given = arguments("compares the ends of programs that try again with an oracle's")
    jobs = [(given.seed, number, weak) for number in range(given.count)]
    return check_all(check, jobs, given.j, lambda job: f"{job[0]}/{job[1]}", lambda *_: ["compared"])


if __name__ == "__main__":
    sys.exit(main())
