"""The passes that compare counts: of states, transitions and depths, by other searches, stores,
memory models, reductions and caches."""

import json
import shlex

from program import TEMPORARY, TESTS, Program, error_line, some, temporary, wrong
from suite import DIVM, ROOT, Run, names_in, statuses, table, verify

REDUCTIONS = ["no-" + name for name in names_in("reductions.def") if name != "drain"]  # tests/memory has that
CACHES = ["no-" + name for name in names_in("caches.def")] + ["none"]


def bench_rows(column):
    """Rows of bench/rows.tsv that take part in a pass."""
    for row in table(TESTS / "bench" / "rows.tsv"):
        if column in row["passes"].split(","):
            args = shlex.split(row["defines"]) + shlex.split(row["options"])
            name = f"tests/bench/{row['program']}"
            yield " ".join([name, row["defines"]]).strip(), name, args, statuses(row["verdict"])


def counts(path, args):
    run = verify("--format=json", "--no-trace-file", *args, path)
    try:
        report = json.loads(run.text)
        return run, tuple(report[k] for k in ("verdict", "states", "transitions", "depth"))
    except (ValueError, KeyError) as error:
        return run, f"no JSON report: {error}"


def same_counts(path, args, expected, one, other):
    """With options one and other come the same verdict and, unless an error cut
    the search short in an order of its own, the same counts."""
    first, a = counts(path, args + one)
    second, b = counts(path, args + other)
    if isinstance(a, str) or first.status not in expected:
        return wrong(first, f"{a}: {first.told()}")
    if second.status != first.status:
        return wrong(second, f"{second.told()}, but {first.told()} with {shlex.join(one)}")
    if first.status == 0 and a[:3] != b[:3]:
        return wrong(second, f"(verdict, states, transitions) {b[:3]}, "
                             f"but {a[:3]} with {shlex.join(one)}")
    return None


def pass_workers(_):
    nodes = ("a map's nodes", "tests/cxx/map_locked.cpp", ["--search=bfs"], [0])
    for name, path, args, expected in [*bench_rows("check"), nodes]:
        yield f"{name} -j 2", lambda p=path, a=args, e=expected: same_counts(
            p, a, e, ["-j", "1"], ["-j", "2"])


def report_of(path, args):
    run = verify("--format=json", "--no-trace-file", *args, path)
    try:
        return run, json.loads(run.text)
    except ValueError:
        return run, {}


def same_orbits(path, args, expected):
    """States that differ only in which of some threads that are alike is where are one by their
    fingerprints as they are by the definition (--store=exact, which tries every order of up to
    four threads)."""
    run, report = report_of(path, ["-j", "2", "--search=bfs", "--store=exact", *args])
    if run.status not in expected or not report:
        return wrong(run, f"{run.told()} with --store=exact")
    twins = [] if report["options"]["twins"] else ["--reduction=no-thread-symmetry"]
    return same_counts(path, args, expected, ["-j", "1", "--search=bfs", "--store=exact"],
                       ["-j", "1", "--search=bfs", *twins])


def pass_exact(_):
    return some(tests_of_states_as_they_are(), 3)


def tests_of_states_as_they_are():
    """States by their fingerprints are those that are kept as they are: also where threads
    make threads, whose ids must not tell in which order."""
    rows = list(bench_rows("check"))
    for path in sorted((TESTS / "litmus").glob("*.c")):
        program = Program(path)
        for _, expected in program.variants()[:1]:
            rows.append((program.name, program.name, program.options, expected))
    apart = ["--reduction=no-thread-symmetry"]
    for name, path, args, expected in rows:
        yield f"{name} --store=exact", lambda p=path, a=args, e=expected: same_orbits(p, a, e)
        yield f"{name} --store=exact no-twins", lambda p=path, a=args, e=expected: same_counts(
            p, a, e, ["-j", "1", "--search=bfs", *apart],
            ["-j", "2", "--search=bfs", "--store=exact", *apart])


# What is counted and replayed under each memory model: (program, options)
MODELS = {
    "sc": [("tests/bench/weak/mpmcring.c", []), ("tests/bench/weak/chaselev.c", []), ("tests/litmus/cas_weak.c", [])],
    "tso": [("tests/bench/weak/seqlock.c", []), ("tests/bench/weak/chaselev.c", []),
            ("tests/memory/tso/store_buffer.c", ["-DFENCED"])],
    "c11": [("tests/bench/weak/mpmcring.c", []), ("tests/bench/weak/chaselev.c", []), ("tests/bench/weak/seqlock.c", []),
            ("tests/litmus/cas_weak.c", ["-DNODE"])],
}
REPLAYED = {"sc": ("tests/bench/weak/treiber.c", ["-DBUG"]), "tso": ("tests/memory/tso/store_buffer.c", []),
            "c11": ("tests/bench/weak/seqlock.c", ["-DBUG"])}


