"""Tests of divm simulate: it finds the errors of the programs here, says nothing that an
exhaustive search does not, and gives the same results for the same seed."""

import json
import os
import re
import signal
import subprocess
import tempfile

from program import is_chosen
from suite import DIVM, ROOT, Run, let_work, verify

HERE = ROOT / "tests" / "simulate"
TEMPORARY = tempfile.TemporaryDirectory(prefix="divm-simulate-")
SCHEDULERS = re.findall(r'^SCHEDULER\(\w+, "(.+?)"',
                        (ROOT / "checker/simulate/schedulers.def").read_text(), re.M)
NO_ERROR = r"divm: no error in {} runs? \(seed {}\).*"


def simulate(*args, **kw):
    return Run([DIVM, "simulate", "--max-memory=2G", *args], **kw)


def wrong(run, why):
    return f"{why}\n{run.show()}"


def report(run):
    try:
        return json.loads(run.text)
    except ValueError:
        return {}


# ---- errors are found, and are told as by verify --------------------------------------------


def check_found(program, define, expected):
    """An error is found within a minute, and its trace replays."""
    trace = tempfile.mktemp(suffix=".trace", dir=TEMPORARY.name)
    args = program.options + ([f"-D{define}"] if define else [])
    run = simulate("-j", "1", "--max-time=60s", *args, f"--trace-file={trace}", program.name)
    if run.status not in expected:
        return wrong(run, f"{run.told()}, expected {sorted(expected)}")
    for variant, regex in program.expect:
        if variant == define and not re.search(regex, run.text, re.M):
            return wrong(run, f"the output does not match /{regex}/")
    if run.status < 10:
        return None
    again = Run([DIVM, "replay", trace])
    os.unlink(trace)
    if again.status != run.status or again.last_line() != run.last_line():
        return wrong(again, f"the trace does not replay to '{run.last_line()}'")
    return None


def check_agrees(program, define, expected, scheduler):
    """A small program: an error if it has one (it may have several), and none otherwise.  An error
    that no run has shown is none that is wrong."""
    args = [a for a in program.options if not a.startswith(("--search", "--store", "--max-states"))]
    run = simulate("-j", "1", f"--scheduler={scheduler}", "--runs=2000", "--no-trace-file", *args,
                   *([f"-D{define}"] if define else []), program.name)
    faulty = any(status >= 10 for status in expected)
    if run.status not in expected | {5} and not (faulty and 10 <= run.status <= 15):
        return wrong(run, f"{run.told()}, expected {sorted(expected)} or 5")
    if run.status == 5 and "no error" not in run.last_line() or "no error found" in run.text:
        return wrong(run, "the last line does not tell of runs")
    return None


# With so many final states, which runs show all of: so no run ends in a state that there is not.
FINAL = ["sb", "lb", "mp", "iriw", "lock_sb", "two_locks", "makers", "made_between", "lost_update",
         "cas_one_wins", "exchange_token", "wrc"]


def check_final_states(name, scheduler):
    path = f"tests/litmus/{name}.c"
    all_of_them = report(verify("-j", "1", "--search=bfs", "--reduction=no-thread-symmetry",
                                "--format=json", "--no-trace-file", path))
    run = simulate("-j", "1", f"--scheduler={scheduler}", "--runs=3000", "--format=json",
                   "--no-trace-file", path)
    seen, there = report(run).get("final_states"), all_of_them.get("final_states")
    return None if seen == there and seen else wrong(run, f"{seen} of {there} final states")


# ---- the same seed, the same results ----------------------------------------------------------


def results(*args):
    found = report(simulate("--format=json", "--no-trace-file", *args))
    return {key: found.get(key) for key in ("verdict", "sampled", "limit", "error")}


def check_workers(path, args):
    one, two = results("-j", "1", *args, path), results("-j", "2", *args, path)
    return None if one == two and one["sampled"] else f"with -j 1 {one}\nbut with -j 2 {two}"


def check_seeds():
    """Other seeds make other runs."""
    path = "tests/simulate/seqlock.c"
    found = [results("-j", "1", "--scheduler=pos", f"--seed={seed}", path)["sampled"]["runs"]
             for seed in (1, 2, 3, 1)]
    same = found[0] == found[3] and len(set(found[:3])) > 1
    return None if same else f"runs to the error with the seeds 1, 2, 3, 1: {found}"


