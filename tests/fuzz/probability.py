#!/usr/bin/env python3
"""Small random programs whose probabilities are counted exactly: does the interval of divm
probability contain them as often as it says, and does the sequential test decide right?

A state's probability is the mean of those of its successors, one for each thread that can go on; no
sampling, and nothing of divm is in it.  So are the lengths of the runs, which the histogram shows.

probability.py [--seed=N] [--programs=N] [--repetitions=N] [--epsilon=E] [--repeat=PROGRAM] [--jobs=N]

A larger epsilon takes fewer runs: as numbers of runs are whole, the interval then contains the
probability more often than alpha asks for.
"""

import argparse
import concurrent.futures
import functools
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
DIVM = os.environ.get("DIVM", ROOT / "build/divm")
VARIABLES = ("a", "b", "c")
ALPHA = 0.05
THETA_STEP, DELTA = 0.1, 0.1


class Program:
    """Threads with actions on atomic variables and one mutex, each of which is one step."""

    def __init__(self, rng):
        self.threads = [self.body(rng) for _ in range(rng.choice([2, 2, 3]))]
        self.weights = [rng.choice([1, 1, 2, 4]) for _ in self.threads]
        self.weighted = rng.random() < 0.3
        v, self.value = rng.choice(VARIABLES), rng.randrange(1, 4)
        w = rng.choice(VARIABLES)
        self.query = f"{v} == {self.value} && {w} != {self.value - 1}"
        self.holds = lambda m: m[v] == self.value and m[w] != self.value - 1
        self.source = self.text()

    @staticmethod
    def body(rng):
        actions = []
        for _ in range(rng.randint(1, 3)):
            kind = rng.choice(["store", "store", "add", "test", "locked"])
            v, c = rng.choice(VARIABLES), rng.randrange(1, 4)
            if kind == "locked":
                actions += [("lock",), ("store", v, c), ("unlock",)]
            elif kind == "test":
                actions.append(("test", v, rng.randrange(2), rng.choice(VARIABLES), c))
            else:
                actions.append((kind, v, c))
        return actions

    def text(self):
        lines = ["#include <pthread.h>", "#include <stdatomic.h>", "static atomic_int a, b, c;",
                 "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;"]
        for k, actions in enumerate(self.threads):
            lines += [f"static void *w{k}(void *arg)", "{"]
            for op, *args in actions:
                lines.append({"store": lambda: f"    {args[0]} = {args[1]};",
                              "add": lambda: f"    {args[0]} += {args[1]};",
                              "lock": lambda: "    pthread_mutex_lock(&m);",
                              "unlock": lambda: "    pthread_mutex_unlock(&m);",
                              "test": lambda: f"    if ({args[0]} == {args[1]})\n        {args[2]} = {args[3]};"}[op]())
            lines += ["    return arg;", "}"]
        n = len(self.threads)
        lines += ["int main(void)", "{", f"    pthread_t t[{n}];"]
        lines += [f"    pthread_create(&t[{k}], 0, w{k}, 0);" for k in range(n)]
        lines += [f"    pthread_join(t[{k}], 0);" for k in range(n)]
        return "\n".join(lines + ["    return (a + b + c) < 0;", "}", ""])


def steps_of(program):
    """Of main, and of each thread: it comes to its first action, does them, and ends.  Main calls
    pthread_join, and goes on when the thread has ended."""
    n = len(program.threads)
    main = [("begin",)] + [("create", k) for k in range(n)]
    main += [step for k in range(n) for step in (("call",), ("join", k))]
    return [main] + [[("begin",), *actions, ("end",)] for actions in program.threads]


def exact(program):
    steps = steps_of(program)

    def weight(k, at):
        outside = at in (0, len(steps[k]) - 1)  # of its function: before it begins, and when it has returned
        if not program.weighted or k == 0 or outside:
            return 1
        return program.weights[k - 1]

    def ready(pcs, owner, k):
        if pcs[k] is None or pcs[k] >= len(steps[k]):
            return False
        op, *args = steps[k][pcs[k]]
        if op == "lock":
            return owner is None
        return op != "join" or (pcs[args[0] + 1] or 0) >= len(steps[args[0] + 1])

    @functools.lru_cache(maxsize=None)
    def lengths(pcs, owner, values, inner):
        """How likely a run from here comes to such a state with the n-th step from here."""
        memory = dict(zip(VARIABLES, values))
        if program.holds(memory):
            return (1.0,)
        who = [k for k in range(len(steps)) if ready(pcs, owner, k)]
        total = sum(weight(k, pcs[k]) for k in who)
        found = []
        for k in who:
            for n, p in enumerate(after(pcs, owner, memory, inner, k), 1):
                found += [0.0] * (n + 1 - len(found))
                found[n] += weight(k, pcs[k]) / total * p
        return tuple(found)

    def after(pcs, owner, memory, inner, k):
        op, *args = steps[k][pcs[k]]
        pcs, memory, inner = list(pcs), dict(memory), list(inner)
        if op == "create":
            pcs[args[0] + 1] = 0
        elif op == "store":
            memory[args[0]] = args[1]
        elif op == "add":
            memory[args[0]] += args[1]
        elif op == "lock":
            owner = k
        elif op == "unlock":
            owner = None
        elif op == "test" and not inner[k] and memory[args[0]] == args[1]:
            inner[k] = True  # its store is the next action
            return lengths(tuple(pcs), owner, tuple(memory.values()), tuple(inner))
        elif op == "test" and inner[k]:
            inner[k] = False
            memory[args[2]] = args[3]
        pcs[k] += 1
        return lengths(tuple(pcs), owner, tuple(memory.values()), tuple(inner))

    start = tuple([0] + [None] * len(program.threads))
    return lengths(start, None, (0,) * len(VARIABLES), (False,) * len(steps))


