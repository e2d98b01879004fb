"""Searches that are killed at random moments and go on from their checkpoints: verdict, counts
and the length of the error are those of a search that nobody ended.

usage: checkpoints.py [MOMENTS [SEED [executions]]]
"""

import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
from suite import DIVM, ENVIRONMENT, ROOT  # noqa: E402

BENCH = ROOT / "tests" / "bench"
FORKS = """#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>
static atomic_int n;
static void *work(void *arg)
{
    for (int k = 0; k < 4; k++)
        atomic_fetch_add(&n, 1);
    return arg;
}
int main(void)
{
    pthread_t t[3];
    for (int k = 0; k < 3; k++)
        pthread_create(&t[k], 0, work, 0);
    for (int k = 0; k < 3; k++)
        pthread_join(t[k], 0);
    if (fork() == 0)
        _exit(0);
    return wait(NULL) < 0;
}
"""
# Of executions: values that are chosen, threads that wait or try again, memory that comes and goes.
WAITS = """#include <assert.h>
#include <divm.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, sum, order;
static int *places[3];
static atomic_int seen;
static void *work(void *arg)
{
    int k = (int)(long)arg, *own = malloc(sizeof *own), more = k == 1 ? divm_choose(2) : 0;
    *own = k;
    pthread_mutex_lock(&lock);
    places[k] = own;
    sum += *own;
    order = order * 4 + k;
    ready++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    seen += 1 + more;
    if (seen == 3)
        seen += 2;
    return own;
}
int main(void)
{
    pthread_t t[3];
    for (long k = 0; k < 3; k++)
        pthread_create(&t[k], 0, work, (void *)k);
    pthread_mutex_lock(&lock);
    while (ready < 2)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    for (int k = 0; k < 3; k++) {
        void *own;
        pthread_join(t[k], &own);
        free(own);
    }
    assert(sum == 3);
#ifdef BUG
    assert(order != BUG || seen != 6);
#endif
}
"""
STORES = """#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y, z;
static void *work(void *arg)
{
    for (int k = 1; k < 4; k++) {
        atomic_store_explicit(&x, k, memory_order_relaxed);
        atomic_store_explicit(&y, k, memory_order_release);
    }
    return arg;
}
static void *look(void *arg)
{
    for (int k = 0; k < 2; k++)
        z += atomic_load_explicit(&y, memory_order_acquire) + atomic_load_explicit(&x, memory_order_relaxed);
    return arg;
}
int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, work, 0);
    pthread_create(&t[1], 0, look, 0);
    pthread_create(&t[2], 0, look, 0);
    for (int k = 0; k < 3; k++)
        pthread_join(t[k], 0);
}
"""
# Ends of the program are far from most states, so those have to be looked for again later.
ROUND = """#include <pthread.h>
#include <stdatomic.h>
static atomic_uint place, ended;
static void *turn(void *arg)
{
    while (!ended)
#ifdef BUG
        place = (place + 2) % 2000;
#else
        place = (place + 1) % 2000;
#endif
    return arg;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, turn, 0);
    while (place != 1997)
        ;
    ended = 1;
    pthread_join(thread, 0);
}
"""
EXECUTIONS = [
    (["waits.c"], ["dpor"]),
    (["stores.c"], ["dpor"]),
    (["-DN=3", "-DSTEPS=4", BENCH / "counter.c"], ["dpor"]),
    (["-DN=3", BENCH / "treiber.c"], ["dpor"]),
    (["-DBUG=24", "waits.c"], ["dpor"]),
]
# An error that comes late, an assumption that is dropped, open states in a file, endless runs.
PROGRAMS = [
    (["--reduction=no-thread-symmetry", "-DN=5", "-DSTEPS=12", BENCH / "counter.c"], ["bfs", "auto"]),
    (["-DN=3", "-DSTEPS=4", "-DBUG", "--reduction=no-thread-symmetry", BENCH / "counter.c"], ["bfs"]),
    (["-DPRODUCERS=2", "-DCONSUMERS=2", "-DITEMS=2", BENCH / "msqueue.c"], ["bfs", "auto"]),
    (["-DN=4", BENCH / "bakery.c"], ["bfs"]),
    (["forks.c"], ["bfs", "auto"]),
    (["round.c"], ["bfs"]),
    (["-DBUG", "round.c"], ["bfs"]),
    (["-DITEMS=10", "--max-memory=120M", "--spill=.", BENCH / "boundedbuffer.c"], ["bfs"]),
    (["waits.c"], ["auto", "dpor"]),
    *EXECUTIONS,
]
LIMIT = 120  # seconds of one search that is not ended
KILLS = 12  # so often is one search ended at most


