"""Compares --ltl, --always-eventually, --monitor and --fair on random programs and formulas with an oracle that shares
nothing with divm.

Threads store, compare and exchange, take locks and go round in loops.  The oracle lists all states of all
interleavings, step by step, with the thread that takes each step and those that could.  It multiplies them with all guesses
of which parts of the formula's negation hold (a declarative tableau: Lichtenstein and Pnueli 1985), and looks for a
strongly connected component in which each promise is kept and, for --fair, each thread takes steps or cannot (or, with
--fair=strong, in a part of one).  divm's
translation works otherwise, by taking formulas apart.  What divm finds is executed again by `divm replay`.

usage: infinite.py [-j N] [COUNT [SEED]]
"""

import itertools
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
from fuzz import KEPT, arguments, check_all  # noqa: E402
from suite import DIVM, Run, verify  # noqa: E402

MOST = 1500  # states
FORMULAS = 4  # of each program
MONITORS = 3
WAYS = [["--reduction=none", "--cache=none"], ["--reduction=no-coalesce"], ["--reduction=no-private"],
        ["--reduction=no-race-free"], ["--reduction=no-dead"], ["--reduction=no-heap-symmetry"], ["-j", "2"],
        ["--spurious-wakeups"], ["--memory=sc"]]
OK, ENDLESS = 0, 14
ATOMICS, VARIABLES = ("a", "b"), ("a", "b", "p")
HEAD = """#include <pthread.h>
#include <stdatomic.h>

static atomic_int a, b;
static int p;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
"""


# ---- programs --------------------------------------------------------------------------------
# A thread is a list of steps:
#   ("set", v, x)          v = x
#   ("take", v, x, y)      v = y if v is x
#   ("until", v, x, y, to) goes to `to` unless x <= v <= y
#   ("lock",) ("unlock",) ("try", to)  goes to `to` if it is taken
#   ("plain", x)           p = x, with the lock

def random_thread(rng):
    steps = []

    def plain():
        kind, v, x = rng.choice(["set", "set", "take", "until"]), rng.choice(ATOMICS), rng.randrange(3)
        if kind == "until":
            steps.append(("until", v, x, rng.randrange(x, 3), len(steps)))
        elif kind == "take":
            steps.append(("take", v, x, rng.randrange(3)))
        else:
            steps.append(("set", v, x))

    for _ in range(rng.randint(1, 3)):
        shape, first = rng.randrange(6), len(steps)
        if shape < 2:
            steps.append(rng.choice([("lock",), ("try", first)]))
            if rng.random() < 0.6:
                steps.append(("plain", rng.randrange(3)))
            else:
                plain()
            steps.append(("unlock",))
        elif shape == 2:  # a loop around others
            plain()
            if rng.random() < 0.5:
                plain()
            v, x = rng.choice(ATOMICS), rng.randrange(3)
            steps.append(("until", v, x, rng.randrange(x, 3), first))
        elif shape == 3 and rng.random() < 0.4:  # for ever
            plain()
            plain()
            steps.append(("until", "a", 3, 3, first))
        else:
            plain()
    return steps


def random_program(rng):
    """The threads, main's own steps, and how many of them main joins (the first ones)."""
    threads = [random_thread(rng) for _ in range(rng.randint(1, 2))]
    if len(threads) == 1 and rng.random() < 0.3:
        threads.append(threads[0])
    joined = rng.choice([len(threads), len(threads), 0])
    return threads, random_thread(rng) if rng.random() < 0.7 else [], joined


