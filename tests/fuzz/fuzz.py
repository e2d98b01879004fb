"""Compares divm's verdicts on random programs with those of oracle.py.

A program that can go wrong in several ways may get any of these verdicts; one
that cannot must be found correct.  That has to hold whatever reductions are on.

usage: fuzz.py [-j N] [--all] [COUNT [SEED]]
"""

import argparse
import collections
import concurrent.futures
import functools
import os
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
from oracle import Oracle, TooLarge  # noqa: E402
from programs import make  # noqa: E402
from suite import ROOT, names_in, verify  # noqa: E402

STATUS = {"assert": 10, "deadlock": 11, "race": 13}
REDUCTIONS, CACHES = names_in("reductions.def"), names_in("caches.def")
ALWAYS = [["--search=bfs"], ["--search=dpor"], ["--reduction=none"]]
OTHERS = [["--search=dfs"], [], ["--search=dpor", "--reduction=no-heap-symmetry"],
          *[[f"--reduction=no-{name}"] for name in REDUCTIONS]]
OUTCOMES = 3  # of each program, that are looked for
PLAIN = 400  # states of oracle.py, for a program that allocates nothing
SLOW = [["--reduction=none"], ["--reduction=no-coalesce"]]
KEPT = ROOT / "build" / "fuzz"


def program(name):
    """The first program of this name that the oracle can look at, and what it says.
    Deterministic."""
    rng = random.Random(name)
    while True:
        candidate = make(rng)
        oracle = Oracle(candidate)
        try:
            oracle.run()
            return candidate, oracle
        except TooLarge:
            continue


def options(number, everything, soon):
    """What is given; without reductions only where that ends soon."""
    given = ALWAYS + (OTHERS if everything else [OTHERS[number % len(OTHERS)]])
    return [g for g in given if soon or g not in SLOW]


def wrong(text, name, given, expected):
    """What is wrong with divm's verdict of this program, or None."""
    KEPT.mkdir(parents=True, exist_ok=True)
    source = KEPT / f"{name}.c"
    source.write_text(text)
    run = verify("-j", "1", "--no-trace-file", "--leaks=no", *given, source, limit=300)
    if run.status in expected or run.status == 5 and "does not suit" in run.text:
        source.unlink()
        return None
    return f"{run.told()}, but it can be: {sorted(expected)}\n{run.show()}"


def check(seed, number, everything=False):
    """(verdicts that can be, None or what is wrong)"""
    made, oracle = program(f"{seed}/{number}")
    expected = {STATUS[v] for v in oracle.verdicts} or {0}
    soon = oracle.states < PLAIN and not made.pointers
    for given in options(number, everything, soon):
        problem = wrong(made.c(), f"{seed}-{number}", given, expected)
        if problem:
            return oracle.verdicts, problem
    if oracle.verdicts or len(oracle.outcomes) == 1:
        return oracle.verdicts, None
    rng = random.Random(f"{seed}/{number}")
    for outcome in rng.sample(sorted(oracle.outcomes), min(OUTCOMES, len(oracle.outcomes))):
        given = [rng.choice(["--search=dpor", "--search=dpor", "--search=bfs"])]
        problem = wrong(made.c(never=outcome), f"{seed}-{number}", given, {STATUS["assert"]})
        if problem:
            return oracle.verdicts, problem
    return oracle.verdicts, None


def tests(count, seed):
    """For run.py: (name, function returning None or what is wrong)."""
    for number in range(count):
        yield f"fuzz {seed}/{number}", lambda n=number: check(seed, n)[1]


def guarded(check_job, job):
    try:
        return check_job(*job)
    except Exception as error:
        return set(), f"{type(error).__name__}: {error}"


def check_all(check_job, jobs, processes, name, kinds_of):
    """Checks all jobs, whose results are (what was seen, what is wrong or None); tells what is
    wrong, by name(job), and how many programs there are of each kind: kinds_of(job, seen) has
    that of each program.  The exit status."""
    passed, failed, kinds = 0, 0, collections.Counter()
    with concurrent.futures.ProcessPoolExecutor(processes) as pool:
        results = pool.map(functools.partial(guarded, check_job), jobs)
        for job, (seen, problem) in zip(jobs, results):
            if problem:
                failed += 1
                print(f"FAIL {name(job)}: {problem}", flush=True)
            else:
                passed += len(kinds_of(job, seen))
                kinds.update(kinds_of(job, seen))
    print("; ".join(f"{n} {each}" for each, n in sorted(kinds.items())))
    print(f"{passed} passed, {failed} failed")
    return failed != 0


def arguments(description):
    """-j N, COUNT and SEED, for those that have no other"""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("-j", type=int, default=os.cpu_count())
    parser.add_argument("count", type=int, nargs="?", default=100)
    parser.add_argument("seed", nargs="?", default="1")
    return parser.parse_args()


def main():
    parser = argparse.ArgumentParser(description="compares divm with an independent checker")
    parser.add_argument("-j", type=int, default=os.cpu_count())
    parser.add_argument("--all", action="store_true", help="each program with each reduction off")
    parser.add_argument("count", type=int, nargs="?", default=60)
    parser.add_argument("seed", nargs="?", default="1")
    given = parser.parse_args()
    jobs = [(given.seed, number, given.all) for number in range(given.count)]
    return check_all(check, jobs, given.j, lambda job: f"{job[0]}/{job[1]}",
                     lambda _, verdicts: ["+".join(sorted(verdicts)) or "correct"])


if __name__ == "__main__":
    sys.exit(main())
