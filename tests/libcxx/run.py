"""libc++'s own tests, from its source package: those with threads are verified, the
others executed once.  Those that look at clocks assume that a sleep is long enough for
what other threads do, so they are verified with --clock=prompt.  Those of atomics that do
the same a hundred times with eight threads (test_helper.h) do it once with two.

    run.py FOLDER [-j N] [--list=FILE] [PATTERN...]

FOLDER is what libc/cxx/fetch_tests.sh unpacks.  listed.tsv names the tests that are known
not to pass, each with the reason; one that is too large may pass on a faster machine."""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import sys
import tempfile
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from suite import DIVM, Run  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
FOLDERS = ["thread", "atomics", "utilities/memory/util.smartptr",
           "language.support/support.exception", "language.support/support.dynamic",
           "language.support/support.rtti", "language.support/support.start.term",
           "language.support/support.coroutines"]
# What a hosted Linux with clang 19 has, in the words of the tests' annotations
FEATURES = {"linux", "clang", "clang-19", "libc++", "stdlib=libc++", "stdlib=llvm-libc++",
            "target=x86_64-unknown-linux-gnu", "x86_64-linux", "has-64-bit-atomics",
            "has-1024-bit-atomics", "c++experimental", "verify-support", "c++"}
STANDARDS = ["c++26", "c++23", "c++20", "c++17", "c++14", "c++11", "c++03"]
LIMIT = float(os.environ.get("DIVM_LIBCXX_LIMIT", "120"))


def holds(expression, features):
    """A boolean expression of lit: names, !, &&, ||, parentheses, {{regular expressions}}."""
    tokens = re.findall(r"\(|\)|!|&&|\|\||(?:\{\{.*?\}\}|[^\s()!&|])+", expression)
    words = {"&&": " and ", "||": " or ", "!": " not ", "(": "(", ")": ")"}

    def value(name):
        pattern = "".join(part if k % 2 else re.escape(part)
                          for k, part in enumerate(re.split(r"\{\{(.*?)\}\}", name)))
        return str(any(re.fullmatch(pattern, f) for f in features))

    return bool(eval("".join(words.get(t) or value(t) for t in tokens)))


class Test:
    def __init__(self, path, folder):
        self.path, self.name = path, str(path.relative_to(folder / "libcxx/test/std"))
        self.text = path.read_text(errors="replace")
        self.flags = []
        for line in self.notes(r"ADDITIONAL_COMPILE_FLAGS(?:\(gcc-style-warnings\))?"):
            self.flags += line.split()
        self.standard = self.newest()
        self.many = re.search("test_seq_cst|test_acquire_release", self.text) is not None
        self.threads = self.many or re.search(
            r'#\s*include\s*(<(thread|future|barrier|latch|semaphore)>|"make_test_(j?)thread.h")',
            self.text) is not None

    def notes(self, name):
        return re.findall(rf"^// *{name}: *(.*)", self.text, re.M)

    def newest(self):
        """The newest standard that the test is for; None if it is not for us."""
        for standard in STANDARDS[1:]:
            features = FEATURES | {standard}
            out = any(holds(e, features) for line in self.notes("UNSUPPORTED")
                      for e in line.split(","))
            out |= any(holds(e, features) for line in self.notes("XFAIL")
                       for e in line.split(","))
            out |= not all(holds(e, features) for line in self.notes("REQUIRES")
                           for e in line.split(","))
            if not out:
                return standard
        return None

    def options(self, folder):
        support = folder / "libcxx/test/support"
        flags = [part for flag in self.flags
                 for part in ([flag] if re.match(r"-[DUfIO]", flag) else [])]
        return [f"-std={self.standard}", f"-I{support}", *flags]

    def source(self, copies):
        """The test, or a copy that does once and with two threads what it does a hundred times
        with eight."""
        if not self.many:
            return str(self.path)
        helper = (self.path.parent / "test_helper.h").read_text()
        fewer, n = re.subn(r"\bi < 100;|(number_of_threads) = 8;",
                           lambda m: f"{m[1]} = 2;" if m[1] else "i < 1;", helper)
        if n < 2:
            raise ValueError(f"{self.name}: test_helper.h is not as expected")
        here = pathlib.Path(tempfile.mkdtemp(dir=copies))
        (here / "test_helper.h").write_text(fewer)
        return shutil.copy(self.path, here)


def judge(test, folder):
    """None if it passes, else what happened."""
    command = ["run"]
    if test.threads:
        command = ["verify", "-j", "1", "-q", "--no-trace-file", f"--max-time={LIMIT}s"]
        if re.search(r"chrono|sleep", test.text):
            command.append("--clock=prompt")
    with tempfile.TemporaryDirectory(prefix="divm-libcxx-") as copies:
        run = Run(["nice", "-n", "19", DIVM, *command, *test.options(folder), test.source(copies)],
                  limit=4 * LIMIT + 60)
    if run.status == 0:
        return None
    lines = (run.text + run.errors).strip().splitlines() or [run.told()]
    error = [l for l in lines if re.search(r"\berror:|divm: ", l)] or lines
    return f"{run.told()}: {error[-1 if test.threads else 0]}"


def listed():
    rows = [l.split("\t") for l in (HERE / "listed.tsv").read_text().splitlines()
            if l and not l.startswith("#")]
    return {row[0]: row[1] for row in rows}


def main():
    parser = argparse.ArgumentParser(description="runs libc++'s own tests")
    parser.add_argument("folder", type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument("patterns", nargs="*")
    parser.add_argument("-j", type=int, default=os.cpu_count())
    parser.add_argument("-v", action="store_true", help="name every test")
    parser.add_argument("--except", dest="done", type=pathlib.Path,
                        help="the output of an earlier run with -v: not what passed in it")
    options = parser.parse_args()
    std = options.folder / "libcxx/test/std"
    tests = [Test(p, options.folder) for f in FOLDERS for p in sorted((std / f).rglob("*.pass.cpp"))
             if not p.name.endswith(".compile.pass.cpp")]
    tests = [t for t in tests if not options.patterns
             or any(re.search(p, t.name) for p in options.patterns)]
    if options.done:
        done = set(re.findall(r"^ok +(\S+)", options.done.read_text(), re.M))
        tests = [t for t in tests if t.name not in done]
    ours = [t for t in tests if t.standard]
    known, lock = listed(), threading.Lock()
    passed = failed = excused = 0

    def one(test):
        nonlocal passed, failed, excused
        problem = judge(test, options.folder)
        with lock:
            if not problem:
                passed += 1
                if options.v:
                    print(f"ok     {test.name}", flush=True)
            elif test.name in known:
                excused += 1
                if options.v:
                    print(f"listed {test.name}: {problem}", flush=True)
            else:
                failed += 1
                print(f"FAIL {test.name}: {problem}", flush=True)

    with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        list(pool.map(one, ours))
    share = 100 * passed / len(ours) if ours else 0
    print(f"{len(tests) - len(ours)} tests are not for a hosted Linux with clang 19")
    print(f"{passed} passed ({share:.1f} %), {excused} listed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
