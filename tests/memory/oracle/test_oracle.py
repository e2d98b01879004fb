"""Tests of the oracle itself: the verdicts of the literature (the lines "outcome" of ../litmus), and
what is known of all programs.

usage: test_oracle.py [COUNT [SEED]], COUNT random programs
"""

import itertools
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE)]
import axioms  # noqa: E402
from generate import random_program  # noqa: E402
from litmus import EXCHANGES, MODELS, Program, Step, parse, parse_step, show, strong  # noqa: E402
from machines import interleavings, store_buffers  # noqa: E402
from outcomes import outcomes  # noqa: E402

FENCE = Step("fence", order="sc")
FEW = 400  # ways to read and to order the writes, of a program for which all are made


def can_end(program, found, wanted):
    places = [program.names.index(n) for n in wanted]
    return any(tuple(o[p] for p in places) == tuple(wanted.values()) for o in found)


def wrong_verdicts(program):
    for model in MODELS:
        found = outcomes(program, model)
        for verdict in program.verdicts:
            if model in verdict.models and can_end(program, found, verdict.wanted) != verdict.models[model]:
                answer = "allows" if verdict.models[model] else "forbids"
                return f"{model} {answer} {verdict.wanted}, not so the oracle\n{program.text()}"
    return None


def is_read_back(program):
    again = parse(program.text())[0]
    same = again.threads == program.threads and again.init == {k: v for k, v in program.init.items() if v}
    return None if same else f"not read as it was written:\n{program.text()}"


def all_sc(program):
    def strongest(s):
        return s._replace(order=s.order and "sc", failure=s.failure and "sc")
    return Program(program.name, program.says, [[strongest(s) for s in t] for t in program.threads])


def fenced(program):
    threads = [[s for step in t for s in (step, FENCE)] for t in program.threads]
    return Program(program.name, program.says, threads)


def wrong_relations(program):
    """What holds between the models: each allows what a stronger one does; with seq_cst alone, and
    with a seq_cst fence after each step, nothing is left but sequential consistency."""
    sc, tso, c11 = (outcomes(program, m) for m in MODELS)
    if store_buffers(program) != tso:
        return f"the axioms of x86-TSO are not the machine with store buffers\n{program.text()}"
    if not (interleavings(strong(program)) <= tso <= c11 and sc <= c11):
        return f"a weaker model forbids what a stronger one allows\n{program.text()}"
    for stronger in all_sc(program), fenced(program):
        if outcomes(stronger, "c11") != interleavings(stronger) or \
                outcomes(stronger, "tso") != interleavings(strong(stronger)):
            return f"more than sequential consistency\n{stronger.text()}"
    return None


def literally(program):
    """The outcomes under RC11 by the definition, without any short cut; None if that is too many."""
    found, ways = set(), 0
    choices = sum(s.kind in EXCHANGES for thread in program.threads for s in thread)
    for successes in itertools.product([True, False], repeat=choices):
        x = axioms.Execution(program, successes)
        reads = list(axioms.bits(x.reads))
        for sources in itertools.product(*(x.writes_to(x.events[r].location) for r in reads)):
            x.rf, x.source = [0] * x.n, dict(zip(reads, sources))
            for r, w in zip(reads, sources):
                x.rf[w] |= 1 << r
            if not axioms.acyclic(axioms.union(x.sb, x.rf)) or not x.values_fit():
                continue
            hb = axioms.happens_before(x)
            locations = program.locations + program.mutexes
            for orders in itertools.product(*(itertools.permutations(x.writes_to(y)) for y in locations)):
                ways += 1
                if ways > FEW:
                    return None
                mo = [0] * x.n
                for order in orders:
                    for a, b in itertools.combinations(order, 2):
                        mo[a] |= 1 << b
                if x.atomic(mo) and axioms.coherent(x, hb, mo) and axioms.sc_orders(x, hb, mo):
                    last = [x.value_of_write(order[-1]) for order in orders]
                    found.add(x.registers() + tuple(last[:len(program.locations)]))
    return found


def wrong_short_cuts(program):
    found = literally(program)
    if found is not None and found != outcomes(program, "c11"):
        return f"the short cuts leave something out, or add something\n{program.text()}"
    return None


def cases(count, seed):
    """(name, what is wrong or None)"""
    for file in sorted((HERE.parent / "litmus").glob("*.litmus")):
        for program in parse(file.read_text()):
            yield f"{file.name} {program.name}", wrong_verdicts(program) or is_read_back(program)
    for text in ("r0 = cas x 0 r1+2 acq_rel rlx", "x = r0 rel", "r3 = xchg y 1 sc", "unlock m",
                 "r1 = weak y 1 2 sc acq"):
        yield text, None if show(parse_step(text)) == text else f"read as {show(parse_step(text))}"
    for number in range(count):
        program = random_program(random.Random(f"oracle/{seed}/{number}"), f"random-{seed}-{number}")
        yield program.name, wrong_relations(program) or is_read_back(program) or wrong_short_cuts(program)


def tests(count, seed):
    """For run.py: (name, function returning None or what is wrong)."""
    def all_cases():
        wrong = [f"{name}: {problem}" for name, problem in cases(count, seed) if problem]
        return "\n".join(wrong) or None
    yield "tests/memory/oracle", all_cases


def main():
    count, seed = (sys.argv[1:] + ["100", "1"][len(sys.argv) - 1:])[:2]
    passed = failed = 0
    for name, problem in cases(int(count), seed):
        if problem:
            print(f"FAIL {name}: {problem}", flush=True)
        failed += problem is not None
        passed += problem is None
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
