"""See layers.sh.  Prints each offending line."""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

# folder: what it may include of other folders ("folder/" or one file)
MAY = {
    "vm": [],
    "store": [],
    "checker": ["vm/vm.h", "vm/fault.def", "vm/refused.def", "store/store.h"],
    "os": ["vm/hypercall.h", "vm/fault.def", "vm/action.def"],
    "libc": ["os/", "vm/hypercall.h"],
    "libpthread": ["os/", "libc/"],
}
HOST = ["clang-19", "-std=c17", "-D_GNU_SOURCE", "-I.", "-DLIBBSD_OVERLAY",
        "-isystem", "/usr/include/bsd", "-isystem", "/usr/lib/llvm-19/include"]
GUEST = ["clang-19", "-std=c17", "-D_GNU_SOURCE", "-target", "x86_64-linux-musl",
         "-nostdlibinc", "-ffreestanding", "-I.", "-isystem", "build/runtime/include"]


def files(folder, pattern):
    return sorted(p for p in pathlib.Path(folder).rglob(pattern) if p.is_file())


def target(path, name):
    """The file of ours that an include names, or None."""
    for base in (path.parent, pathlib.Path(".")):
        if (base / name).is_file():
            return os.path.normpath(base / name)
    return None


def wrong_includes():
    for folder, allowed in MAY.items():
        for path in files(folder, "*.[ch]") + files(folder, "*.def"):
            for n, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
                include = re.match(r'\s*#\s*include\s+(["<])(.+?)[">]', line)
                if not include:
                    continue
                name = include[2]
                if name.startswith(("llvm-c/", "llvm/")):
                    if not re.fullmatch(r"vm/load\w*\.[ch]", str(path)):
                        yield f"{path}:{n}: only vm/load*.[ch] may include <{name}>"
                    continue
                found = target(path, name) if include[1] == '"' else None
                if not found or found.split("/")[0] not in MAY:
                    continue
                if found.split("/")[0] != folder and not any(
                        found == a or a.endswith("/") and found.startswith(a) for a in allowed):
                    yield f"{path}:{n}: {folder}/ may not include {found}"


def wrong_folders():
    for folder in MAY:
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
