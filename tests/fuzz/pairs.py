"""Named programs and formulas: what divm says of each pair in tests/liveness/pairs.tsv is what an explicit product says
that shares nothing with divm (infinite.py), of a model of the program.

A model has the variables with their first values, and for each thread, main first, lines that are one step each:

    name: STEP      a place to go to
    x = e; y = f    sets variables, at once
    if e: goto name
    await e: STEP   waits until e
    goto name       no step

Expressions are Python's; wants[0] is wants_0.  The program ends when main is at its end, and all others are.

usage: pairs.py [-j N] [COUNT]
"""

import csv
import itertools
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
from fuzz import KEPT, arguments, check_all  # noqa: E402
from infinite import TRUE, never_ends, violates  # noqa: E402
from suite import DIVM, ROOT, Run, verify  # noqa: E402

TABLE = ROOT / "tests/liveness/pairs.tsv"
OK, ENDLESS = 0, 14


def both(text, *pairs):
    """The text with each name of a pair replaced, at once: the other thread."""
    names = {a: b for a, b in pairs} | {b: a for a, b in pairs}
    return re.sub("|".join(sorted(map(re.escape, names), key=len, reverse=True)), lambda m: names[m[0]], text)


PETERSON = """top: wants_0 = 1
turn = 1
spin: if not wants_1: goto in
if turn == 1: goto spin
in: inside = 1
inside = 0
wants_0 = 0
goto top"""
TURNLESS = """top: wants_0 = 1
spin: if not wants_1: goto in
wants_0 = 0
wants_0 = 1
goto spin
in: inside = 1
inside = 0
wants_0 = 0
goto top"""


def other(text, mine):
    """The thread 1 of it, which is not told when it is inside."""
    text = both(text, ("wants_0", "wants_1")).replace("turn == 1", "turn == 0").replace("turn = 1", "turn = 0")
    return text.replace("in: inside = 1\ninside = 0\nwants_1 = 0", "in: wants_1 = 0") if mine else text


def lift(stays):
    stay = "stay: if not calls_0: goto one\ncalls_0 = 0\ngoto stay" if stays else "goto one"
    return f"""zero: if not calls_0: goto one
floor = 0
calls_0 = 0
{stay}
one: if not calls_1: goto zero
floor = 1
calls_1 = 0
goto zero"""


def reader(gate):
    wait = "gate: if not waiting: goto in\nif not written: goto gate\n" if gate else ""
    return f"top: if written: goto end\n{wait}in: readers = readers + 1\nreaders = readers - 1\ngoto top\nend: _ = 0"


WRITER = "waiting = 1\nspin: if readers: goto spin\nwritten = 1"


def station(me, lost=False):
    leave = "if works_0 == 0: goto top\n" if lost and me == 2 else ""
    return f"""top: if token != {me}: goto top
works_{me} = 1
works_{me} = 0
{leave}token = {(me + 1) % 3}
goto top"""


def trying(first, second):
    """trylock is one step: it takes the fork or does not."""
    return f"""top: await not fork_{first}: fork_{first} = 1
_{first} = not fork_{second}; fork_{second} = 1
if not _{first}: goto back
fork_0 = 0
fork_1 = 0
goto end
back: fork_{first} = 0
goto top
end: _ = 0"""


def ticket(before, inside):
    return f"""top: {before}_t = nxt; nxt = 1 - nxt
spin: if serving != _t: goto spin
{inside}serving = 1 - serving
goto top"""


def barging(name, before, inside):
    return f"""top: {before}{name} = serving; serving = 1
if {name}: goto try
{inside}serving = 0
goto top"""


