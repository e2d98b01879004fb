"""--never and --reach: what expressions mean, what is said of bad ones, and that every search and
simulation gives the same answer."""

import json
import re

from suite import DIVM, ROOT, Run

HANDOVER = ROOT / "examples/handover.c"
SOURCE = """#include <pthread.h>
#include <stdatomic.h>
struct pair { signed char a; unsigned short b; float f; double d; struct { int in; } s; unsigned bit : 3; };
enum color { RED, GREEN = 5, BLUE };
static struct pair pairs[3] = {{-1, 65535, 0.5f, 1.5, {4}}, {2, 3, 1, 2, {5}}};
static enum color color = GREEN;
static unsigned zero, *where = &zero;
static long large = 1L << 40;
static int numbers[2][3] = {{1, 2, 3}, {4, 5, 6}};
static int calls(void) { static int count; return ++count; }
static int twice(int same) { { int same = 3; calls(); zero = (unsigned)same; } return same; }
int main(void)
{
    struct pair *p = pairs;
    zero = (unsigned)(color + p->a + numbers[0][0] + large + twice(1)) * 0 + *where;
    return (int)zero - 3;
}
"""

# A query, and whether it is true in the first states of SOURCE.
TRUE = [
    "pairs[0].a == -1", "pairs[0].a < 0 && pairs[0].a + 0u > 0", "pairs[0].b == 65535",
    "pairs[0].b + 1 == 65536", "pairs[0].f + pairs[0].d == 2", "pairs[0].s.in % 3 == 1",
    "color == GREEN", "GREEN < BLUE && color + 1 == BLUE", "zero - 1 > 0", "-1 > zero",
    "large >> 40 == 1", "large / 1024 / 1024 / 1024 == 1024", "!where == 0 && *where == 0",
    "where == &zero && where != NULL", "&pairs[2] - &pairs[0] == 2", "&pairs[0] < &pairs[1]",
    "*(numbers[1] + 2) == 6", "numbers[1][2] == 6 && numbers[0][1] == 2", "~0 == -1",
    "(1 << 3 | 1) == 9 && (6 & 3) == 2 && (6 ^ 3) == 5", "'a' == 97 && '\\n' == 10 && 0x1f == 31",
    "1.5e1 == 15 && .5 < 1", "7 / -2 == -3 && 7 % -2 == 1", "calls::count == 1", "twice::same == 3",
    "twice::same == 1", "main::p->b == 65535 && main::p == &pairs[0]", "at(q.c:15)", "call(calls)",
    "call(twice)@1", "!(1 / zero == 1) || true",
]
FALSE = [
    "color == RED", "large == 0", "pairs[3].a == 0", "!(pairs[3].a == 0)", "numbers[1][3] == 0",
    "1 / zero > 0 && false", "!(1 << 32 == 0)", "*(where + 1) == 0", "calls::count > 1",
    "twice::same == 2", "call(twice)@2", "at(q.c:16)@2", "at(other.c:15)", "race", "deadlock",
    "ended(1) && false",
]
BAD = [
    ("x", "column 1: there is no variable or constant x that the program uses"),
    ("colour == RED", "did you mean color"),
    ("pairs[0].bit == 1", "column 10: the value of bit cannot be read: it is a bit-field"),
    ("color = RED", "column 7: nothing can be assigned here; == compares"),
    ("color ==", "column 9: expected a value at the end"),
    ("(color", "column 7: expected ) at the end"),
    ("color color", "column 7: expected an operator before c"),
    ("pairs[0].c == 1", "column 10: pair has no member c"),
    ("pairs[0]", "column 1: this has the type pair"),
    ("color->a", "-> needs a pointer"),
    ("main::p.a", ". needs an object; -> is for pointers"),
    ("*color", "column 1: this is no pointer"),
    ("where == 5", "a pointer is compared with a number"),
    ("where * 2", "pointers have no such operator"),
    ("color@2 == 1", "color is no local variable"),
    ("call(nothing)", "there is no function nothing"),
    ("call(twise)", "did you mean twice"),
    ("at(q.c)", "expected file:line"),
    ("twice(1)", "functions cannot be called here"),
    ("ended(color)", "ended needs a pthread_t"),
    ("main::q == 1", "there is no variable or constant main::q that the program uses; did you mean main::p"),
    ("main::p@0", "expected the number of a thread"),
    ("1.5 % 2", "this operator needs integers"),
    ("12abc", "this is no number"),
    ("(" * 300 + "1" + ")" * 300, "nested too deeply"),
]