# ---- the command -------------------------------------------------------------------------------


def source(name, text):
    path = os.path.join(TEMPORARY.name, name)
    with open(path, "w") as f:
        f.write(text)
    return path


THREADS = ("#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <unistd.h>\n"
           "static atomic_int x;\n"
           "static void *work(void *arg)\n{\n    for (int i = 0; i < 5; i++)\n"
           "        atomic_fetch_add(&x, 1);\n    return arg;\n}\n"
           "static void *spin(void *arg)\n{\n    while (atomic_load(&x) < ENOUGH)\n"
           "        ;\n    return arg;\n}\n"
           "static void *nap(void *arg)\n{\n    sleep(1);\n    assert(x == 5);\n    return arg;\n}\n"
           "int main(void)\n{\n    pthread_t a, b;\n    pthread_create(&a, 0, work, 0);\n"
           "    pthread_create(&b, 0, OTHER, 0);\n    pthread_join(a, 0);\n"
           "    pthread_join(b, 0);\n    return 0;\n}\n")


def case(args, status, last=None, out=None, err=None, check=None):
    def run_it():
        run = simulate("-j", "1", *args)
        text = f"{run.told()}, expected {status}" if run.status != status else None
        if not text and last and not re.fullmatch(last, run.last_line()):
            text = f"the last line does not match /{last}/"
        if not text and out and not re.search(out, run.text):
            text = f"standard output does not match /{out}/"
        if not text and err and not re.search(err, run.errors):
            text = f"standard error does not match /{err}/"
        text = text or (check and check(run))
        return wrong(run, text) if text else None
    return run_it


def is_sampled(**expected):
    def check(run):
        sampled = report(run).get("sampled", {})
        wanted = {key: sampled.get(key) for key in expected}
        return None if wanted == expected else f"sampled is {sampled}"
    return check


def check_interrupt():
    path = source("interrupted.c", THREADS)
    with subprocess.Popen([DIVM, "simulate", "--runs=1000000000", "-DENOUGH=9", "-DOTHER=work", path],
                          stdout=subprocess.PIPE, text=True) as process:
        let_work(process)
        process.send_signal(signal.SIGINT)
        text = process.communicate(timeout=30)[0]
    last = text.splitlines()[-1] if text else ""
    good = process.returncode == 130 and re.match(r"divm: no error in \d+ runs \(seed 1, interrupted\)", last)
    return None if good else f"status {process.returncode}: {text}"


def check_junit():
    path, xml = source("junit.c", THREADS), os.path.join(TEMPORARY.name, "junit.xml")
    simulate("--runs=50", f"--output-junit={xml}", "-DENOUGH=9", "-DOTHER=work", path)
    text = open(xml).read()
    return None if 'type="incomplete" message="run limit of 50: no error in 50 runs (seed 1): 1 ' in text else text