def figures(folder, args, ends=None):
    """Status and figures of a search; None if a signal (ends: which, and after how many seconds)
    came before its end."""
    trace = folder / "error.trace"
    trace.unlink(missing_ok=True)
    work = subprocess.Popen([DIVM, "verify", "--format=json", f"--trace-file={trace}", *map(str, args)],
                            cwd=folder, env=ENVIRONMENT, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    signalled = False
    if ends:
        number, seconds = ends
        try:
            work.wait(seconds)
        except subprocess.TimeoutExpired:
            work.send_signal(number)
            signalled = True
    try:
        out, err = work.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        work.kill()
        raise
    if ends and work.returncode in (130, -signal.SIGKILL, -signal.SIGTERM):
        return None
    try:
        report = json.loads(out)
    except ValueError:
        raise RuntimeError(f"{' '.join(map(str, args))}: status {work.returncode}\n{out}{err}")
    length = len(json.loads(trace.read_text())["transitions"]) if trace.exists() else None
    kept = ["verdict", "states", "transitions", "final_states", "dropped", "depth"]
    if signalled and report["verdict"] == "error":
        kept = ["verdict", "depth"]  # it had the error, and explored no more of its level
    elif "--search=dpor" in args:
        kept += ["executions", "cut", "instructions"]
    return {"status": work.returncode, "length": length, **{k: report[k] for k in kept}}


def options(rng, searches, exact):
    return ["-j", rng.choice(["1", "2"]), f"--search={searches}", f"--store={exact}"]


def check(rng, program, searches, folder, moments):
    """Ends one search at so many random moments; how many there were, and what is wrong."""
    search = rng.choice(searches)
    exact = "compact" if search == "dpor" else rng.choice(["compact", "compact", "exact"])
    start = time.monotonic()
    expected = figures(folder, [*options(rng, search, exact), *program])
    seconds = time.monotonic() - start
    kept = folder / "search.checkpoint"
    kept.unlink(missing_ok=True)
    ended = 0
    while True:
        given = [*options(rng, search, exact), *program, f"--checkpoint={kept}",
                 f"--checkpoint-every={rng.choice([0.02, 0.1, 0.3])}s"]
        if kept.exists():
            given.append(f"--resume={kept}")
        number = rng.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM])
        ends = (number, rng.uniform(0.02, 1.2 * seconds)) if ended < min(moments, KILLS) else None
        found = figures(folder, given, ends)
        if found is None:
            ended += 1
        elif found != {name: expected[name] for name in found}:
            return ended, f"{' '.join(map(str, given))}: {found} instead of {expected} after {ended} ends"
        else:
            return ended, None


def tests(moments, seed, programs=PROGRAMS):
    """For run.py and make fuzz: (name, function returning None or what is wrong)."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="divm-checkpoints-") as name:
        folder = pathlib.Path(name)
        for file, text in ("forks.c", FORKS), ("waits.c", WAITS), ("stores.c", STORES), ("round.c", ROUND):
            (folder / file).write_text(text)
        number = ended = 0
        while ended < moments:
            program, searches = programs[number % len(programs)]
            more, problem = check(rng, program, searches, folder, moments - ended)
            ended += more
            number += 1
            yield f"checkpoints {seed}/{number}, {ended} ends", problem


def main():
    moments = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    seed = sys.argv[2] if len(sys.argv) > 2 else "1"
    passed = failed = 0
    programs = EXECUTIONS if sys.argv[3:] == ["executions"] else PROGRAMS
    for name, problem in tests(moments, seed, programs):
        failed += problem is not None
        passed += problem is None
        if problem:
            print(f"FAIL {name}: {problem}", flush=True)
        elif os.environ.get("V"):
            print(name, flush=True)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
