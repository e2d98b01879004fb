#!/usr/bin/env python3
"""Small random programs whose probabilities are counted exactly: does the interval of divm
probability contain them as often as it says, and does the sequential test decide right?

A state's probability is the mean of those of its successors, one for each thread that can go on; no
sampling, and nothing of divm is in it.

probability.py [--seed=N] [--programs=N] [--repetitions=N] [--jobs=N]
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
ALPHA, EPSILON = 0.05, 0.05
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
    """Of main, and of each thread: it comes to its first action, does them, and ends."""
    n = len(program.threads)
    main = [("create", k) for k in range(n)] + [("join", k) for k in range(n)]
    return [main] + [[("begin",), *actions, ("end",)] for actions in program.threads]


def exact(program):
    steps = steps_of(program)

    def weight(k, at):
        if not program.weighted or k == 0 or at == 0:
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
    def probability(pcs, owner, values, inner):
        memory = dict(zip(VARIABLES, values))
        if program.holds(memory):
            return 1.0
        who = [k for k in range(len(steps)) if ready(pcs, owner, k)]
        if not who:
            return 0.0
        total = sum(weight(k, pcs[k]) for k in who)
        return sum(weight(k, pcs[k]) / total * after(pcs, owner, memory, inner, k) for k in who)

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
            return probability(tuple(pcs), owner, tuple(memory.values()), tuple(inner))
        elif op == "test" and inner[k]:
            inner[k] = False
            memory[args[2]] = args[3]
        pcs[k] += 1
        return probability(tuple(pcs), owner, tuple(memory.values()), tuple(inner))

    start = tuple([0] + [None] * len(program.threads))
    return probability(start, None, (0,) * len(VARIABLES), (False,) * len(steps))


def ask(program, file, seed, *options):
    weights = [f"--weight=w{k}:{w}" for k, w in enumerate(program.weights) if program.weighted]
    run = subprocess.run([DIVM, "probability", "-q", "-j1", "--format=json", f"--of={program.query}",
                          f"--alpha={ALPHA}", f"--seed={seed}", *weights, *options, file],
                         capture_output=True, text=True, timeout=120, check=False)
    try:
        return json.loads(run.stdout)
    except ValueError:
        sys.exit(f"{file}: {run.stdout}{run.stderr}")


def one(seed, repetitions, folder):
    """How often the interval misses, and the decisions are wrong."""
    rng = random.Random(seed)
    while True:
        program = Program(rng)
        truth = exact(program)
        if 0.02 < truth < 0.98:
            break
    file = pathlib.Path(folder) / f"{seed}.c"
    file.write_text(program.source)
    missed = wrong_yes = wrong_no = 0
    below, above = truth + DELTA, truth - DELTA  # "at least" these is false, and true
    for k in range(1, repetitions + 1):
        report = ask(program, file, k, f"--epsilon={EPSILON}")
        missed += not report["low"] <= truth <= report["high"]
        for theta in (below, above):
            if 0 < theta - DELTA and theta + DELTA < 1:
                report = ask(program, file, k, f"--at-least={theta}", f"--delta={DELTA}", "--beta=0.05")
                said = report["decision"]["at_least"]
                wrong_yes += theta == below and said is not False
                wrong_no += theta == above and said is not True
    return file, truth, missed, wrong_yes, wrong_no


def most(n, p):
    """So many of n things of probability p come with a probability of 1e-4 at most."""
    return n * p + 3.9 * math.sqrt(n * p * (1 - p)) + 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=20)
    parser.add_argument("--repetitions", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    bad, total = 0, [0, 0, 0]
    allowed = most(args.repetitions, 0.05)
    with tempfile.TemporaryDirectory(prefix="divm-probability-") as folder, \
            concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        runs = [pool.submit(one, seed, args.repetitions, folder)
                for seed in range(args.seed, args.seed + args.programs)]
        for run in runs:
            file, truth, *wrong = run.result()
            bad += any(w > allowed for w in wrong)
            total = [t + w for t, w in zip(total, wrong)]
            print(f"{file.name}: {truth:.4f}: of {args.repetitions}, missed {wrong[0]}, wrong yes "
                  f"{wrong[1]}, wrong no {wrong[2]}", flush=True)
    bad += any(t > most(args.repetitions * args.programs, 0.05) for t in total)
    print(f"probability: {args.programs} programs, {bad} wrong")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
