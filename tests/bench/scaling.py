"""make bench-scaling: how the cost of a search grows as its work grows.

Five tables: programs with growing parameters; a heap of more and more live objects beside
two counting threads; more and more global variables beside them; one worker and two, and
what the machine does with two searches at once; one worker and two in whole searches.  Each
figure is the best of four, in turn; those of workers are means of searches that run by turns
(slices.py), those of whole ones means of searches one after the other.  In the tables of heap and
globals a state's cost is that of the states that more steps add, so that making and freeing the
objects does not count.  Instructions are those of the host's processor, where perf can count them.

usage: scaling.py [--quick] [TABLE...]      tables: growth heap globals workers whole
"""

import argparse
import functools
import json
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import typing

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import slices  # noqa: E402
from suite import DIVM, ROOT, Run  # noqa: E402

GROWTH = [
    ("counter.c", ["-DN=4 -DSTEPS=2", "-DN=4 -DSTEPS=4", "-DN=4 -DSTEPS=8", "-DN=5 -DSTEPS=4",
                   "-DN=6 -DSTEPS=3"]),
    ("fib.c", ["-DN=3", "-DN=4", "-DN=5"]),
    ("peterson.c", ["-DROUNDS=2", "-DROUNDS=8", "-DROUNDS=32"]),
    ("philosophers.c", ["-DN=4", "-DN=5", "-DN=6"]),
    ("msqueue.c", ["-DPRODUCERS=1 -DCONSUMERS=1 -DITEMS=2", "-DPRODUCERS=2 -DCONSUMERS=1 -DITEMS=2",
                   "-DPRODUCERS=2 -DCONSUMERS=2 -DITEMS=2"]),
    ("boundedbuffer.c", [f"-DPRODUCERS={k} -DCONSUMERS={k} -DITEMS={n}"
                         for k, n in ((1, 2), (1, 8), (2, 2))]),
]
SHAPES = [("list", ""), ("tree", "-DTREE"), ("table", "-DTABLE")]
OBJECTS = [10**2, 10**3, 10**4, 10**5]
GLOBALS = [("array", "", 700), ("array, written", "-DWRITE", 400),
           ("small ones", "-DSMALL", 700)]
BYTES = [2**10, 2**20]
WORKERS = [("fib.c", "-DN=6"), ("counter.c", "-DN=5 -DSTEPS=22 --reduction=no-thread-symmetry"),
           ("peterson.c", "-DROUNDS=400"), ("boundedbuffer.c", "-DITEMS=40"),
           ("msqueue.c", "-DPRODUCERS=3 -DCONSUMERS=1 -DITEMS=2"), ("philosophers.c", "-DN=10")]
WHOLE = [("fib.c", "-DN=7"), *WORKERS[1:]]  # more than some seconds each
LONG = 30  # seconds of one worker's searches, for a row of the tables of workers
PAIRS = 3  # of whole searches, at least
NEAR = 70  # nanoseconds: a handover that takes longer is one between caches
CLANG = os.environ.get("DIVM_CLANG", "clang-19")
HEAP_MARK, GLOBALS_MARK, WORKERS_MARK = 3, 1.2, 1.8


