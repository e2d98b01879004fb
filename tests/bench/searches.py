"""make bench-searches: the two searches and the default, which goes on with both.

For each row of rows.tsv that names no search, and for random programs of tests/fuzz: states,
executions, instructions, memory and the processor's seconds by states (--search=bfs), by
executions (--search=dpor) and by default (--search=auto), on one worker.  Loading is left out.
Fails if the searches do not agree, or the default takes more than twice what the better of the
two does, and half a second.

usage: searches.py [--limit=SECONDS] [--random=N] [--tsv=FILE] [WORD...]   rows with one of the words
"""

import argparse
import json
import os
import pathlib
import random
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "fuzz")]
from families import FAMILIES  # noqa: E402
from grammar import Program  # noqa: E402
from suite import DIVM, ENVIRONMENT, ROOT, table  # noqa: E402

SEARCHES = ["bfs", "dpor", "auto"]
FIGURES = ["states", "executions", "instructions", "MB", "seconds"]
COLUMNS = ["program", *[f"{s} {f}" for s in SEARCHES for f in ("verdict", *FIGURES)], "ratio"]
TIMES, SLACK = 2, 0.5
AGAIN = 2  # so often is a row that fails measured once more: machines are busy at times
INCOMPLETE = "incomplete"


def processor_seconds(*args):
    """(output, seconds of the processor) of a command."""
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen([DIVM, *map(str, args)], cwd=ROOT, env=ENVIRONMENT,
                                   stdin=subprocess.DEVNULL, stdout=out,
                                   stderr=subprocess.DEVNULL)
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
        out.seek(0)
        return out.read().decode(errors="replace"), usage.ru_utime + usage.ru_stime


def verify(program, search, limit, *more):
    text, seconds = processor_seconds(
        "verify", "-j", "1", "--format=json", "--no-trace-file", f"--max-time={limit}s",
        f"--search={search}", *more, *program)
    try:
        report = json.loads(text)
    except ValueError:
        return None
    return {"verdict": report["verdict"], "states": report["states"],
            "executions": report["executions"], "instructions": report["instructions"],
            "MB": report["memory_bytes"] / 1e6, "seconds": seconds}


def build(source, defines, folder):
    """An executable for divm, so that compiling is done once."""
    binary = pathlib.Path(folder) / "program.divm"
    tool = "divm-c++" if source.suffix == ".cpp" else "divm-cc"
    subprocess.run([pathlib.Path(DIVM).with_name(tool), "-w", *defines, source, "-o", binary],
                   check=True, cwd=ROOT, env=ENVIRONMENT)
    return binary


def measure(program, limit):
    """The figures of each search, or None if one has no report."""
    loading = verify(program, "bfs", limit, "--max-states=1")
    found = {}
    for search in SEARCHES:
        decided = [f["seconds"] for f in found.values() if f["verdict"] != INCOMPLETE]
        most = int(TIMES * min(decided) * 4 + 10) if search == "auto" and decided else limit
        found[search] = verify(program, search, most)
        if not found[search] or not loading:
            return None
        found[search]["seconds"] = max(found[search]["seconds"] - loading["seconds"], 0.0)
    return found


def best(found):
    """Seconds of the better of the two searches; None if none has an answer."""
    return min((found[s]["seconds"] for s in ("bfs", "dpor")
                if found[s]["verdict"] != INCOMPLETE), default=None)


def problem(found):
    """What is wrong, or None."""
    if not found:
        return "no report"
    verdicts = {f["verdict"] for f in found.values()} - {INCOMPLETE}
    if len(verdicts) > 1:
        return f"the searches do not agree: {verdicts}"
    least = best(found)
    if least is None:
        return None
    if found["auto"]["verdict"] == INCOMPLETE:
        return "no answer by default"
    if found["auto"]["seconds"] > TIMES * least + SLACK:
        return f"{found['auto']['seconds']:.2f} s by default, {least:.2f} s by the better one"
    return None


def checked(program, limit):
    """(figures, what is wrong or None)"""
    found = measure(program, limit)
    for _ in range(AGAIN):
        if not problem(found):
            break
        found = measure(program, limit)
    return found, problem(found)


def cells(name, found):
    row = {"program": name}
    for search, figures in (found or {}).items():
        for key, value in figures.items():
            row[f"{search} {key}"] = f"{value:.2f}" if isinstance(value, float) else str(value)
    least = best(found) if found else None
    if least is not None:
        row["ratio"] = f"{found['auto']['seconds'] / max(least, 0.01):.2f}"
    return row


def row_programs(words, folder):
    for row in table(HERE / "rows.tsv"):
        name = " ".join(filter(None, (row["program"], row["defines"], row["options"])))
        if "--search" in row["options"] or (words and not any(w in name for w in words)):
            continue
        binary = build(HERE / row["program"], shlex.split(row["defines"]), folder)
        yield name, [*shlex.split(row["options"]), binary]


def random_programs(count, folder):
    names = sorted(FAMILIES)
    for number in range(count):
        family = names[number % len(names)]
        rng = random.Random(f"searches/{number}")
        program = Program(rng, FAMILIES[family])
        source = pathlib.Path(folder) / f"random{program.family.suffix}"
        source.write_text(program.text())
        given = [build(source, ["-std=gnu++20"], folder)] if source.suffix == ".cpp" else [source]
        yield f"random {family} {number}", [*program.options, "--leaks=no", *given]


def main():
    parser = argparse.ArgumentParser(description="compares the searches with the default")
    parser.add_argument("--limit", type=int, default=30, help="seconds for one run")
    parser.add_argument("--random", type=int, default=200, help="random programs")
    parser.add_argument("--tsv", default=str(ROOT / "build" / "searches.tsv"))
    parser.add_argument("words", nargs="*")
    given = parser.parse_args()
    wrong = n = 0
    with tempfile.TemporaryDirectory(prefix="divm-searches-") as folder, open(given.tsv, "w") as out:
        print("\t".join(COLUMNS), file=out)
        programs = [row_programs(given.words, folder)]
        if not given.words:
            programs.append(random_programs(given.random, folder))
        for each in programs:
            for name, program in each:
                found, why = checked(program, given.limit)
                row = cells(name, found)
                print("\t".join(row.get(c, "-") for c in COLUMNS), file=out, flush=True)
                n += 1
                wrong += why is not None
                if why:
                    print(f"FAIL {name}: {why}", flush=True)
    print(f"{n} programs, {wrong} failed; figures in {given.tsv}")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
