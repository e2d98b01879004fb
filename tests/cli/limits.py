"""Limits and signals within a transition, and while divm compiles and loads; what is told when
memory ends; files of the cache that are not whole."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

from program import ALL, first
from suite import DIVM, ROOT, Run

TIMES = float(os.environ.get("DIVM_TEST_PATIENCE", "4"))  # a machine that does other things, too
SOURCES = {
    "calls.c": "static int walk(int n) { return n == 0 ? 1 : walk(n - 1) + walk(n - 1); }\n"
               "int main(void) { return walk(40) == 0; }\n",
    "flood.c": "#include <pthread.h>\nstatic void *work(void *arg) { return arg; }\n"
               "int main(void)\n{\n    for (;;) {\n        pthread_t t;\n"
               "        pthread_create(&t, NULL, work, NULL);\n    }\n}\n",
    "choices.c": "#include <divm.h>\nstatic void f(void)\n{\n    divm_choose(2);\n    f();\n}\n"
                 "int main(void)\n{\n    f();\n    return 0;\n}\n",
    "section.c": "#include <divm.h>\n#include <pthread.h>\n"
                 "static void *work(void *arg)\n{\n    __VERIFIER_atomic_begin();\n"
                 "    for (volatile int k = 0;; k = k + 1) {\n    }\n    return arg;\n}\n"
                 "int main(void)\n{\n    pthread_t t;\n    pthread_create(&t, NULL, work, NULL);\n"
                 "    return pthread_join(t, NULL);\n}\n",
    "copies.c": "#include <stdlib.h>\n#include <string.h>\nenum { N = 50 << 20 };\n"
                "int main(void)\n{\n    char *from = calloc(N, 1), *to = malloc(N);\n"
                "    for (int k = 0; k < 60000; k++)\n        memcpy(to + 1, from, N - 1);\n"
                "    free(from);\n    free(to);\n    return 0;\n}\n",
    "allocs.c": "#include <stdlib.h>\n#include <string.h>\n"
                "int main(void)\n{\n    for (;;)\n        memset(malloc(1 << 20), 1, 1 << 20);\n}\n",
    "large.c": "#include <stdlib.h>\n#include <string.h>\nenum { N = 90 << 20 };\n"
               "int main(void)\n{\n    for (int k = 0; k < 10; k++)\n"
               "        memset(malloc(N), 1, N);\n    return 0;\n}\n",
    "deep.c": "static int f(int n) { return f(n + 1) + 1; }\nint main(void) { return f(0); }\n",
    "two.cpp": "#include <gtest/gtest.h>\n#include <atomic>\n#include <thread>\n"
               "static std::atomic<int> n[12];\nTEST(A, Fails) { int x = 1; EXPECT_EQ(x, 2); }\n"
               "TEST(B, Large)\n{\n    std::thread t[6];\n    for (int i = 0; i < 6; i++)\n"
               "        t[i] = std::thread([i] {\n            for (int k = 0; k < 12; k++) {\n"
               "                n[k] += i << k;\n                n[11 - k] ^= i;\n            }\n"
               "        });\n    for (auto &each : t)\n        each.join();\n}\n"
               "TEST(C, Fine) {}\n",
    "small.cpp": "#include <string>\n#include <vector>\n"
                 "int main() { return std::vector<std::string>(2).size() - 2; }\n",
    # What the compiler does not come to the end of: its own stack is deep enough.
    "slow.cpp": "template <int N, int K> struct s {\n"
                "    static constexpr long v = s<N - 1, K>::v + s<N - 1, K + (1 << N)>::v;\n};\n"
                "template <int K> struct s<0, K> { static constexpr long v = K; };\n"
                "static_assert(s<26, 0>::v != 0);\nint main() {}\n",
}
VERIFY = [DIVM, "verify", "-j1", "--no-trace-file"]


def json_of(here, *args):
    """Status, report, and seconds of the whole command."""
    start = time.monotonic()
    run = Run([*VERIFY, "--format=json", *args], cwd=here)
    seconds = time.monotonic() - start
    return run, json.loads(run.text), seconds


def time_limits(here):
    """Whatever a transition does, and the compiler, ends with the time."""
    for name in first(("calls.c", "slow.cpp", "flood.c", "choices.c", "section.c", "copies.c"), 2):
        run, report, seconds = json_of(here, "--max-time=2s", name)
        if run.status != 5 or report["limit"] != "time limit of 2 s" or seconds > 3 * TIMES:
            return f"{name}: {seconds:.1f} s\n{run.show()}"
    return None


def memory_limits(here):
    """--max-memory is kept to within a tenth in a transition; a limit of one path is told with its figure,
    unless there is no memory left to find the way there again."""
    own = r"a limit of the machine: allocation of 1048576 bytes: the limit is \d+ in all .*"
    for name, limit in first((("allocs.c", own + r"|memory limit of 300 MB(, before the way to an error was known)?"),
                        ("large.c", r"a limit of the machine: allocation of 94371840 bytes: "
                         r"the limit is \d+ in all .*"),
                        ("deep.c", r"a limit of the machine: .* more than \d+ bytes .* calls deep in f, .*"),
                        ("slow.cpp", "memory limit of 300 MB")), 2):
        run, report, _ = json_of(here, "--max-memory=300M", name)
        if run.status != 5 or not re.fullmatch(limit, report["limit"]):
            return f"{name}\n{run.show()}"
        if report["memory_bytes"] > 1.1 * 300e6:
            return f"{name}: {report['memory_bytes']} bytes\n{run.show()}"
    return None


def counts_at_limit(here):
    """A search that the memory limit ends in the middle of its work has the counts up to then."""
    run, report, _ = json_of(here, "--search=bfs", "--max-memory=250M", "-DN=18",
                             str(ROOT / "tests" / "bench" / "filesystem.c"))
    if run.status != 5 or report["limit"] != "memory limit of 250 MB":
        return run.show()
    counts = [report[key] for key in ("transitions", "depth", "unexplored", "memory_bytes")]
    if report["transitions"] < report["states"] - 1 or not all(counts):
        return run.show()
    return None


def ended(here, command, number, wait=1.0, env=None):
    """What the command answers to a signal: status, output, seconds from the signal on."""
    work = subprocess.Popen(command, cwd=here, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, env={**os.environ, **(env or {})})
    time.sleep(wait)
    start = time.monotonic()
    work.send_signal(number)
    try:
        out, err = work.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        work.kill()
        return None, "", 30
    return work.returncode, out + err, time.monotonic() - start


def signals(here):
    """An interrupt is heard within a transition, in verify, run and replay, and by the compiler,
    of which no folder is left."""
    folder = here / "temporary"
    folder.mkdir(exist_ok=True)
    for command in ([*VERIFY, "calls.c"], [*VERIFY, "section.c"], [DIVM, "run", "calls.c"],
                    [*VERIFY, "slow.cpp"], [DIVM, "run", "slow.cpp"],
                    [DIVM, "c++", "-c", "slow.cpp", "-o", "slow.o"]):
        for number in first((signal.SIGTERM, signal.SIGINT), 1):
            status, text, seconds = ended(here, command, number, env={"TMPDIR": str(folder)})
            compiler = command[1] == "c++"
            if (status == 0 if compiler else status != 130) or seconds > 0.8 * TIMES:
                return f"{command[1:]}: status {status} after {seconds:.1f} s\n{text}"
            if any(folder.iterdir()):
                return f"{command[1:]}: {list(folder.iterdir())} was left behind"
    return None


def out_of_memory(here):
    """What was found before stays: the status, the report, all cases in JUnit."""
    (here / "two.xml").unlink(missing_ok=True)
    made = Run([DIVM, "c++", "-c", "two.cpp", "-o", "two.o"], cwd=here)
    run = Run(["sh", "-c", 'ulimit -v 300000; exec "$@"', "sh", *VERIFY, "--search=bfs",
               "--output-junit=two.xml", "two.o", "-lgtest", "-lgtest_main"], cwd=here)
    if made.status != 0 or run.status != 10 or not re.search(r"^incomplete +B\.Large", run.text, re.M):
        return f"{made.show()}\n{run.show()}"
    if not re.search(r"error: 1 of 3 cases failed, first A\.Fails", run.last_line()):
        return run.show()
    junit = (here / "two.xml").read_text()
    if 'tests="3" failures="1" errors="2"' not in junit or "out of memory" not in junit:
        return junit
    return None


def no_room_to_begin(here):
    """Where there is no address space for the libraries, that is a limit and no crash."""
    for kilobytes in range(190000, 212000, 2000):
        run = Run(["sh", "-c", f'ulimit -v {kilobytes}; exec "$@"', "sh", DIVM, "--version"], cwd=here)
        if run.status not in (0, 5, 127):
            return run.show()
    return None


def broken_headers(here):
    """A precompiled header, its source, a linked runtime or a loaded program that is not whole, or
    no file at all, is made anew."""
    cache = here / "broken"
    env = {**os.environ, "DIVM_CACHE_DIR": str(cache)}

    def verify(what):
        run = Run([*VERIFY, "small.cpp"], cwd=here, env=env, limit=60)
        return None if run.status == 0 and not run.errors else f"{what}\n{run.show()}"

    def changed(data):
        return data[:len(data) // 2] + bytes(64) + data[len(data) // 2 + 64:]

    if problem := verify("at first"):
        return problem
    programs = cache / "programs"
    for turn, file in enumerate([*programs.iterdir(), *sorted((cache / "headers").iterdir()),
                                 *(cache / "linked").iterdir()]):
        whole = file.read_bytes()
        damages = (changed(whole), whole[:len(whole) // 3] if turn % 2 else "pipe")
        for what in damages if ALL else [damages[turn // 2 % 2]]:
            file.unlink()
            for kept in programs.iterdir() if file.parent != programs else ():
                kept.unlink()  # else nothing is linked
            shutil.rmtree(cache / "objects", ignore_errors=True)  # else nothing is compiled
            if what == "pipe":
                os.mkfifo(file)
            else:
                file.write_bytes(what)
            if problem := verify(f"{file.name}: {str(what)[:20]}"):
                return problem
            if not file.is_file() or len(file.read_bytes()) != len(whole):
                return f"{file.name}: {str(what)[:20]} was not mended"
    return None


def missing_folders(here):
    """A folder that is not there is a wrong command line, which is told before all else."""
    for option in ("--spill=nowhere", "--output-junit=nowhere/a.xml", "--output-html=nowhere/a.html"):
        run = Run([*VERIFY, option, "deep.c"], cwd=here)
        if run.status != 2 or not run.errors.startswith(f"divm: {option}: No such file") or run.text:
            return run.show()
    return None


def all_of(here):
    for name, text in SOURCES.items():
        (pathlib.Path(here) / name).write_text(text)
    for each in (time_limits, memory_limits, counts_at_limit, signals, out_of_memory,
                 no_room_to_begin, broken_headers, missing_folders):
        yield f"cli: {each.__name__.replace('_', ' ')}", lambda each=each: each(pathlib.Path(here))
