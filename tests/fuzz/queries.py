#!/usr/bin/env python3
"""Random small programs and random queries: does divm say that a state is reachable where an
enumeration of all interleavings of single steps finds one?  The enumerator shares nothing with
divm, and knows nothing of reductions.

With --tso stores are relaxed, and the enumerator has a buffer for each thread, whose oldest store gets to
memory at any time; what is locked waits until the buffer is empty, and so does who is alone.

queries.py [--seed=N] [--programs=N] [--queries=N] [--tso] [--keep]
"""

import argparse
import concurrent.futures
import os
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
DIVM = os.environ.get("DIVM", ROOT / "build/divm")
ATOMICS, PLAINS = ("a", "b"), ("p", "q")
NAME = "queries.c"


# ---- programs: lists of statements, each on a line of its own ------------------------------

def statement(rng, depth):
    kind = rng.choice(["store", "store", "add", "load", "local", "locked", "if", "step"])
    if kind == "if" and depth:
        kind = "store"
    if kind == "store":
        return ("store", rng.choice(ATOMICS), rng.randrange(3))
    if kind == "add":
        return ("add", rng.choice(ATOMICS))
    if kind == "load":
        return ("load", rng.choice(ATOMICS))
    if kind == "local":
        return ("local", rng.randrange(4))
    if kind == "locked":
        body = [rng.choice([("set", rng.choice(PLAINS), rng.randrange(3)),
                            ("more", rng.choice(PLAINS))]) for _ in range(rng.randint(1, 2))]
        return ("locked", body)
    if kind == "if":
        return ("if", rng.randrange(3), [statement(rng, depth + 1)])
    return ("step",)


class Program:
    """Functions of the threads (w1 is run by two threads if `twins`), and of main."""

    def __init__(self, rng, tso=False):
        self.tso = tso
        self.lines = []
        self.code = {}  # function -> list of (line, micro-steps)
        self.twins = rng.random() < 0.4
        self.starts = ["w1", "w1"] if self.twins else ["w1", "w2"]
        self.places = []
        self.put("#include <pthread.h>", "#include <stdatomic.h>",
                 "static atomic_int a, b;", "static int p, q, steps;",
                 "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;")
        self.put("static void step(void)", "{")
        self.function("step", [("count",)], returns="}")
        for name in dict.fromkeys(self.starts):
            self.put(f"static void *{name}(void *arg)", "{", "    int l;", "    l = 0;")
            self.code[name] = [(len(self.lines), [("local", 0)])]
            self.function(name, [statement(rng, 0) for _ in range(rng.randint(1, 3))],
                          returns="    return arg; }", more=True)
        self.put("int main(void)", "{", "    pthread_t t[2];", "    int l;", "    l = 5;")
        self.code["main"] = [(len(self.lines), [("local", 5)])]
        body = [statement(rng, 0)] if rng.random() < 0.5 else []
        body += [("create", 0), ("create", 1)]
        body += [statement(rng, 0)] if rng.random() < 0.6 else []
        body += [("join", 0), ("join", 1)] + [statement(rng, 0)]
        self.function("main", body, returns="    return a + b + p + q + steps < 0 ? (step(), 1) : 0; }", more=True)
        self.source = "\n".join(self.lines) + "\n"

    def put(self, *lines):
        self.lines += lines

    def function(self, name, body, returns, more=False):
        code = self.code[name] if more else []
        for s in body:
            self.translate(s, code, 1)
        self.put(returns)
        code.append((len(self.lines), [("ret",)]))
        self.code[name] = code

    def simple(self, code, depth, text, *micro):
        self.put("    " * depth + text)
        self.places.append(len(self.lines))
        code.append((len(self.lines), list(micro)))

    def translate(self, s, code, depth):
        kind = s[0]
        back = ("back",)  # what is left of a statement, such as keeping the result
        if kind == "store":
            text = f"atomic_store_explicit(&{s[1]}, {s[2]}, memory_order_relaxed);" if self.tso else f"{s[1]} = {s[2]};"
            self.simple(code, depth, text, ("set", s[1], s[2]))
        elif kind == "add":
            self.simple(code, depth, f"atomic_fetch_add(&{s[1]}, 1);", ("add", s[1]), back)
        elif kind == "load":
            self.simple(code, depth, f"l = {s[1]};", ("get", s[1]), ("put",))
        elif kind == "local":
            self.simple(code, depth, f"l = {s[1]};", ("local", s[1]))
        elif kind == "set":
            self.simple(code, depth, f"{s[1]} = {s[2]};", ("set", s[1], s[2]))
        elif kind == "more":
            self.simple(code, depth, f"{s[1]} = {s[1]} + 1;", ("get", s[1]), ("putmore", s[1]))
        elif kind == "count":
            self.simple(code, depth, "__atomic_fetch_add(&steps, 1, 5);", ("add", "steps"), back)
        elif kind == "step":
            self.simple(code, depth, "step();", ("call", "step"), back)
        elif kind == "locked":
            self.simple(code, depth, "pthread_mutex_lock(&m);", ("lock",), back)
            for inner in s[1]:
                self.translate(inner, code, depth)
            self.simple(code, depth, "pthread_mutex_unlock(&m);", ("unlock",), back)
        elif kind == "if":
            self.put("    " * depth + f"if (l == {s[1]}) {{")
            line, at = len(self.lines), len(code)
            code.append(None)
            self.translate(s[2][0], code, depth + 1)
            self.put("    " * depth + "}")
            code[at] = line, [("test", s[1], len(code))]
        elif kind == "create":
            self.simple(code, depth, f"pthread_create(&t[{s[1]}], 0, {self.starts[s[1]]}, 0);",
                        ("create", s[1]), back)
        elif kind == "join":
            self.simple(code, depth, f"pthread_join(t[{s[1]}], 0);", ("join", s[1]), back)


