"""What takes more than one call of the command, or files that change in between."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess

from program import first
from sources import HERE, SOURCES
from suite import DIVM, ROOT, Run, let_work


def examples_of_help():
    """What the help of verify shows does what it says."""
    folder = HERE / "shown"
    folder.mkdir()
    for name, text in (("test.c", SOURCES["part_a.c"]), ("queue.c", SOURCES["part_b.c"]),
                       ("queue_test.cpp", "#include <gtest/gtest.h>\nTEST(Queue, Empty) {}\n"
                                          "TEST(Other, Fails) { FAIL(); }\n")):
        (folder / name).write_text(text)
    shown = Run([DIVM, "help", "verify"]).text.split("Examples:\n")[1].split("\n\n")[0]
    for line in re.findall(r"^  divm (.*)$", shown, re.M):
        run = Run([DIVM, *shlex.split(line), "--no-trace-file"], cwd=folder)
        if run.status != (10 if "ROUNDS" in line else 0):
            return run.show()
    return None


def options_of_folders():
    """.divm counts for the sources beside it, below their own lines."""
    folder = HERE / "folder"
    folder.mkdir()
    (folder / ".divm").write_text("# for all\n-DSIZE=4 # not 3\n\n--no-overflow\n")
    (folder / "macro.c").write_text(SOURCES["macro.c"])
    (folder / "told.c").write_text(SOURCES["told.c"])
    run = Run([DIVM, "verify", "--no-trace-file", "folder/macro.c"], cwd=HERE)
    said = run.errors.splitlines()
    if run.status != 10 or said != ["divm: options of folder/.divm:2: -DSIZE=4",
                                    "divm: options of folder/.divm:4: --no-overflow"]:
        return run.show()
    for args in (["folder/told.c"], ["-DSIZE=3", "folder/macro.c"]):
        run = Run([DIVM, "verify", "-w", *args], cwd=HERE)
        if run.status != 0:
            return run.show()
    return None


def ci_examples():
    """The examples for GitHub and GitLab are YAML, and their commands verify the example project."""
    import yaml
    folder = HERE / "ci"
    shutil.copytree(ROOT / "examples/project", folder)
    github, gitlab = (yaml.safe_load((ROOT / "examples/ci" / name).read_text())
                      for name in ("github-actions.yml", "gitlab-ci.yml"))
    commands = [step["run"] for step in github["jobs"]["verify"]["steps"] if "run" in step]
    commands = [line for line in [*commands, *gitlab["divm"]["script"]] if line.startswith("divm ")]
    for line in commands:
        run = Run([DIVM, *shlex.split(line)[1:]], cwd=folder)
        if run.status != 0 or not (folder / "divm.xml").exists():
            return run.show()
    return None if len(commands) == 2 else f"{commands}"


def stale_trace():
    """A trace of a program that has changed since does not fit it."""
    source, trace = HERE / "stale.c", HERE / "stale.trace"
    source.write_text("#include <assert.h>\nint main(void) { assert(0); return 0; }\n")
    first = Run([DIVM, "verify", f"--trace-file={trace}", "stale.c"], cwd=HERE)
    source.write_text("#include <assert.h>\nint main(void) { int x = 1; assert(x); return 0; }\n")
    run = Run([DIVM, "replay", trace], cwd=HERE)
    if first.status != 10 or run.status != 3 or "does not fit" not in run.errors:
        return f"{first.told()}, then {run.told()}\n{first.show()}\n{run.show()}"
    return None


VALUE = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
struct { atomic_int n; int value; } box = {0, %d};
static void *add(void *arg) { box.n = box.n + 1; return arg; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    add(0);
    pthread_join(t, 0);
    assert(%s);
}
"""


def changed_value():
    """A trace still leads to its error where only a value has changed; the fault is mended, and
    it is told that the trace is old."""
    source, trace = HERE / "value.c", HERE / "value.c.trace"
    source.write_text(VALUE % (42, "box.n == 2"))
    first = Run([DIVM, "verify", "value.c"], cwd=HERE)
    source.write_text(VALUE % (43, "box.n == 2"))
    run = Run([DIVM, "replay", trace], cwd=HERE)
    said = "divm: note: value.c has changed since .*value.c.trace was written; the same choices lead"
    if first.status != 10 or run.status != 10 or run.last_line() != first.last_line():
        return f"{first.told()}, then {run.told()}\n{first.show()}\n{run.show()}"
    if not re.match(said, run.errors):
        return run.show()
    source.write_text(VALUE % (42, "box.n >= 1"))
    run = Run([DIVM, "verify", "value.c"], cwd=HERE)
    said = "divm: note: value.c.trace is of an earlier run, with an error: assertion failed: .*"
    return None if run.status == 0 and re.match(said, run.errors) else run.show()


