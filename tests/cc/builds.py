"""divm cc and divm c++ as compilers of build systems: make, CMake, Meson, and the probes
of a configure script."""

import json
import os
import pathlib
import re
import shutil
import tempfile

from program import ALL
from suite import DIVM, ENVIRONMENT, ROOT, Run, verify

TEMPORARY = tempfile.TemporaryDirectory(prefix="divm-cc-")
HERE = pathlib.Path(TEMPORARY.name)
PROJECTS = ROOT / "tests" / "cc"


class Wrong(Exception):
    pass


def must(run, status, text=""):
    if run.status != status or text not in run.text + run.errors:
        raise Wrong(f"{run.told()}, expected {status} and '{text}'\n{run.show()}")
    return run


def judged(test):
    """A test that tells what is wrong."""
    def call():
        try:
            test()
        except Wrong as wrong:
            return str(wrong)
        return None
    return call


def project(name, copy):
    return pathlib.Path(shutil.copytree(PROJECTS / name, HERE / copy))


def no_error(file, *args, cwd):
    must(verify("--no-trace-file", *args, file, cwd=cwd), 0, "complete")


def make_project():
    folder = project("make", "make")
    make = ["make", "-s", f"CC={DIVM} cc"]
    must(Run(make, cwd=folder), 0)
    no_error("./mytest", cwd=folder)
    no_error("mytest.o", "libcounter.a", cwd=folder)
    no_error("mytest.o", "-L.", "-lcounter", cwd=folder)
    must(Run(["./mytest", "a", "b c"], cwd=folder), 0, "a\nb c\n")
    must(Run(["grep", "^mytest.o:.*counter.h", "mytest.d"], cwd=folder), 0)
    must(Run(["strip", "mytest"], cwd=folder), 0)
    no_error("mytest", cwd=folder)


def moved_command():
    """An executable whose divm was moved is run by the one in PATH, and says so if there is none."""
    folder = project("make", "moved")
    old, new, runtime = folder / "old/bin", folder / "new place/bin", pathlib.Path(DIVM).parent / "runtime"
    for bin in (old, new):
        bin.mkdir(parents=True)
        (bin.parent / "lib").mkdir()
        (bin.parent / "lib/divm").symlink_to(runtime)
    shutil.copy(DIVM, old)
    must(Run([old / "divm", "cc", "mytest.c", "counter.c", "-o", "mytest"], cwd=folder), 0)
    must(Run(["./mytest", "a"], cwd=folder), 0, "a\n")
    (old / "divm").rename(new / "divm")
    path = {"PATH": f"/nowhere::{new}:/usr/bin:/bin"}
    must(Run(["./mytest", "a"], cwd=folder, env={**ENVIRONMENT, **path}), 0, "a\n")
    run = Run(["./mytest", "a"], cwd=folder, env={**ENVIRONMENT, "PATH": "/nowhere:"})
    must(run, 127)
    if "no divm in PATH" not in run.errors:
        raise Wrong(run.show())


def tests_that_verify():
    """What build systems start verifies itself where they are told so; whatever they wrap is
    verified with its arguments."""
    folder = project("meson", "verifying")
    env = {**ENVIRONMENT, "CC": f"{DIVM} cc", "CXX": f"{DIVM} c++"}
    (folder / "late.c").write_text((ROOT / "examples/lost_update.c").read_text())
    must(Run([DIVM, "cc", "late.c", "-o", "late"], cwd=folder), 0)
    must(Run(["./late"], cwd=folder, env={**env, "DIVM_LAUNCH": "run"}), 10)
    must(Run(["./late"], cwd=folder, env={**env, "DIVM_LAUNCH": "verify", "DIVM_OPTIONS": "--no-trace-file"}),
         10, "thread 3 (count)")
    must(Run([DIVM, "cc", "-DFIXED", "late.c", "-o", "late"], cwd=folder), 0)
    must(Run(["./late", "-x", "--y"], cwd=folder, env={**env, "DIVM_LAUNCH": "verify"}), 0, "complete")
    must(Run(["./late"], cwd=folder, env={**env, "DIVM_LAUNCH": "verify!"}), 0)
    must(verify("-q", "--", "./late", "-x", "--y", cwd=folder), 0, "complete")
    if not shutil.which("cmake"):
        return
    folder = project("cmake", "verifying_by_cmake")
    must(Run(["cmake", "-S", ".", "-B", "build", f"-DCMAKE_CROSSCOMPILING_EMULATOR={DIVM};verify;-q;--"],
             cwd=folder, env=env), 0)
    must(Run(["cmake", "--build", "build"], cwd=folder), 0)
    must(Run(["ctest", "--test-dir", "build", "-V"], cwd=folder), 0, "states, ")
    must(Run(["ctest", "--test-dir", "build", "-V"], cwd=folder, env={**env, "DIVM_LAUNCH": "verify"}),
         0, "complete")


