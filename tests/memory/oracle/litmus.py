"""Litmus programs: what they are and how they are written.

A file has any number of programs, each a block like this one:

    MP+rel+acq: a release store and an acquire load pass a message
        x = 1 rlx | r0 = y acq
        y = 1 rel | r1 = x rlx
        outcome r0=1 r1=0: sc no, tso no, c11 no

A column is a thread; a cell is one step, and may be empty.  main makes the threads, joins them and
reads the last value of each location.  Steps:

    x = 1 rlx                    a store; also of a register, or a register plus a number: x = r0+1 rel
    r0 = x acq                   a load
    r0 = xchg x 1 acq_rel        an exchange; r0 gets the old value
    r0 = add x 1 rlx             a fetch_add; r0 gets the old value
    r0 = cas x 0 1 acq_rel rlx   a strong compare-exchange of 0 by 1, with the order of a failure;
                                 r0 gets the value that was read
    r0 = weak x 0 1 acq_rel rlx  a weak one: it may fail although it finds 0, but not on x86 (tso)
    fence sc                     a fence
    lock m, unlock m             of a mutex

Orders are rlx, acq, rel, acq_rel and sc.  All locations are atomic and 0 at first ("init x=2" in a
line of its own gives another value); locations that are locked are mutexes.  A register is
assigned in one thread only.

A line "outcome" says under which models what it names can be seen together, by the literature.
"""

import collections
import re

MODELS = ("sc", "tso", "c11")
ORDERS = ("rlx", "acq", "rel", "acq_rel", "sc")
ACQUIRES, RELEASES = {"acq", "acq_rel", "sc"}, {"rel", "acq_rel", "sc"}

# kind: load, store, xchg, add, cas, weak, fence, lock or unlock.  value, expected: (register or None, n).
Step = collections.namedtuple("Step", "kind register location value expected order failure")
Step.__new__.__defaults__ = (None,) * 6
Verdict = collections.namedtuple("Verdict", "wanted models")  # {name: value}, {model: bool}

VALUE = r"(r\d+)?(?:\+?(\d+))?"
PATTERNS = [
    ("fence", r"fence (?P<order>\w+)"),
    ("lock", r"lock (?P<location>\w+)"),
    ("unlock", r"unlock (?P<location>\w+)"),
    ("xchg", r"(?P<register>r\d+) = xchg (?P<location>\w+) (?P<value>\S+) (?P<order>\w+)"),
    ("add", r"(?P<register>r\d+) = add (?P<location>\w+) (?P<value>\S+) (?P<order>\w+)"),
    ("cas", r"(?P<register>r\d+) = cas (?P<location>\w+) (?P<expected>\S+) (?P<value>\S+) "
            r"(?P<order>\w+) (?P<failure>\w+)"),
    ("weak", r"(?P<register>r\d+) = weak (?P<location>\w+) (?P<expected>\S+) (?P<value>\S+) "
             r"(?P<order>\w+) (?P<failure>\w+)"),
    ("load", r"(?P<register>r\d+) = (?P<location>[a-z_]\w*) (?P<order>\w+)"),
    ("store", r"(?P<location>[a-z_]\w*) = (?P<value>\S+) (?P<order>\w+)"),
]
EXCHANGES = {"cas", "weak"}  # a step of these fails or succeeds
MAY_BE = {"load": {"rlx", "acq", "sc"}, "store": {"rlx", "rel", "sc"},
          "fence": {"acq", "rel", "acq_rel", "sc"}}


class Program:
    def __init__(self, name, says, threads, init=None, verdicts=()):
        self.name, self.says, self.threads = name, says, threads
        self.init, self.verdicts = dict(init or {}), list(verdicts)
        self.known = {}  # the outcomes under each model, once they have been asked for
        steps = [s for thread in threads for s in thread]
        self.mutexes = sorted({s.location for s in steps if s.kind == "lock"})
        self.locations = sorted({s.location for s in steps if s.location} - set(self.mutexes))
        self.registers = sorted({s.register for s in steps if s.register},
                                key=lambda r: int(r[1:]))
        self.names = self.registers + self.locations  # of the values of an outcome, in this order

    def text(self):
        cells = [[show(s) for s in thread] for thread in self.threads]
        lines = [f"{self.name}: {self.says}"]
        lines += [f"    init {x}={v}" for x, v in sorted(self.init.items()) if v]
        widths = [max([len(c) for c in column], default=0) for column in cells]
        for k in range(max(map(len, cells))):
            row = [(c[k] if k < len(c) else "").ljust(w) for c, w in zip(cells, widths)]
            lines.append(("    " + " | ".join(row)).rstrip())
        for verdict in self.verdicts:
            wanted = " ".join(f"{n}={v}" for n, v in verdict.wanted.items())
            models = ", ".join(f"{m} {'yes' if v else 'no'}" for m, v in verdict.models.items())
            lines.append(f"    outcome {wanted}: {models}")
        return "\n".join(lines) + "\n"

    def show(self, outcome):
        return " ".join(f"{n}={v}" for n, v in zip(self.names, outcome))

    def weaker_than_sc(self):
        return any(s.order not in (None, "sc") or s.failure not in (None, "sc")
                   for thread in self.threads for s in thread)