def commands():
    path = source("threads.c", THREADS)
    define = ["-DENOUGH=5", "-DOTHER=work", path]
    spin = ["-DOTHER=spin", path]
    nap = ["-DENOUGH=9", "-DOTHER=nap", "--no-trace-file", path]
    lines = re.compile(r"\A.*\n\Z")
    yield "runs", case(["--runs=70", *define], 5, NO_ERROR.format(70, 1) + r": 1 different final state, .* if p >= 0.05")
    yield "how often by default", case(define, 5, NO_ERROR.format(10000, 1) + "p >= 3e-4")
    yield "pct's guarantee", case(["--scheduler=pct", "--pct-depth=2", "--runs=50", *define], 5,
                                  out=r"with a probability of at least 1/\(2 \* 11\^1\) = 0.045")
    yield "pct's guarantee in JSON", case(
        ["--scheduler=pct", "--pct-depth=2", "--runs=50", "--format=json", *define], 5,
        check=is_sampled(runs=50, seed=1, scheduler="pct", threads=2, guarantee=1 / 22))
    yield "only the last line", case(["-q", "--runs=50", *define], 5,
                                     check=lambda run: None if lines.match(run.text) else "more than a line")
    yield "a limit of time", case(["--max-time=2s", *define], 5,
                                  r"divm: no error in \d+ runs \(seed 1, time limit of 2 s\).*")
    yield "runs without an end", case(["--runs=20", "--scheduler=pct", "-DENOUGH=11", *spin], 5,
                                      r".*\(seed 1\), 20 of them not followed to an end: 0 different.*")
    yield "a thread that spins until another is through", case(
        ["--runs=200", "--scheduler=pct", "-DENOUGH=5", *spin], 5, NO_ERROR.format(200, 1) + ": 1 different.*")
    yield "runs of so many steps", case(["--runs=20", "--max-depth=8", *define], 5,
                                        r".*20 of them not followed to an end.*")
    yield "time passes whenever it may", case(nap, 10, r"divm: error: assertion failed: x == 5.*")
    yield "time passes only when it must", case(["--clock=prompt", *nap], 5,
                                                NO_ERROR.format(1, 1) + ": nothing is chosen.*")
    yield "nothing to choose", case([source("one.c", "int main(void) { return 0; }\n")], 5,
                                    r"divm: no error in 1 run \(seed 1\): nothing is chosen in it.*")
    yield "an error in every run", case(
        ["--no-trace-file", source("status.c", "int main(void) { return 3; }\n")], 15,
        r"divm: error: exit status is not zero: it is 3")
    yield "values are chosen", case(
        ["--no-trace-file", source("value.c", "#include <divm.h>\nint main(void) { return divm_choose(50) == 49; }\n")],
        15, r"divm: error: exit status is not zero: it is 1", out=r"found by run \d+ .*, which had 0 preemptions")
    yield "assumptions drop runs", case(
        ["--runs=100", source("drop.c", "#include <divm.h>\nint main(void) { divm_assume(divm_choose(2)); }\n")],
        5, NO_ERROR.format(100, 1) + ": 1 different.*")
    yield "a scheduler that there is not", case(["--scheduler=fair", *define], 2, err="--scheduler=fair")
    yield "no runs", case(["--runs=0", *define], 2, err="--runs=0: expected a whole number from 1 on")
    yield "an option of verify only", case(["--search=bfs", *define], 2, err="--search")
    yield "the help", case(["--help"], 0, out="--pct-depth=D")
    yield "test cases", case(["--runs=30", "--filter=Stack.Empty", "examples/frameworks/gtest.cpp"], 5,
                             r"divm: no error in 1 runs of 1 cases.*")
    yield "an interrupt", check_interrupt
    yield "a JUnit report", check_junit


PART = 40  # one in so many of the small programs is tried, and one in two of these, unless they are named


def tests(programs, given):
    """programs: (program, define, expected) of all variants of the programs of this folder, and
    of small ones; given: they are named on the command line."""
    for program, define, expected in programs:
        name = program.name + (f" -D{define}" if define else "")
        own = program.path.parent == HERE
        if not given and not is_chosen(name, 4 if own else PART):
            continue
        if own:
            yield f"{name} (simulate)", lambda p=program, d=define, e=expected: check_found(p, d, e)
        else:
            scheduler = SCHEDULERS[len(name) % len(SCHEDULERS)]
            yield (f"{name} (simulate by {scheduler})",
                   lambda p=program, d=define, e=expected, s=scheduler: check_agrees(p, d, e, s))
    for k, name in enumerate(FINAL):
        scheduler = SCHEDULERS[k % len(SCHEDULERS)]
        yield f"final states of {name} by {scheduler}", lambda n=name, s=scheduler: check_final_states(n, s)
    for path, args in (("tests/simulate/work_stealing.c", ["--scheduler=surw"]),
                       ("tests/simulate/reorder.c", ["--scheduler=pct", "--seed=5"]),
                       ("tests/litmus/steal.c", ["--scheduler=pos", "--runs=3000"]),
                       ("tests/litmus/iriw.c", ["--scheduler=uniform", "--runs=2000"])):
        yield f"{path} -j 2 (simulate)", lambda p=path, a=args: check_workers(p, a)
    yield "seeds (simulate)", check_seeds
    for name, test in commands():
        yield f"simulate: {name}", test
