"""What is covered: lines, functions, branches, pairs of conflicting accesses, as text, JSON and for
lcov.

Reductions and caches leave out executions, and nothing that they would cover: so what is covered is
the same without them, with two workers, and as lcov reads it; and to ask for it changes no counts of
the search by states.

usage: covered.py [PROGRAM...]        (default: the examples, and litmus programs)
"""

import json
import pathlib
import re
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from program import ALL  # noqa: E402
from suite import DIVM, ROOT, Run, verify  # noqa: E402

FIELDS = {"TN": 1, "SF": 1, "FN": 2, "FNDA": 2, "FNF": 1, "FNH": 1, "BRDA": 4, "BRF": 1, "BRH": 1,
          "DA": 2, "LF": 1, "LH": 1}
ORDER = ["TN", "SF", "FN", "FNDA", "FNF", "FNH", "BRDA", "BRF", "BRH", "DA", "LF", "LH"]
PART = """#include <assert.h>
#include <divm.h>
#include <pthread.h>
static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int nobody(int n)
{
    return n + 1;
}
void never(int n)
{
    value = n;
}
static int kind(int n)
{
    switch (n) {
    case 0: return 5;
    case 7: return 7;
    default: return 8;
    }
}
static void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    value += kind(divm_choose(2));
    if (value < 0)
        never(value);
    else if (value == 5 || value == 8)
        value = 10;
    pthread_mutex_unlock(&lock);
    return arg;
}
int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    work(0);
    pthread_join(a, 0);
    assert(value >= 10);
}
"""
TOLD = """  never called: nobody (part.c:6), never (part.c:10)
  never reached: part.c:8-13, part.c:18, part.c:27
  never decided otherwise: part.c:16 (1 of 3 cases never), part.c:26 (never true)
Interleaved: 1 pair of conflicting accesses in both orders, at 1 line
  either came first: part.c:24 and 24 (lock)
"""


def read_lcov(text):
    """The records of a tracefile by file: {"DA": [[line, count], ...], ...}; ValueError if it is
    none."""
    files, record, last = {}, None, None
    for line in text.splitlines():
        if line == "end_of_record":
            check_record(record)
            files[record["SF"][0][0]] = record
            record = last = None
            continue
        name, _, rest = line.partition(":")
        values = rest.split(",")
        if len(values) != FIELDS[name] or (last and ORDER.index(name) < ORDER.index(last)):
            raise ValueError(line)
        record = record or {field: [] for field in ORDER}
        record[name].append(values)
        last = name
    if record:
        raise ValueError("no end_of_record")
    return files


def check_record(record):
    """Sums are right, nothing is told twice, and functions are those that FN names."""
    def number(field):
        (text,), = record[field]
        return int(text)
    for found, hit, field in ("LF", "LH", "DA"), ("FNF", "FNH", "FNDA"), ("BRF", "BRH", "BRDA"):
        rows = record[field]
        counts = [row[0] if field == "FNDA" else row[-1] for row in rows]
        if number(found) != len(rows) or number(hit) != sum(c not in ("0", "-") for c in counts):
            raise ValueError(f"{found}, {hit}: {rows}")
    lines = [int(line) for line, _ in record["DA"]]
    branches = [tuple(map(int, row[:3])) for row in record["BRDA"]]
    names = [name for _, name in record["FN"]]
    if lines != sorted(set(lines)) or len(branches) != len(set(branches)) or \
            len(names) != len(set(names)) or {name for _, name in record["FNDA"]} != set(names):
        raise ValueError("something is told twice, or out of order")


def missing_lines(report):
    return {(pathlib.Path(line["file"]).name, line["line"])
            for line in report["coverage"]["lines"]["missing"]}


def report_of(program, *options):
    run = verify("--format=json", "--no-trace-file", "--max-memory=2G", "--max-time=60s", *options,
                 program)
    return run, json.loads(run.text) if run.status == 0 else None