# ---- all states -------------------------------------------------------------------------------

# A thread: (state, frames, temporary, store buffer); a frame: (function, statement, micro-step, local).
NOT, READY, ENDED = range(3)


def enumerate_states(program, most):
    memory = tuple((v, 0) for v in (*ATOMICS, *PLAINS, "steps"))
    first = (memory, None, ((READY, (("main", 0, 0, None),), 0, ()), (NOT, (), 0, ()), (NOT, (), 0, ())))
    seen, todo = {first}, [first]
    while todo:
        if len(seen) > most:
            return None
        state = todo.pop()
        for k in range(3):
            for after in successors(program, state, k):
                if after not in seen:
                    seen.add(after)
                    todo.append(after)
    return seen


LOCKED = ("add", "lock", "unlock", "create", "join")  # and the end of a thread


def drained(state, k):
    """The oldest store of a thread gets to memory."""
    memory, owner, threads = state
    (v, c), *rest = threads[k][3]
    after = (*threads[k][:3], tuple(rest))
    return (tuple((w, c if w == v else x) for w, x in memory), owner,
            tuple(after if i == k else t for i, t in enumerate(threads)))


def successors(program, state, k):
    memory, owner, threads = state
    kind, frames, temporary, buffer = threads[k]
    if kind != READY:
        return
    alone = all(thread[0] != READY for i, thread in enumerate(threads) if i != k)
    if buffer:
        yield drained(state, k)
        if alone:
            return
    values = dict(memory)
    function, at, micro, local = frames[-1]
    steps = program.code[function][at][1]
    op, *args = steps[micro]
    threads = list(threads)
    rest = frames[:-1]
    after = (function, at, micro + 1, local) if micro + 1 < len(steps) else (function, at + 1, 0, local)
    new = rest + (after,)
    if buffer and (op in LOCKED or (op == "ret" and not rest)):
        return
    if op == "set" and program.tso and args[0] in ATOMICS and not alone:
        buffer += ((args[0], args[1]),)
    elif op == "get" and any(v == args[0] for v, _ in buffer):
        temporary = [c for v, c in buffer if v == args[0]][-1]
    elif op == "set":
        values[args[0]] = args[1]
    elif op == "add":
        values[args[0]] += 1
    elif op == "get":
        temporary = values[args[0]]
    elif op == "put":
        new = rest + ((*after[:3], temporary),)
        temporary = 0
    elif op == "putmore":
        values[args[0]] = temporary + 1
        temporary = 0
    elif op == "local":
        new = rest + ((*after[:3], args[0]),)
    elif op == "lock":
        if owner is not None:
            return
        owner = k
    elif op == "unlock":
        owner = None
    elif op == "test":
        if local != args[0]:
            new = rest + ((function, args[1], 0, local),)
    elif op == "call":
        new = rest + (after, (args[0], 0, 0, None))
    elif op == "create":
        threads[args[0] + 1] = (READY, ((program.starts[args[0]], 0, 0, None),), 0, ())
    elif op == "join":
        if threads[args[0] + 1][0] != ENDED:
            return
    elif op == "ret":
        new = rest
    threads[k] = (READY, new, temporary, buffer) if new else (ENDED, (), 0, ())
    yield (tuple(values.items()), owner, tuple(threads))


# ---- queries: a text, and a function of a state that gives True, False or None ------------------

def compare(op, x, y):
    return {"==": x == y, "!=": x != y, "<": x < y, ">": x > y}[op]


def global_atom(rng, program):
    op, c = rng.choice(["==", "!=", "<", ">"]), rng.randrange(4)
    v = rng.choice([*ATOMICS, *PLAINS, "steps"])
    if rng.random() < 0.25:
        w = rng.choice([*ATOMICS, *PLAINS])
        return f"{v} + {c} {op} {w} * 2", lambda s: compare(op, dict(s[0])[v] + c, dict(s[0])[w] * 2)
    return f"{v} {op} {c}", lambda s: compare(op, dict(s[0])[v], c)


