"""Endless runs where the search is cut short: what is told, and what a checkpoint keeps of it."""

import json

from suite import DIVM, Run

VERIFY = [DIVM, "verify", "-j1", "--no-trace-file", "--search=bfs"]
# Round a ring that is larger than what is looked at during the search, and a longer way to an end.
RING = """#include <divm.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_uint place;
static void *turn(void *arg)
{
    if (divm_choose(2))
        for (;;)
            place = (place + 1) % 3000;
    for (int k = 0; k < 8000; k++)
        place = 10000 + k;
    return arg;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, turn, 0);
    pthread_join(thread, 0);
}
"""
# Rings that are left far from where they close.
RINGS = """#include <divm.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_uint place, ended;
static void *turn(void *arg)
{
    unsigned ring = divm_choose(30);
    do
        place = (place + 1) % 2500;
    while (place != 2400 || divm_choose(2));
    ended = ring;
    return arg;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, turn, 0);
    pthread_join(thread, 0);
}
"""


def report_of(here, *args):
    run = Run([*VERIFY, "--format=json", *args], cwd=here)
    return run, json.loads(run.text)


def not_judged(here):
    """All states are seen, and the time ends while ends are looked for: that is all that is
    left open, and is told."""
    whole, all_of_it = report_of(here, "rings.c")
    for part in (0.9, 0.8, 0.95, 0.7, 0.6, 0.85) * 4:
        run, report = report_of(here, f"--max-time={part * all_of_it['seconds']:.2f}", "rings.c")
        if report.get("endless_unknown"):
            break
    else:
        return f"never\n{run.show()}"
    proven = (f"no error of another kind in any interleaving, but endless runs were not looked for in all "
              f"({report['states']} states)")
    if (run.status, report["verdict"], report["complete"], report["proven"]) != (5, "incomplete", False, proven):
        return run.show()
    if report["advice"] != ["--endless=allow, which does not look for endless runs"]:
        return run.show()
    same = whole.status == 0 and report["states"] == all_of_it["states"] and not report["unexplored"]
    return None if same else f"{whole.show()}\n{run.show()}"


def pending(here):
    """A state whose ends are to be looked for when the search is through is in the checkpoint."""
    file = here / "ring.checkpoint"
    file.unlink(missing_ok=True)
    whole, all_of_it = report_of(here, "ring.c")
    part, begun = report_of(here, "--max-states=9000", f"--checkpoint={file.name}", "ring.c")
    rest, ended = report_of(here, f"--resume={file.name}", "ring.c")
    if (whole.status, part.status, rest.status) != (14, 5, 14) or "endless_unknown" in begun:
        return f"{whole.show()}\n{part.show()}\n{rest.show()}"
    same = ("states", "transitions", "depth", "error")
    wrong = [key for key in same if all_of_it[key] != ended[key]]
    return f"{wrong}: {whole.show()}\n{rest.show()}" if wrong else None


def all_of(here):
    (here / "ring.c").write_text(RING)
    (here / "rings.c").write_text(RINGS)
    for each in (not_judged, pending):
        yield f"cli: endless runs, {each.__name__.replace('_', ' ')}", lambda each=each: each(here)