def make_project_with_a_bug():
    """The error is found as in the source, and its trace replays."""
    folder = project("make", "make-bug")
    must(Run(["make", "-s", f"CC={DIVM} cc", "CPPFLAGS=-DBUG=1"], cwd=folder), 0)
    first = must(verify("./mytest", cwd=folder), 13, "counter_add at counter.c:16")
    again = must(Run([DIVM, "replay", "mytest.trace"], cwd=folder), 13)
    if first.last_line() != again.last_line():
        raise Wrong("the trace does not replay\n" + again.show())


def undefined_behaviour_as_written():
    """Objects made without -O are checked as their author wrote them."""
    source = HERE / "overflow.c"
    source.write_text("#include <limits.h>\nint main(int argc, char **argv)\n{\n"
                      "    int x = INT_MAX;\n    x += argc;\n    return 0;\n}\n")
    must(Run([DIVM, "cc", "overflow.c", "-o", "overflow"], cwd=HERE), 0)
    must(verify("--no-trace-file", "overflow", cwd=HERE), 15, "overflow.c:5")


def cmake_project():
    if not shutil.which("cmake"):
        print("SKIPPED cc: cmake is not installed")
        return
    folder = project("cmake", "cmake")
    env = {**ENVIRONMENT, "CC": f"{DIVM} cc", "CXX": f"{DIVM} c++"}
    must(Run(["cmake", "-S", ".", "-B", "build"], cwd=folder, env=env), 0, "is Clang")
    must(Run(["cmake", "--build", "build"], cwd=folder), 0)
    must(Run(["ctest", "--test-dir", "build"], cwd=folder), 0, "100% tests passed")
    for test in ("test_total", "test_total_shared"):
        no_error(f"build/{test}", cwd=folder)
    no_error("test.cpp", "-p", "build", "total.c", cwd=folder)
    must(verify("test.cpp", "total.c", cwd=folder), 3, "LIMIT")
    must(verify("-p", "nowhere", "test.cpp", cwd=folder), 3, "compile_commands.json")


def meson_project():
    if not shutil.which("meson"):
        print("SKIPPED cc: meson is not installed")
        return
    folder = project("meson", "meson")
    env = {**ENVIRONMENT, "CC": f"{DIVM} cc", "CXX": f"{DIVM} c++"}
    must(Run(["meson", "setup", "build"], cwd=folder, env=env), 0, "clang 19")
    must(Run(["meson", "compile", "-C", "build"], cwd=folder), 0)
    must(Run(["meson", "test", "-C", "build"], cwd=folder), 0, "OK")
    no_error("build/test_plain", cwd=folder)
    must(verify("--no-trace-file", "build/test_cases", cwd=folder), 10,
         "1 of 2 cases failed, first Counter.AddsInTwoSteps: assertion failed: Expected equality")


