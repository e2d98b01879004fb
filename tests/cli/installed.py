"""What is installed, in a folder of its own that was moved: command, runtime, manual pages,
completions, divm.h for native programs, the packages for CMake and Meson; and that nothing in it
names the folder that it was built in."""

import os
import pathlib
import shutil
import threading

from suite import DIVM, ENVIRONMENT, ROOT, Run

INSTALL = ROOT / "checker/cli/install"
PAGES = ["divm", *(f"divm-{name}" for name in ("verify", "replay", "run", "cc", "c++", "info"))]


def wrong(run, status, text=""):
    if run.status != status or text not in run.text + run.errors:
        return f"{run.told()}, expected {status} and '{text}'\n{run.show()}"
    return None


class Installed:
    """An installation below the folder HERE, made when it is asked for first."""

    def __init__(self, here):
        self.here, self.root = here, here / "elsewhere"
        self.problem = None
        self.made, self.lock = False, threading.Lock()

    def make(self):
        with self.lock:
            if not self.made:
                self.made = True
                self.install()
            return self.problem

    def install(self):
        first = self.here / "first"
        build = pathlib.Path(DIVM).parent
        build = build if (build / "musl").is_dir() else build.parent
        run = Run([INSTALL / "install.sh", DIVM, build / "runtime", build, first])
        self.problem = wrong(run, 0)
        if not self.problem:
            first.rename(self.root)

    def divm(self, *args, cwd=None, **env):
        path = {"PATH": f"{self.root}/bin:/usr/bin:/bin", "HOME": str(self.here), **env}
        return Run([self.root / "bin/divm", *args], cwd=cwd or self.here, env=path)

    # ---- what there must be ----

    def works(self):
        """Tests are verified, compiled and executed away from the sources."""
        shutil.copy(ROOT / "examples/lost_update.c", self.here / "moved.c")
        shutil.copy(ROOT / "examples/frameworks/gtest.cpp", self.here / "moved.cpp")
        shutil.copy(ROOT / "examples/frameworks/stack.hpp", self.here)
        return (wrong(self.divm("verify", "moved.c"), 10, "assertion failed")
                or wrong(self.divm("verify", "--no-trace-file", "moved.cpp"), 13, "2 of 6")
                or wrong(self.divm("replay", "moved.c.trace"), 10)
                or wrong(self.divm("cc", "-DFIXED", "moved.c", "-o", "moved"), 0)
                or wrong(Run([self.here / "moved"]), 0)
                or wrong(self.divm("verify", "moved"), 0, "complete"))

    def names_no_build_folder(self):
        found = []
        for path in sorted(self.root.rglob("*")):
            if path.is_symlink() and os.path.isabs(os.readlink(path)):
                found.append(f"{path} -> {os.readlink(path)}")
            elif path.is_file() and str(ROOT).encode() in path.read_bytes():
                found.append(str(path))
        return "the build folder is named in " + ", ".join(found[:5]) if found else None

    def readme(self):
        """It calls the command that is installed, and not one in a build folder."""
        text = (self.root / "share/doc/divm/README.md").read_text()
        return None if "$ divm verify" in text and "build/divm" not in text else "the README calls another divm"

    def manual_pages(self):
        for page in PAGES:
            file = self.root / f"share/man/man1/{page}.1"
            if not file.is_file():
                return f"there is no {file}"
            if shutil.which("groff"):
                run = Run(["groff", "-man", "-Tutf8", "-ww", "-z", file])
                if run.status != 0 or run.errors:
                    return run.show()
        text = (self.root / "share/man/man1/divm-verify.1").read_text()
        for word in ("\\-\\-max\\-time", "\\-\\-no\\-trace\\-file", "EXIT STATUS", "EXAMPLES", "\n.B 13"):
            if word not in text:
                return f"divm-verify.1 has no {word}"
        return None

    def bash_completion(self):
        file = self.root / "share/bash-completion/completions/divm"
        (self.here / "only.c").touch()
        script = ("source \"$1\"; shift; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); "
                  "COMP_LINE=\"$*\"; COMP_POINT=${#COMP_LINE}; _divm; echo \"${COMPREPLY[*]}\"")
        for words, reply in ((["divm", "ve"], "verify"),
                             (["divm", "verify", "--max-t"], "--max-time="),
                             (["divm", "verify", "--search=d"], "dfs dpor"),
                             (["divm", "replay", "--search=d"], ""),
                             (["divm", "verify", "--no-tr"], "--no-trace-file"),
                             (["divm", "help", "ex"], "exit"),
                             (["divm", "run", "only"], "only.c")):
            run = Run(["bash", "-c", script, "bash", file, *words], cwd=self.here)
            if sorted(run.text.split()) != reply.split() or run.errors:
                return f"{words}: '{run.text}', expected '{reply}'\n{run.show()}"
        return None

    def zsh_completion(self):
        if not shutil.which("zsh"):
            return None
        return wrong(Run(["zsh", "-n", self.root / "share/zsh/site-functions/_divm"]), 0)

    def native_header(self):
        """Natively the header is found by pkg-config, and what it declares does nothing."""
        (self.here / "choice.c").write_text(
            "#include <divm.h>\nint main(void)\n{\n    divm_assume(1);\n"
            "    divm_note(\"%d\", 1);\n    return divm_choose(3);\n}\n")
        flags = [f"-I{self.root}/include/divm"]
        if shutil.which("pkg-config"):
            env = {**ENVIRONMENT, "PKG_CONFIG_PATH": f"{self.root}/share/pkgconfig"}
            run = Run(["pkg-config", "--cflags", "divm"], env=env)
            flags = run.text.split()
            if run.status != 0 or not flags:
                return run.show()
        native = Run(["clang-19", *flags, "choice.c", "-o", "choice"], cwd=self.here)
        return (wrong(native, 0) or wrong(Run([self.here / "choice"]), 0)
                or wrong(self.divm("verify", "--no-trace-file", "choice.c"), 15, "exit status"))

    def copy_of_project(self, name):
        source = self.root / "share/doc/divm/examples/project"
        return pathlib.Path(shutil.copytree(source, self.here / name))

    def cmake_package(self):
        """ctest verifies the example's test, and fails with its bug."""
        if not shutil.which("cmake"):
            return None
        folder = self.copy_of_project("by_cmake")
        env = {**ENVIRONMENT, "CC": "clang-19", "CMAKE_PREFIX_PATH": str(self.root)}
        build = (wrong(Run(["cmake", "-S", ".", "-B", "build"], cwd=folder, env=env), 0)
                 or wrong(Run(["cmake", "--build", "build"], cwd=folder), 0)
                 or wrong(Run(["ctest", "--test-dir", "build", "-R", "verified"], cwd=folder), 0,
                          "100% tests passed"))
        if build:
            return build
        lists = folder / "CMakeLists.txt"
        lists.write_text(lists.read_text().replace("OPTIONS", "OPTIONS -DBUG"))
        Run(["cmake", "build"], cwd=folder)
        run = Run(["ctest", "--test-dir", "build", "-R", "verified", "--output-on-failure"],
                  cwd=folder)
        if run.status == 0 or "error: deadlock" not in run.text:
            return run.show()
        if not (folder / "build/mailbox_verified.trace").is_file():
            return "the trace is not in the build folder"
        lists.write_text(lists.read_text() + "divm_add_test(NAME target TARGET mailbox_test)\n")
        return wrong(Run(["cmake", "build"], cwd=folder), 1, "must be built by divm")

    def cmake_target(self):
        """A target that divm cc has built."""
        if not shutil.which("cmake"):
            return None
        folder = self.copy_of_project("by_cmake_target")
        lists = folder / "CMakeLists.txt"
        lists.write_text(lists.read_text() + "divm_add_test(NAME target TARGET mailbox_test)\n")
        env = {**ENVIRONMENT, "CC": f"{self.root}/bin/divm cc", "CMAKE_PREFIX_PATH": str(self.root)}
        return (wrong(Run(["cmake", "-S", ".", "-B", "build"], cwd=folder, env=env), 0)
                or wrong(Run(["cmake", "--build", "build"], cwd=folder), 0)
                or wrong(Run(["ctest", "--test-dir", "build", "-V", "-R", "target"], cwd=folder), 0,
                         "no error found"))

    def meson_snippet(self):
        if not shutil.which("meson"):
            return None
        folder = self.copy_of_project("by_meson")
        env = {**ENVIRONMENT, "CC": "clang-19", "PATH": f"{self.root}/bin:{os.environ['PATH']}"}
        return (wrong(Run(["meson", "setup", "build"], cwd=folder, env=env), 0)
                or wrong(Run(["meson", "test", "-C", "build"], cwd=folder, env=env), 0,
                         "mailbox_verified"))

    def can_be_removed(self):
        copy = self.here / "removed"
        shutil.copytree(self.root, copy, symlinks=True)
        run = Run([INSTALL / "install.sh", "--remove", copy])
        left = [str(p) for p in copy.rglob("*") if not p.is_dir()]
        return wrong(run, 0) or ("left behind: " + ", ".join(left) if left else None)


def tests(here):
    if pathlib.Path(DIVM).parent.name == "debug":
        return
    folder = here / "installed"
    folder.mkdir()
    installed = Installed(folder)
    for name in ("works", "names_no_build_folder", "readme", "manual_pages", "bash_completion",
                 "zsh_completion", "native_header", "cmake_package", "cmake_target",
                 "meson_snippet", "can_be_removed"):
        def test(each=getattr(installed, name)):
            return installed.make() or each()
        yield f"cli: installed: {name.replace('_', ' ')}", test