def local_atom(rng, program):
    op, c = rng.choice(["==", "!=", "<", ">"]), rng.randrange(4)
    f = rng.choice(["main", *program.starts])
    thread = rng.choice([None, None, 2, 3]) if f != "main" else None
    v = rng.choice([None, None, "a"])

    def value(s):
        known = [frame[3] for k, t in enumerate(s[2]) for frame in t[1]
                 if frame[0] == f and frame[3] is not None and (not thread or k + 1 == thread)]
        known = [compare(op, x, dict(s[0])[v] if v else c) for x in known]
        return any(known) if known else None
    where = f"@{thread}" if thread else ""
    return f"{f}::l{where} {op} {v or c}", value


def place_of(program, line, thread):
    def value(s):
        return any(program.code[f][at][0] == line for k, t in enumerate(s[2])
                   for f, at, _, _ in t[1] if not thread or k + 1 == thread)
    return f"at({NAME}:{line}){f'@{thread}' if thread else ''}", value


def place_atom(rng, program):
    return place_of(program, rng.choice(program.places), rng.choice([None, None, 1, 2, 3]))


def passing_atom(rng, program):
    """In one of two places that may follow each other, and not in the other one"""
    k = rng.randrange(len(program.places))
    there, beside = program.places[k], program.places[k - 1 if k and rng.random() < 0.5 else (k + 1) % len(program.places)]
    (t, f), (u, g) = place_of(program, there, rng.choice([None, 2])), place_of(program, beside, rng.choice([None, 2, 3]))
    return f"({t} && !({u}))", lambda s: both(f(s), negate(g(s)))


def call_atom(rng, program):
    f = rng.choice(["step", *program.starts])

    def value(s):
        return any(t[1] and t[1][-1][:3] == (f, 0, 0) for t in s[2])
    return f"call({f})", value


def ended_atom(rng, program):
    k = rng.choice([2, 3])
    return f"ended({k})", lambda s: s[2][k - 1][0] != READY


def negate(x):
    return None if x is None else not x


def both(x, y):
    return False if x is False or y is False else None if x is None or y is None else True


def query(rng, program, atoms, depth=0):
    if depth < 2 and rng.random() < 0.75:
        (t, f), (u, g) = query(rng, program, atoms, depth + 1), query(rng, program, atoms, depth + 1)
        if rng.random() < 0.65:
            return f"({t} && {u})", lambda s: both(f(s), g(s))
        return f"({t} || {u})", lambda s: negate(both(negate(f(s)), negate(g(s))))
    t, f = rng.choice(atoms)(rng, program)
    if rng.random() < 0.25:
        return f"!({t})", lambda s: negate(f(s))
    return t, f


KINDS = [[global_atom], [global_atom, local_atom], [global_atom, place_atom], [global_atom, passing_atom],
         [global_atom, call_atom], [global_atom, ended_atom],
         [global_atom, local_atom, place_atom, call_atom]]

OPTIONS = [[], ["-j2"], ["--search=dfs"], ["--reduction=none", "--cache=none"],
           ["--store=exact"], ["--cache=none"]]


def ask(file, text, options):
    run = subprocess.run([DIVM, "verify", "-q", "--no-trace-file", "--max-memory=1G", "--max-time=120s",
                          f"--reach={text}", *options, file], capture_output=True, text=True,
                         timeout=300, check=False)
    return run.returncode, run.stdout + run.stderr


def one(seed, nqueries, folder, most, every, tso):
    rng = random.Random(seed)
    program = Program(rng, tso)
    states = enumerate_states(program, most)
    if states is None:
        return 0, []
    file = pathlib.Path(folder) / str(seed) / NAME
    file.parent.mkdir()
    file.write_text(program.source)
    bad, n = [], 0
    for _ in range(nqueries):
        text, value = query(rng, program, rng.choice(KINDS))
        wanted = 10 if any(value(s) is True for s in states) else 0
        runs = OPTIONS if every else [OPTIONS[0], rng.choice(OPTIONS[1:])]
        for options in runs:
            status, output = ask(file, text, options + ["--memory=tso"] * tso)
            n += 1
            if status != wanted:
                bad.append(f"{file}: --reach='{text}' {' '.join(options)}: status {status}, "
                           f"not {wanted}: {output.strip()}")
    return n, bad


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=60)
    parser.add_argument("--queries", type=int, default=4)
    parser.add_argument("--states", type=int, default=30000)
    parser.add_argument("--every", action="store_true", help="all options for each query")
    parser.add_argument("--tso", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", action="store_true")
    args = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="divm-queries-")
    total, bad = 0, []
    with concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        runs = [pool.submit(one, seed, args.queries, folder, args.states, args.every, args.tso)
                for seed in range(args.seed, args.seed + args.programs)]
        for run in runs:
            n, wrong = run.result()
            total += n
            for line in wrong:
                print(line, flush=True)
            bad += wrong
    if not bad and not args.keep:
        subprocess.run(["rm", "-rf", folder], check=False)
    print(f"{total - len(bad)} passed, {len(bad)} failed")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
