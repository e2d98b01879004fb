"""Checks of single instructions and intrinsics against what Python computes.

Each check is a call of a small LLVM function on constants, which every second one
takes from volatile memory (so that they are registers), and the bits it must give.  Many checks make
one module, whose main prints the number of each that is wrong.  Checks that must
fault are modules of their own.

What is executed is counted by the machine (divm run --profile): each row of
vm/opcode.def and vm/intrinsic.def needs a check with ordinary values, one at an edge,
and one for each kind of fault that the row names, each row of vm/insn.def an execution.

usage: opcodes.py [--report FILE] [-k TEXT]
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import floats  # noqa: E402
import lanes  # noqa: E402
import longs  # noqa: E402
import special  # noqa: E402
import table  # noqa: E402
from coverage import Coverage  # noqa: E402
from suite import DIVM, ROOT, Run  # noqa: E402

HEAD = '''target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-musl"
@format = private constant [4 x i8] c"%d\\0A\\00"
declare i32 @printf(ptr, ...)
'''
PER_MODULE = 120
# What a check of one function cannot do: exceptions, threads, jumps.
# (program, whether it is about edges)
PROGRAMS = [("programs/setjmp.c", False), ("programs/realloc.c", False), ("programs/atomics_all.c", False),
            ("cxx/exceptions.cpp", False), ("cxx/exceptions_deep.cpp", True)]


def parameters(check):
    """(type, value, name in the code) of the inputs that are no immediate operands."""
    k, found = 0, []
    for kind, value in check.inputs:
        if kind == "metadata" or value.startswith("imm "):
            found.append((None, None, value.removeprefix("imm ")))
        else:
            found.append((kind, value, f"%a{k}"))
            k += 1
    return found


def function(number, check):
    """The check's code, and a function that gives 1 if its result is the expected one."""
    inputs = parameters(check)
    formal = ", ".join(f"{kind} {name}" for kind, _, name in inputs if kind)
    code = check.code.replace("@FUNCTION", f"@check{number}").format(*(name for _, _, name in inputs))
    lines = [f"define {check.type} @check{number}({formal}) {check.attributes} {{", *code.splitlines(),
             f"  ret {check.type} %r", "}", f"define i1 @try{number}() {{"]
    for kind, value, name in inputs:
        if kind:
            p = name.replace("%a", "%p")
            lines += [f"  {p} = alloca {kind}", f"  store {kind} {value}, ptr {p}",
                      f"  {name} = load{' volatile' * (number % 2)} {kind}, ptr {p}"]
    lines += [f"  %r = call {check.type} @check{number}({formal})"]
    if re.fullmatch(r"i\d+", check.type):
        lines += [f"  %same = icmp eq {check.type} %r, {check.expect}"]
    else:
        lines += [f"  %bits = bitcast {check.type} %r to i{check.bits}",
                  f"  %same = icmp eq i{check.bits} %bits, {check.expect}"]
    return lines + ["  ret i1 %same", "}"]


def module(checks, prints=True):
    lines, main, declared = [HEAD], [], set()
    for number, check in enumerate(checks):
        lines += function(number, check)
        declared |= set(check.declare)
        main += [f"  %c{number} = call i1 @try{number}()",
                 f"  br i1 %c{number}, label %next{number}, label %wrong{number}",
                 f"wrong{number}:",
                 f"  %w{number} = call i32 (ptr, ...) @printf(ptr @format, i32 {number})" if prints else "",
                 f"  br label %next{number}", f"next{number}:"]
    return "\n".join([*lines, *sorted(declared), "define i32 @main() {", *main, "  ret i32 0", "}", ""])


def run_module(folder, name, text, coverage, options=()):
    path = os.path.join(folder, name)
    pathlib.Path(path + ".ll").write_text(text)
    run = Run([DIVM, "run", *options, f"--profile={path}.profile", path + ".ll"], limit=60)
    run.profile = coverage.read(path + ".profile")
    return run


def normal(folder, name, checks, coverage):
    """(passed, messages) of a module of checks that give values."""
    run = run_module(folder, name, module(checks), coverage)
    if run.status != 0:
        if len(checks) == 1:
            return 0, [f"{checks[0].name}: {run.told()}\n{run.show(8)}"]
        half = len(checks) // 2
        first = normal(folder, name + "a", checks[:half], coverage)
        second = normal(folder, name + "b", checks[half:], coverage)
        return first[0] + second[0], first[1] + second[1]
    wrong = {int(n) for n in run.text.split()}
    coverage.add_values(run.profile, [c for k, c in enumerate(checks) if k not in wrong], checks[0].is_edge())
    return len(checks) - len(wrong), [f"{checks[n].name}: not {checks[n].expect}" for n in sorted(wrong)]


def faulting(folder, name, check, coverage):
    """A check that must end in the fault that it names."""
    run = run_module(folder, name, module([check], prints=False), coverage, check.options)
    if re.search(check.fault, run.text + run.errors):
        coverage.add_fault(run.profile)
        return 1, []
    return 0, [f"{check.name}: {run.told()}, not /{check.fault}/\n{run.show(8)}"]


def program(folder, name, edge, coverage):
    """A program of the other tests, for what needs a whole one."""
    path = ROOT / "tests" / name
    profile = os.path.join(folder, path.stem + ".profile")
    run = Run([DIVM, "run", f"--profile={profile}", path], limit=60)
    if run.status != 0:
        return 0, [f"{name}: {run.told()}\n{run.show(8)}"]
    coverage.add_program(coverage.read(profile), edge)
    return 1, []


def chunks(checks):
    for edge in (False, True):
        some = [c for c in checks if c.is_edge() == edge]
        for k in range(0, len(some), PER_MODULE):
            yield some[k:k + PER_MODULE]


def main():
    parser = argparse.ArgumentParser(description="checks of single instructions and intrinsics")
    parser.add_argument("--report", metavar="FILE", help="write the table of what was executed there")
    parser.add_argument("-k", metavar="TEXT", help="only checks whose names contain it; no coverage")
    options = parser.parse_args()
    tables = (table, floats, special, lanes, longs)
    values, faults = ([check for t in tables for check in getattr(t, kind)()] for kind in ("checks", "faults"))
    programs = PROGRAMS
    if options.k:
        values, faults, programs = ([c for c in some if options.k in c.name] for some in (values, faults, []))
    passed, messages, coverage = 0, [], Coverage()
    with tempfile.TemporaryDirectory(prefix="divm-opcodes-") as folder:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            jobs = [pool.submit(normal, folder, f"values{k}", some, coverage) for k, some in enumerate(chunks(values))]
            jobs += [pool.submit(faulting, folder, f"fault{k}", f, coverage) for k, f in enumerate(faults)]
            jobs += [pool.submit(program, folder, name, edge, coverage) for name, edge in programs]
            for job in jobs:
                good, bad = job.result()
                passed += good
                messages += bad
    if options.report:
        os.makedirs(os.path.dirname(os.path.abspath(options.report)), exist_ok=True)
        pathlib.Path(options.report).write_text(coverage.report())
    if not options.k:
        missing = coverage.missing()
        messages += missing
        passed += coverage.rows() - len(missing)
    for message in messages:
        print("FAIL opcodes " + message)
    print(f"{passed} passed, {len(messages)} failed")
    return len(messages) != 0


if __name__ == "__main__":
    sys.exit(main())
