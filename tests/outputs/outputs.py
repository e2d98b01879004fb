"""The reports in files: each is valid by its format, and says what the JSON report says."""

import functools
import hashlib
import json
import pathlib
import re
import sys
import tempfile
import urllib.parse
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from suite import DIVM, ROOT, Run, verify

OWN = pathlib.Path(__file__).resolve().parent
TEMPORARY = tempfile.TemporaryDirectory(prefix="divm-outputs-")
FILES = {"sarif": "out.sarif", "junit": "out.xml", "witness": "out.yml"}

# Beside the faulty programs of tests/reports; name, options.
PROGRAMS = [
    ("examples/queue.c", []),
    ("examples/lost_update.c", ["-DFIXED"]),
    ("examples/memory_leak.c", []),
    ("examples/frameworks/cmocka.c", []),
    ("examples/frameworks/gtest.cpp", ["--filter=Stack.*"]),
    ("tests/bench/counter.c", ["-DN=4", "-DSTEPS=4", "--max-states=50"]),
    ("tests/races/free_read.c", []),
    ("tests/outputs/many.c", ["--continue"]),
    ("tests/outputs/many.c", ["--continue", "--max-states=200"]),
    ("examples/lost_update.c", ["-DFIXED", "--continue"]),
    ("examples/frameworks/gtest.cpp", ["--continue"]),
    ("tests/endless/ring.c", ["-DFEWER"]),
    ("tests/endless/spin_lock.c", ["-DFORGOTTEN"]),
    ("tests/liveness/philosophers.c", ["--fair"]),
    ("tests/liveness/elevator.c", ["-DSTAYS", "--fair", "--endless=allow", "--ltl=G(calls[0] -> F floor == 0)"]),
]
ODD = {
    "odd names/ü & <x>.c": '#include <stdlib.h>\nint main(void) { abort(); }\n',
    "refused.c": "int nowhere(void);\nint main(void) { return nowhere(); }\n",
    "relaxed.c": "#include <stdatomic.h>\natomic_int x;\nint main(void) {\n"
                 "    atomic_store_explicit(&x, 1, memory_order_relaxed);\n}\n",
}


@functools.cache
def validator(name):
    import jsonschema
    return jsonschema.Draft202012Validator(json.loads((OWN / name).read_text()))


def errors_of(report):
    """All errors, those of test cases and of --continue included."""
    for one in report.get("cases", [report]):
        yield from one.get("errors", [one["error"]] if "error" in one else [])


# ---- SARIF 2.1.0: the schema, and what the standard's text asks for beyond it -----------------

def places(node):
    """All physical locations in a document."""
    if isinstance(node, dict):
        if "artifactLocation" in node:
            yield node
        for value in node.values():
            yield from places(value)
    elif isinstance(node, list):
        for value in node:
            yield from places(value)


def wrong_place(place, base):
    location = place["artifactLocation"]
    uri = location["uri"]
    if "uriBaseId" in location and re.match("/|[a-z]+:", uri):
        return f"{uri} is not relative"
    whole = urllib.parse.urljoin(base, uri) if "uriBaseId" in location else uri
    parts = urllib.parse.urlsplit(whole)
    file = pathlib.Path(urllib.parse.unquote(parts.path))
    if parts.scheme != "file" or not file.is_file():
        return f"{uri} names no file"
    lines = len(file.read_bytes().splitlines())
    line = place["region"]["startLine"]
    return f"{uri} has no line {line}" if line > lines else None


def flow_of(result):
    """(number, thread, text) of each location, in the order of execution."""
    found = []
    for code_flow in result.get("codeFlows", []):
        for flow in code_flow["threadFlows"]:
            numbers = [at["executionOrder"] for at in flow["locations"]]
            if numbers != sorted(numbers):
                raise ValueError(f"thread flow {flow['id']} is out of order: {numbers}")
            found += [(at["executionOrder"], int(flow["id"]), at["location"]["message"]["text"])
                      for at in flow["locations"]]
    return sorted(found)


