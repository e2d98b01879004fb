"""Random programs of two to four threads that are all alike, against the definition of thread
symmetry.

The threads run the same function, with locks, atomic variables, condition variables, pointers to
objects of their own and to shared ones, and arrays of such pointers. States that differ only in
which of the threads is where are to be one, whatever the search does: --store=exact tries every
order of the threads and keeps the least graph, so its states are the orbits.  The number of
states must be that breadth first and depth first, with one worker or more, and with whatever is
remembered left out; it is never more than without symmetry, where hashed and kept states are
compared as well. Many programs are in one text, and a choice at run time says which it is:
most of the time would go into starting otherwise.

usage: alike.py [-j N] [COUNT [SEED]]
"""

import json
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
from fuzz import KEPT, arguments, check_all  # noqa: E402
from suite import LIMIT, names_in, verify  # noqa: E402

COMPLETE, INCOMPLETE = 0, 5
AT_ONCE = 20  # programs of one text
MOST = 4000  # orbits of a program

HEAD = """\
#include <divm.h>
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


def random_program(rng):
    """How many threads, what each does, how it comes to its own object, and what main does."""
    n = rng.choice([2, 2, 3, 3, 4])
    body = [filled(rng, rng.choice(STATEMENTS)).replace("< N", f"< {n}")
            for _ in range({2: 6, 3: 4, 4: 3}[n] - rng.randrange(2))]
    return {"n": n, "body": body, "own": rng.choice(["malloc(sizeof *own)", "arg", "&local"]),
            "wait": any("cond_wait" in s for s in body), "static": rng.random() < 0.5,
            "beside": filled(rng, INNER[0]) if rng.random() < 0.3 else ""}


def functions_of(program, k):
    """The function of program k's threads, and the one that makes them and waits for them"""
    n = program["n"]
    argument = "malloc(sizeof(struct node))" if program["own"] == "arg" else "NULL"
    return [f"static void *work{k}(void *arg)", "{", "    struct node local;",
            "    (void)arg, (void)local;", f"    struct node *own = {program['own']}, *seen = own;",
            "    *own = (struct node){0};", *("    " + s for s in program["body"]),
            "    (void)seen;", "    return NULL;", "}", "", f"static void run{k}(void)", "{",
            f"    {'static ' if program['static'] else ''}pthread_t thread[{n}];",
            f"    for (int k = 0; k < {n}; k++)",
            f"        pthread_create(&thread[k], NULL, work{k}, {argument});",
            *(["    pthread_mutex_lock(&m0);", f"    guarded = {n};",
               "    pthread_cond_broadcast(&c0);", "    pthread_mutex_unlock(&m0);"]
              if program["wait"] else []),
            *(["    " + program["beside"]] if program["beside"] else []),
            f"    for (int k = 0; k < {n}; k++)", "        pthread_join(thread[k], NULL);", "}", ""]


def in_c(programs):
    """One text with all of them: its arguments are the numbers of those that are searched, and
    which of these is run is a choice.  Their states are apart, and so all of them are the sum."""
    lines = [HEAD]
    for k, program in enumerate(programs):
        lines += functions_of(program, k)
    return "\n".join([*lines, "int main(int argc, char **argv)", "{",
                      "    switch (atoi(argv[1 + divm_choose(argc - 1)])) {",
                      *(f"    case {k}: run{k}(); break;" for k in range(len(programs))),
                      "    }", "    return 0;", "}", ""])


def count(source, numbers, *given):
    """(status, (states, transitions), options); the way of an error counts for nothing"""
    run = verify("--no-trace-file", "--leaks=no", f"--max-time={0.8 * LIMIT:.0f}s", "--max-memory=3G",
                 "--format=json", *given, *source, "--", *numbers)
    if run.status not in (COMPLETE, INCOMPLETE) and run.status not in range(10, 16):
        raise ValueError(f"{run.told()}\n{run.show()}")
    report = json.loads(run.text) if run.status == COMPLETE else {}
    return run.status, (report.get("states"), report.get("transitions")), report.get("options", {})