def framework_libraries():
    """Test frameworks by -lNAME, for verify and for the compilers; the user's own go first."""
    cases = str(PROJECTS / "meson/test_cases.cpp")
    sources = [cases, str(PROJECTS / "meson/counter.c")]
    must(verify("--no-trace-file", "-pthread", cases, "-lgtest", "-lgtest_main", cwd=HERE), 3,
         "call of an undefined function: call of counter_value")
    must(verify("--no-trace-file", *sources, "-lgtest", "-lgtest_main", cwd=HERE), 10)
    must(Run([DIVM, "cc", "-c", sources[1], "-o", "counter.o"], cwd=HERE), 0)
    must(Run([DIVM, "c++", cases, "counter.o", "-lgtest", "-lgtest_main", "-o", "cases"], cwd=HERE), 0)
    must(Run([DIVM, "c++", "-c", cases, "-o", "cases.o"], cwd=HERE), 0)
    cases = "cases.o"
    for options in (["-l", "gmock_main", "-lgmock"],
                    ["/usr/lib/x86_64-linux-gnu/libgtest_main.a"]):
        must(Run([DIVM, "c++", cases, "counter.o", *options, "-o", "cases"], cwd=HERE), 0)
        must(verify("--no-trace-file", "--filter=*.TwoThreads", "cases", cwd=HERE), 0)
    must(Run([DIVM, "c++", cases, "counter.o", "-lgtest"], cwd=HERE), 1, "main")
    must(Run([DIVM, "c++", cases, "counter.o"], cwd=HERE), 1, "testing::")
    must(Run(["ar", "rcs", "libgtest.a", "counter.o"], cwd=HERE), 0)
    must(Run([DIVM, "c++", cases, "-L.", "-lgtest", "-lgtest_main", "-o", "cases"], cwd=HERE), 0)
    must(Run([DIVM, "cc", ROOT / "examples/frameworks/cmocka.c", "-lcmocka", "-o", "units"],
             cwd=HERE), 0)
    must(verify("--no-trace-file", "--filter=adds", "units", cwd=HERE), 0)
    must(Run([DIVM, "c++", ROOT / "examples/frameworks/catch2.cpp", "-lCatch2", "-o", "catch"],
             cwd=HERE), 0)
    must(verify("--no-trace-file", "--filter=top_or*", "catch", cwd=HERE), 10, "top >= 0")


def refused_functions():
    """What divm refuses is undefined to main, so that probes get a true answer, and to no other;
    whoever has a function of that name himself calls it."""
    (HERE / "own.c").write_text("int getaddrinfo(void) { return 0; }\n")
    (HERE / "asks.c").write_text("int getaddrinfo();\nint ask(void) { return getaddrinfo(); }\n")
    (HERE / "asking.c").write_text("int ask(void);\nint main(void) { return ask(); }\n")
    must(Run([DIVM, "cc", "-w", "-c", "own.c", "asks.c", "asking.c"], cwd=HERE), 0)
    must(Run([DIVM, "cc", "asking.o", "asks.o", "-o", "asking"], cwd=HERE), 0)
    must(verify("--no-trace-file", "asking", cwd=HERE), 3, "divm does not support getaddrinfo()")
    must(Run(["ar", "rcs", "libown.a", "own.o"], cwd=HERE), 0)
    must(Run([DIVM, "cc", "asking.o", "asks.o", "libown.a", "-o", "asking"], cwd=HERE), 0)
    no_error("asking", cwd=HERE)
    (HERE / "hint.c").write_text("int system();\nint main(void) { return system(); }\n")
    must(Run([DIVM, "cc", "-w", "hint.c"], cwd=HERE), 1, "divm: main names system(), which divm")
    must(Run([DIVM, "cc", "-w", "-Wl,--unresolved-symbols=ignore-all", "hint.c"], cwd=HERE), 0)


def damaged_objects():
    """An object whose tables are damaged is the linker's business, and no crash."""
    (HERE / "whole.c").write_text("#include <stdio.h>\nint main(void) { return puts(\"x\") < 0; }\n")
    must(Run([DIVM, "cc", "-c", "whole.c"], cwd=HERE), 0)
    whole = (HERE / "whole.o").read_bytes()
    headers = int.from_bytes(whole[40:48], "little")
    for k, at in enumerate([32, 40, 44, 58, 60, 62, *range(headers, len(whole), 24)]):
        damaged = bytearray(whole)
        damaged[at:at + 2] = b"\xf9\xff"
        (HERE / "damaged.o").write_bytes(damaged)
        run = Run([DIVM, "cc", "damaged.o", "-o", "damaged"], cwd=HERE)
        if run.status not in (0, 1):
            raise Wrong(f"damage {k} at {at}\n{run.show()}")


