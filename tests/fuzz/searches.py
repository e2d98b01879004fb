"""Compares divm's searches with one another on random programs of several families
(families.py).

A program that has an error has one whatever the search, and without any reduction; one that
has none ends, whatever the search, in the same ways; and it has as many states depth first as
breadth first, and whether these are kept or hashed.

usage: searches.py [-j N] [--all] [--family NAME]... [COUNT [SEED]]
"""

import argparse
import json
import os
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
from families import FAMILIES  # noqa: E402
from fuzz import CACHES, KEPT, REDUCTIONS, check_all  # noqa: E402
from grammar import Program  # noqa: E402
from suite import DIVM, Run, verify  # noqa: E402

INCOMPLETE = 5
ENDS = 5  # a program can end in as many ways, as far as that is looked at
PLAIN = [["--search=dfs", "--reduction=none"],
         ["--search=dfs", "--reduction=coalesce,race-free,heap-symmetry"]]
SEARCHES = [["--search=bfs"], ["--search=dfs"], ["--search=dpor"], ["--store=exact"], ["-j", "2"],
            ["--search=dpor", "--reduction=no-heap-symmetry"],
            ["--cache=none"], *[[f"--reduction=no-{name}"] for name in REDUCTIONS]]
COUNTED = [["--search=bfs", "--reduction=no-thread-symmetry"], ["--search=dfs", "--reduction=no-thread-symmetry"],
           ["--search=bfs", "--store=exact", "--reduction=no-thread-symmetry"], ["--search=bfs"]]
FINER = {"processes", "signals"}  # a few ids tell what does not matter


def is_finer(family, program, text):
    """So they do where preconcurrent objects change places with others, and where the handle of a thread
    that was made by one of several, and has ended, is kept: as a frame that calls setjmp does;
    and where a system call is given a variable that is the thread's own up to then; and where two threads are
    detached and have left their functions, which made them differ."""
    keeps = "setjmp" in text and any(program.maker.values())
    leave = text.count("detach(") > 1
    return family in FINER or "OLD" in program.defines or keeps or leave or "SYS_futex" in text


def built(source, *defines):
    """What divm is to be given as the program.  C++ takes long to compile, so that is done here,
    once for all searches."""
    if source.suffix == ".c":
        return [*defines, source]
    binary = source.with_suffix(".divm")
    compiler = pathlib.Path(DIVM).with_name("divm-c++")
    run = Run([compiler, "-std=gnu++20", "-w", *defines, source, "-o", binary])
    if run.status != 0:
        raise ValueError(f"{run.told()}\n{run.show()}")
    return [binary]


def is_verdict(status):
    return status == 0 or status in range(10, 16)


def differ(program, searches):
    """(the statuses of all, what is wrong or None)"""
    found = {}
    for given in searches:
        run = verify("-q", "-j", "1", "--no-trace-file", "--leaks=no", "--max-time=5s", *given,
                     *program)
        if run.status == INCOMPLETE:
            continue
        if not is_verdict(run.status):
            return set(), f"{run.told()}\n{run.show()}"
        found[" ".join(given)] = run.status
    if len({status != 0 for status in found.values()}) > 1:
        return set(), f"the searches do not agree: {found}"
    return set(found.values()), None


def count_apart(program, finer, cache):
    """What is wrong or None: states are told apart by their fingerprints as they are by
    themselves (some more, if it is finer or looks at addresses), in any order; and of those
    that are the same but for names the same one is gone on from, whatever was known without
    being executed.  (Of states that are kept nothing is known without being executed; alike.py compares threads that
    are alike.)  Nor does it matter that a cache is left out, but for the one of preconcurrent objects: then
    some states may be one."""
    found = []
    for given in [*COUNTED, ["--search=bfs", f"--cache=no-{cache}"]]:
        run = verify("-j", "1", "--no-trace-file", "--leaks=no", "--max-time=5s", "--format=json",
                     *given, *program)
        if run.status == INCOMPLETE:
            return None
        if run.status != 0:
            return f"{run.told()} with {given}\n{run.show()}"
        report = json.loads(run.text)
        found.append((report["transitions"], report["states"], report["instructions"]))
        finer |= report["options"]["addresses_matter"]
    hashed, deep, kept, cached, executed = found
    if cached != executed and not (cache == "preconcurrent" and executed[:2] < cached[:2]):
        return f"transitions, states, instructions with all caches and --cache=no-{cache}: {found[3:]}"
    if hashed[:2] == deep[:2] and (hashed == kept or (finer and hashed[:2] > kept[:2])):
        return None
    return f"transitions, states, instructions breadth first, depth first, and kept: {found}"


def compare(source, options, everything, rng, finer):
    plain = [rng.choice(PLAIN), [], ["--search=dpor"]]
    searches = plain + (SEARCHES if everything else [rng.choice(SEARCHES)])
    program = [*options, *built(source)]
    statuses, problem = differ(program, searches)
    if problem or statuses != {0}:
        return statuses, problem
    problem = count_apart(program, finer, rng.choice(CACHES))
    if problem:
        return set(), problem
    end = [f"-DENDS={ENDS}", f"-DNEVER={rng.randrange(ENDS)}"]
    _, problem = differ([*options, *built(source, *end)], plain)
    return statuses, problem and f"{end}: {problem}"


def check(family, seed, number, everything=False):
    """(statuses, what is wrong or None); the program is kept if something is"""
    rng = random.Random(f"{family}/{seed}/{number}")
    program = Program(rng, FAMILIES[family])
    source = KEPT / f"{family}-{seed}-{number}{program.family.suffix}"
    KEPT.mkdir(parents=True, exist_ok=True)
    text = program.text()
    source.write_text(text)
    statuses, problem = compare(source, program.options, everything, rng,
                                is_finer(family, program, text))
    source.with_suffix(".divm").unlink(missing_ok=True)
    if not problem:
        source.unlink()
    return statuses, problem


def tests_of(kind, checks, count, seed):
    """For run.py: (name, function returning None or what is wrong)."""
    for number in range(count):
        for family in FAMILIES:
            yield (f"fuzz {kind} {family} {seed}/{number}",
                   lambda f=family, n=number: checks(f, seed, n)[1])


def tests(count, seed):
    return tests_of("searches", check, count, seed)


def run_families(parser, checks, nothing, *more):
    """What the command line asks for; more: options whose values checks() is given, too."""
    parser.add_argument("-j", type=int, default=os.cpu_count())
    parser.add_argument("--family", action="append", choices=list(FAMILIES))
    parser.add_argument("count", type=int, nargs="?", default=10, help="of each family")
    parser.add_argument("seed", nargs="?", default="1")
    given = parser.parse_args()
    jobs = [(family, given.seed, number, *(getattr(given, name) for name in more))
            for number in range(given.count) for family in given.family or FAMILIES]
    return check_all(checks, jobs, given.j, lambda job: f"{job[0]} {job[1]}/{job[2]}",
                     lambda job, statuses: [" ".join(
                         (job[0], "+".join(map(str, sorted(statuses))) or nothing))])


def main():
    parser = argparse.ArgumentParser(description="compares divm's searches with one another")
    parser.add_argument("--all", action="store_true", help="all searches, each reduction off")
    return run_families(parser, check, "incomplete", "all")


if __name__ == "__main__":
    sys.exit(main())
