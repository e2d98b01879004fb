"""Well-known C projects, from Debian's source packages: compiled unchanged, natively and
with `divm cc`; their own tests must print the same and end with the same status in both.
Then tests of ours with two threads are verified against these libraries.  And projects that
use build systems and libraries of the distribution (first_day.py).

usage: world.py [PROJECT...]      DIVM names the command, DIVM_CACHE_DIR keeps downloads
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import first_day

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DIVM = os.path.abspath(os.environ.get("DIVM", ROOT / "build" / "divm"))
CACHE = os.path.abspath(os.environ.get("DIVM_CACHE_DIR", ROOT / "build" / "cache"))
WORLD = ROOT / "build" / "world"
LIMIT = 300  # seconds for one command

CMAKE = "cmake -DCMAKE_BUILD_TYPE= -DBUILD_SHARED_LIBS=OFF"

# package, tarball, its SHA-256; how it is built in $SRC with $CC; its tests, as command lines
# in a folder of $SRC; found: those in which divm finds an error, with its exit status and
# place; ours, as a file, the verdict's exit status and options.
PROJECTS = {
    "zlib": dict(
        package="zlib=1:1.2.13.dfsg-1", tarball="zlib_1.2.13.dfsg.orig.tar.bz2",
        sha256="71feb7947e3c00ef125f83b79a4e529bde31171e5babe48b391f06758d1ab0a1",
        build="""
            $CC -w -O1 -DHAVE_UNISTD_H -DHAVE_STDARG_H -I. -c *.c
            ar rcs libz.a *.o
            $CC -w -O1 -I. test/example.c libz.a -o example
            $CC -w -O1 -I. test/infcover.c libz.a -o infcover
            $CC -w -O1 -I. test/minigzip.c libz.a -o minigzip""",
        tests=["./example", "./minigzip -c README", "./minigzip -c -9 ChangeLog"],
        found=[("./infcover", 12, "inflate.c:207")],  # reads before the start of a string
        ours=[("zlib_threads.c", 0, "-I. libz.a")]),
    "cjson": dict(
        package="cjson=1.7.15-1+deb12u4", tarball="cjson_1.7.15.orig.tar.gz",
        sha256="5308fd4bd90cef7aa060558514de6a1a4a0819974a26e6ed13973c5f624c24b2",
        folder="tests",
        build="""
            for t in parse_array parse_hex4 parse_number parse_object parse_string parse_value \\
                parse_with_opts print_array print_number print_object print_string print_value \\
                parse_examples cjson_add compare_tests minify_tests misc_tests readme_examples; do
              $CC -w -I.. -I. -Iunity/src $t.c unity/src/unity.c -o $t -lm
            done
            for t in json_patch_tests misc_utils_tests old_utils_tests; do
              $CC -w -I.. -I. -Iunity/src $t.c ../cJSON_Utils.c unity/src/unity.c -o $t -lm
            done
            $CC -w -I.. ../test.c ../cJSON.c -o test""",
        tests=["./" + t for t in """parse_array parse_hex4 parse_number parse_object parse_string
            parse_value parse_with_opts print_array print_number print_object print_string
            print_value parse_examples cjson_add compare_tests minify_tests misc_tests
            readme_examples json_patch_tests misc_utils_tests old_utils_tests test""".split()],
        ours=[("cjson_threads.c", 0, "-I.. ../cJSON.c"),
              ("cjson_threads.c", 13, "-DBUG -I.. ../cJSON.c")]),
    "jansson": dict(
        package="jansson=2.14-2", tarball="jansson_2.14.orig.tar.gz",
        sha256="c739578bf6b764aa0752db9a2fdadcfe921c78f1228c7ec0bb47fa804c55d17b",
        # With NO_MASKING_TRICK its hash does not read past the end of keys, which is an error.
        build=f"""{CMAKE} -DJANSSON_BUILD_DOCS=OFF -DJANSSON_BUILD_SHARED_LIBS=OFF \\
            -DCMAKE_C_FLAGS=-DNO_MASKING_TRICK . && make""",
        tests=["bin/test_" + t for t in """array chaos copy dump dump_callback equal fixed_size
            load load_callback loadb memory_funcs number object pack simple sprintf
            unpack""".split()],
        ours=[("jansson_threads.c", 13, "-Iinclude lib/libjansson.a"),
              ("jansson_threads.c", 0, "--races=allow -Iinclude lib/libjansson.a")]),
    "libyaml": dict(
        package="libyaml=0.2.5-1", tarball="libyaml_0.2.5.orig.tar.gz",
        sha256="fa240dbf262be053f3898006d502d514936c818e422afdcf33921c63bed9bf2e",
        build=f"{CMAKE} . && make",
        tests=["./test-version", "./test-reader", "./run-scanner announcement.msg",
               *[f"./run-{kind} {file}" for kind in ("parser", "loader", "emitter", "dumper",
                                                         "parser-test-suite")
                 for file in ("examples/anchors.yaml", "examples/mapping.yaml",
                              "examples/yaml-version.yaml", "examples/tags.yaml")]]),
    "uthash": dict(
        package="uthash=2.3.0-1", tarball="uthash_2.3.0.orig.tar.gz",
        sha256="e10382ab75518bad8319eb922ad04f907cb20cccb451a3aa980c9d005e661acc",
        folder="tests",
        build="for t in test[1-9]*.c; do $CC -w -I../src $t -o ${t%.c}; done",
        tests=[f"./test{n}" for n in range(1, 97)],
        ours=[("uthash_threads.c", 0, "-I../src"), ("uthash_threads.c", 13, "-DBUG -I../src")]),
}


def run(command, cwd, env=None, out=None):
    """(status or None if it took too long, what it wrote)."""
    try:
        done = subprocess.run(command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, timeout=LIMIT,
                              stdout=subprocess.PIPE, stderr=out or subprocess.STDOUT,
                              shell=isinstance(command, str))
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired as late:
        return None, late.stdout or b""


class Project:
    def __init__(self, name):
        self.name = name
        self.facts = PROJECTS[name]
        self.passed = self.failed = 0

    def say(self, good, what, why=""):
        self.passed += good
        self.failed += not good
        if not good:
            print(f"FAIL {self.name}: {what}: {why}", flush=True)

    def unpack(self, kind):
        folder = WORLD / self.name / kind
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        subprocess.run(["tar", "xf", f"{CACHE}/{self.facts['tarball']}", "-C", folder,
                        "--strip-components=1"], check=True)
        return folder / self.facts.get("folder", "")

    def build(self, kind, compiler):
        folder = self.unpack(kind)
        env = dict(os.environ, CC=compiler)
        status, text = run("set -e\n" + self.facts["build"], folder, env)
        self.say(status == 0, f"built with {compiler}", text.decode(errors="replace")[-2000:])
        return folder

    def compare(self, test, native, ours):
        words = shlex.split(test)
        if not (native / words[0]).exists():
            return self.say(False, test, "was not built")
        expected = run(words, native, out=subprocess.DEVNULL)
        found = run([DIVM, "run", "--capture=.:.", words[0], "--", *words[1:]], ours,
                    out=subprocess.PIPE)
        same = expected[0] == found[0] and erase(expected[1]) == erase(found[1])
        why = f"status {found[0]}, natively {expected[0]}" if expected[0] != found[0] else ""
        self.say(same, test, why or f"prints {found[1][-300:]}\nnatively {expected[1][-300:]}")

    def find(self, test, expected, place, ours):
        status, text = run([DIVM, "run", "--capture=.:.", test], ours)
        self.say(status == expected and place.encode() in text, test,
                 f"status {status}, not {expected} at {place}")

    def verify(self, file, expected, options, folder):
        status, text = run([DIVM, "verify", "--no-trace-file", "--progress=never",
                            *shlex.split(options), HERE / file], folder)
        self.say(status == expected, f"{file} {options}",
                 f"status {status}, not {expected}\n" + text.decode(errors="replace")[-1500:])

    def test(self):
        subprocess.run([ROOT / "libc" / "source.sh", CACHE, self.facts["package"],
                        self.facts["tarball"], self.facts["sha256"], "1 MB at most"], check=True)
        native = self.build("native", os.environ.get("CC_NATIVE", "clang-19"))
        ours = self.build("divm", f"{DIVM} cc")
        for test in self.facts["tests"]:
            self.compare(test, native, ours)
        for found in self.facts.get("found", []):
            self.find(*found, ours)
        for file, expected, options in self.facts.get("ours", []):
            self.verify(file, expected, options, ours)
        print(f"{self.name}: {self.passed} passed, {self.failed} failed", flush=True)


def erase(text):
    """Without what differs from run to run: addresses."""
    return re.sub(rb"0x[0-9a-f]{6,}", b"0x", text)


def main():
    names = sys.argv[1:] or [*first_day.PROJECTS, *PROJECTS]
    unknown = [name for name in names if name not in {**first_day.PROJECTS, **PROJECTS}]
    if unknown:
        print(f"world.py: no project {', '.join(unknown)}", file=sys.stderr)
        return 2
    projects = [Project(name) if name in PROJECTS else first_day.FirstDay(name, DIVM, WORLD)
                for name in names]
    for project in projects:
        project.test()
    passed = sum(p.passed for p in projects)
    failed = sum(p.failed for p in projects)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
