"""Malformed bitcode and assembly: an error message or a run, never a crash or a hang.

Good files are changed at random: flipped bits, other bytes, truncation, doubled
and exchanged pieces, garbage after a right beginning.  divm must end in time with a
status of its own (not by a signal or an assertion), and say why it refuses.

usage: hostile.py [COUNT [SEED]]
"""

import concurrent.futures
import os
import pathlib
import random
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from suite import DIVM, ENVIRONMENT, ROOT, Run  # noqa: E402

SOURCES = ["programs/sorting.c", "programs/switch.c", "programs/varargs.c"]
KNOWN = {0, 2, 3, 5, 10, 11, 12, 13, 14, 15}  # a mutation may leave or make a program

# What LLVM's readers leave behind where they refuse a file is not ours: a command with sanitizers
# does not ask for it.
LLVM_LEAKS = "leak:LLVMParseIRInContext\n"


def flip(data, choice):
    for _ in range(choice.randrange(1, 9)):
        data[choice.randrange(len(data))] ^= 1 << choice.randrange(8)
    return data


def truncate(data, choice):
    return data[: choice.randrange(len(data))]


def overwrite(data, choice):
    at, n = choice.randrange(len(data)), choice.randrange(1, 33)
    data[at:at + n] = choice.randbytes(n)
    return data


def double(data, choice):
    at, n = choice.randrange(len(data)), choice.randrange(4, 65)
    return data[:at + n] + data[at:]


def exchange(data, choice):
    n = choice.randrange(4, 65)
    a, b = choice.randrange(len(data) - n), choice.randrange(len(data) - n)
    data[a:a + n], data[b:b + n] = data[b:b + n], data[a:a + n]
    return data


def garbage(data, choice):
    return data[: choice.randrange(64)] + choice.randbytes(choice.randrange(512))


KINDS = [flip, truncate, overwrite, double, exchange, garbage]


def bodies(folder):
    """(suffix, bytes) of good files."""
    for name in SOURCES:
        for suffix, form in ((".bc", "-c"), (".ll", "-S")):
            path = os.path.join(folder, "good" + suffix)
            made = Run(["clang-19", "-w", "-O1", "-emit-llvm", form, ROOT / "tests" / name, "-o", path])
            if made.status != 0:
                sys.exit(f"FAIL hostile: a seed does not compile\n{made.show()}")
            yield suffix, pathlib.Path(path).read_bytes()


def environment(folder):
    """With what sanitizers are to pass over; to know it they need whole stacks."""
    suppressions = pathlib.Path(folder, "suppressions")
    suppressions.write_text(LLVM_LEAKS)
    return {**ENVIRONMENT, "ASAN_OPTIONS": "fast_unwind_on_malloc=0",
            "LSAN_OPTIONS": f"suppressions={suppressions}:print_suppressions=0"}


def attempt(folder, number, suffix, data, seed, env):
    choice = random.Random(seed)
    kind = KINDS[number % len(KINDS)]
    path = os.path.join(folder, f"{number}{suffix}")
    pathlib.Path(path).write_bytes(bytes(kind(bytearray(data), choice)))
    run = Run([DIVM, "verify", "--max-time=10", "--no-trace-file", path], limit=100, env=env)
    os.unlink(path)
    if run.status in KNOWN and (run.status != 3 or run.errors or run.text):
        return None
    return f"{kind.__name__} {suffix} seed {seed}: {run.told()}\n{run.show(8)}"


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    failed = 0
    with tempfile.TemporaryDirectory(prefix="divm-hostile-") as folder:
        good = list(bodies(folder))
        env = environment(folder)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            jobs = [pool.submit(attempt, folder, k, *good[k // len(KINDS) % len(good)], seed * 1000003 + k, env)
                    for k in range(count)]
            for job in jobs:
                if problem := job.result():
                    failed += 1
                    print("FAIL hostile " + problem)
    print(f"{count - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
