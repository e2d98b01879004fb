"""Compares the outcomes that divm finds for litmus programs with the sets of the oracle, which shares
nothing with it (oracle/; litmus.py there tells how a program is written).

The C program (oracle/in_c.py) asserts that its outcome is in the set: so nothing is found that must
not be.  All of the set is found if a search by states counts as many final states; where it does
not count them, or counts more, each outcome is claimed not to occur, which must be refuted.

usage: compare.py [--memory=sc,tso,c11,auto] [--search=bfs,dpor] [--together] [--keep]
                  [--most=N] [--option=OPTION]... [FILE [NAME...]]
"""

import argparse
import json
import pathlib
import random
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "oracle"), str(HERE.parent)]
from in_c import in_c  # noqa: E402
from shapes import NUMBER  # noqa: E402
from litmus import MODELS, parse  # noqa: E402
from outcomes import outcomes  # noqa: E402
from suite import DIVM, ROOT, Run, names_in, verify  # noqa: E402

KEPT = ROOT / "build" / "fuzz"
SEARCHES = ("bfs", "dpor")
NEEDED = "eager"  # the reduction without which there is no search by executions


def searches_of(model):
    """Under tso there is no search by executions"""
    return ("bfs",) if model == "tso" else SEARCHES


def offered():
    """The models that divm has: what "auto" means is c11 where an order is weaker than seq_cst."""
    text = Run([DIVM, "help", "verify"]).text
    found = re.search(r"--memory=([a-z0-9|]+)", text)
    return sorted(found[1].split("|"), key=[*MODELS, "auto"].index) if found else ["sc"]


class Several:
    """Litmus programs in one C program."""

    def __init__(self, programs, name, models=MODELS, shape=NUMBER):
        self.programs, self.name, self.counting = programs, name, {}
        self.sets = [{m: outcomes(p, m) for m in models} for p in programs]
        KEPT.mkdir(parents=True, exist_ok=True)
        self.source = KEPT / f"{name}.c"
        self.source.write_text(in_c(programs, self.sets, shape))

    def set_of(self, k, model):
        return self.sets[k][self.meant(model)]

    def meant(self, model):
        """What auto chooses"""
        if model != "auto":
            return model
        return "c11" if any(p.weaker_than_sc() for p in self.programs) else "sc"

    def run(self, model, options, *arguments):
        """Under a model that divm may not know by name"""
        place = MODELS.index(self.meant(model))
        known = [f"--memory={model}"] if "auto" in offered_now() else []
        return verify("-j", "1", "--no-trace-file", "--format=json", "--max-memory=2G", *known,
                      *options, self.source, "--", place, *arguments)

    def counts(self, model):
        """Whether final states differ in their outcomes only"""
        if model not in self.counting:
            self.counting[model] = final_states(self.run(model, ["--search=bfs"], -1, -1, "forget")) == 1
        return self.counting[model]

    def wrong(self, model, search, options=(), together=True, most=None, rng=None):
        """What is wrong under a model, by a search and with more options, or None.  together: in
        one run; most: so many outcomes are looked for at most, where they are not counted."""
        options = [f"--search={search}", *options]
        if not together or len(self.programs) == 1:
            for k in range(len(self.programs)):
                problem = self.wrong_one(k, model, options, most, rng)
                if problem:
                    return problem
            return None
        run = self.run(model, options)
        count = sum(len(self.set_of(k, model)) for k in range(len(self.programs)))
        if run.status == 0 and final_states(run) == count and self.counts(model):
            return None
        if run.status == 0 and final_states(run) == 0:
            return self.wrong_sample(model, options, most, rng)
        if run.status == 0 and final_states(run) == count:
            return self.wrong(model, search, options[1:], False)
        return self.wrong(model, search, options[1:], False) or (
            f"{run.told()}, {final_states(run)} final states, but there are {count} outcomes; each "
            f"program by itself is right\n{run.show()}")

    def wrong_one(self, k, model, options, most=None, rng=None):
        run = self.run(model, options, k)
        may = self.set_of(k, model)
        program = self.programs[k]
        if run.status != 0:
            allowed = "".join(f"    {program.show(o)}\n" for o in sorted(may))
            return f"{program.name}: {run.told()}; {model} allows\n{allowed}{program.text()}{run.show()}"
        if final_states(run) == len(may) and self.counts(model):
            return None
        places = range(len(may))
        if most and final_states(run) == 0:
            places = (rng or random).sample(places, min(max(1, round(most)), len(may)))
        return self.missing(k, model, options, places)

    def wrong_sample(self, model, options, most, rng):
        """Some outcomes of some of the programs"""
        all_of = [(k, place) for k in range(len(self.programs)) for place in range(len(self.set_of(k, model)))]
        if most:
            all_of = (rng or random).sample(all_of, min(len(all_of), max(1, round(most * len(self.programs)))))
        for k, place in all_of:
            problem = self.missing(k, model, options, [place])
            if problem:
                return problem
        return None

    def missing(self, k, model, options, places):
        """An outcome at one of these places of the set that is not found"""
        may, program = sorted(self.set_of(k, model)), self.programs[k]
        for place in places:
            run = self.run(model, options, k, place)
            if run.status != 10:
                return (f"{program.name}: {run.told()}, but {model} allows {program.show(may[place])}\n"
                        f"{program.text()}{run.show()}")
        return None