POLITE = """in_way_0 = 1
spin: if not in_way_1: goto out
in_way_0 = 0
in_way_0 = 1
goto spin
out: in_way_0 = 0"""
DRIVE = """top: cars = 1
red: if not south: goto red
cars = 0
passed = 1
green: if south: goto green
passed = 0
goto top"""
MODELS = {
    "service": ("request=0 answer=0", ["top: answer = 0\nrequest = 1\nspin: if not answer: goto spin\ngoto top",
                                       "top: if not request: goto top\nrequest = 0\nanswer = 1\ngoto top"]),
    "peterson": ("wants_0=0 wants_1=0 turn=0 inside=0", [PETERSON, other(PETERSON, True)]),
    "turnless": ("wants_0=0 wants_1=0 inside=0", [TURNLESS, other(TURNLESS, True)]),
    "elevator": ("calls_0=0 calls_1=0 floor=0", ["top: calls_0 = 1\ngoto top", lift(False), "top: calls_1 = 1\ngoto top"]),
    "elevator-stays": ("calls_0=0 calls_1=0 floor=0",
                       ["top: calls_0 = 1\ngoto top", lift(True), "top: calls_1 = 1\ngoto top"]),
    "readers": ("readers=0 waiting=0 written=0 _=0", [WRITER, reader(False), reader(False)]),
    "readers-gate": ("readers=0 waiting=0 written=0 _=0", [WRITER, reader(True), reader(True)]),
    "spin": ("flag=0 seen=0", ["spin: if not flag: goto spin\nseen = 1", "flag = 1"]),
    "spin-taken": ("flag=0 seen=0", ["spin: if not flag: goto spin\nseen = 1",
                                     "flag = 1\ntop: if seen: goto end\nflag = 0\nflag = 1\ngoto top\nend: flag = flag"]),
    "spin-twice": ("flag=0 seen=0", ["spin: if not flag: goto spin\nseen = 1\nagain: if flag != 2: goto again",
                                     "flag = 1\nspin: if not seen: goto spin\nflag = 2"]),
    "starved": ("lock=0 stop=0 _=0", ["top: await not lock: lock = 1\n_ = stop\nlock = 0\nif not _: goto top",
                                      "await not lock: lock = 1\nstop = 1\nlock = 0"]),
    "starved-atomic": ("lock=0 stop=0 _=0", ["top: await not lock: lock = 1\n_ = stop\nlock = 0\nif not _: goto top",
                                             "stop = 1"]),
    "philosophers": ("fork_0=0 fork_1=0 _0=0 _1=0 _=0", [trying(0, 1), trying(1, 0)]),
    "polite": ("in_way_0=0 in_way_1=0", [POLITE, both(POLITE, ("in_way_0", "in_way_1"))]),
    "polite-ranks": ("in_way_0=0 in_way_1=0", [
        "in_way_0 = 1\nspin: if in_way_1: goto spin\nin_way_0 = 0",
        "in_way_1 = 1\ntop: if not in_way_0: goto out\nin_way_1 = 0\nspin: if in_way_0: goto spin\nin_way_1 = 1\ngoto top\n"
        "out: in_way_1 = 0"]),
    "token": ("token=0 works_0=0 works_1=0 works_2=0", [station(0), station(1), station(2)]),
    "token-lost": ("token=0 works_0=0 works_1=0 works_2=0", [station(0), station(1), station(2, True)]),
    "traffic": ("north=0 south=0 cars=0 passed=0", [
        "top: north = 1\nnorth = 0\nsouth = 1\nspin: if cars: goto spin\nsouth = 0\ngoto top", DRIVE]),
    "traffic-eager": ("north=0 south=0 cars=0 passed=0", [
        "top: north = 1\nnorth = 0\nif cars: goto top\nsouth = 1\nspin: if cars: goto spin\nsouth = 0\ngoto top", DRIVE]),
    "ticket": ("nxt=0 serving=0 waits=0 inside=0 _t=0 _u=0", [
        ticket("waits = 1\n", "inside = 1\nwaits = 0\ninside = 0\n"), ticket("", "").replace("_t", "_u")]),
    "ticket-barges": ("serving=0 waits=0 inside=0 _a=0 _b=0", [
        barging("_a", "waits = 1\ntry: ", "inside = 1\nwaits = 0\ninside = 0\n"),
        barging("_b", "", "").replace("goto try", "goto top")]),
    "slot": ("slots=1 items=0 full=0", ["top: await slots: slots = slots - 1\nfull = 1\nitems = items + 1\ngoto top",
                                        "top: await items: items = items - 1\nfull = 0\nslots = slots + 1\ngoto top"]),
    "slot-busy": ("slots=1 items=0 full=0", ["top: if not slots: goto top\nslots = slots - 1\nfull = 1\nitems = items + 1\ngoto top",
                                             "top: if not items: goto top\nitems = items - 1\nfull = 0\nslots = slots + 1\ngoto top"]),
}


# ---- models ----------------------------------------------------------------------------------

class Model:
    def __init__(self, variables, threads):
        self.names = [pair.split("=")[0] for pair in variables.split()]
        self.first = tuple(int(pair.split("=")[1]) for pair in variables.split())
        self.threads = [self.parse(text.splitlines()) for text in threads]

    @staticmethod
    def parse(lines):
        """Steps (guard, condition and target, what is set), and where to begin."""
        steps, labels, jumps = [], {}, {}
        for line in lines:
            while match := re.match(r"(\w+): (?!goto)", line):
                labels[match[1]] = len(steps)
                line = line[match.end():]
            if match := re.fullmatch(r"goto (\w+)", line):
                jumps[len(steps)] = match[1]
                steps.append(None)
            elif match := re.fullmatch(r"if (.*): goto (\w+)", line):
                steps.append(("True", match[1], match[2], ""))
            elif match := re.fullmatch(r"await (.*): (.*)", line):
                steps.append((match[1], "False", None, match[2]))
            else:
                steps.append(("True", "False", None, line))

        def land(k):
            while k in jumps:
                k = labels[jumps[k]]
            return k

        code = []
        for k, step in enumerate(steps):
            guard, condition, target, text = step or ("False", "False", None, "")
            sets = [part.split(" = ", 1) for part in text.split("; ") if part]
            code.append((compile(guard, "guard", "eval"), compile(condition, "condition", "eval"),
                         land(labels[target]) if target else None,
                         [(name.strip(), compile(e, "value", "eval")) for name, e in sets], land(k + 1)))
        return code, land(0)

    def moves(self, state):
        places, values, _ = state
        if not places:
            return
        env = dict(zip(self.names, values))
        for k, (code, _) in enumerate(self.threads):
            if places[k] == len(code):
                if k == 0 and all(p == len(c) for p, (c, _) in zip(places[1:], self.threads[1:])):
                    yield k, (None, values, None)
                continue
            guard, condition, target, sets, after = code[places[k]]
            if not eval(guard, {}, env):
                continue
            new = {name: int(eval(e, {}, env)) for name, e in sets}
            to = target if eval(condition, {}, env) else after
            yield k, (places[:k] + (to,) + places[k + 1:], tuple((env | new)[name] for name in self.names), None)

    def graph(self):
        first = (tuple(start for _, start in self.threads), self.first, None)
        graph, left = {}, [first]
        while left:
            state = left.pop()
            if state not in graph:
                graph[state] = list(self.moves(state))
                left += [after for _, after in graph[state]]
        return first, graph


