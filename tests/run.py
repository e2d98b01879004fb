"""The program tests: each program has its verdict in its first comment.

    // Two threads take two locks in different orders.  Result: deadlock.
    // -DBUG forgets a lock: data race.
    // Options: -DN=2 --spurious-wakeups
    // Expect: deadlock.*work at deadlock.c:@second
    // Expect-BUG: data race

"Result:" is the verdict, "-DNAME ...:" that with NAME defined ("-DNAME=1..3 ...:"
that with each of three values), "Options:" are
given to divm in any case, "Expect:" is a regular expression that a line of the
output must match; @second stands for the number of the line that ends in
"// @second".  Several verdicts may be joined by "or".

usage: run.py [-j N] [--some N] [--slowest N] [--pass NAME]... [PROGRAM...]
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import sys
import threading
import time

from counts import (REDUCTIONS, bench_rows, pass_alike, pass_caches, pass_dfs, pass_exact, pass_models,
                    pass_reductions, pass_workers)
from program import TEMPORARY, TESTS, Program, error_line, is_chosen, some, temporary, wrong
from suite import DIVM, NAMES, ROOT, Run, table, verify

NOT_PROGRAMS = {"project", "world", "cc", "docs", "frameworks", "bench", "cli", "csmith", "fuzz", "hostile", "libcxx", "lint", "opcodes", "outputs", "page", "reports", "simulate", "unit"}


# ---- the passes: each gives (name, function returning None or what is wrong) ----


def check_verdict(program, define, expected):
    trace = temporary(".trace")
    args = program.options + ([f"-D{define}"] if define else [])
    run = verify("-j", "1", *args, f"--trace-file={trace}", program.name)
    if not expected:
        return f"the verdict in the first comment is none of the known ones"
    if run.status not in expected:
        names = " or ".join(NAMES[s] for s in sorted(expected))
        return wrong(run, f"{run.told()} ({NAMES.get(run.status, '?')}), expected {names}")
    if not run.last_line().startswith("divm: "):
        return wrong(run, "the last line does not begin with 'divm: '")
    for variant, regex in program.expect:
        if variant == define and not re.search(regex, run.text + run.errors, re.M):
            return wrong(run, f"the output does not match /{regex}/")
    if run.status < 10:
        return None
    again = Run([DIVM, "replay", trace])
    os.unlink(trace)
    if again.status != run.status or error_line(again) != error_line(run):
        return wrong(again, f"the trace does not replay to '{error_line(run)}'")
    return None


MANY = 200  # so many programs are all there are
# One in so many verdicts is tried, unless the program is named: of programs as they are, and of their variants
FIRST, VARIANTS = {".c": 5, ".cpp": 6}, {".c": 16, ".cpp": 16}


def pass_verdicts(programs):
    for program in programs:
        variants = program.variants()
        if not variants and program.path.parent.name not in ("libc", "run"):
            yield program.name, lambda: "no 'Result:' in the first comment"
        for define, expected in variants:
            name = program.name + (f" -D{define}" if define else "")
            of = (VARIANTS if define else FIRST)[program.path.suffix]
            if len(programs) < MANY or is_chosen(name, of):
                yield name, lambda p=program, d=define, e=expected: check_verdict(p, d, e)


def pass_bench(_):
    for name, path, args, expected in [*bench_rows("check"), *bench_rows("verdict")]:
        program = Program(ROOT / path)
        program.options = args
        program.expect = []
        yield name, lambda p=program, e=expected: check_verdict(p, "", e)


def is_unsuited(run):
    """Is it told at once that there are no executions of this program, or no states to ask?"""
    return run.status == 2 and re.search("--search=dpor keeps no states to ask|go without --search",
                                         run.text + run.errors)


def check_executions(program, define, expected):
    args = program.options + ([f"-D{define}"] if define else [])
    run = verify("-j", "1", "--search=dpor", "--max-time=3s", "--no-trace-file", *args,
                 program.name)
    if is_unsuited(run):
        return None
    incomplete = run.status == 5  # it does not suit all programs, and may take longer
    errors = run.status >= 10 and min(expected) >= 10  # not the shortest one, perhaps
    if run.status not in expected and not incomplete and not errors:
        return wrong(run, f"{run.told()} with --search=dpor")
    return None


def check_peer(path, args, fewest):
    run = verify("-j", "1", "--search=dpor", "--format=json", "--no-trace-file", *args, path)
    if run.status != 0:
        return wrong(run, f"{run.told()} with --search=dpor")
    executions = json.loads(run.text)["executions"]
    if executions < fewest:
        return f"{executions} executions, but another checker needs {fewest}"
    return None


# Executions must end, and be few enough.
NOT_BY_EXECUTIONS = {"bakery.c", "mcslock.c", "msqueue.c", "peterson.c", "rwlock.c", "seqlock.c",
                     "spin_forever.c", "ticketlock.c", "treiber.c"}


def peer_rows(most=6000):
    """What an optimal stateless checker finds no error in, and the executions that it needs:
    fewer have left something out."""
    for row in table(TESTS / "bench" / "peers.tsv"):
        if (row["tool"] in ("genmc-sc", "genmc-rc11") and row["verdict"] == "ok"
                and int(row["executions"]) <= most and row["program"] not in NOT_BY_EXECUTIONS):
            yield f"tests/bench/{row['program']}", row["parameters"], int(row["executions"])


def pass_executions(programs):
    return [*tests_of_peers(), *some(tests_of_executions(programs), 24)]


def tests_of_peers():
    for path, defines, fewest in peer_rows():
        yield f"{path} {defines} executions", lambda p=path, d=defines, n=fewest: (
            check_peer(p, shlex.split(d), n))


# Where there is more than one execution: threads, processes, choices.
SEVERAL = re.compile("thread|thrd|fork|signal|async|choose")


def tests_of_executions(programs):
    for program in programs:
        if not SEVERAL.search("\n".join(program.lines + program.options)):
            continue
        for define, expected in program.variants():
            name = program.name + (f" -D{define}" if define else "")
            yield f"{name} --search=dpor", lambda p=program, d=define, e=expected: (
                check_executions(p, d, e))


FORMULAS = ("--ltl", "--always-eventually", "--monitor", "--fair")


def of_infinite_runs(program):
    return any(option.startswith(FORMULAS) for option in program.options)


def check_c11(program, define, expected, search):
    args = [*program.options, *([f"-D{define}"] if define else []), "--memory=c11", *search]
    run = verify("-j", "1", "--max-time=20s", "--no-trace-file", *args, program.name)
    errors = run.status >= 10 and min(expected) >= 10 and search  # not the shortest one, perhaps
    if run.status in expected or errors or run.status == 5 or is_unsuited(run):
        return None
    return wrong(run, f"{run.told()} with --memory=c11")


def pass_c11(programs):
    """What orders must order as much where C11's memory model is searched: programs without weak orders keep
    their verdicts.  Executions are tried where there is more than one."""
    return some(tests_under_c11(programs), 120)


def tests_under_c11(programs):
    for program in programs:
        of_one_model = any("--memory" in text for text in [*program.options, *program.lines])
        if program.path.parent.name in ("memory", "tso", "run") or of_one_model or of_infinite_runs(program):
            continue
        several = any(SEVERAL.search(line) for line in program.lines)
        by_executions = several and not any(option.startswith("--search") for option in program.options)
        for define, expected in program.variants():
            for search in [[], *([["--search=dpor", "--max-time=5s"]] if by_executions else [])]:
                name = program.name + (f" -D{define}" if define else "") + " --memory=c11"
                yield " ".join([name, *search]), lambda p=program, d=define, e=expected, s=search: (
                    check_c11(p, d, e, s))


def check_run(program):
    binary = temporary(".native")
    compiler = os.environ.get("CC_NATIVE", "clang-19")
    native = Run([compiler, "-w", "-pthread",
                  *[o for o in program.options if o.startswith("-D")],
                  program.path, "-o", binary, "-lm"])
    if native.status != 0:
        return wrong(native, "does not compile natively")
    native = Run([binary, "one", "two words"])
    os.unlink(binary)
    run = Run([DIVM, "run", *program.options, program.name, "--", "one", "two words"])
    if run.status != native.status:
        return wrong(run, f"{run.told()}, natively {native.told()}")
    if run.out != native.out:
        return wrong(run, "the output is not the native one, which is\n" + native.show())
    return None


def pass_run(programs):
    for program in programs:
        if program.path.parent.name in ("libc", "run"):
            yield f"{program.name} (run)", lambda p=program: check_run(p)


MOST_LINES = 40


def check_report(program):
    """The whole report is the one that was read and kept in NAME.expected.  Which of several
    shortest errors a search by states finds depends on fingerprints, so executions answer."""
    command = [DIVM, "verify", "-j", "1", "--no-trace-file", *program.options]
    run = Run([*command, "--search=dpor", program.name])
    if run.status == 5:  # forks and signals do not suit it; they have one shortest error
        run = Run([*command, program.name])
    if run.status not in program.variants()[0][1]:
        return wrong(run, run.told())
    text = re.sub(r"\b[0-9.]+ s\b", "N s", run.text)
    kept = program.path.with_suffix(".expected")
    if os.environ.get("KEEP_REPORTS"):
        kept.write_text(text)
    if not kept.exists() or text != kept.read_text():
        return wrong(run, f"the report is not {kept.name}")
    lines = len(text.splitlines())
    return None if lines <= MOST_LINES else wrong(run, f"the report has {lines} lines")


FRAMEWORK = re.compile("_(catch2|doctest|gtest)[.]cpp$")  # what takes long to compile


def programs_of_reports():
    for path in sorted((TESTS / "reports").glob("*.c*")):
        if not FRAMEWORK.search(path.name) or is_chosen(path.name, 3):
            yield Program(path)


def pass_reports(_):
    """With KEEP_REPORTS=1 what is reported now is kept (with DIVM_TEST_ALL=1 of all programs): to be
    read before it is committed."""
    for program in programs_of_reports():
        yield f"{program.name} (report)", lambda p=program: check_report(p)


def pass_outputs(_):
    sys.path.insert(0, str(TESTS / "outputs"))
    import outputs
    return outputs.tests([(program.path, program.options) for program in programs_of_reports()])


def pass_page(_):
    sys.path.insert(0, str(TESTS / "page"))
    import pages
    return some(pages.tests([(program.path, program.options) for program in programs_of_reports()]), 3)


def pass_cli(_):
    sys.path.insert(0, str(TESTS / "cli"))
    import cases
    return cases.tests()


def pass_cc(_):
    sys.path.insert(0, str(TESTS / "cc"))
    import builds
    return builds.tests()


SMALL = ("examples", "litmus", "faults", "races")
PART = 18  # one in so many variants is tried


def pass_simulate(programs):
    sys.path.insert(0, str(TESTS / "simulate"))
    import simulations
    own = [Program(p) for p in sorted((TESTS / "simulate").glob("*.c"))]
    small = [p for p in programs if p.path.parent.name in SMALL]
    return simulations.tests([(p, define, expected) for p in [*own, *small]
                              for define, expected in p.variants()], len(programs) < MANY)


def fewest_preemptions(program, define, options):
    """(run, preemptions of its error or None)."""
    args = [a for a in program.options if not a.startswith(("--search", "--store", "--max-states"))]
    args += [f"-D{define}"] if define else []
    run = verify("-j", "1", "--preemptions=30", "--format=json", "--no-trace-file", "--max-time=100s",
                 "--max-memory=2G", *args, *options, program.name)
    try:
        report = json.loads(run.text)
    except ValueError:
        report = {}
    return run, report.get("preemptions") if report.get("verdict") == "error" else None


def check_preemptions(program, define, expected, options):
    """The verdict is that of the whole search, and what an error takes is what it takes where
    nothing is reduced, if that ends in time.  Endless runs are not looked for."""
    run, fewest = fewest_preemptions(program, define, options)
    faulty = any(status >= 10 for status in expected)
    if run.status == 5 and re.search("--preemptions does not suit|(time|memory|preemption) limit", run.text):
        return None  # signals, processes
    if run.status not in expected and not (faulty and 10 <= (run.status or 0) <= 15):
        return wrong(run, run.told())
    if fewest is None:
        return None
    whole, really = fewest_preemptions(program, define, [*options, "--reduction=none"])
    late = whole.status == 5 and re.search("time limit|memory limit|depth", whole.text)
    return None if really == fewest or late else wrong(whole, f"{really} preemptions, reduced {fewest}")


def check_minimised(program, define):
    """An error that simulate tells takes as few preemptions as there are, or one less, as a thread that was
    just made steps first without one; one more, if not all ways to leave some out were tried, and it says so."""
    run, fewest = fewest_preemptions(program, define, [])
    args = [a for a in program.options if not a.startswith(("--search", "--store", "--max-states"))]
    found = Run([DIVM, "simulate", "-j", "1", "--format=json", "--no-trace-file", "--max-memory=2G", *args,
                 *([f"-D{define}"] if define else []), program.name])
    if fewest is None or found.status != run.status:
        return None  # random runs have shown nothing, or another error
    sampled = json.loads(found.text)["sampled"]
    told, most = sampled["preemptions"], fewest if sampled["fewest"] else fewest + 1
    return None if fewest - 1 <= told <= most else wrong(found, f"{told} preemptions, there are {fewest} at least")


def preemption_ways(program, expected):
    """How its bounds are tried: as it is, and on x86, whose verdict may be another one."""
    any_verdict = {0, 5, *range(10, 16)}
    yield "", [], expected
    if program.path.parent.name in ("litmus", "tso", "examples") and not any("--memory" in o for o in program.options):
        yield ", tso", ["--memory=tso"], any_verdict


def pass_preemptions(programs):
    """--preemptions=N of all programs that have an error (make check: of some), and of small ones without."""
    for program in programs:
        small = program.path.parent.name in ("examples", "litmus")
        if program.path.parent.name in ("endless", "limits", "libcxx", "world"):
            continue
        if of_infinite_runs(program):
            continue  # they have no bounds
        for define, expected in program.variants():
            faulty = any(status >= 10 for status in expected)
            if not faulty and (define or not small):
                continue
            name = program.name + (f" -D{define}" if define else "") + " (minimised)"
            few = len(programs) < MANY
            if faulty and small and (few or is_chosen(name, 2 * PART)):
                yield name, lambda p=program, d=define: check_minimised(p, d)
            for way, options, statuses_of_way in preemption_ways(program, expected):
                name = program.name + (f" -D{define}" if define else "") + f" (preemptions{way})"
                part = PART if small else 12 * PART
                if few or is_chosen(name, part):
                    yield name, lambda p=program, d=define, e=statuses_of_way, o=options: check_preemptions(p, d, e, o)


def pass_docs(_):
    """The commands that the documentation shows, and what they print."""
    sys.path.insert(0, str(TESTS / "docs"))
    import commands
    return commands.tests()


def endless_ways():
    """All searches, and each reduction switched off: the graph that `--reduction=none
    --cache=none` explores is that of all steps, each of which is executed."""
    yield from (["-j", "1", "--search=bfs"], ["-j", "2", "--search=bfs"], ["-j", "1", "--search=dfs"],
                ["-j", "1", "--store=exact"], ["-j", "2", "--store=exact", "--search=bfs"],
                ["-j", "1", "--search=bfs", f"--spill={TEMPORARY.name}"], ["-j", "1", "--continue"],
                ["--reduction=none", "--cache=none"], ["--cache=none"])
    yield from (["-j", "1", f"--reduction={name}"] for name in REDUCTIONS)


def check_endless(program, define, expected):
    args = [*program.options, *([f"-D{define}"] if define else [])]
    for way in endless_ways():
        # A loop that makes objects has other ids each time: it never comes back to a state.
        new_ids = {"--reduction=none", "--reduction=no-heap-symmetry"} & set(way)
        run = verify("--no-trace-file", "--max-states=2K" if new_ids else "--max-states=100K", *way, *args, program.name)
        if run.status == 5 and new_ids:
            continue
        if run.status not in expected:
            return wrong(run, f"{run.told()} with {shlex.join(way)}")
    run = verify("--no-trace-file", "--search=dpor", "--max-time=5s", *args, program.name)
    if run.status not in {*expected, 5}:  # executions that do not suit it
        return wrong(run, f"{run.told()} by executions")
    run = verify("--no-trace-file", "--endless=allow", *args, program.name)
    return wrong(run, f"{run.told()} with --endless=allow") if run.status else None


def pass_endless(programs):
    return some(tests_of_endless_runs(programs), 16)


def tests_of_endless_runs(programs):
    for program in programs:
        if program.path.parent.name != "endless":
            continue
        for define, expected in program.variants():
            name = program.name + (f" -D{define}" if define else "")
            yield f"{name} (endless)", lambda p=program, d=define, e=expected: check_endless(p, d, e)


def pass_frameworks(_):
    sys.path.insert(0, str(TESTS / "frameworks"))
    import frameworks
    return frameworks.tests()


def pass_fuzz(_):
    sys.path.insert(0, str(TESTS / "fuzz"))
    import alike
    import endings
    import exchanges
    import infinite
    import retries
    import fuzz
    import native
    import orders
    import pairs
    import published
    import searches
    return [*alike.tests(10, "1"), *fuzz.tests(12, "1"), *exchanges.tests(12, "1"), *endings.tests(8, "1"),
            *retries.tests(12, "1"), *infinite.tests(2, "1"), *some(pairs.tests(), 4),
            *orders.tests(8, "1"), *published.tests(4, "1"), *some(searches.tests(1, "1"), 4), *some(native.tests(1, "1"), 4)]


def pass_memory(_):
    """Litmus programs, random ones and weakened algorithms under each memory model that divm has"""
    sys.path[:0] = [str(TESTS / "fuzz"), str(TESTS / "memory"), str(TESTS / "memory" / "oracle")]
    import compare
    import mutants
    import test_oracle
    import weak
    import weaken
    weakened = some(mutants.tests(), 12)
    return [*test_oracle.tests(30, "1"), *compare.tests(), *weakened, *weak.tests(200, "1"),
            *weaken.tests()]


PASSES = {
    "cli": pass_cli,
    "cc": pass_cc,
    "docs": pass_docs,
    "frameworks": pass_frameworks,
    "verdicts": pass_verdicts,
    "executions": pass_executions,
    "c11": pass_c11,
    "bench": pass_bench,
    "workers": pass_workers,
    "exact": pass_exact,
    "models": pass_models,
    "dfs": pass_dfs,
    "reductions": pass_reductions,
    "caches": pass_caches,
    "alike": pass_alike,
    "run": pass_run,
    "simulate": pass_simulate,
    "preemptions": pass_preemptions,
    "endless": pass_endless,
    "reports": pass_reports,
    "outputs": pass_outputs,
    "page": pass_page,
    "fuzz": pass_fuzz,
    "memory": pass_memory,
}


def all_programs():
    folders = [d for d in sorted(TESTS.iterdir()) if d.is_dir() and d.name not in NOT_PROGRAMS]
    return [p for d in [ROOT / "examples", *folders]
            for p in sorted(d.rglob("*.c")) + sorted(d.rglob("*.cpp"))
            if p.parent.name not in NOT_PROGRAMS]


def in_turn(tests):
    """The tests in groups, each of which is done by one process after the other: what concerns
    the same program and the same definitions, whose loaded program divm keeps for the next one."""
    groups = {}
    for test in tests:
        groups.setdefault(re.split(r" +-[-j]", test[0])[0], []).append(test)
    return list(groups.values())


class Tally:
    """Counts what is done, and tells it while it goes on: a line for each pass that has ended, and
    every half a minute one for all."""

    EVERY = 30

    def __init__(self, passes):
        self.left = {name: passes.count(name) for name in dict.fromkeys(passes)}
        self.total, self.done, self.failed = dict(self.left), 0, 0
        self.failures = dict.fromkeys(self.left, 0)
        self.start = self.told = time.monotonic()
        self.seconds = dict.fromkeys(self.left, 0.0)
        self.slow = []

    def took(self, test, name, seconds):
        self.seconds[name] += seconds
        self.slow.append((seconds, test))

    def slowest(self, most):
        """How long the passes took, one test after the other, and the slowest tests."""
        for name, seconds in sorted(self.seconds.items(), key=lambda row: -row[1]):
            print(f"{seconds:8.1f} s {name}")
        for seconds, test in sorted(self.slow, reverse=True)[:most]:
            print(f"{seconds:8.1f} s {test}")

    def add(self, name, good):
        self.done += 1
        self.left[name] -= 1
        self.failed += not good
        self.failures[name] += not good
        now = time.monotonic()
        if not self.left[name]:
            failed = self.failures[name]
            self.tell(now, f"{name:12} {self.total[name] - failed} passed, {failed} failed")
        elif now - self.told > self.EVERY:
            self.tell(now, f"{'...':12} {self.done} of {sum(self.total.values())} done, "
                           f"{self.failed} failed")

    def tell(self, now, text):
        self.told = now
        print(f"{text} ({now - self.start:.0f} s)", flush=True)


def guarded(job):
    try:
        return job()
    except Exception as error:  # a test that cannot be judged has failed
        return f"{type(error).__name__}: {error}"


def main():
    parser = argparse.ArgumentParser(description="runs the program tests")
    # some tests wait for what the command does at some moment, while others can work
    parser.add_argument("-j", type=int, default=os.cpu_count() + 1)
    parser.add_argument("--pass", dest="passes", action="append", choices=list(PASSES))
    parser.add_argument("--some", type=int, default=1, metavar="N", help="one program in so many of each pass")
    parser.add_argument("--slowest", type=int, default=0, metavar="N", help="tell where the time went")
    parser.add_argument("-v", action="store_true", help="name every test")
    parser.add_argument("programs", nargs="*")
    options = parser.parse_args()

    given = [pathlib.Path(p).resolve() for p in options.programs]
    programs = [Program(p) for p in given or all_programs()]
    passes = options.passes or (["verdicts", "run"] if given else list(PASSES))
    tests = [(*test, name) for name in passes
             for group in in_turn(PASSES[name](programs))[::options.some] for test in group]
    tally, lock = Tally([name for _, _, name in tests]), threading.Lock()

    def all_of(group):
        for name, job, which in group:
            start = time.monotonic()
            problem = guarded(job)
            with lock:
                tally.took(name, which, time.monotonic() - start)
                if problem:
                    print(f"FAIL {name}: {problem}", flush=True)
                elif options.v:
                    print(f"ok   {name}", flush=True)
                tally.add(which, not problem)

    with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        list(pool.map(all_of, in_turn(tests)))
    if options.slowest:
        tally.slowest(options.slowest)
    print(f"{len(tests) - tally.failed} passed, {tally.failed} failed")
    return tally.failed != 0


if __name__ == "__main__":
    sys.exit(main())
