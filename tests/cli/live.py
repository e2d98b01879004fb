"""--ltl, --always-eventually, --monitor and --fair: what formulas mean, what is said of bad ones, traces of lassos, and
what these options do not go with."""

import json
import zlib

from suite import DIVM, ROOT, Run

SERVICE = ROOT / "examples/service.c"
POLITE = ROOT / "examples/polite.c"
# Its only run: x is 0, 1, 2, 1, and 1 for ever.
SOURCE = """struct pair { int a, b; } pair = {4, 5}, *where = &pair;
int x, y, G = 3;
int main(void)
{
    x = 1;
    x = 2;
    y = where->b;
    x = 1;
    return G - 3;
}
"""
TRUE = [
    "x == 0", "F x == 2", "F(x == 2)", "<> (x == 2)", "G(x <= 2)", "[](x <= 2)", "F G x == 1", "G F x == 1",
    "x == 0 U x == 1", "(x < 2) U x == 2", "x == 0 W x == 5 || true", "x <= 2 W x == 5", "!(x <= 2 U x == 5)",
    "x == 5 R x <= 2", "x == 1 R (x == 0 || x == 1)", "(x == 1) M (x < 2)", "!(x == 5 M x <= 2)",
    "G(x == 2 -> F x == 1)", "G(x == 2 => F x == 1)", "F(x == 2) <-> F(y == 5)", "F(x == 2 && F(x == 1))",
    "!F(x == 3)", "!x U x", "!G x", "G(where->b == 5)", "F where->b == 5 && x == 0", "G - 1 == 2 && G == 3",
    "(G - 1) * 2 == 4", "G((G + 0) == 3)", "G(x == 2 -> (x == 2) U x == 1)", "x == 0 -> x == 1 -> false",
    "G F (x == 1 && y == 5)", "F(x == 1 && y == 0) && F(x == 1 && y == 5)", "!(F x == 2 -> F x == 3)",
    "x == 0 U x == 1 U x == 2", "G(!(x == 2) -> x <= 1)", "F (x & 2)", "F at(f.c:7)", "'a' == 97 U x",
]
FALSE = [
    "F(x == 3)", "G x == 0", "G F x == 2", "F G x == 2", "x == 0 U x == 2", "x == 1", "G(x == 1 -> F x == 2)",
    "x == 5 M x <= 2", "F(x == 2) <-> F(x == 3)", "x == 0 W x == 2", "G(where->b == 4)", "!(x == 0)",
]
BAD = [
    ("G(x == 1", "column 9: expected ) at the end"),
    ("G(z == 1)", "column 3: there is no variable or constant z that the program uses"),
    ("x == 1 U", "column 9: expected a formula at the end"),
    ("U x", "column 3: expected an operator before x"),
    ("G (x == )", "column 8: expected a value at the end"),
    ("F(x = 1)", "column 5: nothing can be assigned here; == compares"),
    ("X x == 1", "column 1: there is no next state"),
    ("F(X(x))", "column 3: there is no next state"),
    ("F x y", "column 5: expected an operator before y"),
    ("F deadlock", "deadlock: race and deadlock end a run"),
    ("G(x->a == 1)", "column 6: -> needs a pointer"),
    ("!" * 200 + "x", "nested too deeply"),
    (" && ".join(f"F(x == {n})" for n in range(70)), "too many"),
]
# Its only run: q is NULL, leads to 3 and 4, and is NULL for ever; f::k has no value, is 3, is gone, is 4.
UNKNOWN = """#include <stddef.h>
struct q { int n; } one = {3}, *q;
int done, x;
static int f(int n) { int k; k = n; x = k; return k; }
int main(void) { f(3); q = &one; q->n = 4; f(4); q = NULL; done = 1; return 0; }
"""
NOT_KNOWN = [  # What is not known holds neither plainly nor negated; what no frame has is false.
    ("G !(q->n == 7)", False), ("G (q -> !(q->n == 7))", True), ("G !(q && q->n == 7)", True), ("F(q->n != 3)", True),
    ("F !(q->n == 3)", True), ("F !(q->n == 4)", True), ("F G q->n == 4", False), ("G F !(q->n == 4)", False),
    ("G F q->n != 4", False), ("!F(q->n == 9)", False), ("G(q->n == 3 || !(q->n == 3))", False),
    ("G(done -> !(q->n == 4))", False), ("(q->n == 3) <-> (q->n == 4)", False), ("!(q->n == 3) U q", False),
    ("G !!(q || done || !q)", True), ("F !(q->n / (q->n - 4) == 0)", True), ("G !(3 / done == 1)", False),
    ("F G !(3 / done == 1)", True), ("G(f::k == 3 -> F done)", True), ("G !(f::k == 5)", True),
    ("G !(f::k == 4)", False), ("F G !(f::k == 3)", True), ("G F !(f::k == 3)", True), ("F(f::k != 3)", True),
    ("G(f::k == 3 || f::k == 4)", False), ("!(f::k == 3) U f::k == 3", True),
]
# Monitors in C, and the formula that the runs violate which they accept.
DESK = """#include <divm.h>
#include <pthread.h>
#include <stdatomic.h>
static struct { atomic_int request, answer; } desk;
static atomic_int closed;
static void *serve(void *arg)
{
    while (!closed)
        if (desk.request) {
            desk.request = 0;
            desk.answer = 1;
        }
    return arg;
}
#define ONCE(p) static int on; if (!on && (p) && divm_choose(2)) on = 1; if (!on) return
static int is_waiting(void) { return desk.request && !desk.answer; }
void unanswered(void) { ONCE(is_waiting()); divm_assume(!desk.answer); divm_accept(); }
void never_again(void) { ONCE(1); divm_assume(!desk.request); divm_accept(); }
void again_and_again(void) { if (desk.request) divm_accept(); }
void never_closed(void) { if (!closed) divm_accept(); }
void both(void) { static int bad; if (desk.request && desk.answer) bad = 1; if (bad) divm_accept(); }
void never_asked(void) { divm_assume(!desk.request); divm_accept(); }
void unanswered_though_asked(void) { ONCE(1); divm_assume(!desk.answer); if (desk.request) divm_accept(); }
void stays_answered(void) { ONCE(1); divm_assume(desk.answer); divm_accept(); }
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, serve, NULL);
    for (int rounds = 0; rounds < ROUNDS || ROUNDS < 0; rounds += ROUNDS > 0) {
        desk.answer = 0;
        desk.request = 1;
        while (!desk.answer)
            ;
    }
    closed = 1;
    pthread_join(thread, NULL);
}
"""
MONITORS = [
    ("unanswered", "G(desk.request && !desk.answer -> F desk.answer)"),
    ("never_again", "G F desk.request"),
    ("again_and_again", "F G !desk.request"),
    ("never_closed", "F closed"),
    ("both", "G !(desk.request && desk.answer)"),
    ("never_asked", "F desk.request"),
    ("unanswered_though_asked", "G F desk.request -> G F desk.answer"),
    ("stays_answered", "G F !desk.answer"),
]
BAD_MONITORS = [
    ("void watch(void) { x = 1; }", "uses x"),
    ("void watch(void) { int *p = &x; *p = 1; }", "writes only variables of its own, and by their names"),
    ("static int n; void watch(void) { n++; } int look(void) { return n; }", "uses n"),
    ("void watch(void) { printf(\"%d\", x); }", "calls no library, but this one calls printf"),
    ("static void f(int *p) { *p = 1; } void watch(void) { f(&x); }", "writes only variables of its own"),
    ("void watch(void) { memset(&x, 0, 4); }", "uses x"),
    ("static void (*f)(void) = abort; void watch(void) { f(); }", "calls functions only by their names"),
    ("int watch(void) { return x; }", "takes nothing and returns nothing"),
    ("void look(void) { }", "there is no function of this name"),
    ("void watch(void) { atomic_fetch_add(&a, 1); }", "uses a"),
]
OTHERS = ["--memory=tso", "--memory=c11", "--search=bfs", "--preemptions=2", "--store=exact", "--checkpoint=c",
          "--weaken", "--explain-orders"]