# ---- formulas --------------------------------------------------------------------------------

class Parser:
    """What divm takes, of expressions without operators outside parentheses but == != < > <= >=."""

    def __init__(self, text, names):
        self.tokens = re.findall(r"->|&&|\|\||[()!](?!=)|[\w\[\]]+(?:(?:[=!<>]=|<|>)\d+)?", text)
        self.names, self.at = names, 0

    def take(self, *wanted):
        if self.at < len(self.tokens) and self.tokens[self.at] in wanted:
            self.at += 1
            return self.tokens[self.at - 1]
        return None

    def whole(self):
        formula = self.implication()
        assert self.at == len(self.tokens), self.tokens[self.at:]
        return formula

    def implication(self):
        left = self.disjunction()
        return ("not", ("and", left, ("not", self.implication()))) if self.take("->") else left

    def disjunction(self):
        left = self.conjunction()
        while self.take("||"):
            left = ("not", ("and", ("not", left), ("not", self.conjunction())))
        return left

    def conjunction(self):
        left = self.until()
        while self.take("&&"):
            left = ("and", left, self.until())
        return left

    def until(self):
        f = self.unary()
        operator = self.take("U", "W", "R", "M")
        if not operator:
            return f
        g = self.until()
        return {"U": ("until", f, g), "R": ("not", ("until", ("not", f), ("not", g))),
                "W": ("not", ("until", ("not", g), ("and", ("not", f), ("not", g)))),
                "M": ("until", g, ("and", f, g))}[operator]

    def unary(self):
        if self.take("!"):
            return ("not", self.unary())
        if self.take("F"):
            return ("until", TRUE, self.unary())
        if self.take("G"):
            return ("not", ("until", TRUE, ("not", self.unary())))
        if self.take("("):
            formula = self.implication()
            assert self.take(")")
            return formula
        self.at += 1
        text = re.sub(r"\[(\d)\]", r"_\1", self.tokens[self.at - 1])
        code, names = compile(text, "atom", "eval"), self.names
        return ("atom", text, lambda values: bool(eval(code, {}, dict(zip(names, values)))))


# ---- comparing -------------------------------------------------------------------------------

def rows():
    with open(TABLE, newline="") as file:
        return [row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if row["name"]]


def expected(row):
    """ENDLESS if there is a run that violates the formula, or, without one, never ends."""
    model = Model(*MODELS[row["model"]])
    first, graph = model.graph()
    fair, n = row["fair"].strip("-") or None, len(model.threads)
    if row["formula"] == "-":
        return ENDLESS if never_ends(first, graph, n, fair) else OK
    return ENDLESS if violates(first, graph, n, Parser(row["formula"], model.names).whole(), fair) else OK


def check(row):
    """(what was found, what is wrong or None)"""
    wanted = {"holds": OK, "violated": ENDLESS}[row["verdict"]]
    if expected(row) != wanted:
        return set(), f"{row['name']}: the product says the opposite of the table"
    options = [] if row["formula"] == "-" else [f"--ltl={row['formula']}"]
    options += [f"--fair={row['fair']}"] if row["fair"] != "-" else []
    options += row["defines"].split() if row["defines"] != "-" else []
    KEPT.mkdir(parents=True, exist_ok=True)
    trace = KEPT / f"pair-{row['name']}.trace"
    for way in [[], ["--reduction=none", "--cache=none"]]:
        run = verify("-j", "1", f"--trace-file={trace}", "--endless=allow", *options, *way, ROOT / row["program"])
        if run.status != wanted:
            return set(), f"{row['name']}: {run.told()}, expected {wanted}, with {options} {way}\n{run.show()}"
        if wanted:
            again = Run([DIVM, "replay", "-q", trace])
            trace.unlink()
            if again.status != wanted:
                return set(), f"{row['name']}: replay: {again.told()}\n{again.show()}"
    return {row["verdict"]}, None


def tests():
    """For run.py: (name, function returning None or what is wrong)."""
    for row in rows():
        yield f"pair {row['name']}", lambda row=row: check(row)[1]


def main():
    given = arguments("compares infinite runs of named programs with an oracle's")
    jobs = [(row,) for row in itertools.islice(rows(), given.count)]
    return check_all(check, jobs, given.j, lambda job: job[0]["name"],
                     lambda *_: sorted(_[-1]))


if __name__ == "__main__":
    sys.exit(main())
