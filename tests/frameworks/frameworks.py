"""Test frameworks: the cases of a test program, each verified on its own."""

import json
import pathlib
import re
import tempfile

from program import is_chosen
from suite import DIVM, ROOT, Run, verify

TEMPORARY = tempfile.TemporaryDirectory(prefix="divm-frameworks-")
HERE = pathlib.Path(TEMPORARY.name)
EXAMPLES = ROOT / "examples" / "frameworks"
OWN = ROOT / "tests" / "frameworks"

SAME = ["ok: empty", "ok: order", "ok: two producers", "ok: waits", "FAILED: size",
        "FAILED: top_or, with a pop"]
# file, options, status, cases, what the output says
PROGRAMS = [
    (EXAMPLES / "gtest.cpp", [], 13,
     ["ok: Stack.Empty", "ok: Stack.Order", "ok: Stack.TwoProducers", "ok: Stack.Waits",
      "FAILED: Stack.Size", "FAILED: Stack.TopOr"],
     [r"data race: Stack::push .* and (Stack::size|Stack_Size_Test)",
      r"assertion failed: Value of: top == 0 .*top is -1"]),
    (EXAMPLES / "catch2.cpp", [], 13, SAME,
     [r"assertion failed: REQUIRE\( top >= 0 \) with expansion -1 >= 0 .* at catch2.cpp:\d+\)"]),
    (EXAMPLES / "doctest.cpp", [], 13, SAME,
     [r"assertion failed: REQUIRE\( top >= 0 \) with values -1 >= 0 .* at doctest.cpp:\d+\)"]),
    (EXAMPLES / "cmocka.c", [], 13,
     ["ok: starts_at_zero", "ok: is_set", "ok: adds", "ok: two_threads_add",
      "FAILED: read_unlocked", "FAILED: add_in_two_steps"],
     [r"add at cmocka.c:\d+ .* and read_unlocked at cmocka.c:\d+"]),
    (OWN / "kinds.cpp", [], 10,
     ["ok: Fixture.Is7", "ok: Some/Even.Is/0", "FAILED: Some/Even.Is/1",
      "ok: Typed/0.Starts", "ok: Typed/1.Starts", "skipped: Kinds.DISABLED_Fails",
      "ok: Kinds.Skips", "ok: Kinds.Expected", "FAILED: Kinds.InThread", "ok: Kinds.Mock"],
     [r"in a thread"]),
    (OWN / "deaths.cpp", [], 10,
     ["ok: Dies.ByAbort", "ok: Dies.ByAssertion", "ok: Dies.ByNull", "ok: Dies.ByDivision",
      "ok: Dies.ByExit", "ok: Dies.AndSaysWhy", "FAILED: Fails.Alive",
      "FAILED: Fails.OutOfBounds", "FAILED: Fails.InTheParent"],
     [r"failed to die", r"assertion failed: nowhere", r"out of bounds: array \+ 12 of past"]),
    (OWN / "stuck.cpp", [], 11, ["FAILED: Stuck.Twice", "ok: Stuck.Not"],
     [r"deadlock: 2 threads are blocked forever: Stuck_Twice_Test at"]),
    (OWN / "stuck.cpp", ["--search=dpor", "--filter=Stuck.Not"], 5, ["incomplete: Stuck.Not"],
     [r"first Stuck.Not: --search=dpor does not suit the program: it forks"]),
    (OWN / "odd_names.cpp", [], 10,
     ['ok: a, b & <c> "d"', "ok: a", "FAILED: fails [x]", "FAILED: ", "FAILED: two"], []),
    (OWN / "odd_names_catch2.cpp", ["--no-trace-file"], 10,
     ["ok: fine", "FAILED: led, [x] \"*\\", "FAILED: two", "FAILED: lines",
      "FAILED: Anonymous test case 1"], [r"No test cases matched"]),
    (OWN / "kinds_catch2.cpp", [], 10,
     ["ok: may fail", "ok: should fail", "ok: sections", "ok: looks", "ok: throws as it should",
      "FAILED: throws", "FAILED: says why", "FAILED: in the second section",
      "FAILED: none is thrown"],
     [r"CHECK\( answer\(false\) == 2 \); before it; unforeseen .* at kinds_catch2.cpp:\d+",
      r"assertion failed: for a reason", r"CHECK\( other == 3 \) with expansion 2 == 3",
      r"REQUIRE_THROWS\( .* \)"]),
    (OWN / "kinds_doctest.cpp", [], 10,
     ["ok: may fail", "ok: should fail", "ok: fails once", "ok: subcases", "ok: warns",
      "ok: throws as it should", "FAILED: throws", "FAILED: throws in a subcase",
      "FAILED: says why", "FAILED: in the second subcase", "FAILED: none is thrown"],
     [r"assertion failed: exception: unforeseen in the test case at kinds_doctest.cpp:\d+",
      r"assertion failed: exception: in a subcase", r"assertion failed: for a reason",
      r"CHECK\( other == 3 \) with values 2 == 3",
      r"REQUIRE_THROWS\( .* \) did not throw what it should"]),
]