def verify(here, file, *args):
    return Run([DIVM, "verify", "-q", "-j1", *args, str(file)], cwd=here)


def wrong(run, why):
    return f"{why}\n{run.show()}"


def several(here, formulas, holds):
    """All that hold at once, or each that does not."""
    options = [f"--ltl={text}" for text in formulas]
    if holds:
        run = verify(here, "f.c", "--no-trace-file", *options)
        return wrong(run, "all of these hold") if run.status else None
    for option in options:
        trace = f"f{zlib.crc32(option.encode())}.trace"  # several of these tests run at once
        run = verify(here, "f.c", f"--trace-file={trace}", option)
        again = Run([DIVM, "replay", "-q", trace], cwd=here)
        if run.status != 14 or f"formula violated: {option[6:]}" not in run.text:
            return wrong(run, "this does not hold")
        if again.status != 14 or again.last_line() != run.last_line():
            return wrong(again, "the replay says something else")
    return None


def not_known(here, text, holds):
    trace = f"u{zlib.crc32(text.encode())}.trace"
    run = verify(here, "unknown.c", f"--ltl={text}", f"--trace-file={trace}")
    if run.status != (0 if holds else 14):
        return wrong(run, f"{text} {'holds' if holds else 'does not hold'}")
    if holds:
        return None
    again = Run([DIVM, "replay", "-q", trace], cwd=here)
    return None if again.status == 14 else wrong(again, "the replay says something else")