def check_result(result, rules, error):
    if rules[result["ruleIndex"]]["id"] != result["ruleId"]:
        return f"ruleIndex {result['ruleIndex']} is not {result['ruleId']}"
    if result["ruleId"] != error["kind"].replace(" ", "-"):
        return f"{result['ruleId']}, but {error['kind']}"
    if not result["message"]["text"].endswith(error["message"]):
        return f"the message is {result['message']['text']}"
    steps = [(i + 1, step["thread"], step["text"]) for i, step in enumerate(error["steps"])]
    if flow_of(result) != steps:
        return f"the flow is {flow_of(result)}, but the steps are {steps}"
    place = error["location"]
    line = result["locations"][0].get("physicalLocation", {}).get("region", {}).get("startLine")
    return f"line {line}, but {place}" if place and place["line"] != line else None


def check_sarif(text, report, status):
    document = json.loads(text)
    for error in validator("sarif.schema.json").iter_errors(document):
        return f"{error.json_path}: {error.message}"
    run = document["runs"][0]
    base = run["originalUriBaseIds"]["%SRCROOT%"]["uri"]
    rules = run["tool"]["driver"]["rules"]
    if len({rule["id"] for rule in rules}) != len(rules):
        return "a rule stands there twice"
    for place in places(document):
        if problem := wrong_place(place, base):
            return problem
    errors = [error for error in errors_of(report) if error["class"] != "refused"]
    if len(errors) != len(run["results"]) or len(errors) > 1 and "errors" in report and (
            len({result["partialFingerprints"]["kindAndFunctions/v1"]
                 for result in run["results"]}) != len(errors)):
        return f"{len(run['results'])} results, but {len(errors)} errors"
    for result, error in zip(run["results"], errors):
        if problem := check_result(result, rules, error):
            return problem
    said = [n["message"]["text"] for n in run["invocations"][0]["toolExecutionNotifications"]]
    for note in report["notes"]:
        if note not in said:
            return f"the note {note!r} is missing in {said}"
    if "limit" in report and f"incomplete: {report['limit']}" not in said:
        return f"nothing says that the search is incomplete: {said}"
    return None if run["invocations"][0]["exitCode"] == status else "another exit status"


# ---- JUnit -------------------------------------------------------------------------------------

def check_junit(file, report, here):
    valid = Run(["xmllint", "--noout", "--schema", ROOT / "tests/frameworks/junit.xsd", file])
    if valid.status != 0:
        return valid.show()
    cases = list(xml.etree.ElementTree.parse(file).getroot().iter("testcase"))
    reports = [{"error": error} if error else {} for one in report.get("cases", [report])
               for error in one.get("errors", [one.get("error")]) or [None]]
    done = [case for case in cases if case.find("skipped") is None]
    if len(done) != len(reports):
        return f"{len(done)} test cases, but {len(reports)} reports"
    for case, one in zip(done, reports):
        place = one.get("error", {}).get("location")
        line = str(place["line"]) if place else None
        if case.get("line") != line or not (here / case.get("file")).is_file():
            return f"file {case.get('file')}, line {case.get('line')}, but {place}"
        if place and not place["file"].endswith(case.get("file")):
            return f"file {case.get('file')}, but {place}"
    return None


# ---- violation witnesses -----------------------------------------------------------------------

# What SV-COMP calls such errors.
PROPERTIES = {
    "call(reach_error())": ["assertion failed", "abort"],
    "data-race": ["data race"],
    "overflow": ["signed overflow"],
    "valid-free": ["invalid free", "double free"],
    "valid-memcleanup": ["memory leak"],
    "valid-deref": ["null pointer dereference", "access out of bounds", "use after free",
                    "race of free and use", "variable used after its lifetime"],
}
PROPERTY_OF = {kind: name for name, kinds in PROPERTIES.items() for kind in kinds}


def check_waypoints(segments, error, threads):
    """Threads have the next number where they are made, and run only after that; the last
    segment has the error, and for a data race both sides."""
    made = 1
    for segment in segments:
        last = segment is segments[-1]
        for waypoint in segment:
            if (waypoint["type"] == "target") != last:
                return f"{waypoint['type']} in a wrong place"
            if ("thread_id" in waypoint) != threads or waypoint.get("thread_id", 0) >= made:
                return f"no such thread: {waypoint}"
            made += waypoint["type"] == "function_enter"
        if len(segment) != 1 and not (last and error["kind"] == "data race"):
            return f"{len(segment)} waypoints in a segment"
    target = segments[-1][-1]["location"]
    place = error["location"]
    if place and (target["line"], target["function"]) != (place["line"], place["function"]):
        return f"the target is {target}, but the error is at {place}"
    if error["kind"] == "data race" and len(segments[-1]) != 2:
        return "not both sides of the race"
    return None


