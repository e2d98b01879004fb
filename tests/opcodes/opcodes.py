"""Checks of single instructions and intrinsics against what Python computes.

Each check is a call of a small LLVM function on constants, which every second one
takes from volatile memory (so that they are registers), and the bits it must give.  Many checks make
one module, whose main prints the number of each that is wrong.  Checks that must
fault are modules of their own.

usage: opcodes.py [-v]
"""

import concurrent.futures
import itertools
import os
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import floats  # noqa: E402
import table  # noqa: E402
from suite import DIVM, ROOT, Run  # noqa: E402

HEAD = '''target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-musl"
@format = private constant [4 x i8] c"%d\\0A\\00"
declare i32 @printf(ptr, ...)
'''
PER_MODULE = 120


def function(number, check):
    """A function that gives 1 if the check's result is the expected one."""
    lines = [f"define i1 @check{number}() {{"]
    names = []
    for k, (kind, value) in enumerate(check.inputs):
        if kind == "metadata" or value.startswith("imm "):
            names.append(value.removeprefix("imm "))
            continue
        lines += [f"  %p{k} = alloca {kind}", f"  store {kind} {value}, ptr %p{k}",
                  f"  %a{k} = load{' volatile' * (number % 2)} {kind}, ptr %p{k}"]
        names.append(f"%a{k}")
    lines += ["  " + line for line in check.code.format(*names).splitlines()]
    bits = re.fullmatch(r"i(\d+)", check.type)
    if bits:
        lines += [f"  %same = icmp eq {check.type} %r, {check.expect}"]
    else:
        lines += [f"  %bits = bitcast {check.type} %r to i{check.bits}",
                  f"  %same = icmp eq i{check.bits} %bits, {check.expect}"]
    return lines + ["  ret i1 %same", "}"]


def module(checks):
    lines, main, declared = [HEAD], [], set()
    for number, check in enumerate(checks):
        lines += function(number, check)
        declared |= set(check.declare)
        main += [f"  %c{number} = call i1 @check{number}()",
                 f"  br i1 %c{number}, label %next{number}, label %wrong{number}",
                 f"wrong{number}:",
                 f"  %w{number} = call i32 (ptr, ...) @printf(ptr @format, i32 {number})",
                 f"  br label %next{number}", f"next{number}:"]
    return "\n".join([*lines, *sorted(declared), "define i32 @main() {", *main, "  ret i32 0", "}", ""])


def run_module(folder, name, text):
    path = os.path.join(folder, name + ".ll")
    pathlib.Path(path).write_text(text)
    return Run([DIVM, "run", path], limit=60)


def normal(folder, name, checks):
    """(passed, messages) of a module of checks that give values."""
    run = run_module(folder, name, module(checks))
    if run.status != 0:
        if len(checks) == 1:
            return 0, [f"{checks[0].name}: {run.told()}\n{run.show(8)}"]
        half = len(checks) // 2
        first, second = normal(folder, name + "a", checks[:half]), normal(folder, name + "b", checks[half:])
        return first[0] + second[0], first[1] + second[1]
    wrong = [checks[int(n)] for n in run.text.split()]
    return len(checks) - len(wrong), [f"{c.name}: not {c.expect}" for c in wrong]


def faulting(folder, name, check):
    """A check whose use of the result must be the fault that it names."""
    text = module([check])
    run = run_module(folder, name, text)
    if re.search(check.fault, run.text + run.errors):
        return 1, []
    return 0, [f"{check.name}: {run.told()}, not /{check.fault}/\n{run.show(8)}"]


def uncovered(checks):
    """Opcodes and intrinsics of the tables that no check is for."""
    text = "\n".join(c.code for c in checks)
    intrinsics = re.findall(r'^VM_INTRINSIC\("(.+?)", (\w+)', (ROOT / "vm" / "intrinsic.def").read_text(), re.M)
    return [name for name, shape in intrinsics
            if shape not in ("IGNORE",) and not re.search(rf"@llvm\.{re.escape(name)}\b", text)]


def main():
    values, faults = table.checks() + floats.checks(), table.faults()
    passed, messages = 0, []
    with tempfile.TemporaryDirectory(prefix="divm-opcodes-") as folder:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            jobs = [pool.submit(normal, folder, f"values{k}", values[k:k + PER_MODULE])
                    for k in range(0, len(values), PER_MODULE)]
            jobs += [pool.submit(faulting, folder, f"fault{k}", f) for k, f in enumerate(faults)]
            for job in jobs:
                good, bad = job.result()
                passed += good
                messages += bad
    for message in messages:
        print("FAIL opcodes " + message)
    missing = uncovered(values + faults)
    if missing:
        print("intrinsics without a check: " + " ".join(missing))
    print(f"{passed} passed, {len(messages)} failed")
    return len(messages) != 0


if __name__ == "__main__":
    sys.exit(main())
