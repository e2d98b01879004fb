"""How much slower than native code divm executes instructions: each kernel is run
natively (clang -O1) and by `divm run`, in turn, several times; the times are those of
the processor, less what an empty program needs in the same way.

usage: run.py [RUNS]
"""

import os
import pathlib
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from suite import DIVM, ROOT  # noqa: E402

CLANG = os.environ.get("DIVM_CLANG", "clang-19")
KERNELS = [  # program, macros natively (longer, to be measurable), their factor of work
    ("tests/bench/compute.c", ["-DSIZE=200000"], 1),
    ("tests/kernels/matrix.c", ["-DROUNDS=2000"], 10),
    ("tests/kernels/chase.c", ["-DROUNDS=20000"], 4),
]
DIVM_MACROS = {"tests/bench/compute.c": ["-DSIZE=200000"], "tests/kernels/matrix.c": ["-DROUNDS=200"]}


def processor_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True, cwd=ROOT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    with tempfile.TemporaryDirectory(prefix="divm-kernels-") as folder:
        empty = pathlib.Path(folder, "empty.c")
        empty.write_text("int main(void) { return 0; }\n")
        start = min(processor_seconds([DIVM, "run", str(empty)]) for _ in range(runs))
        print(f"{'kernel':<26}{'native s':>10}{'divm s':>10}{'ratio':>8}")
        for program, macros, factor in KERNELS:
            native = str(pathlib.Path(folder, "native"))
            subprocess.run([CLANG, "-O1", "-pthread", *macros, "-o", native, program],
                           check=True, cwd=ROOT)
            ours, theirs = [], []
            for _ in range(runs):
                ours.append(processor_seconds(
                    [DIVM, "run", *DIVM_MACROS.get(program, []), program]) - start)
                theirs.append(processor_seconds([native]) / factor)
            a, b = min(ours), max(min(theirs), 1e-4)
            print(f"{program:<26}{b:>10.4f}{a:>10.3f}{a / b:>8.1f}")


if __name__ == "__main__":
    main()