APART = ["--reduction=no-thread-symmetry"]
BREADTH = ["-j1", "--search=bfs"]
ORBITS = [*BREADTH, "--store=exact"]
SAME = [BREADTH, ["-j1", "--search=dfs"], ["-j2", "--search=bfs"], ["-j8", "--search=bfs"],
        ["-j1", "--search=dfs", "--store=exact"]]
CACHES = [["--cache=none"], *[[f"--cache=no-{name}"] for name in names_in("caches.def")]]


def alone(source, number):
    """(status of program number by itself, what is wrong or None)"""
    status, _, _ = count(source, [number], *ORBITS, f"--max-states={MOST}")
    if status in (COMPLETE, INCOMPLETE):
        return status, None
    plain, _, _ = count(source, [number], *BREADTH)
    return status, None if plain in (status, INCOMPLETE) else f"{plain} by fingerprints, {status} kept"


def together(source, numbers, caches):
    """What is wrong with the numbers of states of these programs, or None"""
    status, orbits, options = count(source, numbers, *ORBITS)
    if status != COMPLETE:
        return f"status {status}, though each of them by itself has none"
    twins = [] if options["twins"] else APART
    for given in SAME + [[*BREADTH, *cache] for cache in caches]:
        found = count(source, numbers, *given, *twins)[:2]
        if found != (status, orbits):
            return f"{given} {found}, but {orbits} orbits"
    hashed, kept = (count(source, numbers, "-j1", "--search=bfs", *APART, *store)[:2]
                    for store in ([], ["--store=exact"]))
    if hashed != kept:
        return f"without symmetry {hashed}, kept {kept}"
    return f"{orbits} orbits, but {kept[1]} without symmetry" if orbits[0] > kept[1][0] else None


def compare(source, many, rng):
    """(of what kind each program is, what is wrong or None)"""
    statuses, problem = {}, None
    for number in map(str, range(many)):
        status, problem = alone(source, number)
        if problem:
            return [], f"program {number}: {problem}"
        statuses.setdefault(status, []).append(number)
    caches = rng.sample(CACHES, 2)
    complete = statuses.get(COMPLETE, [])
    first = together(source, complete, caches) if complete else None
    if first:
        found = [(n, together(source, [n], caches)) for n in complete]
        problem = "; ".join(f"program {n}: {p}" for n, p in found if p) or \
            f"programs {complete}, at once: {first}"
    kinds = {COMPLETE: "complete", INCOMPLETE: f"with more than {MOST} orbits"}
    return [kinds.get(status, f"status {status}") for status, numbers in statuses.items()
            for _ in numbers], problem


def check(seed, first, many):
    """Programs first to first + many - 1, in one text, which is kept if something is wrong"""
    rng = random.Random(f"alike/{seed}/{first}")
    programs = [random_program(rng) for _ in range(many)]
    source = KEPT / f"alike-{seed}-{first}.c"
    KEPT.mkdir(parents=True, exist_ok=True)
    source.write_text(in_c(programs))
    races = rng.choice([["--races=allow"], []])
    statuses, problem = compare([*races, source], many, rng)
    if not problem:
        source.unlink()
    return statuses, problem


def jobs_of(many, seed):
    return [(seed, first, min(AT_ONCE, many - first)) for first in range(0, many, AT_ONCE)]


def tests(many, seed):
    """For run.py: (name, function returning None or what is wrong)."""
    for job in jobs_of(many, seed):
        yield f"fuzz alike {seed}/{job[1]}", lambda given=job: check(*given)[1]


def main():
    given = arguments("alike threads against the definition of symmetry")
    return check_all(check, jobs_of(given.count, given.seed), given.j,
                     lambda job: f"alike {job[0]}/{job[1]}", lambda _, statuses: statuses)


if __name__ == "__main__":
    sys.exit(main())
