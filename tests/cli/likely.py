"""divm probability: its answers, and that they are the same with any number of workers.  Twenty small
programs whose probabilities are known are in tests/fuzz/probability.py, of which a few runs are
made here."""

import json
import os

from suite import DIVM, ROOT, Run

SOURCE = """#include <assert.h>
#include <divm.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int first, two;
static void *one(void *arg) { int none = 0; atomic_compare_exchange_strong(&first, &none, 1); return arg; }
static void *other(void *arg) { int none = 0; atomic_compare_exchange_strong(&first, &none, 2); return arg; }
int main(void)
{
#ifdef CHOICE
    two = divm_choose(4);
    divm_assume(two != 3);
#endif
    pthread_t t[2];
    pthread_create(&t[0], 0, one, 0);
    pthread_create(&t[1], 0, other, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
#ifdef FAILS
    assert(first == 1);
#endif
    return first + two < 0;
}
"""


def ask(here, *args):
    return Run([DIVM, "probability", *args, "p.c"], cwd=here)


def wrong(run, why):
    return f"{why}\n{run.show()}"


def report(here, *args):
    return json.loads(ask(here, "--format", "json", "-q", *args).text)


def workers(here):
    for args in (["--of=first == 2"], ["--of=first == 2", "--at-least=0.3"], ["--of=first == 2", "--weight=other:3"]):
        one, two = report(here, "-j1", *args), report(here, "-j2", *args)
        if one != two:
            return f"{args}: with one worker {one}, with two {two}"
    if report(here, "--of=first == 2", "--seed=2")["satisfied"] == report(here, "--of=first == 2")["satisfied"]:
        return "another seed makes the same runs"
    return None


def chosen(here):
    """divm_choose has four results, of which one is none."""
    found = report(here, "-DCHOICE", "--of=two == 2", "-j1")
    if not found["low"] <= 1 / 3 <= found["high"] or found["complete"] is not True:
        return f"1/3 is not in the interval: {found}"
    return None


def certain(here):
    never, always = report(here, "--of=first == 5"), report(here, "--of=first == 0")
    if (never["probability"], never["low"]) != (0, 0) or (always["probability"], always["high"]) != (1, 1):
        return f"{never} {always}"
    return None


def stopped(here):
    """An interval means something only if the number of runs does not depend on how they end."""
    decided, cut = (report(here, "--of=first == 2", *args) for args in
                    (["--at-least=0.3"], ["--runs=4000000", "--max-time=1s"]))
    for found in (decided, cut):
        if found["low"] is not None or found["high"] is not None:
            return f"an interval where a decision or a limit has ended the runs: {found}"
    return None


def weighed(here):
    some, more = report(here, "--of=first == 2"), report(here, "--of=first == 2", "--weight=other:9")
    if more["low"] <= some["high"]:
        return f"a weight changes nothing: {some} {more}"
    return None


def told(here):
    for args, status, text in [
            (["--of=first == 2", "--at-least=0.1"], 0, "is 0.1 at least: "),
            (["--of=first == 2", "--at-least=0.9"], 10, "is 0.9 at most: "),
            (["--of=first == 2"], 0, "between 0."),
            (["--of=first == 2", "--runs=50"], 0, " of 50 runs (seed 1)"),
            (["--of=first == 2", "--runs=4000000", "--max-time=1s"], 5, "divm: incomplete: time limit: "),
            (["--of=first == 0", "--epsilon=1e-7"], 5, "divm: incomplete: run limit: 4194304 of 4194304 runs"),
            (["--of=first == 0", "--runs=5000000"], 5, "divm: incomplete: run limit: 4194304 of 4194304 runs"),
            (["--of=first == 0"], 0, "is 1: between 0.9996 and 1 with 95 %"),
            (["--of=first == 9"], 0, "is 0: between 0 and 0.0003802 with 95 %"),
            (["--of=first == 1 && first == 2 && at(p.c:3)", "-DFAILS"], 0, "is 0: between 0 and "),
            ([], 2, "probability takes one query: --of=EXPR"),
            (["--of=third == 2"], 2, "--of=third == 2: column 1: there is no variable or constant third"),
            (["--of=first =="], 2, "--of=first ==: column 9: expected a value at the end"),
            (["--of=first", "--alpha=1"], 2, "--alpha=1: expected a number between 0 and 1"),
            (["--of=first", "--weight=none:2"], 2, "--weight: there is no function none"),
            (["--of=first", "--weight=one"], 2, "--weight=one: expected FUNCTION:W"),
            (["--of=first", "--at-least=0.995"], 2, "--at-least, --delta: "),
            (["--of=first", "--at-least=0.5", "--runs=5"], 2, "--at-least: goes without --runs")]:
        run = ask(here, "-j1", *args)
        if run.status != status or text not in run.text + run.errors:
            return wrong(run, f"expected status {status}, \"{text}\"")
        if "-DFAILS" in args and "runs ended with an error of the program (assertion failed)" not in run.errors:
            return wrong(run, "the error is not told of")
    return None


def exact():
    run = Run(["python3", str(ROOT / "tests/fuzz/probability.py"), "--repetitions=1", "--jobs=2"],
              env={**os.environ, "DIVM": str(DIVM)})
    return None if run.status == 0 else wrong(run, "an interval or a decision is wrong too often")


def all_of(here):
    (here / "p.c").write_text(SOURCE)
    yield "probability: workers", lambda: workers(here)
    yield "probability: choices", lambda: chosen(here)
    yield "probability: 0 and 1", lambda: certain(here)
    yield "probability: no interval", lambda: stopped(here)
    yield "probability: weights", lambda: weighed(here)
    yield "probability: last line and status", lambda: told(here)
    yield "probability: exact values", exact