def verify(here, file, *args):
    return Run([DIVM, "verify", "-q", "-j1", "--no-trace-file", *args, str(file)], cwd=here)


def wrong(run, why):
    return f"{why}\n{run.show()}"


def asked(here, text, status):
    run = verify(here, "q.c", f"--reach={text}")
    told = "divm: reached: " if status else "is never true"
    if run.status != status or told not in run.text:
        return wrong(run, f"--reach={text}: expected status {status}, \"{told}\"")
    return None


def refused(here, text, message):
    run = verify(here, "q.c", f"--never={text}")
    if run.status != 2 or message not in run.errors or len(run.errors.splitlines()) != 1:
        return wrong(run, f"--never={text[:40]}: expected one line with \"{message}\"")
    return None


SEARCHES = [["--search=bfs"], ["--search=dfs"], ["-j2"], ["--store=exact"], ["--preemptions=3"],
            ["--reduction=none", "--cache=none"], ["--races=allow"]]


def everywhere(here):
    """The same state is met by each search, and replayed."""
    for text in ("stage == TAKEN && queue", "consume::sum == 3 && done == 1", "queue->number == 2"):
        for options in SEARCHES:
            run = Run([DIVM, "verify", "-q", f"--never={text}", *options, "--trace-file=t.trace",
                       str(HANDOVER)], cwd=here)
            if run.status != 10 or f"error: forbidden state: {text}" not in run.text:
                return wrong(run, f"{text} was not found")
            again = Run([DIVM, "replay", "-q", "t.trace"], cwd=here)
            if (again.status, again.last_line()) != (10, run.last_line()):
                return wrong(again, "the replay says something else")
        run = Run([DIVM, "simulate", "-q", f"--reach={text}", "--no-trace-file", str(HANDOVER)], cwd=here)
        if run.status != 10 or f"divm: reached: {text}" not in run.text:
            return wrong(run, f"{text} was not met by simulate")
    return None


def as_json(here):
    run = verify(here, HANDOVER, "--format=json", "--never=done == 1", "--reach=done == 5")
    found = json.loads(run.text)["queries"]
    if [q["holds"] for q in found] != [True, None]:
        return wrong(run, "one query holds, the other is not known to")
    run = verify(here, HANDOVER, "--format=json", "--never=done == 7", "--reach=done == 5")
    report = json.loads(run.text)
    if [q["holds"] for q in report["queries"]] != [False, False]:
        return wrong(run, "no query holds")
    return None


def noted(here):
    run = Run([DIVM, "verify", "-j1", "--no-trace-file", "--never=queue->number == 3", str(HANDOVER)], cwd=here)
    if not re.search(r"note: --never=.*neither true nor false \(column 1: a null pointer\)", run.errors):
        return wrong(run, "a value that was not known is not told of")
    return None


def all_of(here):
    (here / "q.c").write_text(SOURCE)
    for text in TRUE:
        yield f"query {text}", lambda text=text: asked(here, text, 10)
    for text in FALSE:
        yield f"query {text}", lambda text=text: asked(here, text, 0)
    for text, message in BAD:
        yield f"bad query {text[:40]}", lambda text=text, message=message: refused(here, text, message)
    yield "queries: every search", lambda: everywhere(here)
    yield "queries: JSON", lambda: as_json(here)
    yield "queries: notes", lambda: noted(here)
    yield "queries: executions", lambda: None if verify(
        here, "q.c", "--search=dpor", "--never=race").status == 2 else "--search=dpor is not refused"