def strong(program):
    """The same, but no compare-exchange fails that finds what it expects"""
    threads = [[s._replace(kind="cas") if s.kind == "weak" else s for s in t] for t in program.threads]
    return Program(program.name, program.says, threads, program.init, program.verdicts)


def show_value(value):
    register, n = value
    return str(n) if register is None else register + (f"+{n}" if n else "")


def show(s):
    if s.kind == "load":
        return f"{s.register} = {s.location} {s.order}"
    if s.kind == "store":
        return f"{s.location} = {show_value(s.value)} {s.order}"
    if s.kind in EXCHANGES:
        return (f"{s.register} = {s.kind} {s.location} {show_value(s.expected)} {show_value(s.value)} "
                f"{s.order} {s.failure}")
    if s.kind in ("xchg", "add"):
        return f"{s.register} = {s.kind} {s.location} {show_value(s.value)} {s.order}"
    return f"fence {s.order}" if s.kind == "fence" else f"{s.kind} {s.location}"


def parse_value(text):
    found = re.fullmatch(VALUE, text)
    if not found or not text:
        raise ValueError(f"no value: {text}")
    return found[1], int(found[2] or 0)


def parse_step(text):
    for kind, pattern in PATTERNS:
        found = re.fullmatch(pattern, text)
        if found:
            given = found.groupdict()
            for name in ("value", "expected"):
                if given.get(name) is not None:
                    given[name] = parse_value(given[name])
            step = Step(kind, **given)
            check_orders(step, text)
            return step
    raise ValueError(f"no step: {text}")


def check_orders(step, text):
    allowed = MAY_BE.get(step.kind, set(ORDERS))
    if step.order and step.order not in allowed:
        raise ValueError(f"no such order: {text}")
    if step.failure and step.failure not in MAY_BE["load"]:
        raise ValueError(f"no such order of a failure: {text}")


def parse_verdict(text):
    wanted, models = text.split(":")
    wanted = dict((n, int(v)) for n, v in (pair.split("=") for pair in wanted.split()))
    models = dict(pair.split() for pair in models.split(","))
    if not set(models) <= set(MODELS) or not set(models.values()) <= {"yes", "no"}:
        raise ValueError(f"no such verdict: {text}")
    return Verdict(wanted, {m: answer == "yes" for m, answer in models.items()})


def parse_block(lines):
    name, says = lines[0].split(": ", 1)
    threads, init, verdicts = [], {}, []
    for line in map(str.strip, lines[1:]):
        if line.startswith("init "):
            init.update((x, int(v)) for x, v in (p.split("=") for p in line[5:].split()))
        elif line.startswith("outcome "):
            verdicts.append(parse_verdict(line[8:]))
        else:
            cells = line.split("|")
            threads += [[] for _ in range(len(cells) - len(threads))]
            for thread, cell in zip(threads, cells):
                if cell.strip():
                    thread.append(parse_step(cell.strip()))
    program = Program(name, says, threads, init, verdicts)
    check_names(program)
    return program


def check_names(program):
    for k, thread in enumerate(program.threads):
        others = {s.register for t in program.threads[:k] for s in t if s.register}
        mine = {s.register for s in thread if s.register}
        if others & mine:
            raise ValueError(f"{program.name}: a register of two threads: {others & mine}")
        for s in thread:
            used = {v[0] for v in (s.value, s.expected) if v and v[0]}
            if not used <= mine:
                raise ValueError(f"{program.name}: another thread's register: {used - mine}")
    for verdict in program.verdicts:
        if not set(verdict.wanted) <= set(program.names):
            raise ValueError(f"{program.name}: an outcome of what it has not: {verdict.wanted}")


def parse(text):
    """The programs of a file's text; # begins a line of comment."""
    blocks = []
    for line in text.splitlines():
        line = line.split("#")[0].rstrip()
        if line and not line[0].isspace():
            blocks.append([line])
        elif line:
            blocks[-1].append(line)
    programs = []
    for block in blocks:
        try:
            programs.append(parse_block(block))
        except ValueError as error:
            raise ValueError(f"{block[0]}: {error}") from error
    return programs
