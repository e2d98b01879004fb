"""What the command does with bad input, limits and options: exit status, one clear
line of error, and the last line of its report."""

import json
import os
import re

import asked
import compiled
import covered
import endless
import installed
import interrupts
import likely
import limits
import live
import long
import misspelt
import several
from sources import CXX, HERE, prepare
from suite import DIVM, ROOT, Run, verify


class Case:
    """One call of divm in the temporary folder, and what must come of it."""

    def __init__(self, name, args, status, out=None, err=None, last=None, lines=None,
                 env=None, check=None):
        self.name, self.args, self.status = name, args, status
        self.out, self.err, self.last, self.lines = out, err, last, lines
        self.env, self.check = env, check

    def __call__(self):
        run = Run([DIVM, *self.args], cwd=HERE, env={**os.environ, **(self.env or {})})
        problem = self.problem(run)
        return problem and f"{problem}\n{run.show()}"

    def problem(self, run):
        if run.status != self.status:
            return f"{run.told()}, expected {self.status}"
        if self.out is not None and not re.search(self.out, run.text):
            return f"standard output does not match /{self.out}/"
        if self.err is not None and not re.search(self.err, run.errors):
            return f"standard error does not match /{self.err}/"
        if self.last is not None and not re.fullmatch(self.last, run.last_line()):
            return f"the last line does not match /{self.last}/"
        if self.lines is not None and len((run.text + run.errors).splitlines()) != self.lines:
            return f"not {self.lines} line(s) of output"
        return self.check(run) if self.check else None


def json_endless(run):
    error = json.loads(run.text)["error"]
    if (error["class"], error["kind"], error["location"]["line"]) != ("endless", "endless run", 1):
        return f"it is {error}"
    places = [(loop["thread"], loop["location"]["line"]) for loop in error["for_ever"]]
    return None if places == [(1, 1)] else f"threads go on at {places}"


def json_other(run):
    """The read and the free that nothing orders, with lines and threads."""
    error = json.loads(run.text)["error"]
    sides = [error["location"]["line"], error["other"]["location"]["line"], error["other"]["did"],
             error["other"]["thread"], [place["function"] for place in error["other"]["stack"]]]
    return None if sides == [4, 5, "read", 1, ["look", "main"]] else f"sides: {sides}"


def is_json(**expected):
    def check(run):
        report = json.loads(run.text)
        for key, value in expected.items():
            if report.get(key) != value:
                return f"{key} is {report.get(key)!r}, expected {value!r}"
        return None
    return check


def json_rows(run):
    """Every row of the list is a step of the JSON report, and no step is none."""
    text = verify("--trace=list", "--no-trace-file", "--search=bfs", "-j", "1", "free_read.c",
                  cwd=HERE).text
    rows = re.findall(r"^ +\d+ +thread (\d+) \(\w+\) +(?:\d+: )?(.*?)(?: \((\d+) x\))?$",
                      text, re.M)
    steps = [(str(step["thread"]), step["text"], "" if step["times"] == 1 else str(step["times"]))
             for step in json.loads(run.text)["error"]["steps"]]
    return None if rows and rows == steps else f"{rows}\nbut {steps}"


def json_compared(run):
    """Each hash of 64 bits that was compared may have been taken for another one."""
    report = json.loads(run.text)
    told, compared = report["omission_probability"], report["compared"]
    return None if compared > 0 and told == compared / 2 ** 64 else f"{told} of {compared}"


def json_last(thread, value, line, text):
    """What the only steps say that an older store was read, or that a store comes before another."""
    def check(run):
        steps = json.loads(run.text)["error"]["steps"]
        found = {(s["last_stored_by"], s["last_stored"], s["last_stored_at"]["line"], s["text"]) for s in steps
                 if s["last_stored"]}
        return None if found == {(thread, value, line, text)} else f"last stores: {found}"
    return check


def has_text(name, text):
    def check(_):
        return None if text in (HERE / name).read_text() else f"{name} says nothing of '{text}'"
    return check


def is_notified(name, pattern):
    """A note of the SARIF file has the text."""
    def check(_):
        run = json.loads((HERE / name).read_text())["runs"][0]
        notes = [n["message"]["text"] for n in run["invocations"][0]["toolExecutionNotifications"]
                 if n["level"] == "note"]
        return None if any(re.search(pattern, note) for note in notes) else f"notes: {notes}"
    return check


def junit_note(name, text):
    def check(_):
        report = (HERE / name).read_text()
        return None if f"<system-out>{text}</system-out>" in report else report
    return check


def no_escapes(run):
    return "escape sequences in the output" if "\033" in run.text + run.errors else None


def escapes(run):
    return None if "\033" in run.text else "no colour"


def no_file(name):
    return lambda run: f"{name} was left behind" if (HERE / name).exists() else None


WEAK_IN = (r"divm: no error found: \d+ states?, \d+ transitions?, complete under C11's memory model "
           r"\(%s is %s\)")
WEAK_SC = (r"divm: no error found: \d+ states?, \d+ transitions?, complete under sequential "
           r"consistency \(%s is %s: not checked\)")
WEAK_CXX = WEAK_IN % (r"weak\.cpp:6", "acquire, and 1 more")
WEAK_VACUOUS = WEAK_IN % (r"weak_vacuous\.c:4", "relaxed") + ", but no execution ends: .*"
OK = r"divm: no error found: \d+ states?, \d+ transitions?, complete"
ENDLESS = (r"divm: error: endless run: no end of the program can be reached any more: "
           r"main at endless\.c:1")
PART = (r"divm: incomplete: .*: no error in (\d+ states?|the first (\d+ actions|action) of all interleavings "
        r"\(\d+ states?(, \d+ executions?)?\)|\d+ executions?(, .* of all, as it seems)?)")

