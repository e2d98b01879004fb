"""Searches that last: what is told of them while they go on."""

import json
import re
import signal
import subprocess
import sys

from program import ALL, first
from suite import DIVM, ROOT, Run, let_work

sys.path.append(str(ROOT / "tests" / "fuzz"))
import checkpoints  # noqa: E402

LARGE = ["--reduction=no-thread-symmetry", "-DN=9", "-DSTEPS=9", "counter.c"]
BYTES = r"[\d.]+ [kMG]B"
LEFT = r"(, (about \d+ \w+|\d+ \w+ to (more than )?\d+ \w+) left \([\d.^]+( \w+)? to [\d.^]+( \w+)? (states|executions)\))?"
STATES = r"[1-9]\d* states, \d+/s, \d+ open, (depth|level) \d+( \(runs have \d+\))?( growing [\d.]+ times| shrinking to [\d.]+)?, "


def line_of(here, *args):
    """What a search tells when it is asked, after a second of work."""
    work = subprocess.Popen([DIVM, "verify", "-j1", "--no-trace-file", *args, *LARGE], cwd=here,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    let_work(work)
    work.send_signal(signal.SIGUSR1)
    let_work(work, 1.3)
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
    run, report = report_of(here, "--preemptions=2", "--max-states=20", *LARGE)
    if run.status != 5 or not re.fullmatch(r"no error in \d+ states of runs without preemptions", report["proven"]):
        return run.show()
    run, report = report_of(here, "--search=dpor", "--max-time=2s", *LARGE)
    if run.status != 5 or not re.match(r"no error in [1-9]\d* executions", report["proven"]):
        return run.show()
    return None


def unexplored(here):
    """Who does what next in the states that are left, and what may help: also after a signal."""
    for seconds in (5, 20, 60): # random runs have to wait for their share of the time
        run, report = report_of(here, f"--max-time={seconds}s", *LARGE)
        runs = report.get("random_runs", {})
        if runs:
            break
    if not runs.get("ended") or not 0 < runs["actions"]["least"] <= runs["actions"]["most"] or (
            not runs["log10_of_all"]["all"] > 1):
        return f"no random runs: {run.show()}"
    line = report["next_actions"]["lines"][0]
    if ((line["function"], line["object"], line["threads"]) != ("work", "counter", 9) or
            report["next_actions"]["threads"][0] != {"function": "work", "threads": 9} or
            not report["growth"] > 1 or "fewer threads than the 9 that run work" not in report["advice"]):
        return run.show()
    work = subprocess.Popen([DIVM, "verify", "-j2", "--no-trace-file", "--output-junit=left.xml", *LARGE], cwd=here,
                            stdout=subprocess.PIPE, text=True)
    let_work(work)
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


def unexplored_by_others(here):
    """The same of the searches by executions, depth first, and by preemptions."""
    for search in first((["--search=dfs", "--max-states=20000"], ["--search=dpor", "--max-time=3s"],
                         ["--preemptions=8", "--max-states=20000"]), 1):
        run, report = report_of(here, *search, *LARGE)
        left = report.get("next_actions")
        if (run.status != 5 or not left or left["threads"][0]["function"] != "work" or
                (left["lines"][0]["function"], left["lines"][0]["object"]) != ("work", "counter") or
                not re.search(r"fewer threads than the \d that run work", report["advice"][0])):
            return run.show()
        if (search[0] == "--search=dpor") != ("execution" in left) or left.get("execution", 1e9) < left["sampled"]:
            return run.show()
        if "execution" not in left and report["unexplored"] < left["sampled"]:
            return run.show()
    run = Run([DIVM, "verify", "-j1", "--no-trace-file", "--search=dpor", "--max-time=3s", *LARGE], cwd=here)
    said = (r"Other threads were tried as well, or are still to be, at \d+ of the \d+ actions of the last execution:\n"
            r"  threads: \d run work\n.*counter\.c:\d+ \(work\): counter, by \d threads\n")
    return None if re.search(said, run.text) else run.show()


SMALL = ["--reduction=no-thread-symmetry", "-DN=4", "-DSTEPS=5", "counter.c"]


def refused(here, words, *args):
    """None, or what is wrong: exit status 2 and one line with these words."""
    run = Run([DIVM, "verify", "-j1", "--no-trace-file", *args], cwd=here)
    good = run.status == 2 and len(run.errors.splitlines()) == 1 and re.search(words, run.errors)
    return None if good and not run.text else f"{words}: {run.told()}\n{run.show()}"


def checkpoint_of(here, name, *args):
    file = here / name
    file.unlink(missing_ok=True)
    run = Run([DIVM, "verify", "-j1", "--no-trace-file", "--max-states=300", f"--checkpoint={name}", *args],
              cwd=here)
    if run.status != 5 or not re.search(rf"to try: --resume={name} ", run.text) or not file.exists():
        raise RuntimeError(run.show())
    return file


MIXED = """#include <pthread.h>
#include <stdatomic.h>

static int x;
static atomic_int flag, steps;

static void *reads(void *arg)
{
    (void)__atomic_load_n(&x, __ATOMIC_RELAXED);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    while (atomic_load_explicit(&steps, memory_order_relaxed) < 200) {
    }
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, reads, NULL);
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        for (int k = 0; k < 199; k++)
            atomic_fetch_add_explicit(&steps, 1, memory_order_relaxed);
        x = 1;
    }
    atomic_store_explicit(&steps, 200, memory_order_relaxed);
    pthread_join(thread, NULL);
}
"""


def resumed_mixed(here):
    """An atomic access before a checkpoint, and a plain one of the same bytes after it, race."""
    (here / "mixed.c").write_text(MIXED)
    options = ["-j1", "--no-trace-file", "--search=bfs", "--memory=sc", "mixed.c"]
    first = Run([DIVM, "verify", "--max-states=100", "--checkpoint=mixed.checkpoint", *options], cwd=here)
    if first.status != 5:
        return first.show()
    run = Run([DIVM, "verify", "--resume=mixed.checkpoint", *options], cwd=here)
    return None if run.status == 13 and "(atomic read)" in run.last_line() else run.show()


def refused_checkpoints(here):
    """A checkpoint that is not whole, or not of this program and these options, is refused."""
    file = checkpoint_of(here, "good.checkpoint", *SMALL)
    whole = file.read_bytes()
    bad = here / "bad.checkpoint"
    lengths = [0, 10, 31, 40, len(whole) // 2, len(whole) - 1]
    changes = [3, 17, 25, 50, len(whole) // 3, len(whole) - 3]
    for data in ([whole[:n] for n in lengths] + [whole + b"x"] +
                 [whole[:n] + bytes([whole[n] ^ 1]) + whole[n + 1:] for n in changes]):
        bad.write_bytes(data)
        words = "--resume=bad.checkpoint: (not a checkpoint of divm|the file is damaged|a checkpoint of another version)"
        if problem := refused(here, words, "--resume=bad.checkpoint", *SMALL):
            return f"{len(data)} bytes of {len(whole)}: {problem}"
    for words, args in (
            ("of another program", ["-DN=3", "-DSTEPS=5", "counter.c"]),
            ("of another program", ["fine.c"]),
            (r"other options \(conditional\)", [*SMALL, "--reduction=no-thread-symmetry,no-conditional"]),
            (r"other options \(--search\)", ["--search=bfs", *SMALL]),
            (r"other options \(--store\)", ["--store=exact", *SMALL]),
            (r"other options \(--max-depth\)", ["--max-depth=30", *SMALL]),
            (r"other options \(--search\)", ["--search=dpor", *SMALL]),
            ("not with --search=dfs", ["--search=dfs", *SMALL]),
            ("test cases? is searched|test case is searched", ["cases.cpp"])):
        if problem := refused(here, words, "--resume=good.checkpoint", *args):
            return problem
    for words, option in (("No such file", "--resume=missing"), ("No such file", "--checkpoint=no/such/folder"),
                          ("not a checkpoint of divm", "--resume=counter.c"),
                          ("--continue only with --search=bfs", "--continue --checkpoint=x")):
        if problem := refused(here, words, *option.split(), *SMALL):
            return problem
    run = Run([DIVM, "verify", "-j2", "--no-trace-file", "--resume=good.checkpoint", *SMALL], cwd=here)
    return None if run.status == 0 and run.last_line().startswith("divm: no error found: 1302 states") else run.show()


def full_checkpoint(here):
    """Where there is no room, that is told once, the older file stays, and the search goes on."""
    file = checkpoint_of(here, "full.checkpoint", *SMALL)
    whole = file.read_bytes()
    run = Run(["sh", "-c", 'ulimit -f 100; exec "$@"', "sh", DIVM, "verify", "-j1", "--no-trace-file",
               "--checkpoint=full.checkpoint", "--checkpoint-every=0.05s", "--max-states=200K", "--search=bfs",
               *LARGE], cwd=here)
    if run.status != 5 or run.errors != "divm: --checkpoint=full.checkpoint: File too large\n":
        return run.show()
    if file.read_bytes() != whole or (here / "full.checkpoint.new").exists() or "--resume" in run.text:
        return "the older checkpoint is gone, or a part of another was left"
    return None


def killed(here):
    """Searches that are ended at a few random moments, and go on (make fuzz: at many)."""
    for name, problem in checkpoints.tests(8 if ALL else 3, "1"):
        if problem:
            return f"{name}: {problem}"
    return None


def killed_executions(here):
    """The same of searches by executions, which are small."""
    for name, problem in checkpoints.tests(20 if ALL else 5, "1", checkpoints.EXECUTIONS):
        if problem:
            return f"{name}: {problem}"
    return None


def all_of(here):
    (here / "cases.cpp").write_text("#include <gtest/gtest.h>\nTEST(A, B) {}\nTEST(A, C) {}\n")
    for each in (progress, proven, unexplored, unexplored_by_others, resumed_mixed, refused_checkpoints, full_checkpoint, killed,
                 killed_executions):
        yield f"cli: {each.__name__.replace('_', ' ')}", lambda each=each: each(here)