def in_c(program):
    threads, own, joined = program

    def body(steps):
        for k, step in enumerate(steps):
            kind = step[0]
            text = {"set": lambda: f"{step[1]} = {step[2]};",
                    "take": lambda: (f"{{ int e = {step[2]}; "
                                     f"atomic_compare_exchange_strong(&{step[1]}, &e, {step[3]}); }}"),
                    "until": lambda: (f"{{ int x = {step[1]}; "
                                      f"if (!({step[2]} <= x && x <= {step[3]})) goto l{step[4]}; }}"),
                    "try": lambda: f"if (pthread_mutex_trylock(&m) != 0) goto l{step[1]};",
                    "plain": lambda: f"p = {step[1]};",
                    "lock": lambda: "pthread_mutex_lock(&m);",
                    "unlock": lambda: "pthread_mutex_unlock(&m);"}[kind]()
            yield f"l{k}: __attribute__((unused)); {text}"

    lines, names = [HEAD], {}
    for steps in threads:
        key = tuple(steps)
        if key not in names:
            names[key] = f"thread{len(names)}"
            lines += [f"static void *{names[key]}(void *arg)", "{", *body(steps), "return arg;", "}"]
    lines += ["int main(int argc, char **argv)", "{", "if (argc > 9) return argv && a + b + p;",
              f"pthread_t t[{len(threads)}];"]
    lines += [f"pthread_create(&t[{k}], NULL, {names[tuple(s)]}, NULL);" for k, s in enumerate(threads)]
    lines += body(own)
    lines += [f"pthread_join(t[{k}], NULL);" for k in range(joined)]
    return "\n".join([*lines, "return 0;", "}", ""])


# ---- all states --------------------------------------------------------------------------------
# (places, values of VARIABLES, who has the lock); None instead of places: the program has ended

def act(places, values, owner, k, step):
    """What a step makes of the state; None: it waits; "misuse"."""
    kind, to = step[0], places[k] + 1
    value = dict(zip(VARIABLES, values))
    if kind == "set":
        value[step[1]] = step[2]
    elif kind == "plain":
        value["p"] = step[1]
    elif kind == "take" and value[step[1]] == step[2]:
        value[step[1]] = step[3]
    elif kind == "until" and not step[2] <= value[step[1]] <= step[3]:
        to = step[4]
    elif kind == "lock":
        if owner is not None:
            return None
        owner = k
    elif kind == "try":
        owner, to = (k, to) if owner is None else (owner, step[1])
    elif kind == "unlock":
        if owner != k:
            return "misuse"
        owner = None
    return places[:k] + (to,) + places[k + 1:], tuple(value[v] for v in VARIABLES), owner


def moves(program, state):
    """(thread, next state) of each step that can come next."""
    threads, own, joined = program
    places, values, owner = state
    for k, steps in enumerate([*threads, own] if places else []):
        if places[k] < len(steps):
            after = act(places, values, owner, k, steps[places[k]])
            if after:
                yield k, after
        elif k == len(threads) and all(places[i] == len(threads[i]) for i in range(joined)):
            yield k, (None, values, None)


def graph_of(program):
    """State to its moves; None if the program is of no use: too large, or with an error."""
    first = ((0,) * (len(program[0]) + 1), (0,) * len(VARIABLES), None)
    graph, left = {}, [first]
    while left:
        state = left.pop()
        if state in graph:
            continue
        graph[state] = list(moves(program, state))
        if any(after == "misuse" for _, after in graph[state]) or len(graph) > MOST:
            return None, None
        if state[0] and not graph[state]:
            return None, None  # a deadlock
        left += [after for _, after in graph[state]]
    return first, graph


# ---- formulas: ("atom", text, function of the values), ("not", f), ("and", f, g), ("until", f, g) and those made of them

TRUE = ("atom", "true", lambda values: True)


def random_atom(rng):
    op = rng.choice(["==", "!=", "<", ">"])
    x, v = rng.randrange(3), rng.choice(VARIABLES)
    compare = {"==": lambda i, j: i == j, "!=": lambda i, j: i != j, "<": lambda i, j: i < j,
               ">": lambda i, j: i > j}[op]
    at = VARIABLES.index(v)
    if rng.random() < 0.2:
        w = rng.randrange(len(VARIABLES))
        return ("atom", f"{v} + {x} {op} {VARIABLES[w]} * 2", lambda values: compare(values[at] + x, values[w] * 2))
    return ("atom", f"{v} {op} {x}", lambda values: compare(values[at], x))


