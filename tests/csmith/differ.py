"""Random C and C++ programs run by divm and natively: output and exit status must be
equal.

Csmith (Debian's csmith and libcsmith-dev) makes programs without undefined
behaviour that print a checksum of their variables; every third one is C++, of the
standards that csmith knows in turn.  Each is compiled natively at -O0 and run, and run by divm at -O0, -O1 and -O2 (with --alignment=no: csmith
takes the addresses of fields of packed structs).  A program that takes the
native processor more than NATIVE_LIMIT seconds is replaced by another.

usage: differ.py [-j N] [--keep FOLDER] COUNT SEED
"""

import argparse
import concurrent.futures
import os
import pathlib
import random
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from suite import DIVM, Run  # noqa: E402

HEADERS = os.environ.get("CSMITH_INCLUDE", "/usr/include/csmith")
LEVELS = ["-O0", "-O1", "-O2"]
LANGUAGES = [[], [], ["--lang-cpp"], [], [], ["--lang-cpp", "--cpp11"]]  # of program k % 6
QUIET = ["-w", "-Wno-narrowing"]  # csmith's C++ has initial values that are narrowed
NATIVE_LIMIT = 1
REPLACEMENTS = 50
LIMIT = 120

# Shapes of programs: small ones are quick and easy to reduce, the last is csmith's own.
SHAPES = [
    ["--max-funcs", "3", "--max-block-depth", "3", "--max-expr-complexity", "5"],
    ["--max-funcs", "5", "--max-struct-fields", "6"],
    ["--max-funcs", "4", "--no-volatiles", "--packed-struct", "--max-struct-fields", "12"],
    ["--max-funcs", "6", "--max-array-dim", "2", "--max-pointer-depth", "4", "--no-float"],
    [],
]


def xclang(options):
    return [word for option in options for word in ("-Xclang", option)]


class Program:
    """One seed: made, compiled natively and compared."""

    def __init__(self, number, seed, folder):
        self.seed = seed
        self.language = LANGUAGES[number % len(LANGUAGES)]
        self.shape = SHAPES[seed % len(SHAPES)]
        self.folder = folder
        self.source = os.path.join(folder, f"{seed}." + ("cpp" if self.language else "c"))
        self.binary = os.path.join(folder, f"{seed}.native")

    def make(self):
        # in the folder: csmith leaves a file platform.info where it runs
        made = Run(["csmith", "--seed", self.seed, "-o", self.source, *self.language, *self.shape],
                   cwd=self.folder, limit=20)
        return made.status == 0

    def native(self):
        """The native run, or None if it cannot serve."""
        compiler = "clang++-19" if self.language else "clang-19"
        compiled = Run([compiler, *QUIET, "-O0", "-I", HEADERS, self.source, "-o", self.binary, "-lm"],
                       limit=LIMIT)
        if compiled.status != 0:
            return None
        run = Run([self.binary], limit=NATIVE_LIMIT)
        os.unlink(self.binary)
        return None if run.status is None else run

    def compare(self):
        """(verdict, details): "same", "different", or "left out" if it cannot serve."""
        if not self.make():
            return "left out", ""
        native = self.native()
        if native is None:
            return "left out", ""
        for level in LEVELS:
            run = Run([DIVM, "run", level, "--alignment=no", *xclang(QUIET), "-I" + HEADERS, self.source], limit=LIMIT)
            if (run.status, run.out) != (native.status, native.out):
                return "different", (f"seed {self.seed} at {level}: {run.told()}, natively "
                                     f"{native.told()}\n{run.show(12)}\nnatively:\n{native.show(4)}")
        return "same", ""


def main():
    parser = argparse.ArgumentParser(description="compares divm with native runs")
    parser.add_argument("-j", type=int, default=os.cpu_count())
    parser.add_argument("--keep", metavar="FOLDER", help="where programs that differ are kept")
    parser.add_argument("count", type=int)
    parser.add_argument("seed", type=int)
    options = parser.parse_args()
    if not shutil.which("csmith"):
        print("csmith: not installed")
        print("0 passed, 1 failed")
        return 1
    tally = {"same": 0, "different": 0, "left out": 0}
    with tempfile.TemporaryDirectory(prefix="divm-csmith-") as folder:

        def one(number):
            choice = random.Random(options.seed + number)
            for _ in range(REPLACEMENTS):
                program = Program(number, choice.randrange(1 << 31), folder)
                verdict, details = program.compare()
                if verdict == "different" and options.keep:
                    os.makedirs(options.keep, exist_ok=True)
                    shutil.copy(program.source, options.keep)
                if os.path.exists(program.source):
                    os.unlink(program.source)
                if verdict != "left out":
                    return verdict, details
            return verdict, f"program {number}: no seed makes one that ends in time"

        with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
            for verdict, details in pool.map(one, range(options.count)):
                tally[verdict] += 1
                if details:
                    print("FAIL csmith " + details, flush=True)
    wrong = tally["different"] + tally["left out"]
    print(f"{tally['same']} passed, {wrong} failed")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
