"""What people have on their first day: projects of CMake and Meson that use GoogleTest, Boost
and spdlog, with the commands that their authors type.  CC and CXX are divm's compilers, and
nothing else is said about it.

Each has tests in which divm finds nothing, and one with a planted error.  ctest and meson test
execute every case once: `fails` are the cases in which that is enough to see the error.
"""

import os
import pathlib
import resource
import shlex
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent / "first_day"
LIMIT = 600  # seconds for one command
LISTING = 1  # seconds of processor time for the list of cases

CMAKE = ["cmake -S . -B build {}", "cmake --build build"]
CTEST = "ctest --test-dir build --output-on-failure"

# build: command lines; test: another, and what it says of the cases that fail; lists: programs
# that list their cases; verified: programs with options, the exit status, and what is said
PROJECTS = {
    # the place where the sources are already, as whoever is offline says it to CMake
    "fetched": dict(
        build=[line.format("-DFETCHCONTENT_SOURCE_DIR_GOOGLETEST=/usr/src/googletest")
               for line in CMAKE],
        test=CTEST, count=4, fails=["Pool.TellsWhatWaits"], report="data race: Pool::run at pool.cpp:45",
        lists=["build/pool_test"],
        verified=[("build/pool_test", 13, "1 of 4 cases failed, first Pool.TellsWhatWaits: data race"),
                  ("build/pool_test --filter=Pool.EndsWithoutWork", 0, "complete")]),
    "found": dict(
        build=[line.format("") for line in CMAKE],
        test=CTEST, count=5, fails=["CacheTest.ComputesOnce"], report="Which is: 2",
        lists=["build/cache_test"],
        verified=[("build/cache_test", 10, "1 of 5 cases failed, first CacheTest.ComputesOnce: "
                                           "assertion failed: Expected equality"),
                  ("build/cache_test --filter=Some/CacheKeys*", 0, "complete")]),
    "meson": dict(
        build=["meson setup build", "meson compile -C build"],
        test="meson test -C build --print-errorlogs", count=2, fails=[],
        lists=["build/test_channel"],
        verified=[("build/test_ring", 0, "complete"),
                  ("build/test_channel --filter=Channel.TwoSend", 0, "complete"),
                  ("build/test_channel", 11, "1 of 3 cases failed, first "
                                             "Channel.TwoSendAndTwoReceive: deadlock")]),
    "lockfree": dict(
        build=[line.format("-DCMAKE_BUILD_TYPE=Release") for line in CMAKE],
        test=CTEST, count=3, fails=["writers"], report="data race: ",
        verified=[("build/ring_test", 0, "complete"),
                  # it reads the link of a node that may be another's by now
                  ("build/queue_test", 13, "boost::lockfree::"),
                  ("build/queue_test --races=allow", 0, "complete"),
                  ("build/writers_test", 13, "spsc_queue.hpp:113")]),
    # the compiled library's target, whose headers have all of it
    "spdlog": dict(
        build=[line.format("") for line in CMAKE],
        test=CTEST, count=3, fails=["shared"], report="data race: ",
        verified=[("build/async_test", 0, "complete"),
                  ("build/compiled_test", 0, "complete"),
                  ("build/shared_test", 13, "data race: spdlog::pattern_formatter::format")]),
    "headers": dict(
        build=[line.format("") for line in CMAKE],
        test=CTEST, count=5, fails=["mutex"], report="data race: ",
        verified=[("build/document_test", 0, "complete"),
                  ("build/mutex_test", 13, "data race: main::lambda::operator()"),
                  ("build/names_test", 0, "complete"),
                  # its loads and stores are plain, between barriers for the compiler
                  ("build/ring_test", 13, "data race: ck_pr_md_"),
                  ("build/ring_test --races=allow", 0, "complete"),
                  ("build/queue_test", 0, "complete")]),
}


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class FirstDay:
    def __init__(self, name, divm, world):
        self.name, self.divm = name, divm
        self.facts = PROJECTS[name]
        self.folder = world / name
        self.passed = self.failed = 0
        self.environment = dict(os.environ, CC=f"{divm}-cc", CXX=f"{divm}-c++",
                                DIVM_CACHE_DIR=str(world / (name + ".cache")))

    def say(self, good, what, why=""):
        self.passed += good
        self.failed += not good
        if not good:
            print(f"FAIL {self.name}: {what}: {why}", flush=True)
        return good

    def run(self, command):
        """(status or None if it took too long, what it wrote)."""
        try:
            done = subprocess.run(shlex.split(command), cwd=self.folder, env=self.environment,
                                  stdin=subprocess.DEVNULL, timeout=LIMIT,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            return done.returncode, done.stdout.decode(errors="replace")
        except subprocess.TimeoutExpired as late:
            return None, (late.stdout or b"").decode(errors="replace")

    def build(self):
        for command in self.facts["build"]:
            status, text = self.run(command)
            if not self.say(status == 0, command, f"status {status}\n{text[-3000:]}"):
                return False
        return True

    def list(self, program):
        before = processor_time()
        status, text = self.run(f"{program} --gtest_list_tests")
        took = processor_time() - before
        self.say(status == 0 and took < LISTING, f"{program} --gtest_list_tests",
                 f"status {status}, {took:.2f} s\n{text[-1000:]}")

    def execute(self):
        """Each case once."""
        facts = self.facts
        status, text = self.run(facts["test"])
        good = (status != 0) == bool(facts["fails"]) and facts.get("report", "") in text
        good = good and all(any(case in line and "Failed" in line for line in text.splitlines())
                            for case in facts["fails"])
        if facts["test"] == CTEST:
            good = good and f"{len(facts['fails'])} tests failed out of {facts['count']}" in text
        self.say(good, facts["test"], f"status {status}\n{text[-3000:]}")

    def verify(self, command, expected, says):
        status, text = self.run(f"{self.divm} verify --no-trace-file --progress=never {command}")
        last = text.splitlines()[-1] if text else ""
        self.say(status == expected and says in last, f"verify {command}",
                 f"status {status}, not {expected} with '{says}'\n{text[-1500:]}")

    def test(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.rmtree(self.environment["DIVM_CACHE_DIR"], ignore_errors=True)
        shutil.copytree(HERE / self.name, self.folder)
        if self.build():
            for program in self.facts.get("lists", []):
                self.list(program)
            self.execute()
            for verified in self.facts["verified"]:
                self.verify(*verified)
        print(f"{self.name}: {self.passed} passed, {self.failed} failed", flush=True)
