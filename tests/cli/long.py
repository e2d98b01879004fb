"""Searches that last: what is told of them while they go on."""

import json
import re
import signal
import subprocess
import time

from suite import DIVM, Run

LARGE = ["--reduction=no-thread-symmetry", "-DN=9", "-DSTEPS=9", "counter.c"]
BYTES = r"[\d.]+ [kMG]B"
LEFT = r"(, (about \d+ \w+|\d+ \w+ to (more than )?\d+ \w+) left)?"
STATES = r"[1-9]\d* states, \d+/s, \d+ open, (depth|level) \d+( growing [\d.]+ times| shrinking to [\d.]+)?, "


def line_of(here, *args):
    """What a search tells when it is asked, after a second."""
    work = subprocess.Popen([DIVM, "verify", "-j1", "--no-trace-file", *args, *LARGE], cwd=here,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(1.5)
    work.send_signal(signal.SIGUSR1)
    time.sleep(0.3)
    work.send_signal(signal.SIGINT)
    return work.communicate(timeout=30)[1]


def progress(here):
    """States, executions or both; whether levels grow; the time that is left, if that is known."""
    for args, pattern in (
            (["--search=dpor"], rf"[1-9]\d* executions, \d+/s, depth [1-9]\d*, {BYTES}, \d+ s{LEFT}\n"),
            (["--search=bfs"], rf"{STATES}{BYTES}, \d+ s{LEFT}\n"),
            (["--search=dfs"], rf"{STATES}{BYTES}, \d+ s{LEFT}\n"),
            ([], rf"{STATES}[1-9]\d* executions, {BYTES}, \d+ s{LEFT}\n")):
        told = line_of(here, *args)
        if not re.fullmatch(pattern, told):
            return f"{args}: {told}"
    return None


def report_of(here, *args):
    run = Run([DIVM, "verify", "-j1", "--no-trace-file", "--format=json", *args], cwd=here)
    return run, json.loads(run.text)


def proven(here):
    """So many first actions of all interleavings have no error: less than the shortest error has,
    as many as the limit of depth, and no more than one level less than were found."""
    trace = here / "proven.trace"
    Run([DIVM, "verify", "--search=bfs", f"--trace-file={trace}", "lost_update.c"], cwd=here)
    shortest = len(json.loads(trace.read_text())["transitions"]) - 1
    for search in ("bfs", "auto"):
        for states in range(1, 40):
            run, report = report_of(here, f"--search={search}", f"--max-states={states}", "lost_update.c")
            if run.status == 10:
                break
            actions = report["proven_actions"]
            if run.status != 5 or not (actions < shortest and actions <= report["depth"]):
                return f"{states} states, an error of {shortest} actions: {run.show()}"
        else:
            return f"no error found in {states} states"
        for depth in range(1, shortest):
            run, report = report_of(here, f"--search={search}", f"--max-depth={depth}", "lost_update.c")
            if run.status != 5 or report["proven_actions"] != depth:
                return f"a limit of {depth} actions: {run.show()}"
    run, report = report_of(here, "--search=dpor", "--max-time=2s", *LARGE)
    if run.status != 5 or not re.match(r"no error in [1-9]\d* executions", report["proven"]):
        return run.show()
    return None


def unexplored(here):
    """Who does what next in the states that are left, and what may help: also after a signal."""
    run, report = report_of(here, "--max-time=3s", *LARGE)
    line = report["next_actions"]["lines"][0]
    if ((line["function"], line["object"], line["threads"]) != ("work", "counter", 9) or
            report["next_actions"]["threads"][0] != {"function": "work", "threads": 9} or
            not report["growth"] > 1 or "fewer threads than the 9 that run work" not in report["advice"]):
        return run.show()
    work = subprocess.Popen([DIVM, "verify", "-j2", "--no-trace-file", "--output-junit=left.xml", *LARGE], cwd=here,
                            stdout=subprocess.PIPE, text=True)
    time.sleep(1.5)
    work.send_signal(signal.SIGTERM)
    text = work.communicate(timeout=30)[0]
    junit = (here / "left.xml").read_text().replace("&#10;", "\n")
    said = (r"\d+ states are left unexplored\. What threads do next in \d+ of them:\n  threads: 9 run work\n"
            r".*counter\.c:\d+ \(work\): counter, by 9 threads\n")
    last = r"interrupted: no error in the first \d+ actions of all interleavings"
    for where in (text, junit):
        if not re.search(said, where) or not re.search(last, where):
            return where
    return None


def all_of(here):
    for each in (progress, proven, unexplored):
        yield f"cli: {each.__name__.replace('_', ' ')}", lambda each=each: each(here)