def refused(here, text, message):
    run = verify(here, "f.c", f"--ltl={text}")
    if run.status != 2 or message not in run.errors or len(run.errors.splitlines()) != 1:
        return wrong(run, f"--ltl={text[:40]}: expected one line with \"{message}\"")
    return None


def lasso(here):
    """A way to a loop: in the report, in JSON, and in the trace, which is not believed if it is of another run."""
    run = verify(here, POLITE, "--fair", "--format=json", "--trace-file=p.trace")
    error = json.loads(run.text)["error"]
    if (run.status, error["class"], error["kind"]) != (14, "endless", "livelock"):
        return wrong(run, "it is no livelock")
    if {loop["thread"] for loop in error["for_ever"]} != {1, 2}:
        return wrong(run, "both threads go on")
    if [step["text"] for step in error["steps"]].count("note: from here on the same again and again") != 1:
        return wrong(run, "there is no loop in the steps")
    trace = json.loads((here / "p.trace").read_text())
    again = Run([DIVM, "replay", "-q", "p.trace"], cwd=here)
    if again.status != 14 or "livelock" not in again.text:
        return wrong(again, "the replay says something else")
    steps = trace["transitions"]
    at = next(k for k, step in enumerate(steps) if step.get("loop"))
    del steps[at]["loop"]
    steps[at + 1]["loop"] = True  # the loop does not come round to this state
    (here / "p.trace").write_text(json.dumps(trace))
    again = Run([DIVM, "replay", "-q", "p.trace"], cwd=here)
    return None if again.status == 3 else wrong(again, "this trace is of no livelock")


def as_json(here):
    options = ["--format=json", "--endless=allow", "--no-trace-file", "--fair", "--always-eventually=answer",
               "--ltl=G(request -> F answer)"]
    run = verify(here, SERVICE, *options)
    queries = json.loads(run.text)["queries"]
    if [(q["kind"], q["holds"]) for q in queries] != [("always-eventually", True), ("ltl", True)]:
        return wrong(run, "both hold")
    run = verify(here, SERVICE, *options, "--never=request == 2", "--ltl=G answer")
    queries = json.loads(run.text)["queries"]
    if [(q["kind"], q["holds"]) for q in queries] != [("always-eventually", None), ("ltl", None), ("never", None),
                                                      ("ltl", False)]:
        return wrong(run, "the last one does not hold")
    return None


