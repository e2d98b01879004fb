"""The pages of --output-html: their data are whole, and say what the JSON report says.

What a browser makes of them is tested by check.py (make check-page): chromium is too large to be
installed for `make check`."""

import functools
import json
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from suite import DIVM, ROOT, Run, verify

TEMPORARY = tempfile.TemporaryDirectory(prefix="divm-pages-")
LIST, REGISTERS = "tests/page/list.c", "tests/page/registers.c"
FRAMEWORKS = [f"examples/frameworks/{name}.cpp" for name in ("gtest", "catch2", "doctest")]


def data_of(page):
    """What the script of a page is given."""
    text = pathlib.Path(page).read_text()
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)[1])


def states_of(data):
    """The state at each step, put together from the changes."""
    state = {"stacks": {}, "objects": {}, "freed": {}}
    for moment in data["replay"]["moments"]:
        state = {name: dict(value) for name, value in state.items()}
        for name in ("stacks", "objects"):
            for key, value in moment[name].items():
                if value is not None:
                    state[name][key] = value
                    state["freed"].pop(key, None)
                    continue
                old = state[name].pop(key, None)
                if old and name == "objects" and old["kind"] == "heap":
                    state["freed"][key] = old
        yield state


def wrong_state(data, state):
    for thread, stack in state["stacks"].items():
        for function, file, line, variables in stack:
            if not function or file >= len(data["replay"]["files"]) or line < 1:
                return f"thread {thread} is nowhere"
            for variable in variables:
                if variable[0] is not None and variable[0] not in state["objects"]:
                    return f"the variable {variable[1]} of {function} is nowhere"
    for key, one in state["objects"].items():
        if not data["replay"]["names"].get(key):
            return f"an object of type {one['type']} has no name"
        for path, _, _, value in one["parts"]:
            if re.search(r"(^|\.)(a_value|a|t|ptr|_Value)$", path) and one["type"].startswith("std::"):
                return f"{data['replay']['names'][key]} has {path}, which only the library knows"
            known = not isinstance(value, list) or value[0] in state["objects"] or value[0] in state["freed"]
            # A local variable of a thread that waits in a join is as it was before what came after it.
            if not known and one["kind"] != "local":
                return f"{data['replay']['names'][key]} {path} points nowhere"
    return None


def wrong_steps(data, report):
    steps = report["error"]["steps"]
    texts = [step["text"] for step in data["steps"]]
    if texts != [step["text"] for step in steps]:
        return "other steps than the JSON report"
    for step, told in zip(data["steps"], steps):
        place = told["location"]
        if (step["at"] is None) != (place is None):
            return f"{step['text']}: another place than the JSON report"
        if place and (step["at"][2], data["sources"][step["at"][1]]["path"]) != (place["line"], place["file"]):
            return f"{step['text']}: another place than the JSON report"
        if place and len(data["sources"][step["at"][1]]["text"].splitlines()) < place["line"]:
            return f"{step['text']}: its line is not there"
    for to, arrows in enumerate(data["arrows"]):
        if any(not 0 <= source < to for source, _ in arrows):
            return f"an arrow to step {to + 1} comes from nowhere"
    return None


def wrong_text(page):
    text = pathlib.Path(page).read_text()
    if text.count("</script>") != 2 or "Content-Security-Policy" not in text:
        return "the page is not whole"
    used = set(re.findall(r"https?://[^\"' )]+", text[:text.index('id="data"')])) - {"http://www.w3.org/2000/svg"}
    return f"the page uses {used}" if used else None


def wrong_page(page, report):
    data = data_of(page)
    why = wrong_text(page) or wrong_steps(data, report)
    if why:
        return why
    if "replay" not in data or len(data["replay"]["moments"]) != len(data["steps"]):
        return "not each step has its moment"
    for k, state in enumerate(states_of(data)):
        why = wrong_state(data, state)
        if why:
            return f"step {k + 1}: {why}"
    return None


def page_of(path, args):
    page = pathlib.Path(TEMPORARY.name) / (re.sub(r"\W", "_", f"{path} {args}") + ".html")
    run = verify(path, "--format=json", "--no-trace-file", f"--output-html={page}", *args)
    return page, run


def check_page(path, args):
    page, run = page_of(path, args)
    report = json.loads(run.text)
    if report["verdict"] == "ok":
        return None if "steps" not in data_of(page) else "steps, and no error"
    if "cases" not in report:
        return wrong_page(page, report)
    for case in report["cases"]:
        own = page.with_name(f"{page.stem}.{re.sub(r'[^A-Za-z0-9._-]', '_', case['name'])}.html")
        if own.exists() != (case["verdict"] != "ok"):
            return f"{case['name']}: is {case['verdict']}, and has {'a' if own.exists() else 'no'} page"
        if case["verdict"] == "error":
            why = wrong_page(own, case)
            if why:
                return f"{case['name']}: {why}"
    return None


def check_fine():
    page, _ = page_of("examples/lost_update.c", ["-DFIXED"])
    data = data_of(page)
    return None if data["verdict"] == "no error found" and "steps" not in data else "not the verdict"


def check_orders():
    """What other memory orders would do stands on the page, of an error and of a proof."""
    for args, words in ((["--explain-orders"], "release instead of relaxed,\n    and message.c:"),
                        (["--weaken", "-DFIXED"], "message.c:23 (store) with relaxed instead of release")):
        page, _ = page_of("examples/message.c", args)
        if words not in (data_of(page)["orders"] or ""):
            return f"{args[0]}: not on the page: {words}"
    page, _ = page_of("examples/message.c", [])
    return None if data_of(page)["orders"] is None else "orders that nobody has asked for"