def cases_of(run):
    return [f"{kind}: {name}" for kind, name in re.findall(
        r"^(ok|FAILED|incomplete|skipped) +(.*?)(?:: \d+ states, .* s)?$", run.text, re.M)]


def check_program(path, options, status, cases, texts):
    junit = HERE / f"{path.name}.xml"
    run = verify(*options, f"--output-junit={junit}", path, cwd=HERE)
    if run.status != status:
        return f"{run.told()}, expected {status}\n{run.show()}"
    found = cases_of(run)
    if sorted(found) != sorted(cases):
        return f"the cases are {found}\n{run.show()}"
    for text in texts:
        if not re.search(text, run.text):
            return f"the output does not match /{text}/\n{run.show(80)}"
    valid = Run(["xmllint", "--noout", "--schema", OWN / "junit.xsd", junit])
    if valid.status != 0:
        return f"the JUnit file is not valid\n{valid.show()}"
    return check_junit(junit.read_text(), found) or replays(run)


def check_junit(text, found):
    counts = {name: int(re.search(rf' {name}="(\d+)"', text)[1])
              for name in ("tests", "failures", "skipped", "errors")}
    said = {"tests": len(found), "errors": sum(c.startswith("incomplete") for c in found),
            "failures": sum(c.startswith("FAILED") for c in found),
            "skipped": sum(c.startswith("skipped") for c in found)}
    return None if counts == said else f"the JUnit file counts {counts}, not {said}"


def replays(run):
    """The first and the last trace lead to their errors again."""
    traces = re.findall(r"replay with: divm replay (.*)", run.text)
    for trace in traces[:1] + traces[1:][-1:]:
        again = Run([DIVM, "replay", trace], cwd=HERE)
        if again.status < 10:
            return f"{trace} does not replay\n{again.show()}"
    return None


def check_filter():
    run = verify("--no-trace-file", "--filter=add*", EXAMPLES / "cmocka.c", cwd=HERE)
    if run.status != 15 and run.status != 10 or cases_of(run) != ["ok: adds",
                                                                 "FAILED: add_in_two_steps"]:
        return f"{run.told()}: {cases_of(run)}\n{run.show()}"
    run = verify("--filter=nothing", EXAMPLES / "cmocka.c", cwd=HERE)
    named = "no test case matches 'nothing'; there are " in run.errors
    return None if run.status == 2 and named else run.show()


def check_none():
    """As a whole the program's first failing case decides."""
    run = verify("--no-trace-file", "--test-framework=none", EXAMPLES / "cmocka.c", cwd=HERE)
    if run.status != 13 or cases_of(run):
        return f"{run.told()}\n{run.show()}"
    run = verify("--test-framework=gtest", EXAMPLES / "cmocka.c", cwd=HERE)
    return None if run.status == 3 else run.show()


def check_limit():
    run = verify("--max-states=5", "--filter=two*", "--output-junit=limit.xml",
                 EXAMPLES / "cmocka.c", cwd=HERE)
    good = (run.status == 5 and re.match("divm: incomplete: 1 of 1 cases", run.last_line()) and
            re.search(r"divm simulate --filter=two\w+ ", run.text))
    return None if good and "<error" in (HERE / "limit.xml").read_text() else run.show()


def check_json():
    run = verify("--no-trace-file", "--format=json", EXAMPLES / "cmocka.c", cwd=HERE)
    report = json.loads(run.text)
    names = [c["name"] for c in report["cases"]]
    good = report["verdict"] == "error" and report["error"]["class"] == "race"
    return None if good and len(names) == 6 and "adds" in names else run.show()


def check_plain_junit():
    """A program without a framework is one case."""
    run = verify("--output-junit=plain.xml", ROOT / "examples/queue.c", cwd=HERE)
    text = (HERE / "plain.xml").read_text()
    return None if run.status == 0 and 'tests="1" failures="0"' in text else run.show()


def tests():
    for path, *expected in PROGRAMS:
        name = f"frameworks: {path.name}"
        if path.parent == EXAMPLES or is_chosen(name, 3):
            yield name, lambda p=path, e=expected: check_program(p, *e)
    for each in (check_filter, check_none, check_limit, check_json, check_plain_junit):
        yield f"frameworks: {each.__name__[6:].replace('_', ' ')}", each
