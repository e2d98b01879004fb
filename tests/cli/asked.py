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

PARTS = """#include <pthread.h>
#include <stdint.h>
struct pair { signed char a; unsigned bit : 3; signed sign : 5; unsigned long long wide : 40;
              union { int i; float f; unsigned char bytes[4]; }; struct { int k : 4; } in; };
union both { double d; uint64_t n; struct { unsigned low, high; } parts; };
enum { NAMELESS = 77 };
enum only { FIRST = 3, SECOND };
static struct pair p = {.bit = 5, .sign = -3, .wide = 1ull << 35, .i = 0x3f800000, .in = {-8}}, *pp = &p;
static union both u = {.d = 1.0};
static unsigned char c = 200;
static float f = 3.75f;
static _Thread_local int own = 7;
static _Thread_local struct { int x[3]; } many = {{1, 2, 3}};
static void *work(void *arg) { own = *(int *)arg; many.x[1] += own; return arg; }
int main(void)
{
    pthread_t a, b;
    int one = 1, two = 2, choice = NAMELESS;
    if (choice == FIRST || p.bit + u.d + c + f + pp->i == 0)
        return 1;
    pthread_create(&a, 0, work, &one);
    pthread_create(&b, 0, work, &two);
    pthread_join(a, 0);
    pthread_join(b, 0);
    own = 9;
    return 0;
}
"""
PARTS_TRUE = [
    "p.bit == 5 && p.sign == -3 && p.wide == 1LL << 35 && p.in.k == -8", "p.bit - 6 < 0", "~p.bit == -6",
    "p.i == 0x3f800000 && p.f == 1 && p.bytes[3] == 0x3f", "u.d == 1 && u.n == 0x3ff0000000000000",
    "u.parts.high == 0x3ff00000", "(signed char)c == -56 && (unsigned char)(c + 100) == 44", "(int)f == 3",
    "(int)f / 2 == 1 && (float)3 / 2 == 1.5", "((struct pair *)pp)->bit == 5 && (char *)pp != NULL",
    "(uint8_t)-1 == 255 && (unsigned long)-1 > 0", "(bool)f == 1", "(c) - 1 == 199 && (c)*2 == 400",
    "*(unsigned *)&u == 0 && *((unsigned *)&u + 1) == 0x3ff00000", "(struct pair *)0 != pp", "NAMELESS == 77 && SECOND == 4",
    "own == 1", "own@3 == 2 && own@2 == 7", "own@2 == 1 && own@3 == 2", "own@1 == 9", "many.x[1] == 4", "own + many.x[1] == 9",
    "many@2.x[1] == 3", "(only)3 == FIRST",
]
PARTS_FALSE = ["own@2 == 2", "own@1 == 1", "own == 3", "own == 1 && own@2 != 1", "own + many.x[1] == 7", "own@4 == 7", "p.bit == 6"]
PARTS_BAD = [
    ("&p.bit", "column 1: a bit-field has no address"), ("(long)pp == 0", "a pointer is no number here"),
    ("(struct none)c", "there is no type struct none"), ("(struct pair)c", "struct pair is no number"),
    ("(int *)c", "no number a pointer"), ("(int)", "expected a value at the end"), ("p.bits", "did you mean bit"),
    ("c@2", "c is no local variable"),
]

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


def asked(here, text, status, file="q.c"):
    run = verify(here, file, f"--reach={text}")
    told = "divm: reached: " if status else "is never true"
    if run.status != status or told not in run.text:
        return wrong(run, f"--reach={text}: expected status {status}, \"{told}\"")
    return None


def refused(here, text, message, file="q.c"):
    run = verify(here, file, f"--never={text}")
    if run.status != 2 or message not in run.errors or len(run.errors.splitlines()) != 1:
        return wrong(run, f"--never={text[:40]}: expected one line with \"{message}\"")
    return None