def check_list():
    """Whatever a thread has changed is there, with its value, when its step is shown."""
    page, _ = page_of(LIST, [])
    data = data_of(page)
    names = data["replay"]["names"]
    lengths, nodes = [], []
    for state in states_of(data):
        globals_ = {names[key]: one for key, one in state["objects"].items() if one["kind"] == "global"}
        lengths.append(int(globals_["length"]["parts"][0][3]))
        nodes.append(sum(one["type"] == "node" for one in state["objects"].values()))
    if len(data["steps"]) < 200:
        return f"only {len(data['steps'])} steps"
    if max(lengths) != 5 or max(nodes) < 5 or lengths[-1] != 5 or nodes[-1] != 4:
        return f"lengths up to {max(lengths)}, {max(nodes)} nodes, {nodes[-1]} at the end"
    head = next(one for key, one in state["objects"].items() if names[key] == "head")["parts"][0][3][0]
    next_ = next(part[3][0] for part in state["objects"][head]["parts"] if part[0] == "next")
    return None if next_ in state["freed"] else "the first node does not lead to the freed one"


def check_registers():
    """By the line at which `add` stops: the variables in its registers, as name: (type, value)."""
    shared = {"p.x": ("int", "1"), "p.y": ("short", "2"), "weight": ("double", "2.5"), "twice": ("_Bool", "true"),
              "c": ("color", "GREEN"), "byte": ("unsigned char", "200"), "text": ("char *", '"hello"'),
              "half": ("float", "1.25")}
    second = {"q.x": ("int", "2"), "q.y": ("short", "2")}
    wanted = {30: [shared | {"i": ("int", n), "inner": ("int", n + "0" if n == "1" else "0")} for n in "01"],
              33: [shared | second], 35: [shared | second],
              37: [shared | second | {"unset": ("int", "104")}]}
    page, _ = page_of(REGISTERS, [])
    data = data_of(page)
    for state in states_of(data):
        for function, _, line, variables in state["stacks"].get("2", []):
            shown = {name: (type_, value) for key, name, type_, value in
                     (one for one in variables if one[0] is None)}
            if function != "add" or line not in wanted:
                continue
            kind, node = shown.pop("n")
            if kind != "node *" or state["objects"][node[0]]["parts"][0][:1] + state["objects"][node[0]]["parts"][0][3:] != ["value", "7"]:
                return f"n is {kind}, {node}"
            if shown not in wanted[line]:
                return f"line {line} shows {shown}"
            wanted[line].remove(shown)
    left = [line for line, states in wanted.items() if states]
    return f"nothing like it at lines {left}" if left else None


def frameworks_own(data):
    """What a page shows that is a test framework's."""
    names = data["replay"]["names"]
    sources = {source["path"] for source in data["sources"]}
    for state in states_of(data):
        for key, one in state["objects"].items():
            yield from (text for text in (names[key], one["type"]) if FOREIGN.search(text))
            if one["kind"] == "heap" and not one["type"]:
                yield names[key]
        for stack in state["stacks"].values():
            for function, file, _, variables in stack:
                sources.add(data["replay"]["files"][file])
                yield from (one for variable in variables for one in variable[1:3] if FOREIGN.search(str(one)))
    yield from (path for path in sources if "examples/frameworks/" not in path)


FOREIGN = re.compile(r"testing::|gtest|Catch::|catchAssertion|autoRegistrar|doctest::|DOCTEST_RB|DOCTEST_ANON_VAR")


def check_framework(path):
    page, run = page_of(path, [])
    for case in json.loads(run.text)["cases"]:
        own = page.with_name(f"{page.stem}.{re.sub(r'[^A-Za-z0-9._-]', '_', case['name'])}.html")
        found = next(frameworks_own(data_of(own)), None) if case["verdict"] == "error" else None
        if found:
            return f"{case['name']}: shows {found}"
    return None


def check_replay():
    """A replay writes the same page as the search did."""
    here = pathlib.Path(TEMPORARY.name)
    path = ROOT / "tests/reports/stack_aba.c"
    verify(path, "-q", f"--trace-file={here}/aba.trace", f"--output-html={here}/first.html")
    Run([DIVM, "replay", "-q", f"--output-html={here}/again.html", f"{here}/aba.trace"])
    one, two = data_of(here / "first.html"), data_of(here / "again.html")
    same = all(one[name] == two[name] for name in ("steps", "arrows", "replay", "sources", "headline"))
    return None if same else "the pages differ"


def tests(programs):
    # by the names that other passes have for them, so that they are compiled once
    own = [(path.relative_to(ROOT), args) for path, args in programs]
    all_ = [*own, (LIST, []), (REGISTERS, []), ("examples/frameworks/gtest.cpp", ["--filter=Stack.*"])]
    for path, args in all_:
        yield f"page {path}", functools.partial(check_page, path, args)
    yield "page without an error", check_fine
    yield "page of memory orders", check_orders
    yield "page of a broken list", check_list
    yield "page of variables in registers", check_registers
    for path in FRAMEWORKS:
        yield f"page without the framework, {path}", functools.partial(check_framework, path)
    yield "page of a replay", check_replay