def problem(program, defines):
    """What is wrong with what is told of a program without errors, or None."""
    with tempfile.NamedTemporaryFile(suffix=".info") as file:
        run, told = report_of(program, "--coverage", f"--output-lcov={file.name}", "-j1", *defines)
        if not told:
            return run.show()
        files = read_lcov(pathlib.Path(file.name).read_text())
    lines = {(pathlib.Path(name).name, int(line)) for name, record in files.items()
             for line, count in record["DA"] if count == "0"}
    if lines != missing_lines(told):
        return f"lcov is told of other lines: {lines}"
    _, plain = report_of(program, "-j1", "--search=bfs", *defines)
    if any(plain[key] != told[key] for key in ("states", "transitions")):
        return "other counts than without --coverage"
    for options in (["-j2"], ["-j1", "--search=bfs", "--reduction=none", "--cache=none"]):
        other, report = report_of(program, "--coverage", *options, *defines)
        if other.status != 5 and (not report or report["coverage"] != told["coverage"]):
            return f"otherwise with {options}\n{other.show()}"
    return None


MET = """#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
static atomic_int x, y, once;
static int z;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *first(void *arg)
{
    x = 1;
    once = 1;
    pthread_mutex_lock(&lock);
    z++;
    pthread_mutex_unlock(&lock);
    return arg;
}
static void *second(void *arg)
{
    if (x)
        y = once;
    pthread_mutex_lock(&lock);
    z++;
    pthread_mutex_unlock(&lock);
    return arg;
}
int main(void)
{
    pthread_t a, b;
    y = 2;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return x + y + z == 100;
}
"""
WAYS = (["verify"], ["verify", "--search=bfs", "--reduction=none", "--cache=none"], ["verify", "--search=dfs"],
        ["verify", "--store=exact"], ["verify", "--preemptions=2"], ["simulate"], ["simulate", "--scheduler=pct"])


def met(here):
    """Either access comes first; those of y have one order, and are no pair."""
    (here / "met.c").write_text(MET)
    for command, *options in WAYS:
        run = Run([DIVM, command, "--coverage", "--no-trace-file", "-j1", *options, "met.c"], cwd=here)
        if "Interleaved: 3 pairs of conflicting accesses in both orders, at 6 lines\n" \
           "  either came first: met.c:9 and 18 (x), met.c:10 and 19 (once), met.c:11 and 20 (lock)\n" not in run.text:
            return f"with {command} {options}\n{run.show()}"
    one = verify("--coverage", "--no-trace-file", "--search=dpor", "--format=json", "met.c", cwd=here)
    return one.show() if json.loads(one.text)["coverage"]["interleaved"] is not None else None


FEW = [("examples/message.c", ["-DFIXED"]), ("examples/queue.c", ["-DFIXED"]),
       *([("tests/memory/algorithms/ref_count.cpp", [])] if ALL else [])]


def of_part(here, args, pattern):
    (here / "part.c").write_text(PART)
    run = verify("--coverage", "--no-trace-file", *args, "part.c", cwd=here)
    return None if re.search(pattern, run.text) else run.show()


def all_of(here):
    """For cases.py: (name, function returning None or what is wrong)."""
    yield "cli: coverage as text", lambda: of_part(
        here, [], r"(?m)^Covered: 17 of 22 lines, 3 of 5 functions, 2 of 4 branches all ways\n"
        + re.escape(TOLD) + "divm: no error found")
    yield "cli: coverage of a part", lambda: of_part(
        here, ["--max-states=3"], r"(?m)^Covered: .*\n(  never .*\n)+Interleaved: .*\n  either .*\ndivm: incomplete")
    yield "cli: coverage of pairs", lambda: met(here)
    yield "cli: coverage with a checkpoint", lambda: (
        None if verify("--coverage", "--checkpoint=c", "part.c", cwd=here).status == 2 else "not refused")
    for program, defines in FEW:
        yield f"cli: coverage of {program}", lambda p=program, d=defines: problem(ROOT / p, d)


def main():
    programs = sys.argv[1:] or [*(ROOT / "examples").glob("*.c"), *(ROOT / "tests/litmus").glob("*.c")]
    tried = failed = 0
    for program in sorted(map(str, programs)):
        defines = ["-DFIXED"] if "/examples/" in program else []
        if report_of(program, "-j1", *defines)[1] is None:
            continue  # it has an error, or takes too long
        wrong = problem(program, defines)
        tried, failed = tried + 1, failed + (wrong is not None)
        if wrong:
            print(f"FAIL {program}: {wrong}", flush=True)
    print(f"{tried - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