def check_entry(entry, error, here):
    task = entry["metadata"]["task"]
    if PROPERTY_OF[error["kind"]] not in task["specification"]:
        return f"{error['kind']} is not {task['specification']}"
    for name, digest in task["input_file_hashes"].items():
        if hashlib.sha256((here / name).read_bytes()).hexdigest() != digest:
            return f"another hash of {name}"
    segments = [[w["waypoint"] for w in s["segment"]] for s in entry["content"]]
    for waypoint in sum(segments, []):
        place = waypoint["location"]
        if place["line"] > len((here / place["file_name"]).read_bytes().splitlines()):
            return f"there is no line {place}"
    return check_waypoints(segments, error, entry["metadata"]["format_version"] == "2.2")


def check_witness(text, report, here):
    import yaml
    entries = yaml.safe_load(text)
    for error in validator("witness.schema.json").iter_errors(entries):
        return f"{error.json_path}: {error.message}"
    errors = [error for error in errors_of(report) if error["kind"] in PROPERTY_OF
              and not any(thread["process"] for thread in error["threads"])]
    if len(entries) != len(errors):
        return f"{len(entries)} entries, but {len(errors)} errors"
    for entry, error in zip(entries, errors):
        if problem := check_entry(entry, error, here):
            return problem
    return None


# ---- all of them -------------------------------------------------------------------------------

