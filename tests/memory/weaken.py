"""--weaken of each algorithm of algorithms/ agrees with mutants.tsv.

What mutants.py does from outside, by another value of a macro, --weaken does within one run.  An
order that stands in several places is weakened in all of them there, and here in one at a time:
so where the mutant is an error, one place alone may be harmless.

usage: weaken.py [-j N] [ALGORITHM...]
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
from mutants import algorithms, known  # noqa: E402
from suite import verify  # noqa: E402

CHEAP = ("spsc_ring.c", "rw_lock.cpp", "mcs_lock.c")  # in make check
OUTCOMES = {"ok": "harmless", "error": "error", "other error": "error"}


def uses(path):
    """{line: names of the orders in it}, but for their definitions."""
    lines = enumerate(path.read_text().splitlines(), 1)
    return {n: set(re.findall(r"\bORDER_\d+\b", line)) for n, line in lines
            if "ORDER_" in line and not re.match(r"#(define|ifndef)", line)}


def found_by(report, path, rows):
    """{(order's name, is, weaker): outcomes, one for each place}.  Of several names in a line
    that counts which has such an order."""
    at, found = uses(path), {}
    for search in report["orders"]["searches"]:
        change, = search["changes"]
        here = [(name, change["is"], change["tried"]) for name in at.get(change["line"], ())]
        nowhere = f"line {change['line']}", change["is"], change["tried"]
        for where in [row for row in here if row in rows] or [nowhere]:
            found.setdefault(where, []).append(OUTCOMES.get(search["verdict"], "?"))
    return found


def agrees(expected, outcomes):
    if expected == "error" and len(outcomes) > 1:
        return set(outcomes) <= {"error", "harmless"}
    return outcomes and set(outcomes) == {expected}


def problem(path):
    """What is wrong with an algorithm, or None."""
    run = verify("-j", "1", "--weaken", "--no-trace-file", "--format=json", "--max-memory=2G",
                 "--max-time=120s", path, limit=900)
    if run.status:
        return run.show()
    report = json.loads(run.text)
    rows = {(k[1], k[3], k[4]): e for k, e in known().items() if k[0] == path.name}
    found = found_by(report, path, rows)
    wrong = [f"{' '.join(row)}: {outcomes}, but the table has {rows.get(row)}"
             for row, outcomes in found.items() if not agrees(rows.get(row), outcomes)]
    wrong += [f"{' '.join(row)}: not tried" for row in rows if row not in found]
    return "\n".join(wrong) or None


def tests(chosen=CHEAP):
    """For run.py: (name, function returning None or what is wrong)."""
    for path in algorithms():
        if path.name in chosen:
            yield f"tests/memory/algorithms/{path.name} --weaken", lambda p=path: problem(p)


def main():
    parser = argparse.ArgumentParser(description="--weaken of lock-free algorithms")
    parser.add_argument("-j", type=int, default=os.cpu_count())
    parser.add_argument("algorithms", nargs="*")
    given = parser.parse_args()
    chosen = given.algorithms or [path.name for path in algorithms()]
    all_tests, failed = list(tests(chosen)), 0
    with concurrent.futures.ThreadPoolExecutor(given.j) as pool:
        for (name, _), wrong in zip(all_tests, pool.map(lambda t: t[1](), all_tests)):
            failed += wrong is not None
            if wrong:
                print(f"FAIL {name}: {wrong}", flush=True)
    print(f"{len(all_tests) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
