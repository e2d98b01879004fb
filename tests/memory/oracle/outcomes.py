"""The outcomes that each memory model allows a litmus program (litmus.py tells how one is written).

usage: outcomes.py [--memory=sc,tso,c11] FILE [NAME...]
"""

import argparse
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE)]
import axioms  # noqa: E402
from litmus import MODELS, parse, strong  # noqa: E402
from machines import interleavings  # noqa: E402


DEFINITIONS = {
    "sc": interleavings,
    "tso": lambda program: axioms.outcomes(strong(program), axioms.TSO),
    "c11": lambda program: axioms.outcomes(program, axioms.RC11),
}


def outcomes(program, model):
    """A set of tuples: the values of program.names"""
    if model not in program.known:
        program.known[model] = DEFINITIONS[model](program)
    return program.known[model]


def show(program, models):
    print(program.text(), end="")
    sets = {model: outcomes(program, model) for model in models}
    for outcome in sorted(set.union(*sets.values())):
        seen = [m for m in models if outcome in sets[m]]
        print(f"    {program.show(outcome)}    {' '.join(seen)}")
    print("    " + ", ".join(f"{m}: {len(sets[m])}" for m in models) + "\n")


def main():
    parser = argparse.ArgumentParser(description="tells the outcomes of litmus programs")
    parser.add_argument("--memory", default=",".join(MODELS))
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    for program in parse(given.file.read_text()):
        if not given.names or program.name in given.names:
            show(program, given.memory.split(","))


if __name__ == "__main__":
    sys.exit(main())
