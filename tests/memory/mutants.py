"""Weakens each memory order of each algorithm of this folder's algorithms/ by one step.

The algorithms have the weakest orders that are right: so each mutant is an error, or it is known to
be harmless in this small test, by a complete search.  mutants.tsv says which; "?" stands where it
has not been said yet.

usage: mutants.py [-j N] [--memory=MODEL] [--fill] [ALGORITHM...]

--fill writes what is found to mutants.tsv: to be read before it is committed.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
from compare import offered_now  # noqa: E402
from suite import table, verify  # noqa: E402

TABLE = HERE / "mutants.tsv"
HEAD = """# Each memory order of the algorithms, made weaker by one step (mutants.py): the mutant is an error,
# or harmless as a complete search says, or "?", as no memory model has decided it so far.
# An error may be an endless run: in mcs_lock.c, where a store of the queue gets lost.
"""
COLUMNS = ("algorithm", "order", "of", "is", "weaker", "expected")
WEAKER = {  # what has the order: {an order: the next weaker ones}
    "load": {"seq_cst": ["acquire"], "acquire": ["relaxed"]},
    "store": {"seq_cst": ["release"], "release": ["relaxed"]},
    "rmw": {"seq_cst": ["acq_rel"], "acq_rel": ["acquire", "release"], "acquire": ["relaxed"],
            "release": ["relaxed"]},
    "fence": {"seq_cst": ["acq_rel"], "acq_rel": ["acquire", "release"], "acquire": ["relaxed"],
              "release": ["relaxed"]},
}
ORDER = re.compile(r"^#define (ORDER_\d+) (?:std::)?memory_order_(\w+) /\* (\w+): ", re.M)
LIMIT = "120s"


def algorithms():
    return sorted(p for p in (HERE / "algorithms").iterdir() if p.suffix in (".c", ".cpp"))


def mutants(path):
    """Rows of the table but for what is expected"""
    text = path.read_text()
    if len(ORDER.findall(text)) != text.count("#define ORDER_"):
        raise ValueError(f"{path.name}: an order without a comment that says what has it")
    for name, order, kind in ORDER.findall(text):
        for weaker in WEAKER[kind][order]:
            yield path.name, name, kind, order, weaker


def key(row):
    return tuple(row[c] for c in COLUMNS[:-1])


def known():
    return {key(row): row["expected"] for row in table(TABLE)} if TABLE.exists() else {}


def outcome(run):
    return {0: "harmless"}.get(run.status, "error" if run.status and 10 <= run.status < 20 else "?")


def examine(mutant, model):
    """(error, harmless or ?, the run)"""
    algorithm, name, _, _, weaker = mutant
    std = "std::" if algorithm.endswith(".cpp") else ""
    given = [f"--memory={model}"] if len(offered_now()) > 1 else []
    run = verify("-j", "1", "--no-trace-file", "--max-memory=2G", f"--max-time={LIMIT}", *given,
                 f"-D{name}={std}memory_order_{weaker}", HERE / "algorithms" / algorithm, limit=300)
    return outcome(run), run


def problem(mutant, expected, model):
    """What is wrong with a mutant, or None.  Sequential consistency allows less than c11, so an
    error counts there, and none says nothing."""
    found, run = examine(mutant, model)
    if expected is None:
        return f"no row in {TABLE.name}"
    if found == expected or found != "error" and (expected == "?" or model == "sc"):
        return None
    return f"{found}, but {expected} is expected\n{run.show()}"


def model_now():
    return "c11" if "c11" in offered_now() else "sc"


def tests():
    """For run.py: (name, function returning None or what is wrong)."""
    rows, model = known(), model_now()
    for mutant in (m for path in algorithms() for m in mutants(path)):
        yield f"tests/memory/algorithms/{mutant[0]} {mutant[1]}={mutant[4]}", \
            lambda m=mutant: problem(m, rows.get(m), model)
    stale = set(rows) - {m for path in algorithms() for m in mutants(path)}
    yield TABLE.name, lambda: f"no such mutants: {stale}" if stale else None


def fill(chosen, model, pool):
    rows = known()
    for mutant, (found, _) in zip(chosen, pool.map(lambda m: examine(m, model), chosen)):
        decided = found if found == "error" or model == "c11" else "?"
        print("\t".join([*mutant, decided]), flush=True)
        rows[mutant] = decided
    order = [m for path in algorithms() for m in mutants(path)]
    lines = ["\t".join(COLUMNS)] + ["\t".join([*m, rows.get(m, "?")]) for m in order]
    TABLE.write_text(HEAD + "\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description="weakens memory orders of lock-free algorithms")
    parser.add_argument("-j", type=int, default=os.cpu_count())
    parser.add_argument("--memory", help="the model (default: c11, or sc where divm has no other)")
    parser.add_argument("--fill", action="store_true", help="write what is found to the table")
    parser.add_argument("algorithms", nargs="*")
    given = parser.parse_args()
    model = given.memory or model_now()
    paths = [p for p in algorithms() if not given.algorithms or {p.name, p.stem} & set(given.algorithms)]
    chosen = [m for p in paths for m in mutants(p)]
    with concurrent.futures.ThreadPoolExecutor(given.j) as pool:
        if given.fill:
            return fill(chosen, model, pool)
        rows, failed = known(), 0
        for mutant, wrong in zip(chosen, pool.map(lambda m: problem(m, rows.get(m), model), chosen)):
            failed += wrong is not None
            if wrong:
                print(f"FAIL {' '.join(mutant)}: {wrong}", flush=True)
    print(f"{len(chosen) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