def folders_of_headers():
    """The host's own folders come after the guest's, whatever is given; a package's headers are
    found in them."""
    (HERE / "folders.c").write_text("#include <limits.h>\n#include <linux/limits.h>\n"
                                    "#include <stdio.h>\n#ifdef __GLIBC__\n#error\n#endif\n"
                                    "int main(void) { return BUFSIZ != 1024; }\n")
    given = ["-I/usr/include", "-isystem", "/usr/include/", "-idirafter", "/usr/include/.",
             "-isystem/usr/include/x86_64-linux-gnu"]
    must(Run([DIVM, "cc", *given, "folders.c", "-o", "folders"], cwd=HERE), 0)
    no_error("folders", cwd=HERE)
    no_error("folders.c", *given, cwd=HERE)
    (HERE / "far").mkdir()
    (HERE / "far" / "far.h").write_text("#define FAR 0\n")
    (HERE / "far" / "stdio.h").write_text("#error too early\n")
    (HERE / "far.c").write_text("#include <far.h>\n#include <stdio.h>\nint main(void) { return FAR; }\n")
    for how in (["-idirafter", "far"], ["-idirafterfar"]):
        must(Run([DIVM, "cc", *how, "far.c", "-o", "is_far"], cwd=HERE), 0)
        no_error("far.c", *how, cwd=HERE)
    (HERE / "quoted.c").write_text('#include "far.h"\nint main(void) { return FAR; }\n')
    no_error("quoted.c", "-iquote", "far", cwd=HERE)


def weak_orders_kept(env):
    """What a kept program says of its orders is what it said at first."""
    must(Run([DIVM, "c++", "-std=c++20", str(ROOT / "tests/cxx/weak_functions.cpp"), "-o",
              "weak_test"], cwd=HERE), 0)
    said = []
    for k in range(2):
        run = must(Run([DIVM, "verify", "--format=json", "--output-junit=weak.xml", "weak_test"],
                       cwd=HERE, env=env), 0)
        output = re.search("<system-out>.*</system-out>", (HERE / "weak.xml").read_text())
        said.append((json.loads(run.text)["notes"], output and output[0]))
        must(Run([DIVM, "verify", "-q", "weak_test"], cwd=HERE, env=env), 0, "and 16 more")
    if said[0] != said[1] or "and 16 more" not in said[0][0][0] or "is consume" not in said[0][1]:
        raise Wrong(f"weak orders of a kept program: {said}")


def kept_programs():
    """What was loaded is kept by its contents: the same verdict and trace again; another program
    where the file is another."""
    env = {**ENVIRONMENT, "DIVM_CACHE_DIR": str(HERE / "kept")}
    source = str(ROOT / "examples/lost_update.c")
    must(Run([DIVM, "cc", source, "-o", "kept_test"], cwd=HERE), 0)
    traces, seen = [], []
    for k in range(2):
        run = must(Run([DIVM, "verify", "-j1", f"--trace-file={k}.trace", "kept_test"], cwd=HERE,
                       env=env), 10)
        traces.append((HERE / f"{k}.trace").read_text())
        seen.append(sorted(p.name for p in (HERE / "kept/programs").iterdir()))
    if traces[0] != traces[1] or seen[0] != seen[1] or len(seen[0]) != 1:
        raise Wrong(f"not the same again: {seen}\n{run.show()}")
    must(Run([DIVM, "cc", "-DFIXED", source, "-o", "kept_test"], cwd=HERE), 0)
    must(Run([DIVM, "verify", "kept_test"], cwd=HERE, env=env), 0, "complete")
    must(Run([DIVM, "verify", "--no-overflow", "kept_test"], cwd=HERE, env=env), 0, "complete")
    weak_orders_kept(env)
    for file in (HERE / "kept/programs").iterdir():
        file.write_bytes(file.read_bytes()[:5000])
    must(Run([DIVM, "verify", "kept_test"], cwd=HERE, env=env), 0, "complete")