def perf_counts():
    if not shutil.which("perf"):
        return False
    done = subprocess.run(["perf", "stat", "-x,", "-e", "instructions:u", "true"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    return done.returncode == 0 and done.stderr.split(b",")[0].strip().isdigit()


def spent():
    """Seconds of a processor, of all processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Round(typing.NamedTuple):
    reports: list  # of each kind of search, with the time that each had
    loops: list  # steps a second
    handover: list  # nanoseconds: of the quickest tenth at most, half, nine tenths


class Pair(typing.NamedTuple):
    one: dict  # what a search with one worker reported
    two: dict
    handovers: list  # before, between and after them: nanoseconds, of half at most


class Bench:
    def __init__(self, quick):
        self.perf, self.quick, self.wrong = perf_counts(), quick, 0

    @functools.cached_property
    def handover(self):
        """The program that measures after how long a processor sees what another one wrote."""
        self.folder = tempfile.TemporaryDirectory(prefix="divm-scaling-")
        program = pathlib.Path(self.folder.name, "handover")
        subprocess.run([CLANG, "-O2", "-pthread", "-o", program,
                        ROOT / "tests" / "bench" / "handover.c"], check=True)
        return program

    @staticmethod
    def command(program, defines, workers):
        return [DIVM, "verify", "--search=bfs", "-j", str(workers), "--format=json",
                "--no-trace-file", *defines.split(), str(ROOT / "tests" / "bench" / program)]

    def report_of(self, command):
        """What a whole search reports; None if it failed."""
        run = Run(command, limit=600)
        if run.status == 0:
            return json.loads(run.text)
        print(run.show(), file=sys.stderr)
        self.wrong += 1
        return None

    def counted(self, reports):
        """What is to be said of the counts of searches, which are to be the same."""
        same = len({(r["states"], r["transitions"]) for r in reports}) == 1
        self.wrong += not same
        return "" if same else " COUNTS DIFFER"

    def once(self, program, defines):
        command = self.command(program, defines, 1)
        with tempfile.NamedTemporaryFile() as counts:
            if self.perf:
                command = ["perf", "stat", "-x,", "-e", "instructions:u", "-o", counts.name,
                           *command]
            before = spent()
            report = self.report_of(command)
            cpu = spent() - before
            if not report:
                return None
            report["host"] = 0
            report["cpu"] = cpu
            for line in pathlib.Path(counts.name).read_text().splitlines():
                if "instructions" in line:
                    report["host"] = int(line.split(",")[0])
        return report

    def in_turn(self, jobs):
        """The results of some jobs, each the quickest of some runs: in turn, since machines
        are slow for a while.  A job is a function and its arguments."""
        runs = [[] for _ in jobs]
        for _ in range(1 if self.quick else 4):
            for (function, *args), found in zip(jobs, runs):
                result = function(*args)
                if result:
                    found.append(result)
        return [min(found, key=lambda r: r["time"], default=None) for found in runs]

    def alone(self, program, defines):
        report = self.once(program, defines)
        return report and {**report, "time": report["cpu"]}

    def by_turns(self, program, defines):
        """One search with a worker, with two, two of one each at once, one loop and two loops,
        and the handover from processor to processor meanwhile."""
        search = {n: self.command(program, defines, n) for n in (1, 2)}
        jobs = [slices.Job([search[1]], single=True), slices.Job([search[2]], share=0.5),
                slices.Job([search[1]] * 2)]
        loops = [slices.loops(n) for n in (1, 2)]
        handover = slices.Job([[self.handover]], share=0.1, endless=True)
        slices.by_turns(jobs + loops + [handover])
        return Round([[self.searched(job, process) for process in job.processes] for job in jobs],
                     [slices.steps(job) for job in loops],
                     [int(n) for n in handover.processes[0].text().split()])

    def rounds(self, program, defines):
        """So many that one worker has searched long enough, or failed."""
        rounds, seconds = [], 0
        while not rounds or (not self.quick and seconds < LONG):
            rounds.append(self.by_turns(program, defines))
            one = rounds[-1].reports[0][0]
            seconds += one["time"] if one else LONG
        return rounds

    def handover_now(self):
        """Nanoseconds, of half of a slice at most."""
        with subprocess.Popen([self.handover], stdout=subprocess.PIPE, text=True) as process:
            time.sleep(slices.SLICE)
            process.terminate()
            return int(process.stdout.read().split()[1])

    def pairs(self, program, defines):
        """Whole searches, with one worker and with two, either one first by turns: so many that
        one worker has searched long enough; fewer if one failed."""
        pairs, seconds, before = [], 0, self.handover_now()
        while not pairs or (not self.quick and (seconds < LONG or len(pairs) < PAIRS)):
            reports, handovers = {}, [before]
            for workers in (1, 2) if len(pairs) % 2 == 0 else (2, 1):
                reports[workers] = self.report_of(self.command(program, defines, workers))
                if not reports[workers]:
                    return pairs
                handovers.append(before := self.handover_now())
            pairs.append(Pair(reports[1], reports[2], handovers))
            seconds += reports[1]["seconds"]
        return pairs

    def searched(self, job, process):
        if process.status != 0:
            print(process.text(), process.read(process.errors), file=sys.stderr)
            self.wrong += 1
            return None
        report = json.loads(process.text())
        return {**report, "time": job.ran(process, report["seconds"]), "cpu": process.cpu}

    @staticmethod
    def added(few, many):
        """What the states cost that more steps add: microseconds of a processor, host's
        instructions and guest's, each per state, and how many they are."""
        states = many["states"] - few["states"]
        per = lambda name: (many[name] - few[name]) / states  # noqa: E731
        return 1e6 * per("cpu"), per("host"), per("instructions"), states


def show(rows):
    widths = [max(len(r[k]) for r in rows) for k in range(len(rows[0]))]
    for row in rows:
        print("  ".join(c.ljust(w) if k == 0 else c.rjust(w)
                        for k, (c, w) in enumerate(zip(row, widths))).rstrip())
    print()


def growth(bench):
    rows = [("program", "states", "transitions", "seconds", "us/transition")]
    for program, parameters in GROWTH:
        for defines in parameters[:2] if bench.quick else parameters:
            r, = bench.in_turn([(bench.alone, program, defines)])
            if r:
                rows.append((f"{program} {defines}", str(r["states"]), str(r["transitions"]),
                             f"{r['seconds']:.3f}",
                             f"{1e6 * r['seconds'] / r['transitions']:.2f}"))
    show(rows)


def compared(bench, title, program, kinds, sizes, mark):
    """A table of what states cost beside things of several sizes.  A kind has so many steps
    that its states take a second or more: what comes before differs by a tenth of one."""
    rows = [(title, "size", "states", "guest instr/state", "host instr/state", "us/state",
             "ratio")]
    for name, define, steps in kinds:
        steps = steps // 2 if bench.quick else steps
        jobs = [(bench.alone, program, f"{define} {size_define} -DSTEPS={n}")
                for _, size_define in sizes for n in (3, steps)]
        found, first = bench.in_turn(jobs), None
        for (size, _), few, many in zip(sizes, found[::2], found[1::2]):
            if not few or not many:
                continue
            cost = bench.added(few, many)
            first = first or cost
            # instructions are less noisy than time
            ratio = cost[1] / first[1] if bench.perf else cost[0] / first[0]
            rows.append((name, str(size), str(cost[3]), f"{cost[2]:.0f}",
                         f"{cost[1]:.0f}" if bench.perf else "-", f"{cost[0]:.2f}",
                         f"{ratio:.2f}" + (" > mark" if ratio > mark else "")))
    show(rows)
    print(f"ratio: to the first size, of {'instructions' if bench.perf else 'time'}; "
          f"at most {mark} is the mark\n")


def heap(bench):
    kinds = [(name + change, f"{define} {extra}", steps) for change, extra, steps in
             (("", "", 700), (", changed", "-DCHANGE", 400)) for name, define in SHAPES]
    compared(bench, "heap", "scale_heap.c", kinds, [(n, f"-DOBJECTS={n}") for n in OBJECTS],
             HEAP_MARK)


def globals_(bench):
    compared(bench, "globals", "scale_globals.c", GLOBALS, [(n, f"-DBYTES={n}") for n in BYTES],
             GLOBALS_MARK)


def ready_for_two():
    print("load average before: %.2f %.2f %.2f, processors: %d\n"
          % (*os.getloadavg(), os.cpu_count() or 0))
    ready = len(os.sched_getaffinity(0)) >= 2
    if not ready:
        print("a single processor: nothing to compare\n")
    return ready


def marked(speed_up):
    return f"{speed_up:.2f}" + ("" if speed_up >= WORKERS_MARK else " < mark")


def workers(bench):
    if not ready_for_two():
        return
    rows = [("program", "states", "1 worker", "2 workers", "speed-up", "2 processes", "2 loops",
             "cpu", "handover", "of 2 free")]
    for program, defines in WORKERS:
        rounds = bench.rounds(program, defines)
        reports = [[r for turn in rounds for r in turn.reports[k]] for k in range(3)]
        if not all(map(all, reports)):
            continue
        one, two, both = (sum(r["time"] for r in kind) / len(kind) for kind in reports)
        cpu = [sum(r["cpu"] for r in kind) for kind in reports]
        loop, loops = (sum(turn.loops[k] for turn in rounds) for k in range(2))
        least, middle, most = zip(*(turn.handover for turn in rounds))
        free = both / two
        rows.append((f"{program} {defines}", str(reports[0][0]["states"]), f"{one:.2f} s",
                     f"{two:.2f} s", f"{one / two:.2f}", f"{2 * one / both:.2f}",
                     f"{loops / loop:.2f}", f"{cpu[1] / cpu[0]:.2f}",
                     f"{min(least)} {statistics.median(middle):.0f} {max(most)} ns",
                     marked(free) + bench.counted(r for kind in reports for r in kind)))
    show(rows)
    print("All of a row run by turns, 0.2 s each; means of all runs.\n"
          "speed-up: 1 worker by 2 workers\n"
          "2 processes: how much the machine does with two such searches at once, which share "
          "nothing,\nof what it does with one; 2 loops: the same of loops that hardly need "
          "memory\n"
          "cpu: seconds of processors with 2 workers by those with 1\n"
          "handover: after how long a processor sees what the other wrote; least, half and most "
          "of the time\n"
          "of 2 free: the speed-up, if two processes did twice as much as one\n")


def seconds(pairs):
    """Means with one worker and with two."""
    return (statistics.mean(r["seconds"] for r in reports)
            for reports in ([p.one for p in pairs], [p.two for p in pairs]))


def speed_up(pairs):
    if not pairs:
        return "-"
    one, two = seconds(pairs)
    return f"{one / two:.2f} ({len(pairs)})"


def whole(bench):
    if not ready_for_two():
        return
    rows = [("program", "states", "1 worker", "2 workers", "pairs", "near", "apart", "load",
             "speed-up")]
    for program, defines in WHOLE:
        pairs = bench.pairs(program, defines)
        if not pairs:
            continue
        one, two = seconds(pairs)
        near = [p for p in pairs if max(p.handovers) < NEAR]
        apart = [p for p in pairs if min(p.handovers) >= NEAR]
        rows.append((f"{program} {defines}", str(pairs[0].one["states"]), f"{one:.2f} s",
                     f"{two:.2f} s", str(len(pairs)), speed_up(near), speed_up(apart),
                     f"{os.getloadavg()[0]:.2f}",
                     marked(one / two) + bench.counted(r for p in pairs for r in (p.one, p.two))))
    show(rows)
    print("Whole searches, one after the other; means of all pairs.\n"
          f"near: the speed-up of those with handovers below {NEAR} ns before, between and after, "
          "and in\nbrackets how many; apart: above\n"
          "load: the load average after them, which they make themselves\n")


TABLES = {"growth": growth, "heap": heap, "globals": globals_, "workers": workers,
          "whole": whole}


def main():
    parser = argparse.ArgumentParser(description="measures how divm's cost grows")
    parser.add_argument("--quick", action="store_true", help="smaller, each run once")
    parser.add_argument("tables", nargs="*", choices=[[], *TABLES], default=[])
    options = parser.parse_args()
    bench = Bench(options.quick)
    for name in options.tables or TABLES:
        TABLES[name](bench)
    print(f"{bench.wrong} wrong")
    return bench.wrong != 0


if __name__ == "__main__":
    sys.exit(main())
