"""Compares divm's verdicts with real runs, of random programs of several families (families.py).

A program that divm finds no error in is compiled for the host, with each of the compiler's
sanitizers, and run some times with delays at random: it must not fail, nor wait for ever, and
divm must know each way in which it ended.

usage: native.py [-j N] [--family NAME]... [COUNT [SEED]]
"""

import argparse
import pathlib
import random
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
from families import FAMILIES  # noqa: E402
from fuzz import KEPT  # noqa: E402
from grammar import Program  # noqa: E402
from searches import ENDS, INCOMPLETE, built, is_verdict, run_families, tests_of  # noqa: E402
from suite import ENVIRONMENT, Run, verify  # noqa: E402

RUNS = 20
LIMIT = 10  # seconds
ASSERTION = 10
# Perhaps the main thread: where one joins a thread that has ended, glibc does not look at that.
CANCELS = re.compile(r"pthread_cancel\((first|second)\)")
COMPILERS = {".c": ["clang-19", "-std=gnu17"], ".cpp": ["clang++-19", "-std=gnu++20"]}
# Not what the C library forbids and the program is told by an error number; nor what the
# sanitizers do not understand themselves.
SANITIZERS = {
    "thread": {"TSAN_OPTIONS": "detect_deadlocks=0 report_mutex_bugs=0 report_thread_leaks=0 "
                               "report_signal_unsafe=0 die_after_fork=0"},
    "address,undefined": {"ASAN_OPTIONS": "detect_leaks=0 use_sigaltstack=0"},
    "memory": {},
}


def sanitizers(program):
    """Those that know what this program does."""
    found = dict(SANITIZERS)
    # Races that are allowed; clocks that are not the host's; threads that are cancelled and
    # processes that fork, for which it may wait for ever.
    if program.options or program.family in (FAMILIES["signals"], FAMILIES["processes"]):
        del found["thread"]
    if program.family.suffix != ".c":  # the C++ library would have to be compiled with it
        del found["memory"]
    return found


def verdict(source, program, never):
    """divm's status, if that is a verdict."""
    run = verify("-q", "-j", "1", "--no-trace-file", "--leaks=no", "--max-time=5s",
                 *program.options, *built(source, f"-DENDS={ENDS}", f"-DNEVER={never}"))
    if run.status != INCOMPLETE and not is_verdict(run.status):
        raise ValueError(f"{run.told()}\n{run.show()}")
    return run.status


def run_all(source, sanitizer, settings):
    """(the ways in which it ended, what is wrong or None)"""
    binary = source.with_suffix(".native")
    run = Run([*COMPILERS[source.suffix], "-w", "-g", "-O1", f"-fsanitize={sanitizer}",
               "-fno-sanitize-recover=all", f"-DENDS={ENDS}", "-I", HERE / "native", source,
               "-o", binary, "-pthread", "-latomic"])
    if run.status != 0:
        raise ValueError(f"{run.told()}\n{run.show()}")
    seen = set()
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as folder:
            run = Run([binary], cwd=folder, limit=LIMIT, env={**ENVIRONMENT, **settings})
        if run.status != 0:
            return seen, f"with -fsanitize={sanitizer}: {run.told()}\n{run.show()}"
        seen |= {int(end) for end in re.findall(r"^ended: (\d)", run.text, re.M)}
    return seen, None


def compare(source, program):
    if program.family.spins and re.search(program.family.spins, source.read_text()):
        return set(), None
    status = verdict(source, program, ENDS)  # that is not the end of any
    if status != 0:
        return {status}, None
    seen = set()
    for sanitizer, settings in sanitizers(program).items():
        ends, problem = run_all(source, sanitizer, settings)
        if problem:
            return {status}, problem
        seen |= ends
    if program.family.stale or CANCELS.search(source.read_text()):
        return {status}, None
    for end in seen:
        found = verdict(source, program, end)
        if found not in (ASSERTION, INCOMPLETE):
            return {status}, f"it ended with {end}, for which divm's status is {found}"
    return {status}, None


def check(family, seed, number):
    """(statuses, what is wrong or None); the program is kept if something is"""
    program = Program(random.Random(f"{family}/{seed}/{number}"), FAMILIES[family])
    source = KEPT / f"native-{family}-{seed}-{number}{program.family.suffix}"
    KEPT.mkdir(parents=True, exist_ok=True)
    source.write_text(program.text())
    statuses, problem = compare(source, program)
    for made in (".divm", ".native"):
        source.with_suffix(made).unlink(missing_ok=True)
    if not problem:
        source.unlink()
    return statuses, problem


def tests(count, seed):
    return tests_of("native", check, count, seed)


def main():
    parser = argparse.ArgumentParser(description="compares divm's verdicts with real runs")
    return run_families(parser, check, "may spin")


if __name__ == "__main__":
    sys.exit(main())