def asked(program, file, repeat, repetitions, *options):
    """The reports of so many seeds: of one process (repeat.c), or of the command for each."""
    weights = [f"--weight=w{k}:{w}" for k, w in enumerate(program.weights) if program.weighted]
    given = ["-q", "-j1", "--format=json", f"--of={program.query}", f"--alpha={ALPHA}", *weights, *options, file]
    commands = ([[repeat, "1", str(repetitions), *given]] if repeat else
                [[DIVM, "probability", f"--seed={seed}", *given] for seed in range(1, repetitions + 1)])
    reports = []
    for command in commands:
        run = subprocess.run(command, capture_output=True, text=True, timeout=3000, check=False)
        try:
            reports += json.loads("[" + run.stdout.replace("\n}\n{", "\n},\n{") + "]")
        except ValueError:
            sys.exit(f"{file}: {run.stdout[-2000:]}{run.stderr}")
    if [report["seed"] for report in reports] != list(range(1, repetitions + 1)):
        sys.exit(f"{file}: {len(reports)} reports of {repetitions} seeds: {run.stderr}")
    return reports


def off(report, lengths):
    """The bars of a report that are not as long as they should be, each with a probability of 1e-5."""
    runs, shown = report["runs"], {(bar["from"], bar["to"]): bar["runs"] for bar in report["lengths"]}
    wrong = [n for n, p in enumerate(lengths) if runs * p > 20 and not any(a <= n <= b for a, b in shown)]
    for (first, last), seen in shown.items():
        p = sum(lengths[first:last + 1])
        if abs(seen - runs * p) > 4.4 * math.sqrt(runs * p * (1 - p)) + 3:
            wrong.append((first, last, seen, runs * p))
    return wrong + ([sum(shown.values())] if sum(shown.values()) != report["satisfied"] else [])


def one(seed, repeat, repetitions, epsilon, folder):
    """How often the interval misses, and the decisions are wrong."""
    rng = random.Random(seed)
    while True:
        program = Program(rng)
        lengths = exact(program)
        truth = sum(lengths)
        if 0.02 < truth < 0.98:
            break
    file = pathlib.Path(folder) / f"{seed}.c"
    file.write_text(program.source)
    missed = wrong_yes = wrong_no = 0
    for report in asked(program, file, repeat, repetitions, f"--epsilon={epsilon}"):
        missed += not report["low"] <= truth <= report["high"]
    bars = off(asked(program, file, repeat, 1, f"--runs={max(2000, 100 * repetitions)}")[0], lengths)
    below, above = truth + DELTA, truth - DELTA  # "at least" these is false, and true
    for theta in (below, above):
        if 0 < theta - DELTA and theta + DELTA < 1:
            for report in asked(program, file, repeat, repetitions, f"--at-least={theta}", f"--delta={DELTA}",
                                "--beta=0.05"):
                said = report["decision"]["at_least"]
                wrong_yes += theta == below and said is not False
                wrong_no += theta == above and said is not True
    return file, truth, missed, wrong_yes, wrong_no, bars


def most(n, p):
    """So many of n things of probability p come with a probability of 1e-4 at most."""
    return n * p + 3.9 * math.sqrt(n * p * (1 - p)) + 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=20)
    parser.add_argument("--repetitions", type=int, default=1000)
    parser.add_argument("--epsilon", type=float, default=0.05, help="half of the interval's width, at most")
    parser.add_argument("--repeat", default=os.environ.get("DIVM_REPEAT"),
                        help="repeat.c, which is faster than the command is for each seed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    bad, total = 0, [0, 0, 0]
    allowed = most(args.repetitions, 0.05)
    with tempfile.TemporaryDirectory(prefix="divm-probability-") as folder, \
            concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        runs = [pool.submit(one, seed, args.repeat, args.repetitions, args.epsilon, folder)
                for seed in range(args.seed, args.seed + args.programs)]
        for run in runs:
            file, truth, *wrong, bars = run.result()
            bad += any(w > allowed for w in wrong) or bool(bars)
            total = [t + w for t, w in zip(total, wrong)]
            print(f"{file.name}: {truth:.4f}: of {args.repetitions}, missed {wrong[0]}, wrong yes "
                  f"{wrong[1]}, wrong no {wrong[2]}" + (f", lengths {bars}" if bars else ""), flush=True)
    bad = bad or int(any(t > most(args.repetitions * args.programs, 0.05) for t in total))
    print(f"probability: {args.programs - bad} passed, {bad} failed")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
