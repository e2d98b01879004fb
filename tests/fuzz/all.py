"""all.py - every fuzzer of fuzzers.tsv, with all its programs; or, for a time, rounds of a few.

usage: all.py [--minutes=N] [--seed=N]

With --minutes the fuzzer that had the least time so far has the next round, with a seed that no
round had before. A round that fails is printed whole, with the command that repeats it. The
command that is tested is $DIVM."""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import time

TESTS = pathlib.Path(__file__).resolve().parent.parent
SUMMARY = re.compile(r"(\d+) passed, (\d+) failed")


class Fuzzer:
    def __init__(self, line):
        self.whole, self.round, self.command = line.split("\t")
        self.seconds, self.rounds, self.passed, self.failed = 0.0, 0, 0, 0

    def has_rounds(self):
        return self.round != "-"

    def run(self, count, seed):
        """Runs it once, and prints what it says if it fails"""
        words = self.command.format(count=count, seed=seed).split()
        begin = time.monotonic()
        run = subprocess.run([sys.executable, TESTS / words[0], *words[1:]], text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             env={**os.environ, "DIVM_TEST_ALL": "1"})
        seconds = time.monotonic() - begin
        passed, failed = self.counts(run)
        self.seconds += seconds
        self.rounds += 1
        self.passed += passed
        self.failed += failed
        if failed:
            print(run.stdout)
        print(f"{' '.join(words):64} {passed} passed, {failed} failed ({seconds:.0f} s)", flush=True)

    @staticmethod
    def counts(run):
        """What its closing line says; a fuzzer that ended without one, or badly, has failed"""
        found = SUMMARY.findall(run.stdout)
        passed, failed = map(int, found[-1]) if found else (0, 0)
        return passed, failed or int(run.returncode != 0 or not found)


def rounds(fuzzers, minutes, seed):
    end = time.monotonic() + 60 * minutes
    random = [fuzzer for fuzzer in fuzzers if fuzzer.has_rounds()]
    while time.monotonic() < end:
        fuzzer = min(random, key=lambda f: f.seconds)
        fuzzer.run(fuzzer.round, seed + fuzzer.rounds * int(fuzzer.round))


def main():
    parser = argparse.ArgumentParser(description="runs the fuzzers of fuzzers.tsv")
    parser.add_argument("--minutes", type=float, help="rounds of a few programs for that long")
    parser.add_argument("--seed", type=int, default=1000)
    given = parser.parse_args()
    lines = (TESTS / "fuzz/fuzzers.tsv").read_text().splitlines()
    fuzzers = [Fuzzer(line) for line in lines if not line.startswith("#")]
    if given.minutes:
        rounds(fuzzers, given.minutes, given.seed)
    else:
        for fuzzer in fuzzers:
            fuzzer.run(fuzzer.whole, given.seed)
    passed, failed = (sum(getattr(f, n) for f in fuzzers) for n in ("passed", "failed"))
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
