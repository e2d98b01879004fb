"""Writes the table of docs/POSIX.md: what each function of each header does here.

A function is found in the headers and archives of build/runtime.  It is refused if it is
defined nowhere: then it must be in vm/refused.def, and nothing else may be.  It is refused,
too, if the file of the C library that defines it asks the kernel only for calls that the
kernel does not have; what is accepted without effect is listed below.

The parts of functions that are refused have a list of their own, which is compared with the
kernel's messages.

usage: table.py [BUILD_DIR]        rewrites the part between the markers
       table.py --check [BUILD_DIR]  status 1 if that would change something
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "POSIX.md"
BEGIN, END = "<!-- generated: begin -->", "<!-- generated: end -->"

# Checked and kept, or taken for done: nothing a test sees depends on them.
WITHOUT_EFFECT = set("""
pthread_setconcurrency pthread_setschedparam pthread_setschedprio
pthread_attr_setguardsize pthread_attr_setinheritsched pthread_attr_setschedparam
pthread_attr_setschedpolicy pthread_attr_setscope pthread_attr_setstack
pthread_attr_setstacksize pthread_setaffinity_np pthread_setattr_default_np
pthread_mutexattr_setprotocol pthread_mutexattr_setpshared
pthread_condattr_setclock pthread_condattr_setpshared pthread_rwlockattr_setpshared
pthread_barrierattr_setpshared pthread_mutexattr_setprioceiling
sched_setaffinity sched_setparam sched_setscheduler
fsync fdatasync madvise posix_madvise msync mlock munlock mlockall munlockall
utimensat futimens utimes futimes lutimes utime
""".split())
# Their file asks for another call as well, or leaves it to another, but they cannot work.
REFUSED = set("""
nice posix_openpt openpty signalfd initgroups adjtime adjtimex
execl execle execlp execv execvp execvpe
""".split())
NOT_PROGRAMS = {"asm", "asm-generic", "bits", "c++", "divm.h", "linux"}
MACHINE = {"setjmp", "_setjmp", "sigsetjmp", "alloca"}  # instructions of the machine


def declared(include, header):
    """The functions that a header declares itself."""
    text = subprocess.run(
        ["clang-19", "-E", "-w", "-target", "x86_64-linux-musl", "-nostdlibinc", "-D_GNU_SOURCE",
         "-D_XOPEN_SOURCE=700", "-isystem", include, "-x", "c", include / header],
        capture_output=True, text=True).stdout
    own, lines = False, []
    for line in text.splitlines():
        if mark := re.match(r'# \d+ "(.*?)"', line):
            own = pathlib.Path(mark[1]) == include / header
            own |= pathlib.Path(mark[1]) == include / f"{header.stem}_np.h"  # appended to it
        elif own:
            lines.append(line)
    text = " ".join(lines)
    while re.search(r"\{[^{}]*\}", text):  # bodies and structs
        text = re.sub(r"\{[^{}]*\}", ";", text)
    text = re.sub(r"__attribute__\s*\(\(.*?\)\)", "", text)
    names = set()
    for statement in text.split(";"):
        found = re.match(r'\s*(?:extern\s+"C"\s*)?[\w\s*]+?[\s*](\w+)\s*\(', statement)
        if found and not re.match(r"\s*(typedef|static|return)\b", statement):
            name = found[1]
            pointer = re.search(r"\(\s*\*\s*(\w+)\s*\(", statement)  # returns a function pointer
            names.add(pointer[1] if pointer and name in ("void", "int") else name)
    return {n for n in names if not n.startswith("__")}


def symbols(runtime):
    """Each defined symbol, with the source of the member that defines it."""
    defined = {}
    for archive in ("libpthread.a", "libc.a"):
        listing = subprocess.run(["llvm-nm-19", "-A", "--defined-only", runtime / archive],
                                 capture_output=True, text=True).stdout
        for line in listing.splitlines():
            found = re.match(r".*?:(?:.*?:)?\s*(\S+)\.bc: \S+ [TWVDBR] (\S+)$", line)
            if found:
                defined.setdefault(found[2], found[1])
    return defined


def source(build, member):
    if member.startswith("musl."):
        folder, name = member[5:].split(".", 1)
        return build / "musl" / "src" / folder / (name + ".c")
    folder, name = member.rsplit(".", 1)
    return ROOT / folder.replace(".", "/") / (name + ".c")


def calls_of_kernel():
    known = set(re.findall(r"\bcase SYS_(\w+)", (ROOT / "os" / "syscall.c").read_text()))
    return known | {name.removesuffix("64") for name in known}


def is_refused(build, member, kernel):
    path = source(build, member)
    asked = set(re.findall(r"\bSYS_(\w+)", path.read_text(errors="replace"))) if path.exists() else set()
    return bool(asked) and not asked & kernel


NOT_PASSED = {"world", "bench", "cc", "cli", "csmith", "fuzz", "hostile", "opcodes", "unit"}


def used_by(path, include):
    """What a test's code refers to and does not define itself: no mere word counts."""
    text = path.read_text(errors="replace")
    given = re.findall(r"Options:.*?(-D\w+|-std=\w+)", text)
    bitcode = subprocess.run(
        ["clang-19", "-c", "-w", "-O0", "-emit-llvm", "-fno-builtin", "-target",
         "x86_64-linux-musl", "-nostdlibinc", "-isystem", include, *given, path, "-o", "-"],
        capture_output=True).stdout
    names = subprocess.run(["llvm-nm-19", "-u", "-j", "-"], input=bitcode,
                           capture_output=True).stdout.decode()
    return set(names.split()) | {name for name in MACHINE if name + "(" in text}