def loaded_ahead():
    """Build systems list the cases of a test as soon as it is linked: by then it is loaded, if it
    is written for a test framework.  Where nothing can be kept, all works as well."""
    cases, plain = str(PROJECTS / "meson/test_cases.cpp"), str(PROJECTS / "meson/counter.c")
    env = {**ENVIRONMENT, "DIVM_CACHE_DIR": str(HERE / "ahead")}
    must(Run([DIVM, "c++", "-w", cases, plain, "-lgtest_main", "-lgtest", "-o", "ahead_test"],
             cwd=HERE, env=env), 0)
    programs = HERE / "ahead/programs"
    kept = sorted(programs.iterdir())
    if len(kept) != 1:
        raise Wrong(f"linking keeps {kept}")
    for command in (["./ahead_test", "--gtest_list_tests"],
                    [DIVM, "verify", "--filter=*.TwoThreads", "ahead_test"]):
        must(Run(command, cwd=HERE, env=env), 0)
        if sorted(programs.iterdir()) != kept:
            raise Wrong(f"{command} loads it again")
    must(Run([DIVM, "cc", PROJECTS / "meson/test_plain.c", plain, "-o", "plain"], cwd=HERE,
             env=env), 0)
    if sorted(programs.iterdir()) != kept:
        raise Wrong("what has no cases is loaded by the linker")
    env["DIVM_CACHE_DIR"] = "/proc/nowhere"
    must(Run([DIVM, "c++", "-w", cases, plain, "-lgtest_main", "-lgtest", "-o", "ahead_test"],
             cwd=HERE, env=env), 0)
    must(Run(["./ahead_test", "--gtest_list_tests"], cwd=HERE, env=env), 0, "AddsInTwoSteps")


def machine_code():
    """Shared libraries of the host are left out, and named only if something is missing then."""
    libraries = pathlib.Path("/usr/lib/x86_64-linux-gnu")
    shared = next((file for file in sorted(libraries.glob("lib*.so"))
                   if file.exists() and not file.with_suffix(".a").exists()), None)
    if not shared:
        print("SKIPPED cc: no shared library is installed for linking")
        return
    (HERE / "alone.c").write_text("int main(void) { return 0; }\n")
    (HERE / "missing.c").write_text("int missing(void);\nint main(void) { return missing(); }\n")
    for library in (str(shared), "-l" + shared.stem[3:]):
        run = must(Run([DIVM, "cc", "alone.c", library, "-o", "alone"], cwd=HERE), 0)
        if run.errors:
            raise Wrong(run.show())
        no_error("alone", cwd=HERE)
        must(Run([DIVM, "cc", "missing.c", library], cwd=HERE), 1, f"divm: {library} is machine code")