CASES = [
    Case("a missing file", ["verify", "missing.c"], 3, err="missing.c.*No such file", lines=1),
    Case("a missing file among others", ["verify", "fine.c", "missing.c"], 3, err="missing.c"),
    Case("a folder", ["verify", "."], 3, err="^divm: "),
    Case("a file of unknown kind", ["verify", "not.trace"], 3, err="not.trace", lines=1),
    Case("an ifunc in an initial value", ["verify", "ifunc.c"], 3,
         err="calls: its initial value needs the ifunc fast, which is not supported"),
    Case("a syntax error", ["verify", "bad_syntax.c"], 3, err="bad_syntax.c:1:26.*error"),
    Case("no main", ["verify", "no_main.c"], 3, err="main", lines=1),
    Case("no such entry", ["verify", "--entry=nothing", "fine.c"], 3, err="nothing", lines=1),
    Case("another entry", ["verify", "--no-trace-file", "--entry=test", "entry.c"], 10,
         last=".*entry.c:2.*"),
    Case("bitcode that is none", ["verify", "bad.bc"], 3, err="bad.bc", lines=1),
    Case("empty bitcode", ["verify", "empty.bc"], 3, err="empty.bc", lines=1),
    Case("assembly that is none", ["verify", "garbage.ll"], 3, err="garbage.ll"),
    Case("an unresolved function", ["verify", "--no-trace-file", "unresolved.c"], 3,
         out="nowhere", last="divm: error: .*nowhere.*"),
    Case("inline assembly", ["verify", "--no-trace-file", "asm.c"], 3, check=lambda run: (
        None if "asm.c:4" in run.text + run.errors else "the place is not named")),
    *(Case(f"a hypercall in {name}.c", ["verify", f"{name}.c"], 3, lines=1,
           err=f"{name}.c: __divm_\\w+ is the runtime's own: a program cannot use it")
      for name in ("hypercall", "hypercall_taken", "hypercall_alias", "hypercall_own")),
    Case("a function of the kernel's", ["verify", "--no-trace-file", "kernel_call.c"], 3,
         last="divm: error: .*call of os_exit, which is not defined anywhere.*kernel_call.c:4.*"),
    Case("a variable of the kernel's", ["verify", "--no-trace-file", "kernel_variable.c"], 3,
         last="divm: error: .*use of os_interruptible, which is not defined anywhere.*kernel_variable.c:4.*"),
    Case("a section of a constructor that has a name", ["verify", "section_name.c"], 3, lines=1,
         err="start: section .init_array.early is not supported"),
    Case("no function in a section", ["verify", "section_null.c"], 3, lines=1,
         err="start: has no function in section .init_array"),
    Case("something else in a section", ["verify", "section_data.c"], 3, lines=1,
         err="a constructor or destructor is no function"),
    Case("no command", [], 2, err="divm"),
    Case("an unknown command", ["verfy", "fine.c"], 2, err="verfy"),
    Case("a negation that there is not", ["verify", "--no-trace", "fine.c"], 2,
         err="no-trace; see divm verify --help", lines=1),
    Case("an unknown option", ["verify", "--wokers=2", "fine.c"], 2, err="wokers.*--workers",
         lines=1),
    Case("an option of compilers that is none of divm's", ["verify", "-c", "fine.c"], 2,
         err="^divm: unknown option -c; use divm cc or divm c\\+\\+ to compile", lines=1),
    Case("an unknown option with one dash", ["verify", "-zero", "fine.c"], 2,
         err="^divm: unknown option -zero; .*-Xclang ARG", lines=1),
    Case("options of builds", ["verify", "-Wall", "-Wextra", "-W", "-w", "-g", "-g3", "-ggdb",
                               "-march=x86-64-v2", "-msse4.2", "-mtune=native", "-pedantic",
                               "-fno-strict-aliasing", "-static", "-pie", "-pipe", "-ansi",
                               "-fsanitize=address,undefined", "-fstack-protector-strong", "-flto",
                               "--coverage", "-pg", "-Wl,-z,now", "-rdynamic", "-s", "fine.c"],
         0, last=OK),
    Case("options of builds by GCC, and those for make",
         ["verify", "-MMD", "-MP", "-MF", "fine.d", "-MT", "fine.o", "-save-temps", "--save-temps=obj",
          "-fanalyzer", "-Wmaybe-uninitialized", "-Wlogical-op", "-Werror", "-fdump-tree-all", "-fopt-info",
          "-fno-ipa-icf", "-fstack-usage", "-fgraphite", "-fconcepts", "-mpreferred-stack-boundary=4",
          "-shared-libgcc", "--sysroot=/", "--param=none=1", "-fno-gcse",
          "-specs=none", "-Q", "-undef", "fine.c"], 0, last=OK,
         check=lambda run: run.errors or no_file("fine.d")(run)),
    Case("options of builds that the precompiled header has to share",
         ["verify", "-trigraphs", "-ansi", "-finstrument-functions", "-nostdinc++", "guard.cpp"], 0, last=OK),
    Case("an option that no compiler knows", ["verify", "-fanalyse", "fine.c"], 3,
         err="unknown argument.*-fanalyse"),
    Case("a file and its arguments behind --", ["verify", "--no-trace-file", "--", "echo.c", "x"], 15),
    Case("a file behind --", ["verify", "-q", "--", "fine.c"], 0, last=OK),
    Case("options in a file", ["verify", "told.c"], 0, last=OK,
         err=r"\Adivm: options of told.c:1: -DSIZE=3 --no-leaks\ndivm: options of told.c:2: --clock=prompt\n"),
    Case("options in a file, quietly", ["verify", "-q", "told.c"], 0, last=OK, lines=1),
    Case("options in a file as JSON", ["verify", "--format=json", "told.c"], 0,
         check=is_json(file_options=[{"place": "told.c:1", "options": "-DSIZE=3 --no-leaks"},
                                     {"place": "told.c:2", "options": "--clock=prompt"}])),
    Case("options in a file, and others on the command line",
         ["verify", "--no-trace-file", "--leaks=yes", "told.c"], 12),
    Case("options in a file that are not wanted", ["verify", "--no-file-options", "told.c"], 3, err="SIZE"),
    Case("options in a file: simulate", ["simulate", "told.c"], 5, err="options of told.c:1: -DSIZE=3"),
    Case("options in a file: probability", ["probability", "--of=ended(1)", "told.c"], 0,
         err="options of told.c:1: -DSIZE=3"),
    Case("options in a file: run", ["run", "-v", "told.c"], 0, err="options of told.c:1: -DSIZE=3"),
    Case("an unknown option in a file", ["verify", "told_wrong.c"], 2,
         err=r"^divm: unknown option --clok; did you mean --clock\?\ndivm: \(from told_wrong.c:2\)$"),
    Case("a file in a file", ["verify", "told_file.c"], 2, err="^divm: told_file.c:1: fine.c is no option"),
    Case("an option in a file that writes one", ["verify", "told_output.c"], 2, lines=2,
         err="^divm: told_output.c:1: --output-junit=x.xml may stand on the command line only"),
    Case("an option in a file that loads one", ["verify", "told_plugin.c"], 2, lines=2,
         err="^divm: told_plugin.c:1: -fplugin=x.so may stand on the command line only"),
    Case("a hint: sleep", ["verify", "--no-trace-file", "slept.c"], 10,
         out=r"\nhint: a sleep \(slept.c:11\) orders nothing, .*--clock=prompt\n"),
    Case("a hint: sleep, as JSON", ["verify", "--no-trace-file", "--format=json", "slept.c"], 10,
         check=lambda run: None if "slept.c:11" in json.loads(run.text)["hint"] else "no hint"),
    Case("that hint, taken", ["verify", "-q", "--clock=prompt", "slept.c"], 0, last=OK + ".*"),
    Case("a hint: a limit of time", ["verify", "--no-trace-file", "timed.c"], 10,
         out=r"\nhint: a time limit \(timed.c:11\) may pass at any moment: .*--clock=prompt\n"),
    Case("no hint", ["verify", "--no-trace-file", "status.c"], 15,
         check=lambda run: "a hint" if "hint:" in run.text else None),
    Case("a hint: a missing file", ["verify", "--no-trace-file", "part_a.c"], 3,
         out=r"\nhint: give the file that defines it as well; .*divm cc"),
    Case("a hint: a missing file that the build has",
         ["verify", "--no-trace-file", "-p", "database", "part_a.c"], 3,
         out=r"\nhint: give the file that defines it as well: compile_commands.json has part_b.c, fine.c\n"),
    Case("a library that is not there", ["verify", "fine.c", "-lnowhere"], 3,
         err="^divm: -lnowhere: no folder given with -L has libnowhere.a, built with divm cc", lines=1),
    Case("an option of builds that needs a value", ["verify", "fine.c", "-isystem"], 2,
         err="^divm: -isystem requires a value$", lines=1),
    Case("a warning is one, and no more", ["verify", "-Wunused-variable", "warned.c"], 0,
         err="warned.c:3:.*unused variable", last=OK),
    Case("overflow that the build defines", ["verify", "-fwrapv", "wraps.c"], 0, last=OK),
    Case("overflow that it does not define", ["verify", "--no-trace-file", "wraps.c"], 15,
         last="divm: error: .*overflow.*"),
    Case("a bad value", ["verify", "--search=sideways", "fine.c"], 2, err="sideways", lines=1),
    Case("executions without eager steps", ["verify", "--search=dpor", "--reduction=no-eager", "fine.c"],
         2, err="--search=dpor.*eager", lines=1),
    Case("executions kept as states", ["verify", "--search=dpor", "--store=exact", "fine.c"],
         2, err="--store=exact.*keeps no states", lines=1),
    Case("depth first, in a file", ["verify", "--search=dfs", "--spill=.", "fine.c"],
         2, err="--spill: only --search=bfs", lines=1),
    Case("executions, in a file", ["verify", "--search=dpor", "--spill=.", "fine.c"],
         2, err="--spill: only --search=bfs", lines=1),
    Case("few preemptions, by executions", ["verify", "--search=dpor", "--preemptions=1", "fine.c"],
         2, err="--preemptions: goes without --search", lines=1),
    Case("few preemptions, kept as they are", ["verify", "--store=exact", "--preemptions=1", "fine.c"],
         2, err="--preemptions: goes without --store=exact", lines=1),
    Case("too few preemptions", ["verify", "--preemptions=0", "lost_update.c"], 5,
         last=r"divm: no error with at most 0 preemptions: complete, \d+ states"),
    Case("preemptions enough", ["verify", "--preemptions=3", "--no-trace-file", "lost_update.c"], 10,
         out="it takes 1 preemption: no execution with fewer has an error", last="divm: error: .*"),
    Case("more preemptions lead nowhere", ["verify", "--preemptions=30", "-DFIXED", "lost_update.c"], 0, last=OK),
    Case("a limit before all preemptions", ["verify", "--preemptions=3", "--max-states=20", "counter.c"], 5,
         last=r"divm: incomplete: state limit of 20: no error .*"),
    Case("preemptions in JSON", ["verify", "--preemptions=0", "--format=json", "lost_update.c"], 5,
         check=is_json(verdict="incomplete", preemptions=1, limit="preemption limit of 0")),
    Case("no eager steps, and so no executions", ["verify", "--reduction=no-eager", "fine.c"], 0, last=OK),
    Case("a bad number", ["verify", "-j", "many", "fine.c"], 2, err="many", lines=1),
    Case("no caches", ["verify", "--cache=none", "fine.c"], 0, last=OK),
    Case("names that caches had", ["verify", "--cache=no-memo,no-foretell,no-twins,no-sum,no-old,no-graft",
                                   "fine.c"], 0, last=OK),
    Case("names that reductions had", ["verify", "--reduction=no-twins,no-hurry,no-unwritten,no-symmetry",
                                       "fine.c"], 0, last=OK),
    Case("a bad cache", ["verify", "--cache=predikt", "fine.c"], 2, err="did you mean predict", lines=1),
    Case("a bad reduction", ["verify", "--reduction=magic", "fine.c"], 2, lines=1,
         err="^divm: --reduction: there is no magic; see divm verify --help for the names$"),
    Case("nearly a cache", ["verify", "--cache=no-transitoins", "fine.c"], 2, lines=1,
         err=r"^divm: --cache: there is no transitoins; did you mean \S+\?$"),
    *(Case(f"a bad number, --{name}", ["verify", f"--{name}={value}", "fine.c"], 2, lines=1,
           err=f"^divm: --{name}={value}: expected a whole number such as 3, 500 or 20K$")
      for name in ("preemptions", "max-states", "max-depth") for value in ("-1", "x", "1.5", "2T")),
    Case("a missing value", ["verify", "-j"], 2, err="-j"),
    Case("no file", ["verify"], 2, err="^divm: "),
    Case("a value that is nearly one", ["verify", "--search=bsf", "fine.c"], 2,
         err=r"^divm: --search=bsf: expected auto, bfs, dfs or dpor; did you mean bfs\?$", lines=1),
    Case("neither yes nor no", ["verify", "--leaks=yse", "fine.c"], 2, err=r"did you mean yes\?$",
         lines=1),
    Case("no workers", ["verify", "-j", "0", "fine.c"], 2, err="expected a whole number from 1 on",
         lines=1),
    Case("a file for a command", ["fine.c"], 2,
         err=r"^divm: fine.c is a file and no command; did you mean divm verify fine.c\?$", lines=1),
    Case("a trace for a command", ["not.trace"], 2, err=r"did you mean divm replay not.trace\?$",
         lines=1),
    Case("no file for a command", ["none.c"], 2, err="^divm: unknown command none.c; see", lines=1),
    Case("a short file name for a command", ["t.c"], 2, err="^divm: unknown command t.c; see", lines=1),
    *(Case(f"the version by {word}", [word], 0, out=r"\Adivm \d+\.\d+\.\d+\n\Z")
      for word in ("--version", "-V", "version")),
    Case("help", ["--help"], 0, out="verify"),
    Case("help on verify", ["verify", "--help"], 0, out="--max-states"),
    Case("help on verify: groups, examples, exit statuses", ["help", "verify"], 0,
         out=r"(?s)\nLimits:\n.*\nChecks:\n.*--no-trace-file\n.*\nExamples:\n(  divm .*\n      .*\n){3}"
             r"\nExit status:\n    0  .*\n   13  a data race\n"),
    Case("help on exit statuses", ["help", "exit"], 0, out=r"\A *Exit status:(?s:.*) 130  .*(?s:.*)simple"),
    Case("help on variables", ["help", "environment"], 0, out="DIVM_CLANG"),
    Case("help on what there is not", ["help", "exti"], 2, err=r"did you mean exit\?$", lines=1),
    Case("info", ["info"], 0, out=r"\d+\.\d+"),

    Case("no error", ["verify", "fine.c"], 0, last=OK),
    *(Case(f"a proof of nothing {' '.join(how)}", ["verify", *how, "vacuous.c"], 0,
           last=OK + ", but no execution ends: each was dropped by an assumption, or .*")
      for how in ([], ["-q"], ["--search=bfs"], ["--search=dfs"])),
    Case("a proof of nothing as JSON", ["verify", "--format=json", "vacuous.c"], 0,
         check=is_json(verdict="ok", final_states=0, dropped=1,
                       vacuous="no execution ends: each was dropped by an assumption, "
                               "or goes on for ever")),
    Case("a proof of nothing as JUnit", ["verify", "--output-junit=/dev/stdout", "vacuous.c"], 0,
         out="<system-out>complete, but no execution ends: each was dropped by an assumption"),
    Case("an assumption that drops a half", ["verify", "half.c"], 0, last=OK),
    Case("no end", ["verify", "endless.c"], 14, last=ENDLESS),
    *(Case(f"no end {how}", ["verify", how, "endless.c"], 14, last=ENDLESS)
      for how in ("--search=bfs", "--search=dfs", "--store=exact", "--reduction=none", "--cache=none",
                  "--endless=report", "--preemptions=1", "-j4")),
    Case("no end, not by executions", ["verify", "--search=dpor", "endless.c"], 5,
         last="divm: incomplete: --search=dpor does not suit the program: it has executions .*"),
    *(Case(f"no end is allowed {' '.join(how)}", ["verify", "--endless=allow", *how, "endless.c"], 0,
           last=OK) for how in ([], ["--search=dfs"], ["--preemptions=1"])),
    Case("no end in JSON", ["verify", "--no-trace-file", "--format=json", "endless.c"], 14,
         check=json_endless),
    Case("no end in JUnit", ["verify", "--no-trace-file", "--output-junit=/dev/stdout", "endless.c"], 14,
         out='type="endless run"'),
    *(Case(f"a weak compare-exchange {' '.join(how)}", ["verify", "--no-trace-file", "-DLOOP=break", *how, "weak.c"],
           10, out="compare-exchange x fails spuriously: is 0")
      for how in ([], ["--search=bfs"], ["--search=dpor"], ["--search=dfs"], ["--store=exact"], ["-j2"],
                  ["--reduction=none"], ["--cache=none"], ["--preemptions=0"], ["--memory=sc"],
                  ["--memory=c11"], ["--memory=tso", "--spurious-failures"], ["--spurious-failures=yes"])),
    *(Case(f"a weak compare-exchange does not fail {' '.join(how)}",
           ["verify", "--no-trace-file", "-DLOOP=break", *how, "weak.c"], 0,
           last=r".*, complete.*, if no weak compare-exchange fails spuriously")
      for how in (["--spurious-failures=no"], ["--no-spurious-failures"], ["--fair"],
                  ["--no-spurious-failures", "--search=dpor"])),
    Case("a weak compare-exchange does not fail on x86",
         ["verify", "--no-trace-file", "-DLOOP=break", "--memory=tso", "weak.c"], 0,
         last=".*, complete under x86-TSO"),
    Case("a weak compare-exchange that does not fail, in JUnit",
         ["verify", "--no-trace-file", "-DLOOP=break", "--spurious-failures=no", "--output-junit=/dev/stdout",
          "weak.c"], 0, out="if no weak compare-exchange fails spuriously"),
    *(Case(f"large atomic objects {' '.join(how)}",
           ["verify", "--no-trace-file", "-DLARGE", *how, str(ROOT / "tests/races/order_structure.cpp")], 0, last=last)
      for how, last in (([], r".*, complete under C11.*\), if large atomic objects show no older values"),
                        (["--memory=sc"], r".*, complete under sequential consistency \([^)]*: not checked\)"))),
    Case("large atomic objects, in JUnit",
         ["verify", "--no-trace-file", "-DLARGE", "--output-junit=/dev/stdout", str(ROOT / "tests/races/order_structure.cpp")],
         0, out="if large atomic objects show no older values</system-out>"),
    *(Case(f"a weak compare-exchange is tried again {' '.join(how)}",
           ["verify", "--no-trace-file", "-DLOOP=none=0", *how, "weak.c"], 0)
      for how in ([], ["--search=dpor"], ["--memory=c11", "--reduction=none"])),
    Case("a weak compare-exchange by random runs", ["simulate", "--no-trace-file", "-DLOOP=break", "weak.c"], 10),
    Case("a weak compare-exchange, run", ["run", "-DLOOP=break", "weak.c"], 0),
    Case("a weak compare-exchange in JSON",
         ["verify", "--no-trace-file", "--format=json", "-DLOOP=break", "weak.c"], 10,
         out=r'"fails": true,\s+"spurious": true'),
    Case("no end, as simple exit status", ["verify", "--exit-style=simple", "--no-trace-file", "endless.c"], 1),
    Case("no error, quietly", ["verify", "-q", "fine.c"], 0, last=OK, lines=1),
    Case("an exit status", ["verify", "--no-trace-file", "status.c"], 15,
         last="divm: error: exit status.*"),
    Case("arguments", ["verify", "--no-trace-file", "echo.c", "--", "x"], 15),
    Case("several files", ["verify", "part_a.c", "part_b.c"], 0, last=OK),
    Case("a macro", ["verify", "-DSIZE=3", "macro.c"], 0, last=OK),
    Case("a macro of another value", ["verify", "--no-trace-file", "-DSIZE=4", "macro.c"], 10),
    Case("a standard", ["verify", "-std=c11", "-O1", "fine.c"], 0, last=OK),
    Case("the machine by name", ["verify", "--target=x86_64-pc-linux-gnu", "fine.c"], 0, last=OK),
    *(Case(f"another machine: {' '.join(how)}", ["verify", *how, "fine.c"], 3, err=err) for how, err in (
        (["-m32"], "compiled for i386-.*, not for x86_64"),
        (["--target=i386-pc-linux-gnu"], "i386"), (["-target", "aarch64-linux-gnu"], "for target 'aarch64"))),
    Case("simple exit status", ["verify", "--exit-style=simple", "--no-trace-file", "status.c"], 1),
    Case("simple exit status of a missing file", ["verify", "--exit-style=simple", "missing.c"], 2),

    Case("by executions, threads of C++ that have nothing to do with each other",
         ["verify", "--search=dpor", "--stats", "threads.cpp"], 0, last=OK,
         out=r"executions +[1-4]\n"),
    Case("why not by executions", ["verify", "--search=dpor", "forks.c"], 5,
         last="divm: incomplete: --search=dpor does not suit the program: it forks: .*"),
    Case("weak atomics", ["verify", "relaxed.c"], 0, last=WEAK_IN % (r"relaxed\.c:6", "acquire"),
         err="relaxed.c:6: an atomic weaker than seq_cst"),
    Case("weak atomics, quietly", ["verify", "-q", "relaxed.c"], 0, last=WEAK_IN % (r"relaxed\.c:6", "acquire"), lines=1),
    Case("weak atomics, optimised", ["verify", "-q", "-O2", "relaxed.c"], 0, last=WEAK_IN % (r"relaxed\.c:6", "acquire"), lines=1),
    Case("weak atomics of C++", ["verify", "-q", "weak.cpp"], 0, last=WEAK_CXX, lines=1),
    Case("weak atomics of C++, optimised", ["verify", "-q", "-O2", "weak.cpp"], 0,
         last=WEAK_CXX, lines=1),
    Case("weak atomics in JSON", ["verify", "--format=json", "relaxed.c"], 0,
         check=is_json(model="c11", notes=["relaxed.c:6: an atomic weaker than seq_cst: checked "
                                           "under C11's memory model"])),
    Case("weak atomics under sequential consistency", ["verify", "-q", "--memory=sc", "relaxed.c"], 0,
         last=WEAK_SC % (r"relaxed\.c:6", "acquire"), lines=1),
    Case("the same in JSON", ["verify", "--memory=sc", "--format=json", "relaxed.c"], 0,
         check=is_json(model="sc", notes=["relaxed.c:6: an atomic weaker than seq_cst: checked "
                                          "under sequential consistency only"])),
    Case("a memory model that there is not", ["verify", "--memory=arm", "relaxed.c"], 2,
         err="--memory=arm: expected auto, sc, tso or c11"),
    Case("orders that would forbid an error", ["verify", "--explain-orders", "--no-trace-file", "message.c"], 13,
         out=r"\(4 of at most 20\)[^?]*:29 \(load\) with acquire instead of relaxed: no error found",
         last=r"divm: error: data race.*; no error with release at message.c:23 and acquire at message.c:29"),
    Case("so many searches and no more", ["verify", "--explain-orders=2", "--no-trace-file", "message.c"], 13,
         out=r"\(2 of at most 2\)[^?]*was not found by so few searches \(--explain-orders=N\)",
         last="divm: error: data race[^;]*"),
    *(Case(f"fences that would forbid an error {option}",
           ["verify", "--explain-orders", "-q", "--no-trace-file", option, "buffering.cpp"], 10, lines=1,
           last=r"divm: error: .*; no error with a seq_cst fence before buffering.cpp:13 and a seq_cst "
                r"fence before buffering.cpp:10") for option in ("-O0", "-O2")),
    Case("read-modify-writes that pass a message", ["verify", "--explain-orders", "-q", "--no-trace-file", "swapped.c"],
         13, last="divm: error: data race: .*; no error with release at swapped.c:8 and acquire at swapped.c:16",
         lines=1),
    Case("a fence that is too weak", ["verify", "--explain-orders", "-q", "--no-trace-file", "fences.c"], 10,
         last=r"divm: error: .*; no error with seq_cst at fences.c:18", lines=1),
    Case("an error that no order forbids",
         ["verify", "--explain-orders", "-DFOUND=1", "--no-trace-file", "at_run_time.c"], 10,
         out=r"nothing to try|\(1 of at most 20\):\n  with seq_cst everywhere: still an error\nNo order"),
    Case("no weak order to explain", ["verify", "--explain-orders", "--no-trace-file", "lost_update.c"], 10,
         out="Memory orders: nothing to try: every order is seq_cst already"),
    Case("orders to explain, as JSON",
         ["verify", "--explain-orders", "--format=json", "--no-trace-file", "message.c"], 13,
         check=lambda run: None if [s["verdict"] for s in json.loads(run.text)["orders"]["searches"]]
         == ["ok", "error", "error", "ok"] else "other searches"),
    Case("orders to explain, as SARIF",
         ["verify", "--explain-orders", "-q", "--output-sarif=explained.sarif", "--no-trace-file", "message.c"], 13,
         check=is_notified("explained.sarif", r"Stronger memory orders[^?]*message.c:23 \(store\) with release instead of "
                                           r"relaxed,\n +and message.c:29 .*: no error found\n$")),
    Case("orders that could be weaker, as SARIF",
         ["verify", "--weaken", "-q", "-DFIXED", "--output-sarif=weakened.sarif", "message.c"], 0,
         check=is_notified("weakened.sarif", r":23 \(store\) with relaxed instead of release: an error: data race")),
    Case("no searches", ["verify", "--explain-orders=0", "message.c"], 2, lines=1,
         err="--explain-orders=0: expected a whole number from 1 on"),
    Case("orders that could not be weaker", ["verify", "--weaken", "-DFIXED", "message.c"], 0,
         out=r":23 \(store\) with relaxed instead of release: an error: data race",
         last=OK + r" under C11's memory model \(.*\); 0 of 2 weaker orders give no error"),
    Case("orders that could be weaker", ["verify", "--weaken", "-q", "lost_update.c", "-DFIXED"], 0,
         last=OK + "; 2 of 2 weaker orders give no error", lines=1),
    Case("orders that are not known", ["verify", "--weaken", "-DFOUND=0", "at_run_time.c"], 0,
         out=r"at_run_time.c:8 \(load\) with acquire instead of seq_cst: no error found\n"
             r"Not tried: 1 of 2 orders"),
    Case("orders of the library's own", ["verify", "--weaken", "threads.cpp"], 0,
         out="nothing to try: the program's own code gives no memory orders"),
    Case("weaker orders with sequential consistency", ["verify", "--weaken", "--memory=sc", "fine.c"], 2,
         err="--weaken: --memory=sc does not tell", lines=1),
    Case("x86-TSO", ["verify", "-q", "--memory=tso", "relaxed.c"], 0, lines=1,
         last=r"divm: no error found: \d+ states, \d+ transitions, complete under x86-TSO"),
    Case("x86-TSO in JSON, and by states", ["verify", "--memory=tso", "--search=dpor", "--format=json", "relaxed.c"], 0,
         check=is_json(model="tso", executions=0, notes=["relaxed.c:6: an atomic weaker than seq_cst: checked "
                                                         "under x86-TSO, whatever it says"])),
    Case("orders that x86 does not know", ["verify", "--memory=tso", "--weaken", "relaxed.c"], 2, lines=1,
         err="--explain-orders, --weaken: --memory=tso goes by x86's instructions, not by orders"),
    Case("x86-TSO in JUnit", ["verify", "-q", "--memory=tso", "--output-junit=tso.xml", "weak.cpp"], 0,
         check=junit_note("tso.xml", "complete under x86-TSO")),
    *(Case(f"whose store comes later {search}",
           ["verify", search, "--format=json", "--no-trace-file", str(ROOT / "tests/reports/two_writers.c")], 10,
           check=json_last(3, "1", 13, "store right = 2, ordered before thread 3's store of 1 at two_writers.c:13"))
      for search in ("--search=bfs", "--search=dpor")),
    Case("whose store is not in memory yet",
         ["verify", "--memory=tso", "--format=json", "--no-trace-file", str(ROOT / "tests/reports/store_buffers.c")], 10,
         check=json_last(2, "1", 16, "load door = 0, though thread 2 stored 1 at store_buffers.c:16: not in memory yet")),
    *(Case(f"whose store a load does not see: {name}",
           ["verify", "-q", f"--output-{kind}={name}", "--no-trace-file", str(ROOT / "tests/reports/weak_store.cpp")], 10,
           check=has_text(name, "load y = 0 (relaxed), though thread 3 stored 1 at weak_store.cpp:18: nothing orders them"))
      for kind, name in (("sarif", "late.sarif"), ("html", "late.html"))),
    *(Case(f"weak atomics of a program that forks {model}", ["verify", "-q", model, "weak_forks.c"], 0, lines=1,
           last=OK + rf" under sequential consistency \(weak_forks.c:7 is relaxed: not checked{why}\)")
      for model, why in (("--memory=auto", ", since the program forks"), ("--memory=c11", ", since the program forks"),
                         ("--memory=sc", ""))),
    Case("weak atomics of a program that forks, in a note", ["verify", "weak_forks.c"], 0,
         err="weak_forks.c:7: an atomic .*: checked under sequential consistency only, since the program forks"),
    Case("x86-TSO of a program that forks", ["verify", "-q", "--memory=tso", "forks.c"], 0, lines=1,
         last=r".*complete under sequential consistency \(the program forks: x86-TSO is not checked\)"),
    Case("stores that reach memory", ["verify", "-DSEQLOCK_BUG", "--memory=tso", "--no-trace-file",
                                      str(ROOT / "tests/memory/tso/locks.c")], 10,
         out=r"\d: first = 1 reaches memory"),
    Case("x86-TSO in random runs", ["simulate", "-q", "--memory=tso", "--no-trace-file", str(ROOT / "tests/memory/tso/store_buffer.c")], 10,
         last="divm: error: assertion failed: .*"),
    Case("weak atomics in JUnit", ["verify", "-q", "--output-junit=weak.xml", "weak.cpp"], 0,
         check=junit_note("weak.xml", "complete under C11's memory model (weak.cpp:6 is acquire, and "
                          "1 more)")),
    Case("weak atomics of a proof of nothing in JUnit",
         ["verify", "-q", "--output-junit=vacuous.xml", "weak_vacuous.c"], 0, lines=1,
         last=WEAK_VACUOUS, check=junit_note("vacuous.xml", "complete under C11's memory model "
         "(weak_vacuous.c:4 is relaxed), but no execution ends: each was dropped by an "
         "assumption, or goes on for ever")),
    Case("weak atomics of a program with an error",
         ["verify", "--no-trace-file", "--format=json", "-DFAIL", "weak.cpp"], 10,
         check=is_json(model="c11", notes=[])),
    Case("weak atomics of a program with an error, the last line",
         ["verify", "--no-trace-file", "-q", "-DFAIL", "weak.cpp"], 10, lines=1,
         last=r"divm: error: assertion failed: !\"fails\" \(main at weak\.cpp:10\)"),
    Case("weak atomics of a search that was cut short", ["verify", "--max-states=1", "weak.cpp"], 5,
         last=PART, err="weak.cpp:6: an atomic weaker than seq_cst .and 1 more."),
    Case("weak atomics of a header, before those of the file that includes it",
         ["verify", "-q", "weak_header.cpp"], 0,
         last=WEAK_IN % (r"weak_header\.cpp:4", "release, and 1 more")),
    Case("weak atomics of a header, optimised", ["verify", "-q", "-O2", "weak_header.cpp"], 0,
         last=WEAK_IN % (r"weak_header\.cpp:4", "release, and 1 more")),
    Case("weak atomics of a header alone", ["verify", "-q", "-O2", "-DFIRST=0", "weak_header.cpp"],
         0, last=WEAK_IN % (r"weak\.h:2", "acquire")),
    Case("weak atomics of two files", ["verify", "-q", "fine_too.c", "relaxed.c", "relaxed_too.c"],
         0, last=WEAK_IN % (r"relaxed\.c:6", "acquire, and 1 more")),
    *(Case(f"weak atomics of {' '.join(how)}", ["verify", "-q", *how], 0, lines=1,
           last=line % place)
      for line, how, place in (
          (WEAK_IN + ", if large atomic objects show no older values", ["-O2", str(CXX / "weak_functions.cpp")],
           (r"weak_functions\.cpp:\d+", "acquire, and 16 more")),
          (WEAK_SC, ["-O1", str(CXX / "weak_order.cpp"), "-DPASSED=2"],
           (r"weak_order\.cpp:\d+", "relaxed, and 1 more")))),
    Case("weak atomics of the library, optimised",
         ["verify", "-q", "-O2", "-DSTRONG", str(CXX / "weak_functions.cpp")], 0, last=OK),
    Case("no weak atomics in JSON", ["verify", "--format=json", "fine.c"], 0,
         check=is_json(model="sc", notes=[])),
    Case("a function without a prototype that may be given more arguments",
         ["verify", "-std=gnu17", "unprototyped.c"], 0, last=OK,
         err="unprototyped.c:3: work is defined without a prototype: a call with more arguments"),
    Case("functions without a prototype that are called with what they take",
         ["verify", "-std=gnu17", "-Xclang", "-w", "unprototyped_called.c"], 0, last=OK,
         check=lambda run: run.errors or None),
    Case("a static local variable, which has no weak atomic of the program", ["verify", "guard.cpp"],
         0, last=OK, check=lambda run: run.errors or None),
    Case("a limit of states", ["verify", "--max-states=10", "counter.c"], 5, last=PART),
    Case("commands to try after a limit",
         ["verify", "--max-states=10", "--search=bfs", "counter.c", "-DWORDS='a b'", "--", "it's", "5"], 5,
         out=re.escape(r"divm verify --preemptions=2 counter.c '-DWORDS='\''a b'\''' -- 'it'\''s' 5") +
             r"\n(?s:.*)divm simulate counter\.c '-DWORDS"),
    Case("a limit of depth", ["verify", "--max-depth=3", "counter.c"], 5, last=PART),
    Case("a limit of time", ["verify", "--max-time=3s", "--reduction=no-thread-symmetry", "-DN=9", "-DSTEPS=9",
          "counter.c"], 5,
         last=PART),
    Case("a limit of memory", ["verify", "--search=bfs", "--max-memory=100M", "--reduction=no-thread-symmetry", "-DN=9", "-DSTEPS=9", "counter.c"],
         5, last=PART),
    Case("a limit, depth first", ["verify", "--search=dfs", "--max-states=10", "counter.c"], 5,
         last=PART),
    Case("a limit that is not reached", ["verify", "--max-states=1M", "-DN=2", "counter.c"], 0,
         last=OK),
    Case("an error before the limit", ["verify", "--no-trace-file", "--max-states=100K", "-DN=2",
                                       "-DBUG", "counter.c"], 10),

    Case("an error by executions, then a limit", ["verify", "--no-trace-file",
                                                  "--max-states=25K", "far_error.c"], 10,
         last=r"divm: error: assertion failed: common == 2 .*"),

    Case("transitions that are known", ["verify", "--stats", "--search=bfs", "-j", "1", "-DN=2",
                                        "counter.c"], 0, out=r"parts repeated +[1-9]"),

    Case("few executions, before there are many states",
         ["verify", "--max-states=5K", "-DN=14", "filesystem.c"], 0, last=OK, out="executions"),
    Case("few executions, though other workers come to the limit of states",
         ["verify", "-j", "8", "--max-states=5K", "-DN=14", "filesystem.c"], 0, last=OK,
         out="executions"),

    Case("a value that a choice does not have", ["verify", "--search=bogus", "fine.c"], 2,
         err="^divm: --search=bogus: expected auto, bfs, dfs or dpor$", lines=1),
    Case("a filter where there are no cases", ["verify", "--filter=x", "fine.c"], 3,
         err=r"--filter=x: fine.c has no test cases"),

    Case("JSON", ["verify", "--format=json", "-j", "1", "fine.c"], 0,
         check=is_json(verdict="ok", complete=True, workers=1)),
    Case("JSON of an error", ["verify", "--format=json", "--no-trace-file", "lost_update.c"], 10,
         check=is_json(verdict="error")),
    Case("JSON of a race: both sides", ["verify", "--format=json", "--no-trace-file", "free_read.c"],
         12, check=json_other),
    Case("JSON of the rows of a trace", ["verify", "--format=json", "--no-trace-file",
                                         "--search=bfs", "-j", "1", "free_read.c"],
         12, check=json_rows),
    Case("JSON of a part", ["verify", "--format=json", "--max-states=10", "counter.c"], 5,
         check=is_json(verdict="incomplete", complete=False)),

    Case("states as they are", ["verify", "--store=exact", "-DN=2", "counter.c"], 0, last=OK,
         out="none was taken for another"),
    Case("JSON of why not by executions",
         ["verify", "--format=json", "--search=dpor", "forks.c"], 5,
         check=is_json(verdict="incomplete",
                       limit="--search=dpor does not suit the program: it forks")),
    Case("JSON of states as they are", ["verify", "--store=exact", "--format=json", "-DN=2",
                                        "counter.c"], 0,
         check=is_json(verdict="ok", omission_probability=0)),
    Case("how likely an execution was left out",
         ["verify", "--search=dpor", str(ROOT / "tests/bench/weak/treiber.c")], 0,
         out=r"by executions .*: \d+\.\n.*by 64-bit hashes: an execution was left out with a\n"
             r"probability of \de-1\d at most\.\ndivm: no error"),
    Case("how likely an execution was left out, in JSON",
         ["verify", "--search=dpor", "--format=json", str(ROOT / "tests/bench/weak/treiber.c")], 0,
         check=json_compared),
    Case("executions of which none can be left out",
         ["verify", "--search=dpor", "--format=json", "-DN=2", "counter.c"], 0,
         check=is_json(verdict="ok", omission_probability=0, compared=0)),
    Case("executions without comparisons",
         ["verify", "--search=dpor", "-DN=2", "counter.c"], 0, out=r"by executions .*: \d+\.\ndivm: no error"),
    Case("states as they are, and a limit of memory",
         ["verify", "--search=bfs", "--store=exact", "--max-memory=60M", "-DN=9", "-DSTEPS=9", "counter.c"], 5,
         last=PART),

    Case("a missing folder for open states", ["verify", "--spill=nowhere", "fine.c"], 2,
         err="--spill=nowhere: No such file", lines=1),
    Case("a file for open states", ["verify", "--spill=fine.c", "fine.c"], 2,
         err="--spill=fine.c: Not a directory", lines=1),

    Case("no colour if it is not wanted", ["verify", "--no-trace-file", "lost_update.c"], 10,
         env={"NO_COLOR": "1"}, check=no_escapes),
    Case("no colour in a pipe", ["verify", "--no-trace-file", "lost_update.c"], 10,
         check=no_escapes),
    Case("no colour on a dumb terminal", ["verify", "--no-trace-file", "lost_update.c"], 10,
         env={"TERM": "dumb"}, check=no_escapes),
    Case("colour on demand", ["verify", "--color=always", "--no-trace-file", "lost_update.c"], 10,
         check=escapes),

    Case("a full disk", ["verify", "--trace-file=/dev/full", "lost_update.c"], 10,
         err="/dev/full.*No space", last="divm: error: assertion failed.*"),
    Case("a trace in a missing folder", ["verify", "--trace-file=none/a.trace", "lost_update.c"],
         10, err="none/a.trace"),
    Case("no trace", ["verify", "--no-trace-file", "lost_update.c"], 10,
         check=no_file("lost_update.c.trace")),
    Case("replay of a missing trace", ["replay", "missing.trace"], 3, err="missing.trace", lines=1),
    Case("replay of garbage", ["replay", "garbage.trace"], 3, err="garbage.trace", lines=1),
    Case("replay of something else", ["replay", "not.trace"], 3, err="not.trace", lines=1),
    Case("replay of nothing", ["replay"], 2, err="^divm: "),
    Case("options from the environment", ["verify", "counter.c"], 5, last=PART,
         env={"DIVM_OPTIONS": "--max-states=10"}),
    Case("no compiler", ["verify", "fine.c"], 3, err="no-such-clang",
         env={"DIVM_CLANG": "no-such-clang"}),

    Case("run: output and status", ["run", "echo.c", "--", "a", "b c"], 2, out=r"\Aa\nb c\n\Z"),
    Case("run: a missing file", ["run", "missing.c"], 3, err="missing.c"),
]


def check_own_files():
    """Cases run at the same time, so each one has to write to files of its own."""
    files = [arg for case in CASES for arg in case.args
             if re.match("--output-[a-z]+=(?!/dev/)", arg) and case.status not in (2, 3)]
    shared = {name for name in files if files.count(name) > 1}
    if shared:
        raise ValueError(f"two cases have {', '.join(shared)}")


def tests():
    check_own_files()
    prepare()
    for case in CASES:
        yield f"cli: {case.name}", case
    yield from misspelt.all_of(HERE)
    yield from several.all_of()
    yield from limits.all_of(HERE)
    yield from interrupts.all_of(HERE)
    yield from long.all_of(HERE)
    yield from asked.all_of(HERE)
    yield from live.all_of(HERE)
    yield from endless.all_of(HERE)
    yield from covered.all_of(HERE)
    yield from likely.all_of(HERE)
    yield from compiled.all_of(HERE)
    yield from installed.tests(HERE)