REGISTERS = """@x = global i32 7
@table = global [3 x i16] [i16 1, i16 2, i16 3]
define i32 @twice(i32 %n, i1 %flag) {
entry:
  %0 = add i32 %n, 1
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum.all = phi i32 [ %0, %entry ], [ %more, %loop ]
  %more = add i32 %sum.all, %i
  %next = add i32 %i, 1
  %end = icmp eq i32 %next, 3
  br i1 %end, label %done, label %loop
done:
  %small = trunc i32 %more to i8
  %wide = sext i8 %small to i64
  %real = sitofp i32 %more to double
  %same = alloca i32
  store i32 %more, ptr %same
  %1 = load i32, ptr %same
  ret i32 %1
}
define i32 @main() {
  %1 = call i32 @twice(i32 200, i1 true)
  store i32 %1, ptr @x
  %2 = load i16, ptr getelementptr ([3 x i16], ptr @table, i64 0, i64 1)
  %3 = sext i16 %2 to i32
  %4 = sub i32 %3, 2
  ret i32 %4
}
"""
REGISTERS_TRUE = ["twice::%n == 200 && twice::%flag", "twice::%0@1 == 201", "twice::%i == 2", "twice::%sum.all + twice::%i == 204",
                  "twice::%more == 204 && twice::%i == 2", "twice::%end", "twice::%small < 0", "(unsigned char)twice::%small == 204",
                  "twice::%wide == -52", "twice::%real == 204.0", "*(int *)twice::%same == 204", "twice::same == 204", "x == 204",
                  "x == 7 && twice::%1 == 204", "main::%1 == 204 && main::%4 == 0", "table[2] == 3", "main::%2 == 2"]
REGISTERS_FALSE = ["twice::%n == 201", "twice::%i == 3", "twice::%0 == 201 && twice::%0@2 == 201", "twice::%i == 1 && x == 204",
                   "main::%3 == 1"]
REGISTERS_BAD = [("twice::%none", "there is no variable or constant twice::%none"), ("twice::%", "expected a name"), ("%n", "expected a value")]
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


def not_known(here):
    """Where a search is not complete and nothing was reached, the last line says that this is no answer."""
    for command in (["simulate", "--runs=200"], ["verify", "--preemptions=0"], ["verify", "--max-depth=3"]):
        run = Run([DIVM, *command, "-q", "--reach=done == 5", "--no-trace-file", str(HANDOVER)], cwd=here)
        text = "; the search ended before it was known that done == 5 is never true"
        if run.status != 5 or not run.last_line().endswith(text):
            return wrong(run, f"expected status 5, and a line that ends with '{text}'")
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


def beyond_endless(here):
    """Some runs never end, and are found first: --reach is answered all the same."""
    (here / "early.c").write_text("""#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag, x;
static void *work(void *arg)
{
    if (flag)
        for (;;)
            ;
    for (int k = 0; k < 5; k++)
        x = k;
    return arg;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    flag = 1;
    pthread_join(thread, NULL);
    x = 7;
    return 0;
}
""")
    for how in ([], ["--search=bfs"], ["--search=dfs"], ["--preemptions=3"], ["--reduction=none"], ["--store=exact"], ["-j2"]):
        run = verify(here, "early.c", "--reach=x == 7", *how)
        if run.status != 10 or not run.text.startswith("divm: reached: x == 7"):
            return wrong(run, "x becomes 7")
        run = verify(here, "early.c", "--reach=x == 9", *how)
        if run.status != 14 or not run.last_line().endswith("; x == 9 is never true"):
            return wrong(run, "a run is endless, and x is never 9")
        run = verify(here, "early.c", "--never=x == 7", *how)
        if run.status not in (10, 14) or "never true" in run.text:
            return wrong(run, "either is an error")
    run = verify(here, "early.c", "--reach=x == 9", "--search=dfs", "--max-states=12")
    told = run.last_line().endswith("; the search ended before it was known that x == 9 is never true")
    if run.status not in (5, 14) or not told:
        return wrong(run, "it is not known whether x is ever 9")
    run = verify(here, "early.c", "--reach=x == 9", "--reach=x == 8", "--format=json")
    if run.status != 14 or [q["holds"] for q in json.loads(run.text)["queries"]] != [False, False]:
        return wrong(run, "x is never 8 or 9")
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
    (here / "parts.c").write_text(PARTS)
    (here / "registers.ll").write_text(REGISTERS)
    for file, true, false, bad in (("parts.c", PARTS_TRUE, PARTS_FALSE, PARTS_BAD),
                                   ("registers.ll", REGISTERS_TRUE, REGISTERS_FALSE, REGISTERS_BAD)):
        for status, texts in (10, true), (0, false):
            for text in texts:
                yield f"query {text}", lambda t=text, s=status, f=file: asked(here, t, s, f)
        for text, message in bad:
            yield f"bad query {text}", lambda t=text, m=message, f=file: refused(here, t, m, f)
    yield "queries: every search", lambda: everywhere(here)
    yield "queries: not known", lambda: not_known(here)
    yield "queries: JSON", lambda: as_json(here)
    yield "queries: beyond endless runs", lambda: beyond_endless(here)
    yield "queries: notes", lambda: noted(here)
    yield "queries: executions", lambda: None if verify(
        here, "q.c", "--search=dpor", "--never=race").status == 2 else "--search=dpor is not refused"