def final_states(run):
    """0 if they were not counted, since executions were first to end"""
    try:
        report = json.loads(run.text)
        return 0 if report["executions"] else report["final_states"]
    except (ValueError, KeyError):
        return 0


MODELS_OFFERED = []


def offered_now():
    if not MODELS_OFFERED:
        MODELS_OFFERED.extend(offered())
    return MODELS_OFFERED


def all_files():
    return sorted((HERE / "litmus").glob("*.litmus"))


def without(number, models):
    """(model, search, option): each reduction off in turn, under one model each for a file"""
    for k, name in enumerate(names_in("reductions.def")):
        model = "tso" if name == "drain" and "tso" in models else models[(number + k) % len(models)]
        yield model, "bfs", f"--reduction=no-{name}"
        if name != NEEDED and "dpor" in searches_of(model):
            yield model, "dpor", f"--reduction=no-{name}"


def check_file(file, number, models):
    """All programs of a file in one run for each model, search and reduction that is off"""
    several = Several(parse(file.read_text()), f"litmus-{file.stem}")
    runs = [(m, s, ()) for m in models for s in searches_of(m)]
    runs += [(m, s, [option]) for m, s, option in without(number, models)]
    for model, search, options in runs:
        rng = random.Random(f"{file.stem}/{model}/{search}{options}")
        problem = several.wrong(model, search, options, most=.02 if options else .2, rng=rng)
        if problem:
            return problem
    several.source.unlink()
    return None


def tests():
    """For run.py: (name, function returning None or what is wrong)."""
    for number, file in enumerate(all_files()):
        yield f"tests/memory/litmus/{file.name}", lambda f=file, n=number: check_file(f, n, offered_now())


def main():
    parser = argparse.ArgumentParser(description="compares outcomes of litmus programs with an oracle's")
    parser.add_argument("--memory", default=None)
    parser.add_argument("--search", default=",".join(SEARCHES))
    parser.add_argument("--together", action="store_true", help="the programs of a file in one run")
    parser.add_argument("--most", type=float, help="by executions: look for so many outcomes of each program")
    parser.add_argument("--keep", action="store_true", help="keep the C programs, and tell where")
    parser.add_argument("--option", action="append", default=[], help="for divm")
    parser.add_argument("file", type=pathlib.Path, nargs="?")
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    models = given.memory.split(",") if given.memory else offered_now()
    passed = failed = 0
    for file in [given.file] if given.file else all_files():
        programs = [p for p in parse(file.read_text()) if not given.names or p.name in given.names]
        groups = [programs] if given.together else [[p] for p in programs]
        for group in groups:
            several = Several(group, f"litmus-{file.stem}-{group[0].name}".replace("/", "_"))
            problems = [(m, s, several.wrong(m, s, given.option, most=given.most)) for m in models
                        for s in given.search.split(",") if s in searches_of(m)]
            for model, search, problem in problems:
                if problem:
                    print(f"FAIL {file.name} {model} {search}: {problem}", flush=True)
            failed += any(p for _, _, p in problems)
            passed += not any(p for _, _, p in problems)
            if given.keep:
                print(several.source)
            elif not any(p for _, _, p in problems):
                several.source.unlink()
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