def page_trace():
    """The program is the same whether or not a page is written: of it, of its replay, or of none."""
    trace, page = HERE / "paged.trace", f"--output-html={HERE / 'paged.html'}"
    (HERE / "paged.c").write_text(VALUE % (42, "box.n == 2"))
    for searched, replayed in ([page], []), ([], [page]), ([page], [page]):
        first = Run([DIVM, "verify", f"--trace-file={trace}", *searched, "paged.c"], cwd=HERE)
        run = Run([DIVM, "replay", *replayed, trace], cwd=HERE)
        if first.status != 10 or run.status != 10 or "has changed" in run.errors:
            return f"{searched}, then {replayed}\n{first.show()}\n{run.show()}"
    return None


def exact_trace():
    """A trace of a search that kept the states themselves has hashes, like any other."""
    trace = HERE / "exact.trace"
    first = Run([DIVM, "verify", "--store=exact", f"--trace-file={trace}", "lost_update.c"],
                cwd=HERE)
    run = Run([DIVM, "replay", trace], cwd=HERE)
    if first.status != 10 or run.status != 10 or run.last_line() != first.last_line():
        return f"{first.told()}, then {run.told()}\n{first.show()}\n{run.show()}"
    return None


def replayed_notes():
    """A replay's JSON rests on what that of the search does, as far as it is known then."""
    told = ["verdict", "complete", "model", "notes"]
    args = [["verify", "--trace-file=notes.trace", "-std=gnu17", "-DFAIL", "unprototyped.c"],
            ["replay", "notes.trace"]]
    runs = [Run([DIVM, *a, "--format=json"], cwd=HERE) for a in args]
    said = [{key: json.loads(run.text)[key] for key in told} for run in runs]
    if said[0] != said[1] or said[0]["model"] != "sc" or len(said[0]["notes"]) != 1:
        return f"{said}\n{runs[1].show()}"
    return None


def usable_processors():
    """Cores are those that the process may use."""
    one = min(os.sched_getaffinity(0))
    run = Run(["taskset", "-c", str(one), DIVM, "info"])
    if run.status != 0 or "cores         1\n" not in run.text:
        return run.show()
    return None


def measure(*args, limit=None):
    """The JSON report of fib.c, breadth first; with a limit of what a file may hold."""
    line = ["sh", "-c", f"ulimit -f {limit or 'unlimited'}; exec \"$@\"", "sh", DIVM, "verify",
            "--search=bfs", "--no-trace-file", "--format=json", *args, "fib.c"]
    run = Run(line, cwd=HERE)
    return run, json.loads(run.text)


def spilled():
    """With little memory open states go to a file: the same answer, in less memory."""
    for args in first((["-j2"], ["-j1", "--store=exact"], ["-j1"], ["-j1", "-DBUG"]), 1):
        plain, all_in = min((measure("-DN=5", *args) for _ in range(2)), key=lambda one: one[1]["peak_bytes"])
        limit = int(all_in["peak_bytes"] * 1.1)
        run, out = measure("-DN=5", f"--max-memory={limit}", "--spill=.", *args)
        same = [(r["verdict"], r["states"], r["transitions"]) for r in (all_in, out)]
        if same[0] != same[1] or run.status != plain.status:
            return f"{same[0]} became {same[1]}\n{run.show()}"
        if not out["spilled_bytes"] or out["peak_bytes"] > 1.05 * limit:
            return f"{args}: nothing was spilled, or the limit not kept\n{run.show()}"
    return None


def full_disk():
    """What does not fit in the file stays in memory; when that ends, too, it is said why."""
    plain, report = measure("-DN=5", "-j1")
    limit = int(report["peak_bytes"] * 1.1)
    run, part = measure("-DN=5", "-j1", f"--max-memory={limit}", "--spill=.", limit=100)
    if "--spill=.: File too large" not in run.errors or part["states"] != report["states"]:
        return f"it was not told, or states were lost\n{run.show()}"
    run, part = measure("-DN=6", "-j1", f"--max-memory={limit}", "--spill=.", limit=100)
    if run.status != 5 or part["limit"] != "disk limit of ." or len(run.errors.splitlines()) != 1:
        return f"not incomplete for want of disk\n{run.show()}"
    return None


