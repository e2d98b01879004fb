"""What clang made is kept (checker/build/object_cache.h): clang is not started again where it
would read the same, and is wherever anything that it would read has changed, come or gone."""

import os
import shutil
import time

from suite import DIVM, Run

SOURCE = """#include <assert.h>
#include "value.h"
#if __has_include("optional.h")
#include "optional.h"
#endif
#ifndef OPTIONAL
#define OPTIONAL 0
#endif
int main(void) { assert(VALUE + OPTIONAL == 1); }
"""
WAIT = 0.2  # seconds: a file as new as that is not trusted


class Project:
    """A folder with a source, two folders of headers, and a clang that notes that it is run."""

    def __init__(self, folder):
        self.folder, self.calls = folder, folder / "calls"
        shutil.rmtree(folder, ignore_errors=True)
        for name in ("first", "second", "source"):
            (folder / name).mkdir(parents=True)
        self.write("source/test.c", SOURCE)
        self.write("second/value.h", "#define VALUE 1\n")
        clang = folder / "clang"
        clang.write_text(f'#!/bin/sh\necho >> {self.calls}\nexec {os.environ.get("DIVM_CLANG", "clang-19")} "$@"\n')
        clang.chmod(0o755)
        self.environment = {**os.environ, "DIVM_CACHE_DIR": str(folder / "cache"), "DIVM_CLANG": str(clang)}
        time.sleep(WAIT)

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def verify(self, *options, cwd=None):
        """(status, whether clang was run, what it said)"""
        self.calls.unlink(missing_ok=True)
        run = Run([DIVM, "verify", "-j1", "-Ifirst", "-Isecond", *options, "source/test.c"],
                  cwd=cwd or self.folder, env=self.environment)
        return run.status, self.calls.exists(), run.errors


def changed(project, what, change, status, settle=WAIT):
    """After the change comes another verdict, from a clang that was run; then from none."""
    before = project.verify()
    if before[:2] != (0, False):
        return f"before {what}: {before}"
    change()
    found = project.verify()
    if found[:2] != (status, True):
        return f"{what}: {found}, expected status {status} and a new compilation"
    time.sleep(settle)
    project.verify()
    again = project.verify()
    return None if again[:2] == (status, False) else f"{what}, once more: {again}"


def kept(folder):
    project = Project(folder)
    first, second = project.verify(), project.verify()
    if first[:2] != (0, True) or second[:2] != (0, False):
        return f"{first}, then {second}"
    project.write("source/test.c.trace", "a file that has nothing to do with it")
    project.write("first/other.h", "nor has this one")
    third = project.verify()
    if third[:2] != (0, False):
        return f"after other files came: {third}"
    return None


def change_of(name, text, status):
    def test(folder):
        project = Project(folder)
        project.verify()
        return changed(project, name, lambda: project.write(name, text), status)
    return test


def gone(folder):
    """A header that __has_include finds, and one that is included, go away."""
    project = Project(folder)
    project.write("first/optional.h", "#define OPTIONAL 0\n")
    project.write("first/value.h", "#define VALUE 1\n")
    project.write("second/value.h", "#define VALUE 2\n")
    time.sleep(WAIT)
    project.verify()
    problem = changed(project, "optional.h is gone", (project.folder / "first/optional.h").unlink, 0)
    return problem or changed(project, "the first value.h is gone", (project.folder / "first/value.h").unlink, 10)


def same_size(folder):
    """A change that keeps the size and the date of modification."""
    project = Project(folder)
    project.verify()
    header = project.folder / "second/value.h"
    date = header.stat().st_mtime_ns
    def change():
        header.write_text("#define VALUE 2\n")
        os.utime(header, ns=(date, date))
    return changed(project, "the same size and date", change, 10)


def new_file(folder):
    """What has just been written is not trusted by its date."""
    project = Project(folder)
    for value, status in (1, 0), (2, 10), (1, 0), (3, 10), (1, 0):
        project.write("second/value.h", f"#define VALUE {value}\n")
        found = project.verify()
        if found[0] != status:
            return f"VALUE {value}: {found}"
    return None


def warned(folder):
    """A warning is given each time."""
    project = Project(folder)
    project.write("source/test.c", "#warning look here\n" + SOURCE)
    time.sleep(WAIT)
    for _ in range(3):
        found = project.verify()
        if found[:2] != (0, True) or "look here" not in found[2]:
            return f"{found}"
    return None


def told(folder):
    """Options, and variables of the environment, that change what clang does."""
    project = Project(folder)
    project.verify()
    for options in ["-DOPTIONAL=1"], ["-DOPTIONAL=2"], ["-O1", "-DOPTIONAL=1"]:
        found = project.verify(*options)
        if found[:2] != (10, True):
            return f"{options}: {found}"
    project.environment["CPATH"] = str(project.folder / "first")
    found = project.verify()
    if found[:2] != (0, True):
        return f"with CPATH: {found}"
    return None


def dated(folder):
    """A program that says when it was compiled."""
    project = Project(folder)
    project.write("source/test.c", "const char *when = __TIME__;\n" + SOURCE)
    time.sleep(WAIT)
    for _ in range(2):
        found = project.verify()
        if found[:2] != (0, True):
            return f"{found}"
    return None


def damaged(folder):
    project = Project(folder)
    project.verify()
    for file in (folder / "cache/objects").iterdir():
        data = file.read_bytes()
        file.write_bytes(data[:len(data) // 2] + b"?" + data[len(data) // 2 + 1:])
    return changed_back(project)


def changed_back(project):
    first, second = project.verify(), project.verify()
    return None if (first[:2], second[:2]) == ((0, True), (0, False)) else f"{first}, then {second}"


TESTS = {
    "kept": kept,
    "header changes": change_of("second/value.h", "#define VALUE 2\n", 10),
    "source changes": change_of("source/test.c", SOURCE.replace("== 1", "== 2"), 10),
    "header before it": change_of("first/value.h", "#define VALUE 2\n", 10),
    "header beside the source": change_of("source/value.h", "#define VALUE 2\n", 10),
    "standard header before it": change_of("first/assert.h", "#define assert(x) (void)0\n", 0),
    "optional header comes": change_of("second/optional.h", "#define OPTIONAL 1\n", 10),
    "headers go": gone,
    "same size and date": same_size,
    "new files": new_file,
    "warnings": warned,
    "options": told,
    "dates": dated,
    "damaged": damaged,
}


def all_of(folder):
    for name, test in TESTS.items():
        yield f"cli: objects: {name}", lambda n=name, t=test: t(folder / f"objects_{n.replace(' ', '_')}")