def strongly(here):
    """Which fairness is meant is told by the option, and by the trace."""
    starved = ROOT / "tests/liveness/starved_lock.c"
    for how, status in (("--fair", 14), ("--fair=weak", 14), ("--fair=strong", 0), ("--no-fair", 0)):
        run = verify(here, starved, how, "--trace-file=s.trace")
        if run.status != status:
            return wrong(run, f"expected status {status}")
    trace = (here / "s.trace").read_text()
    (here / "s.trace").write_text(trace.replace('"--fair"', '"--fair=strong"'))
    again = Run([DIVM, "replay", "-q", "s.trace"], cwd=here)
    if again.status != 3:
        return wrong(again, "this run is not strongly fair")
    run = verify(here, starved, "--fair=very")
    return None if run.status == 2 and "expected weak or strong" in run.errors else wrong(run, "it was taken")


def cut_short(here):
    for limit in ("--max-states=10", "--max-depth=4"):
        run = verify(here, SERVICE, "--endless=allow", "--fair", "--no-trace-file", limit)
        if run.status != 5:
            return wrong(run, "the search is incomplete")
    return None


def monitors(here, rounds, fair):
    """Each has the verdict of its formula, and its trace is replayed."""
    source, name = f"desk{rounds}.c", f"m{rounds}{fair[-2:]}.trace"
    (here / source).write_text(DESK.replace("ROUNDS", f"({rounds})"))
    for monitor, formula in MONITORS:
        options = ["--endless=allow", *([fair] if fair else [])]
        run = verify(here, source, *options, f"--monitor={monitor}", f"--trace-file={name}")
        other = verify(here, source, *options, f"--ltl={formula}", "--no-trace-file")
        if run.status != other.status or run.status not in (0, 14):
            return wrong(run, f"{formula} has another verdict: {other.show()}")
        if run.status:
            again = Run([DIVM, "replay", "-q", name], cwd=here)
            if again.status != 14 or again.last_line() != run.last_line():
                return wrong(again, f"the replay says something else: {run.show()}")
            if f"forbidden run: {monitor} accepts it" not in run.text:
                return wrong(run, "the last line does not name the monitor")
    return None


def bad_monitor(here, number, code, message):
    source = f"bad{number}.c"
    (here / source).write_text("#include <stdatomic.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
                               f"int x; atomic_int a;\n{code}\nint main(void) {{ x = a = 0; return x; }}\n")
    run = verify(here, source, "--monitor=watch")
    if run.status != 3 or message not in run.errors or len(run.errors.splitlines()) != 1:
        return wrong(run, f"{code}: expected one line with \"{message}\"")
    return None


def monitor_fails(here):
    """An assertion of the monitor's, which no thread has failed; and what JSON has of a monitor."""
    (here / "safe.c").write_text("""#include <assert.h>
#include <divm.h>
int n;
void watch(void) { static int most; if (n > most) most = n; assert(n >= most); }
void loops(void) { for (;;) ; }
int main(void) { n = 1; n = 2; n = 1; return 0; }
""")
    run = verify(here, "safe.c", "--monitor=watch", "--trace-file=safe.trace", "--format=json")
    report = json.loads(run.text)
    at = report["error"]["location"]
    if run.status != 10 or (at["function"], at["line"]) != ("watch", 4):
        return wrong(run, "the assertion is the monitor's")
    if [(q["kind"], q["expression"], q["holds"]) for q in report["queries"]] != [("monitor", "watch", None)]:
        return wrong(run, "the monitor is one of the queries")
    again = Run([DIVM, "replay", "-q", "safe.trace"], cwd=here)
    if again.status != 10 or "(watch at safe.c:4)" not in again.text:
        return wrong(again, "the replay says something else")
    run = verify(here, "safe.c", "--monitor=loops")
    if run.status != 5 or "loops at safe.c:5" not in run.text:
        return wrong(run, "the monitor never comes to an end")
    (here / "forks.c").write_text("""#include <divm.h>
#include <sys/wait.h>
#include <unistd.h>
int x;
void watch(void) { if (x == 1) divm_accept(); }
int main(void) { if (fork() == 0) { x = 1; _exit(0); } wait(0); return 0; }
""")
    run = verify(here, "forks.c", "--monitor=watch")
    if run.status != 5 or "--monitor does not suit the program: it forks" not in run.text:
        return wrong(run, "a monitor does not look at several processes")
    run = verify(here, "safe.c", "--monitor=watch", "--ltl=F n == 2")
    if run.status != 2 or "--monitor goes without --ltl" not in run.errors:
        return wrong(run, "both were taken")
    run = verify(here, "safe.c", "--monitor=watch", "--monitor=loops")
    return None if run.status == 2 and "there is a monitor already" in run.errors else wrong(run, "both were taken")


