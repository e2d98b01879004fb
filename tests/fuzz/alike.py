"""Random programs of two to four threads that are all alike, against the definition of thread
symmetry.

The threads run the same function, with locks, atomic variables, condition variables, pointers to
objects of their own and to shared ones, and arrays of such pointers. States that differ only in
which of the threads is where are to be one, whatever the search does: --store=exact tries every
order of the threads and keeps the least graph, so its states are the orbits.  The number of
states must be that breadth first and depth first, with one worker or more, and with whatever is
remembered left out; it is never more than without symmetry, where hashed and kept states are
compared as well.

usage: alike.py [-j N] [COUNT [SEED]]
"""

import argparse
import json
import os
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
from fuzz import KEPT, check_all  # noqa: E402
from suite import verify  # noqa: E402

COMPLETE, INCOMPLETE, RACE = 0, 5, 13

HEAD = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node { struct node *next; struct node *_Atomic other; atomic_int value; };
static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c0 = PTHREAD_COND_INITIALIZER;
static atomic_int a0, a1;
static int guarded;
static struct node *stack, fixed[2];
static struct { long before[12]; struct node *_Atomic p[3]; atomic_int n[6]; pthread_mutex_t m; } table =
    {.m = PTHREAD_MUTEX_INITIALIZER};
static struct node *_Atomic slot;
"""

# own: an object that the thread has made; seen: one that it has found, or its own.
STATEMENTS = """\
atomic_fetch_add(&$a, 1);
atomic_store(&$a, $v);
if (atomic_load(&$a) == $v) { $inner }
pthread_mutex_lock(&$m); guarded++; pthread_mutex_unlock(&$m0);
pthread_mutex_lock(&m0); guarded += $v; pthread_mutex_unlock(&m0);
pthread_mutex_lock(&table.m); $inner pthread_mutex_unlock(&table.m);
atomic_store(&$p, own);
atomic_store(&$p, &fixed[$b]);
{ struct node *found = atomic_load(&$p); if (found) seen = found; }
seen = atomic_exchange(&$p, own); if (!seen) seen = own;
{ struct node *none = NULL; if (!atomic_compare_exchange_strong(&$p, &none, own)) seen = none; }
atomic_fetch_add(&seen->value, 1);
atomic_store(&own->value, $v);
if (atomic_load(&seen->value) == $v) { $inner }
atomic_store(&seen->other, own);
atomic_store(&own->other, seen);
{ struct node *found = atomic_load(&seen->other); if (found) atomic_fetch_add(&found->value, 1); }
pthread_mutex_lock(&m1); own->next = stack; stack = own; pthread_mutex_unlock(&m1);
pthread_mutex_lock(&m1); if (stack) { seen = stack; stack = stack->next; } pthread_mutex_unlock(&m1);
{ struct node *_Atomic local = own; atomic_store(&local, seen); own = atomic_load(&local); }
pthread_mutex_lock(&m0); if (++guarded < N) pthread_cond_wait(&c0, &m0); else pthread_cond_broadcast(&c0); pthread_mutex_unlock(&m0);
pthread_mutex_lock(&m0); pthread_cond_signal(&c0); pthread_mutex_unlock(&m0);
own = malloc(sizeof *own); *own = (struct node){.value = $v};
""".replace("$m0", "$m").splitlines()

INNER = [s for s in STATEMENTS if "$inner" not in s and "pthread" not in s]


def filled(rng, statement):
    lock = rng.choice(["m0", "m1"])
    text = statement.replace("$inner", rng.choice(INNER)).replace("$m", lock)
    while "$" in text:
        before, rest = text.split("$", 1)
        value = {"a": ["a0", "a1", f"table.n[{rng.randrange(6)}]"],
                 "v": ["0", "1", "2"], "b": ["0", "1"],
                 "p": ["slot", "table.p[0]", "table.p[1]", f"table.p[{rng.randrange(3)}]"]}[rest[0]]
        text = before + rng.choice(value) + rest[1:]
    return text.replace("guarded++", "guarded += 1") if lock == "m0" else text.replace(
        "guarded++", "table.before[0]++").replace("guarded += ", "table.before[1] += ")


def text_of(rng):
    n = rng.choice([2, 2, 3, 3, 4])
    body = [filled(rng, rng.choice(STATEMENTS)) for _ in range({2: 6, 3: 4, 4: 3}[n] - rng.randrange(2))]
    own = rng.choice(["malloc(sizeof *own)", "arg", "&local"])
    wait = any("cond_wait" in s for s in body)
    handles = rng.choice(["static pthread_t thread[N];", "pthread_t thread[N];"])
    argument = "malloc(sizeof(struct node))" if own == "arg" else "NULL"
    lines = [f"enum {{ N = {n} }};", HEAD, "static void *work(void *arg)", "{",
             "    struct node local;", "    (void)arg, (void)local;",
             f"    struct node *own = {own}, *seen = own;", "    *own = (struct node){0};",
             *("    " + s for s in body), "    (void)seen;", "    return NULL;", "}", "",
             "int main(void)", "{", "    " + handles,
             "    for (int k = 0; k < N; k++)",
             f"        pthread_create(&thread[k], NULL, work, {argument});",
             *(["    pthread_mutex_lock(&m0);", "    guarded = N;",
                "    pthread_cond_broadcast(&c0);", "    pthread_mutex_unlock(&m0);"] if wait else []),
             *(["    " + filled(rng, INNER[0])] if rng.random() < 0.3 else []),
             "    for (int k = 0; k < N; k++)", "        pthread_join(thread[k], NULL);",
             "    return 0;", "}", ""]
    return "\n".join(lines)


def count(source, *given):
    """(status, (states, transitions)); the way of an error counts for nothing"""
    run = verify("--no-trace-file", "--leaks=no", "--max-time=10s", "--max-memory=2G",
                 "--format=json", *given, *source)
    if run.status not in (COMPLETE, INCOMPLETE) and run.status not in range(10, 16):
        raise ValueError(f"{run.told()}\n{run.show()}")
    report = json.loads(run.text) if run.status == COMPLETE else {}
    return run.status, (report.get("states"), report.get("transitions")), report.get("options", {})


APART = ["--reduction=no-twins"]
ORBITS = ["-j1", "--search=bfs", "--store=exact"]
SAME = [["-j1", "--search=bfs"], ["-j1", "--search=dfs"], ["-j2", "--search=bfs"],
        ["-j8", "--search=bfs"], ["-j1", "--search=dfs", "--store=exact"]]


def compare(source):
    """(statuses, what is wrong or None)"""
    status, orbits, options = count(source, *ORBITS)
    if status != COMPLETE:
        plain, _, _ = count(source, "-j1", "--search=bfs")
        bad = INCOMPLETE not in (status, plain) and status != plain
        return {status}, f"{plain} by fingerprints, {status} kept" if bad else None
    twins = [] if options["twins"] else APART
    for given in SAME:
        found = count(source, *given, *twins)
        if found[0] not in (status, INCOMPLETE) or (found[0] == status and found[1] != orbits):
            return {status}, f"{given} {found[:2]}, but {orbits} orbits"
    hashed, kept = (count(source, "-j1", "--search=bfs", *APART, *store)[:2]
                    for store in ([], ["--store=exact"]))
    if INCOMPLETE in (hashed[0], kept[0]):
        return {INCOMPLETE}, None
    if hashed != kept:
        return {status}, f"without symmetry {hashed}, kept {kept}"
    if orbits[0] > kept[1][0]:
        return {status}, f"{orbits} orbits, but {kept[1]} without symmetry"
    return {status}, None


def check(seed, number):
    rng = random.Random(f"alike/{seed}/{number}")
    source = KEPT / f"alike-{seed}-{number}.c"
    KEPT.mkdir(parents=True, exist_ok=True)
    source.write_text(text_of(rng))
    races = rng.choice([["--races=allow"], []])
    statuses, problem = compare([*races, source])
    if not problem:
        source.unlink()
    return statuses, problem


def tests(many, seed):
    """For run.py: (name, function returning None or what is wrong)."""
    for number in range(many):
        yield f"fuzz alike {seed}/{number}", lambda n=number: check(seed, n)[1]


def main():
    parser = argparse.ArgumentParser(description="alike threads against the definition of symmetry")
    parser.add_argument("-j", type=int, default=os.cpu_count())
    parser.add_argument("count", type=int, nargs="?", default=100)
    parser.add_argument("seed", nargs="?", default="1")
    given = parser.parse_args()
    jobs = [(given.seed, number) for number in range(given.count)]
    return check_all(check, jobs, given.j, lambda job: f"alike {job[0]}/{job[1]}",
                     lambda job, statuses: "+".join(map(str, sorted(statuses))) or "incomplete")


if __name__ == "__main__":
    sys.exit(main())
