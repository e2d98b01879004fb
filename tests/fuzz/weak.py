"""Compares the outcomes that divm finds for random litmus programs under each memory model with
those of the oracle in tests/memory, which shares nothing with it.

Thirty programs are one C program, whose main chooses which of them runs: by states all their outcomes
are counted in one run, by executions some of them are looked for (tests/memory/compare.py).  One of
them is compared by itself as well, and with another reduction or cache off in turn.
In some C programs the atomic variables are structures, which nobody adds to.
What is wrong stays in build/fuzz, as C and as litmus programs for compare.py.

usage: weak.py [-j N] [--all] [--memory=sc,tso,c11,auto] [COUNT [SEED]]
"""

import argparse
import os
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE), str(HERE.parent / "memory"), str(HERE.parent / "memory" / "oracle")]
from compare import KEPT, Several, offered_now, searches_of  # noqa: E402
from fuzz import CACHES, REDUCTIONS, check_all  # noqa: E402
from generate import random_program  # noqa: E402
from litmus import Program  # noqa: E402
from outcomes import outcomes  # noqa: E402
from shapes import INSTRUCTIONS, NUMBER  # noqa: E402

GROUP = 30  # programs in one C program
STRUCTURES = .25  # of the C programs
BORING = .35  # of the programs to which c11 allows no more than sc does, so many are taken
FEW, MANY = .1, 1  # outcomes for each program that are looked for by executions
NEEDED = {"eager"}  # for a search by executions
OTHERS = [("bfs", "--reduction=none"), ("dfs", "--store=compact"), ("bfs", "--store=exact"),
          ("bfs", "--cache=none"), ("auto", "--reduction=all"),
          *[("bfs", f"--reduction=no-{name}") for name in REDUCTIONS],
          *[("dpor", f"--reduction=no-{name}") for name in REDUCTIONS if name not in NEEDED],
          *[("bfs", f"--cache=no-{name}") for name in CACHES]]


def without_sums(program):
    """The program with an exchange in the place of each addition"""
    threads = [[s._replace(kind="xchg") if s.kind == "add" else s for s in steps] for steps in program.threads]
    return Program(program.name, program.says, threads, program.init)


def programs(seed, group, count, shape=NUMBER):
    """Deterministic"""
    rng = random.Random(f"weak/{seed}/{group}")
    made = []
    while len(made) < count:
        program = random_program(rng, f"weak-{seed}-{group * GROUP + len(made)}")
        if shape.members:
            program = without_sums(program)
        if outcomes(program, "sc") != outcomes(program, "c11") or rng.random() < BORING:
            made.append(program)
    return made


def problems(several, alone, models, rng, everything, group):
    """What is wrong, one after the other; None where nothing is"""
    for model in models:
        for search in searches_of(model):
            yield several.wrong(model, search, most=MANY if everything else FEW, rng=rng)
    for model in models if everything else [rng.choice(models)]:
        yield alone.wrong(model, rng.choice(searches_of(model)), most=2, rng=rng)
    for k in range(4 if everything else 1):
        search, option = OTHERS[(group + k * 7) % len(OTHERS)]
        which = several if everything and not option.endswith("=none") else alone
        yield which.wrong(rng.choice(models), search, [option], most=FEW if which is several else 2, rng=rng)


def check(seed, group, count, models, everything=False):
    """(what kinds of programs these are, None or what is wrong)"""
    rng = random.Random(f"weak/options/{seed}/{group}")
    shape = rng.choice(INSTRUCTIONS) if rng.random() < STRUCTURES else NUMBER
    made = programs(seed, group, count, shape)
    several = Several(made, f"weak-{seed}-{group}", shape=shape)
    alone = Several([rng.choice(made)], f"weak-{seed}-{group}-alone", shape=shape)
    kinds = ["weaker than sc" if sets["c11"] > sets["sc"] else "no weaker than sc" for sets in several.sets]
    kinds = [f"{kind}, {shape.name}" if shape.members else kind for kind in kinds]
    for problem in problems(several, alone, models, rng, everything, group):
        if problem:
            (KEPT / f"weak-{seed}-{group}.litmus").write_text("\n".join(p.text() for p in made))
            return kinds, problem
    several.source.unlink()
    alone.source.unlink()
    return kinds, None


def jobs_of(count, seed, models, everything=False):
    return [(seed, k // GROUP, min(GROUP, count - k), models, everything) for k in range(0, count, GROUP)]


def tests(count, seed):
    """For run.py: (name, function returning None or what is wrong).  What auto chooses is one of the
    others, so it is tried in one group of four."""
    models = offered_now()
    for job in jobs_of(count, seed, models):
        chosen = [m for m in models if m != "auto" or job[1] % 4 == 0]
        job = (*job[:3], chosen, *job[4:])
        yield f"fuzz weak {seed}/{job[1]}", lambda j=job: check(*j)[1]


def main():
    parser = argparse.ArgumentParser(description="compares outcomes of random litmus programs with an oracle's")
    parser.add_argument("-j", type=int, default=os.cpu_count())
    parser.add_argument("--all", action="store_true", help="more outcomes, and more reductions and caches off")
    parser.add_argument("--memory", help="the models (default: those that divm has)")
    parser.add_argument("count", type=int, nargs="?", default=100)
    parser.add_argument("seed", nargs="?", default="1")
    given = parser.parse_args()
    models = given.memory.split(",") if given.memory else offered_now()
    return check_all(check, jobs_of(given.count, given.seed, models, given.all), given.j,
                     lambda job: f"{job[0]}/{job[1]}", lambda _, kinds: kinds)


if __name__ == "__main__":
    sys.exit(main())