def weaker_orders(here):
    """Errors are looked for under C11's model, infinite runs under sequential consistency: the last line says so."""
    (here / "weak.c").write_text("""#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag, x;
static void *work(void *arg)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, ORDER);
    return arg;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    while (!atomic_load_explicit(&flag, memory_order_acquire))
        ;
    int r = atomic_load_explicit(&x, memory_order_relaxed);
    pthread_join(thread, NULL);
    return !r;
}
""")
    run = verify(here, "weak.c", "--fair", "-DORDER=memory_order_release")
    told = "complete under C11's memory model (weak.c:6 is relaxed, and 3 more), infinite runs under sequential consistency"
    if run.status or not run.last_line().endswith(told):
        return wrong(run, "the last line says under which model")
    run = verify(here, "weak.c", "--fair", "-DORDER=memory_order_release", "--format=json")
    report = json.loads(run.text)
    if report["model"] != "sc" or not any("infinite runs under sequential" in note for note in report["notes"]):
        return wrong(run, "JSON says under which model")
    run = verify(here, "weak.c", "--fair", "-DORDER=memory_order_release", "--memory=sc")
    if run.status or not run.last_line().endswith("complete under sequential consistency (weak.c:6 is relaxed, and 3 more: not checked)"):
        return wrong(run, "nothing was looked for under C11's model")
    run = verify(here, "weak.c", "--fair", "-DORDER=memory_order_relaxed", "--no-trace-file")
    found = "error: exit status is not zero" in run.text
    return None if found else wrong(run, "under C11's model x may still be 0")


def goes_without(here, option):
    run = verify(here, SERVICE, "--fair", option)
    if run.status != 2 or "--monitor and --fair go without" not in run.errors:
        return wrong(run, f"{option} and --fair were taken")
    return None


def all_of(here):
    """(name, function returning None or what is wrong)"""
    (here / "f.c").write_text(SOURCE)
    for k in range(0, len(TRUE), 13):
        part = TRUE[k:k + 13]
        yield f"formulas {part[0]} ...", lambda part=part: several(here, part, True)
    for text in FALSE:
        yield f"formula {text}", lambda text=text: several(here, [text], False)
    (here / "unknown.c").write_text(UNKNOWN)
    for text, holds in NOT_KNOWN:
        yield f"not known: {text}", lambda text=text, holds=holds: not_known(here, text, holds)
    for text, message in BAD:
        yield f"formula {text[:30]}", lambda t=text, m=message: refused(here, t, m)
    for option in OTHERS:
        yield f"--fair with {option}", lambda option=option: goes_without(here, option)
    for rounds in (1, -1):
        for fair in ("", "--fair", "--fair=strong"):
            yield f"monitors, {rounds} {fair}", lambda rounds=rounds, fair=fair: monitors(here, rounds, fair)
    for number, (code, message) in enumerate(BAD_MONITORS):
        yield f"monitor {code[:50]}", lambda n=number, c=code, m=message: bad_monitor(here, n, c, m)
    yield "a monitor that fails", lambda: monitor_fails(here)
    yield "a lasso", lambda: lasso(here)
    yield "formulas in JSON", lambda: as_json(here)
    yield "infinite runs and weaker orders", lambda: weaker_orders(here)
    yield "strong fairness", lambda: strongly(here)
    yield "a cut search for infinite runs", lambda: cut_short(here)