# name, source, options, statuses of compiling and linking and of running
PROBES = [
    ("empty", "int main(){}", [], 0, 0),
    ("a status", "int main(void) { return 3; }", [], 0, 3),
    ("a missing function", "char nothing(); int main(void) { return nothing(); }", [], 1, None),
    ("a function that there is", "char strlcpy(); int main(void) { return strlcpy(); }",
     ["-Wno-builtin-declaration-mismatch"], 0, None),
    ("a library of ours", "int main(void) { return 0; }", ["-lm", "-lpthread", "-lrt"], 0, 0),
    ("a missing library", "int main(void) { return 0; }", ["-lnothing"], 1, None),
    ("a refused function", "char getaddrinfo(); int main(void) { return getaddrinfo(); }",
     ["-w"], 1, None),
    ("a refused function, optimised", "char clone(); int main(void) { return clone(); }",
     ["-w", "-O2", "-ffunction-sections"], 1, None),
    ("a refused function's address",
     "#include <spawn.h>\nint main(int c, char **v) { return ((int *)&posix_spawn)[c]; }",
     ["-w"], 1, None),
    ("refused functions that are not reached", "#include <netdb.h>\n#include <stddef.h>\n"
     "void never(void)\n{\n    struct addrinfo *a;\n"
     "    if (!getaddrinfo(\"h\", \"1\", NULL, &a))\n        freeaddrinfo(a);\n}\n"
     "int main(void) { return 0; }\n", [], 0, 0),
    ("a missing header", "#include <nothing.h>\nint main(void) { return 0; }", [], 1, None),
    ("a size", "int x[sizeof(long) == 8 ? 1 : -1]; int main(void) { return 0; }", [], 0, 0),
    ("a wrong size", "int x[sizeof(long) == 4 ? 1 : -1]; int main(void) {}", [], 1, None),
    ("no main", "int x;", [], 1, None),
    ("a file is written",
     "#include <stdio.h>\nint main(void)\n{\n    FILE *f = fopen(\"conftest.out\", \"w\");\n"
     "    return !f || ferror(f) || fclose(f);\n}\n", [], 0, 0),
    ("wide arithmetic", "int main(int c, char **v)\n{\n    __int128 x = (__int128)c << 70;\n"
     "    return x / c / ((__int128)1 << 69) != 2;\n}\n", [], 0, 0),
    ("position independent", "int main(void) { return 0; }", ["-fPIE", "-pie"], 0, 0),
    ("optimised, sections", "static int f(void) { return 0; }\nint main(void) { return f(); }",
     ["-O2", "-ffunction-sections", "-Wl,--gc-sections", "-flto", "-s"], 0, 0),
]


def probe(source, options, built, ran):
    with tempfile.TemporaryDirectory(dir=HERE) as folder:
        (pathlib.Path(folder) / "conftest.c").write_text(source)
        run = Run([DIVM, "cc", *options, "conftest.c", "-o", "conftest"], cwd=folder)
        must(run, built)
        if ran is not None:
            must(Run(["./conftest"], cwd=folder), ran)
            if ran == 0:
                no_error("conftest", cwd=folder)


def preprocess():
    (HERE / "defines.c").write_text("#include <stdio.h>\n__clang__ SIZE\n")
    must(Run([DIVM, "cc", "-E", "-DSIZE=17", "defines.c"], cwd=HERE), 0, "1 17")
    must(Run([DIVM, "cc", "-MM", "defines.c"], cwd=HERE), 0, "defines.o: defines.c")
    must(Run([DIVM, "cc", "--version"], cwd=HERE), 0, "clang version 19")
    must(Run([DIVM, "c++", "-dumpmachine"], cwd=HERE), 0, "x86_64")


def names():
    """The command under the names of compilers; response files; C by the C++ compiler."""
    (HERE / "words.rsp").write_text('-DTEXT="\\"a b\\"" named.c -o named\n')
    (HERE / "named.c").write_text(
        "#include <cstring>\nint main() { return std::strcmp(TEXT, \"a b\"); }\n")
    must(Run([pathlib.Path(DIVM).parent / "divm-c++", "@words.rsp"], cwd=HERE), 0)
    must(Run(["./named"], cwd=HERE), 0)


def not_ours():
    """What carries no bitcode is refused."""
    must(verify("/bin/true", cwd=HERE), 3, "carries no bitcode")


def tests():
    for each in (make_project, moved_command, tests_that_verify, make_project_with_a_bug, undefined_behaviour_as_written,
                 cmake_project, meson_project, *([framework_libraries] if ALL else []), preprocess, names, not_ours,
                 refused_functions, damaged_objects, folders_of_headers,
                 kept_programs, loaded_ahead, machine_code):
        yield f"cc: {each.__name__.replace('_', ' ')}", judged(each)
    for name, *what in PROBES:
        yield f"cc: probe: {name}", judged(lambda w=what: probe(*w))