def check(path, options, text=None):
    """The program is a file of the project, which is compiled once for all passes, or has this text and
    a folder of its own."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=TEMPORARY.name))
    here = folder if text else ROOT
    if text:
        (here / path).parent.mkdir(exist_ok=True)
        (here / path).write_text(text)
    else:
        path = path.relative_to(ROOT)
    outputs = [f"--output-{kind}={folder / file}" for kind, file in FILES.items()]
    search = [] if "--fair" in options else ["--search=bfs"]
    run = verify("-j", "1", *search, "--no-trace-file", "--format=json", *outputs,
                 *options, path, cwd=here)
    if run.status is None or not run.text:
        return run.show()
    report = json.loads(run.text)
    problem = check_sarif((folder / FILES["sarif"]).read_text(), report, run.status)
    if problem:
        return f"SARIF: {problem}\n{run.show()}"
    problem = check_junit(folder / FILES["junit"], report, here)
    if problem:
        return f"JUnit: {problem}\n{run.show()}"
    problem = check_witness((folder / FILES["witness"]).read_text(), report, here)
    return f"witness: {problem}\n{run.show()}" if problem else None


MANY = ROOT / "tests/outputs/many.c"
SEARCHES = [["--search=auto"], ["--search=bfs", "-j", "2"], ["--search=dfs"], ["--search=dpor"],
            ["--search=bfs", "--store=exact"], ["--reduction=none"]]
KINDS = {"assertion failed": 10, "data race": 13, "deadlock": 11, "memory leak": 12}


def check_all_errors(options):
    """Each search finds all errors, and each has a trace that leads to it."""
    here = pathlib.Path(tempfile.mkdtemp(dir=TEMPORARY.name))
    run = verify("-j", "1", "--continue", "--format=json", *options, MANY, cwd=here)
    errors = json.loads(run.text)["errors"]
    kinds = [error["kind"] for error in errors]
    if set(kinds) != set(KINDS) or len(kinds) != len(KINDS):
        return f"{kinds}\n{run.show()}"
    if run.status != KINDS[kinds[0]]:
        return f"{run.told()}, but {kinds}"
    for i, error in enumerate(errors):
        again = Run([DIVM, "replay", f"many.c.{i + 1}.trace"], cwd=here)
        if again.last_line() != f"divm: error: {error['message']}":
            return f"trace {i + 1} is not of {error['message']}\n{again.show()}"
    return None


def check_bystander(define, deadlocks):
    """Deadlocks are told apart by their circles of locks."""
    here = pathlib.Path(tempfile.mkdtemp(dir=TEMPORARY.name))
    run = verify("-j", "1", "--continue", "--format=json", *define, ROOT / "tests/outputs/bystander.c", cwd=here)
    report = json.loads(run.text)
    kinds = [error["kind"] for error in report.get("errors", [report["error"]])]
    return None if kinds == ["deadlock"] * deadlocks else f"{kinds}\n{run.show()}"


def check_switches(options):
    """Of the shortest errors one with a single preemption is told, and so two switches are needed
    beside those to the first of each thread."""
    run = verify("-j", "1", "--search=bfs", "--no-trace-file", "--format=json", *options,
                 ROOT / "tests/outputs/switches.c")
    steps = json.loads(run.text)["error"]["steps"]
    order = [step["thread"] for step in steps if step["thread"] != 1]
    blocks = [tid for i, tid in enumerate(order) if i == 0 or order[i - 1] != tid]
    return None if run.status == 10 and len(blocks) == 4 else f"{blocks}\n{run.show()}"


PLAIN = """#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 5, other;
static void *spend(void *arg)
{
    pthread_mutex_lock(&lock);
    balance = balance - 3;
    pthread_mutex_unlock(&lock);
    if (arg)
        other = 1;
    return arg;
}
int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, spend, 0);
    pthread_create(&t[1], 0, spend, &lock);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(balance >= 0);
}
"""


def check_accesses():
    """Plain accesses of what both threads touch are rows, with values; by a replay too, and
    only if they are asked for."""
    here = pathlib.Path(tempfile.mkdtemp(dir=TEMPORARY.name))
    (here / "plain.c").write_text(PLAIN)
    rows = ["read balance = 5", "write balance = 2", "read balance = 2", "write balance = -1"]
    for args, told in ((["verify", "-j1", "--trace=accesses", "plain.c"], True),
                       (["replay", "--trace=accesses", "plain.c.trace"], True),
                       (["replay", "plain.c.trace"], False)):
        run = Run([DIVM, *args, "--format=json"], cwd=here)
        steps = json.loads(run.text)["error"]["steps"]
        found = [step["text"] for step in steps if step["kind"] == "access"]
        if found[:4] != (rows if told else []) or any("other" in text for text in found):
            return f"{found}\n{run.show()}"
        text = Run([DIVM, *args], cwd=here).text
        if all(row in text for row in rows) != told:
            return text
    return None


def check_text():
    """The text has a report of each, and the last line counts them."""
    run = verify("-j", "1", "--continue", "--search=bfs", "--no-trace-file", MANY)
    heads = re.findall(r"^(\d of \d): error: (.*)$", run.text, re.M)
    last = f"divm: error: 4 errors, first {heads[0][1]}" if heads else ""
    good = [n for n, _ in heads] == ["1 of 4", "2 of 4", "3 of 4", "4 of 4"]
    return None if good and run.last_line() == last else run.show(200)


def check_unwritable(kind):
    run = verify(f"--output-{kind}=nowhere/a", "examples/queue.c")
    said = f"divm: --output-{kind}=nowhere/a: No such file or directory\n"
    return None if run.status == 2 and run.errors == said else run.show()


def tests(programs):
    """Of these programs (path, options) and some more."""
    for path, text in ODD.items():
        yield f"outputs: {path}", lambda p=path, t=text: check(p, [], t)
    for path, options in [*programs, *[(ROOT / path, o) for path, o in PROGRAMS]]:
        name = " ".join(["outputs:", str(path.relative_to(ROOT)), *options])
        yield name, lambda p=path, o=options: check(p, o)
    for options in SEARCHES:
        yield f"outputs: all errors {' '.join(options)}", lambda o=options: check_all_errors(o)
    for define, deadlocks in ([], 1), (["-DSELF"], 2):
        yield f"outputs: bystanders {' '.join(define)}", lambda d=define, n=deadlocks: check_bystander(d, n)
    yield "outputs: all errors as text", check_text
    yield "outputs: plain accesses", check_accesses
    for options in [], ["-DN=1"], ["-DN=3"], ["--store=exact"], ["--reduction=no-thread-symmetry"]:
        yield f"outputs: few preemptions {' '.join(options)}", lambda o=options: (
            check_switches(o))
    for kind in FILES:
        yield f"outputs: {kind} in a folder that is not there", lambda k=kind: (
            check_unwritable(k))