def cut_trace():
    """A trace that was cut short at any place is refused, and never crashes."""
    trace = HERE / "cut.trace"
    Run([DIVM, "verify", f"--trace-file={trace}", "lost_update.c"], cwd=HERE)
    text = trace.read_bytes()
    for n in range(0, len(text) - 2, max(1, len(text) // 12)):
        (HERE / "short.trace").write_bytes(text[:n])
        run = Run([DIVM, "replay", "short.trace"], cwd=HERE)
        if run.status != 3 or not run.errors.startswith("divm: "):
            return f"cut at {n}: {run.told()}\n{run.show()}"
    return None


def wrong_version():
    """Bitcode whose header promises another version or wrapper is refused."""
    bitcode = HERE / "version.bc"
    subprocess.run(["clang-19", "-target", "x86_64-linux-musl", "-emit-llvm", "-c", "fine.c",
                    "-o", bitcode], cwd=HERE, check=True)
    good = bitcode.read_bytes()
    for n in (0, 8, 16, 20, 40, len(good) // 2):
        bitcode.write_bytes(good[:n] + bytes([good[n] ^ 0xff]) + good[n + 1:])
        run = Run([DIVM, "verify", "--no-trace-file", "version.bc"], cwd=HERE)
        if run.status not in (0, 3) or run.status == 3 and not run.errors:
            return f"byte {n} changed: {run.told()}\n{run.show()}"
    return None


def seen(cache):
    """What a verification says, and the program's hash in its trace."""
    run = Run([DIVM, "verify", "-j1", "--trace-file=kept.trace", "lost_update.c"], cwd=HERE,
              env={**os.environ, "DIVM_CACHE_DIR": str(cache)})
    trace = HERE / "kept.trace"
    program = json.loads(trace.read_text())["program"] if trace.exists() else None
    trace.unlink(missing_ok=True)
    return run.status, run.text, run.errors, program


def kept_runtime():
    """What is linked of the runtime is kept: answers are the same without it, with it, when
    it is damaged, and where it cannot be kept."""
    cache = HERE / "cache"
    first = seen(cache)
    files = list((cache / "linked").iterdir())
    if first[0] != 10 or first[2] or len(files) != 1:
        return f"{first}, and {files} in the cache"
    whole = files[0].read_bytes()
    for what, data in (("again", whole), ("a bit changed", whole[:999] + b"?" + whole[1000:]),
                       ("cut short", whole[:1000]), ("empty", b"")):
        files[0].write_bytes(data)
        shutil.rmtree(cache / "programs")
        if seen(cache) != first:
            return f"{what}: {seen(cache)}"
        if files[0].read_bytes() != whole:
            return f"{what}: not mended"
    for what in ("/proc/nowhere", "/dev/null", HERE / "fine.c"):
        if seen(what) != first:
            return f"DIVM_CACHE_DIR={what}: {seen(what)}"
    return None


def kept_by_many():
    """Several at once, with nothing kept yet."""
    env = {**os.environ, "DIVM_CACHE_DIR": str(HERE / "many")}
    work = [subprocess.Popen([DIVM, "verify", "-j1", "fine.c"], cwd=HERE, env=env,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for _ in range(4)]
    for each in work:
        out = each.communicate(timeout=120)[0]
        if each.returncode != 0:
            return out.decode()
    files = list((HERE / "many/linked").iterdir())
    return None if len(files) == 1 and files[0].suffix == ".bc" else str(files)


def stopped_by(*signals):
    """The first interrupt stops the search, which tells what it saw; so do two requests to end
    at once."""
    work = subprocess.Popen([DIVM, "verify", "--reduction=no-thread-symmetry", "-DN=9", "-DSTEPS=9",
                             "counter.c"], cwd=HERE,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    let_work(work)
    for number in signals:
        work.send_signal(number)
    try:
        out, err = work.communicate(timeout=20)
    except subprocess.TimeoutExpired:
        work.kill()
        return "still running 20 s after the interrupt"
    last = (out.splitlines() or [""])[-1]
    if work.returncode != 130 or not last.startswith("divm: incomplete: "):
        return f"status {work.returncode}, last line: {last}\n{err}"
    return None


def interrupt():
    return stopped_by(signal.SIGINT)


def termination():
    return stopped_by(signal.SIGTERM, signal.SIGTERM)


def all_of():
    for each in (examples_of_help, options_of_folders, ci_examples, usable_processors, stale_trace, changed_value, replayed_notes,
                 page_trace, exact_trace, spilled, full_disk, cut_trace, wrong_version, kept_runtime, kept_by_many, interrupt,
                 termination):
        yield f"cli: {each.__name__.replace('_', ' ')}", each
