"""See layers.sh.  Prints each offending line."""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

# folder: what it may include of other folders ("folder/" or one file). The longest folder that a
# file is in counts; what is in a folder may include what is in the same one.
BASE = ["vm/vm.h", "vm/hypercall.h", "vm/program.h"]
OPERANDS = ["vm/exec/apint.h", "vm/exec/longdouble.h", "vm/exec/may_write.h"]  # what stands in bytecode
FRAMES = ["vm/exec/register.h", "vm/exec/dead.h"]  # what registers of a frame are in a state
RUN = ["vm/exec/call.h", "vm/exec/interp.h", "vm/exec/register.h", "vm/exec/transition.h"]
EVENTS = ["vm/exec/access_log.h", "vm/exec/address_space.h", "vm/exec/listen.h", "vm/exec/mode.h",
          "vm/exec/race.h", "vm/exec/register.h", "vm/exec/transition.h"]
LOADER = ["vm/load/load.h", "vm/load/table.h", "vm/load/load_debug.h"]  # what its stages share
STAGE = [*BASE, *LOADER, "vm/heap/memory.h"]
SEARCH = ["checker/array.h", "checker/memory.h", "vm/vm.h", "vm/fault.def", "store/store.h"]
KERNEL = ["vm/hypercall.h", "vm/fault.def", "vm/action.def"]
MAY = {
    "vm": ["vm/heap/", "vm/exec/", "vm/fingerprint/", "vm/tcache/", "vm/order/"],
    "vm/heap": BASE,
    "vm/exec": [*BASE, "vm/machine.h", "vm/heap/", "vm/order/", "vm/insn.def", "vm/pair.def",
                "vm/fault.def", "vm/action.def", "vm/refused.def"],
    "vm/order": [*BASE, "vm/machine.h", "vm/heap/", *EVENTS, "vm/action.def"],
    "vm/fingerprint": [*BASE, "vm/machine.h", "vm/heap/", *FRAMES],
    "vm/tcache": [*BASE, "vm/machine.h", "vm/heap/", "vm/fingerprint/", *RUN],
    "vm/load": [*BASE, *OPERANDS, "vm/cxx_name.h", "vm/heap/memory.h", "vm/load/link/", "vm/load/prepare/",
                "vm/load/lower/", "vm/load/code/"],
    "vm/load/link": [*STAGE, "vm/load/prepare/"],
    "vm/load/prepare": STAGE,
    "vm/load/lower": [*STAGE, *OPERANDS, "vm/load/lowering.h", "vm/load/prepare/",
                      "vm/load/code/", "vm/opcode.def", "vm/intrinsic.def"],
    "vm/load/code": [*STAGE, *OPERANDS, "vm/load/lowering.h", "vm/pair.def"],
    "store": [],
    "checker": ["checker/search/check.h", "vm/vm.h"],
    "checker/search": [*SEARCH, "checker/identity.h", "checker/dpor/dpor.h"],
    "checker/dpor": [*SEARCH, "checker/search/check.h", "checker/search/unexplored.h",
                     "checker/search/walk.h"],
    "checker/simulate": [*SEARCH, "checker/search/"],
    "checker/liveness": [*SEARCH, "checker/query/formula.h", "checker/query/set.h", "checker/search/"],
    "checker/query": ["checker/array.h", "checker/memory.h", "checker/nearest.h", "vm/vm.h", "vm/type.h"],
    "checker/report": [*SEARCH, "vm/action.def", "vm/cxx_name.h", "checker/program.h", "checker/search/"],
    "checker/build": ["checker/array.h", "checker/identity.h", "checker/memory.h", "checker/program.h",
                      "checker/search/", "vm/vm.h", "vm/refused.def"],
    "checker/cli": [*SEARCH, "checker/program.h", "checker/nearest.h", "checker/query/set.h", "checker/search/", "checker/report/",
                    "checker/build/", "checker/liveness/liveness.h", "checker/simulate/simulate.h", "checker/simulate/probability.h",
                    "checker/simulate/schedulers.def"],
    "os": [*KERNEL, "os/fs/"],
    "os/fs": [*KERNEL, "os/"],
    "os/net": [*KERNEL, "os/", "os/fs/"],
    "libc": ["os/", "vm/hypercall.h"],
    "libpthread": ["os/", "libc/"],
}
TOP = sorted({folder.split("/")[0] for folder in MAY})
HOST = ["clang-19", "-std=c17", "-D_GNU_SOURCE", "-I.", "-DLIBBSD_OVERLAY",
        "-isystem", "/usr/include/bsd", "-isystem", "/usr/lib/llvm-19/include"]
GUEST = ["clang-19", "-std=c17", "-D_GNU_SOURCE", "-target", "x86_64-linux-musl",
         "-nostdlibinc", "-ffreestanding", "-I.", "-isystem", "build/runtime/include"]


def files(folder, pattern):
    return sorted(p for p in pathlib.Path(folder).rglob(pattern) if p.is_file())


def room(path):
    """The longest folder of the table that a file is in."""
    parts = str(path).split("/")
    while parts and "/".join(parts) not in MAY:
        parts.pop()
    return "/".join(parts)


def target(path, name):
    """The file of ours that an include names, or None."""
    for base in (path.parent, pathlib.Path(".")):
        if (base / name).is_file():
            return os.path.normpath(base / name)
    return None


def wrong_includes():
    for top in TOP:
        for path in files(top, "*.[ch]") + files(top, "*.def"):
            for n, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
                include = re.match(r'\s*#\s*include\s+(["<])(.+?)[">]', line)
                if not include:
                    continue
                name = include[2]
                if name.startswith(("llvm-c/", "llvm/")):
                    if not str(path).startswith("vm/load/"):
                        yield f"{path}:{n}: only vm/load/ may include <{name}>"
                    continue
                found = target(path, name) if include[1] == '"' else None
                if not found or not room(found):
                    continue
                folder = room(path)
                if room(found) != folder and not any(
                        found == a or a.endswith("/") and found.startswith(a) for a in MAY[folder]):
                    yield f"{path}:{n}: {folder}/ may not include {found}"


def wrong_folders():
    for folder in TOP:
        for path in pathlib.Path(folder).rglob("*"):
            if path.is_dir() and path.name in ("util", "utils", "common", "helpers"):
                yield f"{path}: a folder is named after what it does"


def alone(header):
    folder = header.parts[0]
    command = HOST if folder in ("vm", "store", "checker") else GUEST
    done = subprocess.run([*command, "-fsyntax-only", "-w", "-x", "c", str(header)],
                          capture_output=True, text=True)
    return None if done.returncode == 0 else f"{header}: does not compile alone\n{done.stderr}"


def headers():
    folders = ["vm", "store", "checker"]
    if pathlib.Path("build/runtime/include/stdio.h").exists():
        folders += ["os", "libpthread"]
    return [h for folder in folders for h in files(folder, "*.h")]


def main():
    wrong = [*wrong_includes(), *wrong_folders()]
    with concurrent.futures.ThreadPoolExecutor() as pool:
        wrong += [w for w in pool.map(alone, headers()) if w]
    print("\n".join(wrong) or "ok")
    return bool(wrong)


sys.exit(main())