def tested_of(wanted, include):
    """Those of the functions that some test refers to.  Tests that name one of them are compiled
    first, a few at a time, and the others only if some function is not found."""
    paths = [p for p in [*(ROOT / "tests").rglob("*.c"), *(ROOT / "examples").rglob("*.c")]
             if p.relative_to(ROOT).parts[1] not in NOT_PASSED]
    words = {p: set(re.findall(r"\w+", p.read_text(errors="replace"))) & wanted for p in paths}
    left, found = set(wanted), set()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        while words and left:
            most = sorted(words, key=lambda p: (-len(words[p] & left), p))[:2 * os.cpu_count()]
            if not words[most[0]] & left:
                most = list(words)
            for used in pool.map(lambda path: used_by(path, include), most):
                found |= used & wanted
            left -= found
            for path in most:
                del words[path]
    return found


def refused_by_name():
    """The functions that the machine calls refused where they are called."""
    text = (ROOT / "vm" / "refused.def").read_text()
    return re.findall(r'^VM_REFUSED\("(\w+)", ', text, re.M)


def state(name, member, build, kernel):
    if member is None:
        return "works" if name in MACHINE else "refused"
    if name in REFUSED or is_refused(build, member, kernel):
        return "refused"
    return "without effect" if name in WITHOUT_EFFECT else "works"


def rows(build):
    runtime, kernel = build / "runtime", calls_of_kernel()
    include, defined = runtime / "include", symbols(runtime)
    headers = {}
    for path in sorted(include.rglob("*.h")):
        header = path.relative_to(include)
        if header.parts[0] not in NOT_PROGRAMS and not str(header).endswith("_np.h"):
            headers[header] = {name: state(name, defined.get(name), build, kernel)
                               for name in sorted(declared(include, header))}
    wanted = {name for kinds in headers.values() for name, kind in kinds.items() if kind != "refused"}
    tested = tested_of(wanted, include)
    for header, kinds in headers.items():
        columns = {"works": [], "without effect": [], "refused": []}
        for name, kind in kinds.items():
            mark = "" if kind == "refused" or name in tested else "\\*"
            columns[kind].append(name + mark)
        if any(columns.values()):
            yield header, columns


def misfits(build, listed):
    """What vm/refused.def has too much, or lacks of the functions that headers declare."""
    defined, names = symbols(build / "runtime"), refused_by_name()
    yield from (f"{name} is defined" for name in names if name in defined)
    yield from (f"{name} is there twice" for name in set(names) if names.count(name) > 1)
    yield from (f"{name} is missing" for name in sorted(listed - set(names) - set(defined)))


def untold(document):
    """Parts of functions that work and are refused all the same ("mmap: MAP_FIXED is not
    supported"), if the document's list has not that function with these flags."""
    part = document.split("\n## Functions that work in part\n")[1]
    table_of_refused = part.split("\n\nFailing ")[0]
    listed = [line.split("|") for line in table_of_refused.splitlines() if line.startswith("| `")]
    for file in sorted([*(ROOT / "os").glob("*.c"), *(ROOT / "libpthread").glob("*.c")]):
        source = re.sub(r'"\s+"', "", file.read_text())
        for name, what in re.findall(r'"(\w+)(?::| of) ([^"]*) not supported', source):
            told = " ".join(line[2] for line in listed if f"`{name}`" in line[1])
            flags = re.findall(r"\b[A-Z]+_[A-Z0-9_]+", what)
            if not told or any(f"`{flag}`" not in told for flag in flags):
                yield f"{name}: {what} not supported"


def table(build, listed):
    """The text; listed becomes the set of the functions that it calls refused."""
    lines = ["| header | works | accepted without effect | refused by name |",
             "|---|---|---|---|"]
    total = dict.fromkeys(["works", "without effect", "refused"], 0)
    for header, columns in rows(build):
        for kind, names in columns.items():
            total[kind] += len(names)
        listed.update(columns["refused"])
        cells = " | ".join(" ".join(columns[kind]) for kind in total)
        lines.append(f"| <{header}> | {cells} |".replace("<", "`<").replace(">", ">`"))
    others = sorted(set(refused_by_name()) - listed)
    lines.append(f"| no header |  |  | {' '.join(others)} |")
    total["refused"] += len(others)
    counts = (f"{total['works']} functions work, {total['without effect']} are accepted without "
              f"effect, {total['refused']} are refused by name.")
    return "\n".join([counts, "", *lines])


def main():
    check = sys.argv[1:2] == ["--check"]
    folders = sys.argv[2:] if check else sys.argv[1:]
    if len(folders) > 1 or folders and not (pathlib.Path(folders[0]) / "runtime").is_dir():
        sys.exit(__doc__)
    build = pathlib.Path(folders[0] if folders else ROOT / "build").resolve()
    text = DOCUMENT.read_text()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    listed = set()
    new = f"{before}{BEGIN}\n\n{table(build, listed)}\n\n{END}{after}"
    wrong = [f"vm/refused.def: {name}" for name in misfits(build, listed)]
    wrong += [f"docs/POSIX.md does not name: {what}" for what in untold(text)]
    for line in wrong:
        print(line)
    untested = re.findall(r"(\w+)\\\*", new)
    for name in untested:
        print(f"no test calls {name}")
    if check:
        print("ok" if new == text else "docs/POSIX.md is out of date: run tests/posix/table.py")
        return new != text or bool(untested or wrong)
    DOCUMENT.write_text(new)
    return bool(untested or wrong)


if __name__ == "__main__":
    sys.exit(main())
