"""make bench: what divm needs on the programs of this folder, on one worker.

Prints a table, beside it what two stateless checkers needed (peers.tsv) and how
many times longer than divm the faster of them took, and writes the same as tab-
separated values.  Fails if a verdict is not the expected one.

usage: run.py [--tsv=FILE] [--limit=SECONDS] [WORD...]   rows with one of the words
"""

import argparse
import json
import pathlib
import shlex
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from suite import NAMES, ROOT, statuses, table, verify  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
PEERS = [("genmc-sc", "GenMC"), ("nidhugg-sc-optimal", "Nidhugg")]
COLUMNS = ["program", "verdict", "states", "transitions", "seconds", "states/s",
           "trans/s", "B/state", "peak MB", "instructions",
           *[name for _, name in PEERS], "ratio"]


def peers():
    """(program, parameters, tool) -> (verdict, seconds)"""
    return {(r["program"], r["parameters"], r["tool"]): (r["verdict"], float(r["seconds"]))
            for r in table(HERE / "peers.tsv")}


def measure(row, limit):
    """(cells, right verdict?) of a row."""
    args = shlex.split(row["defines"]) + shlex.split(row["options"])
    run = verify("-j", "1", "--format=json", "--no-trace-file", f"--max-time={limit}s", *args,
                 f"tests/bench/{row['program']}", limit=limit + 60)
    right = run.status in statuses(row["verdict"])
    verdict = NAMES.get(run.status, run.told()) + ("" if right else " WRONG")
    try:
        report = json.loads(run.text)
    except ValueError:
        print(run.show(), file=sys.stderr)
        return {"verdict": verdict}, False
    seconds = max(report["seconds"], 1e-6)
    return {
        "verdict": verdict,
        "states": str(report["states"]),
        "transitions": str(report["transitions"]),
        "seconds": f"{report['seconds']:.3f}",
        "states/s": f"{report['states'] / seconds:.0f}",
        "trans/s": f"{report['transitions'] / seconds:.0f}",
        "B/state": f"{report['bytes_per_state']:.1f}",
        "peak MB": f"{report['memory_bytes'] / 1e6:.0f}",
        "instructions": str(report["instructions"]),
    }, right


def compare(row, cells, known):
    """Adds what the peers needed, and the ratio of the fastest answer to ours."""
    best = None
    for tool, name in PEERS:
        verdict, seconds = known.get((row["program"], row["defines"], tool), ("-", 0.0))
        if verdict in ("ok", "error"):
            cells[name] = f"{seconds:.2f}"
            best = min(seconds, best or seconds)
        else:
            cells[name] = verdict
    if best and "seconds" in cells:
        cells["ratio"] = f"{best / max(float(cells['seconds']), 0.001):.3g}"


def show(lines):
    widths = [max(len(l.get(c, "")) for l in lines) for c in COLUMNS]
    for line in lines:
        cells = [line.get(c, "").ljust(w) if c in ("program", "verdict")
                 else line.get(c, "").rjust(w) for c, w in zip(COLUMNS, widths)]
        print("  ".join(cells).rstrip())


def main():
    parser = argparse.ArgumentParser(description="measures divm on tests/bench")
    parser.add_argument("--tsv", default=str(ROOT / "build" / "bench.tsv"))
    parser.add_argument("--limit", type=int, default=300, help="seconds for one row")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    known, lines, wrong = peers(), [{c: c for c in COLUMNS}], 0
    for row in table(HERE / "rows.tsv"):
        name = " ".join(filter(None, (row["program"], row["defines"], row["options"])))
        if "bench" not in row["passes"].split(","):
            continue
        if options.words and not any(word in name for word in options.words):
            continue
        cells, right = measure(row, options.limit)
        compare(row, cells, known)
        lines.append({"program": name, **cells})
        wrong += not right
        if sys.stderr.isatty():
            print(f"{name}: {cells['verdict']}", file=sys.stderr)
    show(lines)
    with open(options.tsv, "w") as out:
        for line in lines:
            out.write("\t".join(line.get(c, "") for c in COLUMNS) + "\n")
    print(f"{len(lines) - 1} rows, {wrong} with a wrong verdict; also in {options.tsv}")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