def same_under(path, args):
    """On two workers, with states as they are, and where open ones go to a file."""
    one = ["-j", "1"]
    ways = [["-j", "2"], ["-j", "1", "--store=exact"], ["-j", "2", "--store=exact"],
            ["-j", "1", f"--spill={TEMPORARY.name}", "--max-memory=100M"]]
    for way in ways:
        problem = same_counts(path, ["--search=bfs", *args], [0], one, way)
        if problem:
            return problem
    return None


def replays(path, args):
    for search in ["bfs"] if "--memory=tso" in args else ["bfs", "dpor"]:
        trace = temporary(".trace")
        run = verify("-j", "1", f"--search={search}", *args, f"--trace-file={trace}", path)
        again = Run([DIVM, "replay", trace])
        if run.status < 10 or again.status != run.status or error_line(again) != error_line(run):
            return wrong(again, f"the trace does not replay to '{error_line(run)}'")
    return None


def pass_models(_):
    for model, programs in MODELS.items():
        for path, args in programs:
            given = [f"--memory={model}", *args]
            yield f"{path} {shlex.join(given)}", lambda p=path, a=given: same_under(p, a)
        path, args = REPLAYED[model]
        given = [f"--memory={model}", *args]
        yield f"{path} {shlex.join(given)} (replay)", lambda p=path, a=given: replays(p, a)


def pass_dfs(_):
    for name, path, args, expected in bench_rows("dfs"):
        yield f"{name} --search=dfs", lambda p=path, a=args, e=expected: same_counts(
            p, a, e, ["-j", "1", "--search=bfs"], ["-j", "1", "--search=dfs"])


def check_reduction(path, args, expected, reduction):
    run = verify("-j", "1", "--no-trace-file", f"--reduction={reduction}", *args, path)
    if run.status not in expected:
        return wrong(run, f"{run.told()} with {reduction}")
    return None


def pass_reductions(_):
    return some(tests_of_reductions(), 5)


def tests_of_reductions():
    for row in table(TESTS / "reductions.tsv"):
        args = shlex.split(row["defines"])
        left_out = row["without"].split(",")
        for reduction in [r for r in REDUCTIONS if r not in left_out] + ["none"]:
            if reduction in left_out:
                continue
            name = f"{row['program']} {row['defines']} --reduction={reduction}"
            yield name, lambda p=row["program"], a=args, v=row["verdict"], r=reduction: (
                check_reduction(p, a, statuses(v), r))


CACHED = [("litmus/border_words.c", []), ("litmus/made_alike.c", []), ("litmus/makers.c", []),
          ("litmus/old_given.c", ["-DMANY=40"]), ("litmus/old_locals.c", []),
          ("litmus/old_objects_name_threads.c", []), ("litmus/protections.c", []), ("bench/accounts.c", ["-DN=3"]),
          ("bench/chaselev.c", ["-DITEMS=2", "-DTHIEVES=2"]), ("bench/compute.c", ["-DN=2", "-DSIZE=1000"]),
          ("bench/counter.c", ["-DN=4", "-DSTEPS=3"]), ("bench/fib.c", ["-DN=4"]),
          ("bench/philosophers.c", ["-DN=3"])]


def same_without(path, args, caches):
    """Without a cache the same is found, and as much is executed; without pre-concurrent objects,
    perhaps fewer states, as some that are told apart may be one."""
    plain = ["-j", "1", "--search=bfs", *args]
    run, with_all = report_of(path, plain)
    if run.status != 0 or not with_all:
        return wrong(run, f"{run.told()} with all caches")
    keys = "states", "transitions", "instructions"
    found = tuple(with_all[k] for k in keys)
    for cache in caches:
        run, report = report_of(path, [f"--cache={cache}", *plain])
        if run.status != 0 or not report:
            return wrong(run, f"{run.told()} with --cache={cache}")
        counted = tuple(report[k] for k in keys)
        fewer = cache in ("no-preconcurrent", "none") and counted < found
        if counted != found and not fewer:
            return wrong(run, f"{keys} {counted} with --cache={cache}, but {found} with all")
    return None


def pass_caches(_):
    for name, args in CACHED:
        path = f"tests/{name}"
        program = Program(ROOT / path)
        given = (program.options if name.startswith("litmus") else []) + args
        yield f"{path} {shlex.join(args)} --cache", lambda p=path, a=given: same_without(
            p, a, CACHES)


def pass_alike(_):
    """That objects are old, since they are many, makes no states of what threads are given; nor
    do plain accesses, in whatever order their threads were made."""
    name = "tests/litmus/old_given.c"
    for args in ["-DMANY=40"], ["-DMANY=300"], ["-DBEFORE", "-DMANY=40"]:
        yield f"{name} {' '.join(args)}", lambda a=args: same_counts(
            name, ["-j", "1", "--search=bfs", *a], {0}, ["-UMANY"], [])
    order = "tests/litmus/race_order.c"
    for args in [], ["--reduction=no-joins"], ["--reduction=no-joins", "--store=exact"]:
        yield f"{order} {' '.join(args)}", lambda a=args: same_counts(
            order, ["-j", "1", "--search=bfs", *a], {0}, ["-DQUIET"], [])