def random_formula(rng, depth, temporal):
    """(text, formula); temporal: so many operators of time at most"""
    if depth == 0 or (depth < 3 and rng.random() < 0.2):
        atom = random_atom(rng)
        return f"({atom[1]})", atom
    if temporal and rng.random() < 0.65:
        one, other = (temporal - 1 + 1) // 2, (temporal - 1) // 2
        kind = rng.choice("FGFGURWM")
        t, f = random_formula(rng, depth - 1, temporal - 1 if kind in "FG" else one)
        if kind in "FG":
            return f"{kind} {t}", ("until", TRUE, f) if kind == "F" else ("not", ("until", TRUE, ("not", f)))
        u, g = random_formula(rng, depth - 1, other)
        return f"({t} {kind} {u})", {
            "U": ("until", f, g),
            "R": ("not", ("until", ("not", f), ("not", g))),
            "W": ("not", ("until", ("not", g), ("and", ("not", f), ("not", g)))),
            "M": ("until", g, ("and", f, g))}[kind]
    kind = rng.choice(["!", "&&", "||", "->", "&&", "<->"])
    t, f = random_formula(rng, depth - 1, temporal if kind == "!" else temporal // 2)
    if kind == "!":
        return f"!{t}", ("not", f)
    if kind == "<->" and temporal > 2:
        kind = "->"
    u, g = random_formula(rng, depth - 1, temporal // 2)
    both = ("and", f, g)
    neither = ("and", ("not", f), ("not", g))
    return f"({t} {kind} {u})", {
        "&&": both, "||": ("not", neither), "->": ("not", ("and", f, ("not", g))),
        "<->": ("not", ("and", ("not", both), ("not", neither)))}[kind]


# ---- monitors in C: the runs that they accept violate a formula over p and q ---------------------------------

def f_of(f):
    return ("until", TRUE, f)


def g_of(f):
    return ("not", ("until", TRUE, ("not", f)))


def implies(f, g):
    return ("not", ("and", f, ("not", g)))


SHAPES = [  # (the formula, in C)
    (lambda p, q: g_of(f_of(p)),
     "static int on; if (!on && divm_choose(2)) on = 1; if (on) { divm_assume(!(P)); divm_accept(); }"),
    (lambda p, q: f_of(g_of(p)), "if (!(P)) divm_accept();"),
    (lambda p, q: f_of(p), "divm_assume(!(P)); divm_accept();"),
    (lambda p, q: g_of(p), "static int bad; if (!(P)) bad = 1; if (bad) divm_accept();"),
    (lambda p, q: g_of(implies(p, f_of(q))),
     "static int waits; if (!waits && (P) && !(Q) && divm_choose(2)) waits = 1; "
     "if (waits) { divm_assume(!(Q)); divm_accept(); }"),
    (lambda p, q: ("until", p, q),
     "static int failed; divm_assume(failed || !(Q)); if (!(P)) failed = 1; divm_accept();"),
    (lambda p, q: ("not", ("until", ("not", q), ("and", ("not", p), ("not", q)))),  # p W q
     "static int at; if (!at && (Q)) at = 1; else if (!at && !(P)) at = 2; if (at == 2) divm_accept();"),
    (lambda p, q: implies(g_of(f_of(p)), g_of(f_of(q))),
     "static int on; if (!on && divm_choose(2)) on = 1; if (on) { divm_assume(!(Q)); if (P) divm_accept(); }"),
]


def random_monitor(rng):
    """(a function in C, the formula that the runs violate which it accepts)"""
    formula, body = rng.choice(SHAPES)
    p, q = random_atom(rng), random_atom(rng)
    body = body.replace("(P)", f"({p[1]})").replace("(Q)", f"({q[1]})")
    return f"void monitor(void) {{ {body} }}\n", formula(p, q)


def untils_of(formula, found):
    for part in formula[1:]:
        if isinstance(part, tuple):
            untils_of(part, found)
    if formula[0] == "until" and formula not in found:
        found.append(formula)
    return found


def value_of(formula, values, guess):
    kind = formula[0]
    if kind == "atom":
        return formula[2](values)
    if kind == "not":
        return not value_of(formula[1], values, guess)
    if kind == "and":
        return value_of(formula[1], values, guess) and value_of(formula[2], values, guess)
    return guess[formula]


def violates(first, graph, nthreads, formula, fair):
    """Is there a run, a fair one, in which the formula is false?"""
    untils = untils_of(formula, [])
    guesses = [dict(zip(untils, bits)) for bits in itertools.product((False, True), repeat=len(untils))]
    known = {}

    def parts(values, g):
        """Of each until: (left, right) here."""
        if (values, g) not in known:
            known[values, g] = [(value_of(u[1], values, guesses[g]), value_of(u[2], values, guesses[g]))
                                for u in untils]
        return known[values, g]

    def follows(values, g, h):
        return all(guesses[g][u] == (right or (left and guesses[h][u]))
                   for u, (left, right) in zip(untils, parts(values, g)))

    def successors(node):
        state, g = node
        for thread, after in graph[state] if state[0] else [(None, state)]:
            for h in range(len(guesses)):
                if follows(state[1], g, h):
                    yield thread, (after, h)

    def accepts(component):
        inside = set(component)
        edges = [(node, thread) for node in component for thread, after in successors(node) if after in inside]
        if not edges:
            return False
        for i, u in enumerate(untils):
            if not any(not guesses[g][u] or parts(state[1], g)[i][1] for state, g in component):
                return False
        return not fair or all(
            any(k not in {thread for thread, _ in graph[state]} for state, _ in component) or
            any(thread == k for _, thread in edges) for k in range(nthreads))

    def strongly(component):
        left = without_starved(component, successors, lambda node: {k for k, _ in graph[node[0]]})
        if len(left) == len(component):
            return accepts(component)
        return any(strongly(part) for part in components(
            list(left), lambda n: [m for _, m in successors(n) if m in left]))

    starts = [(first, g) for g in range(len(guesses)) if not value_of(formula, first[1], guesses[g])]
    return any((strongly if fair == "strong" else accepts)(component)
               for component in components(starts, lambda n: [m for _, m in successors(n)]))


def without_starved(component, successors, enabled):
    """The component without the states in which a thread can go on that takes no step in it."""
    inside = set(component)
    steps = {thread for node in component for thread, after in successors(node) if after in inside}
    return {node for node in component if not enabled(node) - steps}


def never_ends(first, graph, nthreads, fair):
    """Is there a fair run without an end?"""
    def successors(s):
        return [(k, after) for k, after in graph[s] if after[0]]

    def enabled(s):
        return {k for k, _ in graph[s]}

    def accepts(component):
        inside = set(component)
        steps = {k for s in component for k, after in successors(s) if after in inside}
        return steps and all(k in steps or any(k not in enabled(s) for s in component) for k in range(nthreads))

    def strongly(component):
        left = without_starved(component, successors, enabled)
        if len(left) == len(component):
            return accepts(component)
        return any(strongly(part) for part in components(
            list(left), lambda s: [after for _, after in successors(s) if after in left]))

    return any((strongly if fair == "strong" else accepts)(component)
               for component in components([first], lambda s: [after for _, after in successors(s)]))


def components(starts, successors):
    """Kosaraju's: the strongly connected components of what is reached."""
    order, seen, before = [], set(), {}
    for start in starts:
        if start in seen:
            continue
        seen.add(start)
        stack = [(start, iter(successors(start)))]
        while stack:
            node, rest = stack[-1]
            for after in rest:
                before.setdefault(after, []).append(node)
                if after not in seen:
                    seen.add(after)
                    stack.append((after, iter(successors(after))))
                    break
            else:
                order.append(node)
                stack.pop()
    done = set()
    for root in reversed(order):
        if root in done:
            continue
        done.add(root)
        component, left = [], [root]
        while left:
            node = left.pop()
            component.append(node)
            for m in before.get(node, []):
                if m not in done:
                    done.add(m)
                    left.append(m)
        yield component


# ---- comparing -----------------------------------------------------------------------------------

def questions(rng, first, graph, nthreads):
    """(options, is there such a run)"""
    yield ["--fair"], never_ends(first, graph, nthreads, "weak")
    yield ["--fair=strong"], never_ends(first, graph, nthreads, "strong")
    for _ in range(FORMULAS):
        text, formula = random_formula(rng, rng.randint(1, 3), 4)
        while len(untils_of(formula, [])) > 4:
            text, formula = random_formula(rng, rng.randint(1, 3), 4)
        fair = rng.choice([None, None, "weak", "strong"])
        if rng.random() < 0.15:
            atom = random_atom(rng)
            text = f"--always-eventually={atom[1]}"
            formula = ("not", ("until", TRUE, ("not", ("until", TRUE, atom))))
        else:
            text = f"--ltl={text}"
        yield [text, *([f"--fair={fair}"] if fair else [])], violates(first, graph, nthreads, formula, fair)


def monitors(rng, source, text, first, graph, nthreads):
    """What is wrong with some, or None."""
    for _ in range(MONITORS):
        function, formula = random_monitor(rng)
        fair = rng.choice([None, "weak", "strong"])
        wanted = violates(first, graph, nthreads, formula, fair)
        source.write_text(f"#include <divm.h>\n{text}{function}")
        options = ["--monitor=monitor", *([f"--fair={fair}"] if fair else [])]
        for way in [[], rng.choice(WAYS)]:
            wrong = ask(source, options, wanted, way)
            if wrong:
                return wrong
    return None


def ask(source, options, wanted, way):
    trace = source.with_suffix(".trace")
    run = verify(f"--trace-file={trace}", "--endless=allow", *options, *way, source)
    if run.status != (ENDLESS if wanted else OK):
        return f"{run.told()}, expected {ENDLESS if wanted else OK}, with {options} {way}\n{run.show()}"
    if wanted:
        again = Run([DIVM, "replay", "-q", trace])
        if again.status != ENDLESS:
            return f"replay: {again.told()}, with {options} {way}\n{again.show()}"
        trace.unlink()
    return None


def check(seed, number):
    """(what was found, what is wrong or None); the program is kept if something is"""
    rng = random.Random(f"infinite/{seed}/{number}")
    first = None
    while not first:
        program = random_program(rng)
        first, graph = graph_of(program)
    KEPT.mkdir(parents=True, exist_ok=True)
    source = KEPT / f"infinite-{seed}-{number}.c"
    source.write_text(in_c(program))
    run = verify("--no-trace-file", "--endless=allow", source)
    if run.status == 11:  # threads that are stuck beside others
        source.unlink()
        return {"stuck"}, None
    if run.status:
        return set(), f"{run.told()}\n{run.show()}"
    found = set()
    for options, wanted in questions(rng, first, graph, len(program[0]) + 1):
        found.add("violated" if wanted else "holds")
        for way in [[], rng.choice(WAYS)]:
            wrong = ask(source, options, wanted, way)
            if wrong:
                return set(), wrong
    wrong = monitors(rng, source, in_c(program), first, graph, len(program[0]) + 1)
    if wrong:
        return set(), wrong
    source.unlink()
    return found, None


def tests(count, seed):
    """For run.py: (name, function returning None or what is wrong)."""
    for number in range(count):
        yield f"fuzz infinite {seed}/{number}", lambda n=number: check(seed, n)[1]


def main():
    given = arguments("compares infinite runs with an oracle's")
    jobs = [(given.seed, number) for number in range(given.count)]
    return check_all(check, jobs, given.j, lambda job: f"{job[0]}/{job[1]}", lambda *_: sorted(_[-1]))


if __name__ == "__main__":
    sys.exit(main())
