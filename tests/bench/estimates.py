"""How good the forecasts of an incomplete search are: docs/PERFORMANCE.md has the table.

For each row of rows.tsv whose verdict is correct: how many states there are breadth first, and
how many executions with --search=dpor.  Then the same search is cut short at some parts of that,
and what its JSON report foresees (states_in_all, executions_in_all) is compared with the truth.

Searches that would never end are compared with a formula: N threads that add to one counter S times
each have C(N + S, N) states, and a few more while they are created and joined.

usage: estimates.py [--limit=SECONDS] [WORD...]   rows with one of the words
       estimates.py --formula [--limit=SECONDS]   those searches only
"""

import argparse
import json
import math
import pathlib
import shlex
import statistics
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from suite import DIVM, Run, table  # noqa: E402

PARTS = [0.03, 0.1, 0.3, 0.5, 0.8]
SEARCHES = {"bfs": ("states", "states_in_all"), "dpor": ("executions", "executions_in_all")}
FEWEST = 1000  # states or executions: less is over at once


def report_of(program, search, *more):
    run = Run([DIVM, "verify", "-j1", "--no-trace-file", "--format=json", "--max-memory=2G",
               f"--search={search}", *more, *program], limit=300)
    return json.loads(run.text) if run.text else None


def program_of(row):
    options = [o for o in shlex.split(row["options"]) if not o.startswith("--search")]
    return [*options, *shlex.split(row["defines"]), str(HERE / row["program"])]


def limits(search, part, truth, before):
    """What cuts the search short after that part: states are counted, executions need time, beside
    the seconds before the search."""
    if search == "bfs":
        return [f"--max-states={max(1, int(part * truth['states']))}"]
    return [f"--max-time={before + part * truth['seconds']:.3f}s"]


def look_at(program, search, seconds):
    """For each part: (part that was done, least, foreseen, most), by the truth; or None."""
    count, forecast = SEARCHES[search]
    report_of(program, "bfs", "--max-states=1")  # what is compiled is kept
    start = time.monotonic()
    truth = report_of(program, search, f"--max-time={seconds}s")
    before = time.monotonic() - start - truth["seconds"] if truth else 0
    if not truth or truth["verdict"] != "ok" or truth[count] < FEWEST:
        return []
    found = []
    for part in PARTS:
        report = report_of(program, search, *limits(search, part, truth, before))
        if report["verdict"] != "incomplete":
            continue
        known = report.get(forecast)
        figures = [known[k] / truth[count] for k in ("least", "all", "most")] if known else None
        found.append((report[count] / truth[count], figures))
    return found


def summary(name, all_found):
    """Rows of the table: what was done, how many searches, forecasts, with the truth in the
    spread, the median of most / least and of the factor by which the figure is wrong."""
    bounds = [0, 0.05, 0.2, 0.4, 0.65, 1]
    for low, high in zip(bounds, bounds[1:]):
        group = [figures for part, figures in all_found if low < part <= high]
        known = [f for f in group if f]
        if not known:
            print(f"| {name} | {low:.0%} to {high:.0%} | {len(group)} | 0 | | | |")
            continue
        inside = sum(f[0] <= 1.001 and f[2] >= 0.999 for f in known)
        spread = statistics.median(f[2] / f[0] for f in known)
        wrong = statistics.median(max(f[1], 1 / f[1]) for f in known)
        print(f"| {name} | {low:.0%} to {high:.0%} | {len(group)} | {len(known)} | {inside} | "
              f"{spread:.3g} | {wrong:.3g} |")


COUNTERS = [(3, 10000), (4, 2000), (6, 500), (8, 200), (12, 100), (16, 60), (24, 40)]  # N, S


def by_formula(seconds):
    print("| threads | steps | states | done | least | foreseen | most |")
    print("|---|---|---|---|---|---|---|")
    for n, steps in COUNTERS:
        truth = math.comb(n + steps, n)
        program = [f"-DN={n}", f"-DSTEPS={steps}", str(HERE / "counter.c")]
        report = report_of(program, "bfs", f"--max-time={seconds}s")
        known = report.get("states_in_all")
        told = [f"{known[k] / truth:.2g}" for k in ("least", "all", "most")] if known else ["", "", ""]
        print(f"| {n} | {steps} | {truth:.2g} | {report['states'] / truth:.1g} | {' | '.join(told)} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description="compares forecasts with what came")
    parser.add_argument("--limit", type=float, default=20, help="seconds of one search")
    parser.add_argument("words", nargs="*")
    parser.add_argument("--formula", action="store_true")
    given = parser.parse_args()
    if given.formula:
        return by_formula(given.limit)
    rows = [row for row in table(HERE / "rows.tsv")
            if row["verdict"] == "correct" and (not given.words or any(
                w in f"{row['program']} {row['defines']}" for w in given.words))]
    found = {search: [] for search in SEARCHES}
    for row in rows:
        for search in SEARCHES:
            each = look_at(program_of(row), search, given.limit)
            found[search] += each
            for part, figures in each:
                told = " ".join(f"{f:.3g}" for f in figures) if figures else "-"
                print(f"{row['program']} {row['defines']} {search}: {part:.3f}: {told}", flush=True)
    print("| search | done | searches | forecasts | truth within | most / least | wrong by |")
    print("|---|---|---|---|---|---|---|")
    for search in SEARCHES:
        summary(f"{SEARCHES[search][0]} ({search})", found[search])


if __name__ == "__main__":
    main()
