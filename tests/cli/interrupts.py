"""Ctrl-C at a terminal, which all processes of the command get: once, and twice."""

import os
import pty
import re
import select
import shutil
import time

import limits
from program import ALL, first
from suite import DIVM, Run

C = b"\x03"
VERIFY = [DIVM, "verify", "-j1", "--no-trace-file"]
LARGE = ["--reduction=no-thread-symmetry", "-DN=9", "-DSTEPS=9", "counter.c"]
ACTIONS = r"no error in the first \d+ actions of all interleavings \(\d+ states"
EXECUTIONS = r"no error in [1-9]\d* executions(, .* of all, as it seems)?"


def typed(here, command, *pauses, limit=30):
    """Ctrl-C after so many seconds, and again: (status, or -number of the signal that ended it,
    what the terminal shows, without escapes)."""
    folder = here / "interrupted"
    folder.mkdir(exist_ok=True)
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(here)
        os.environ["TMPDIR"] = str(folder)
        os.execv(command[0], [str(word) for word in command])
    out, left = b"", list(pauses)
    start = last = time.monotonic()
    while True:
        if select.select([terminal], [], [], 0.01)[0]:
            try:
                data = os.read(terminal, 1 << 16)
            except OSError:  # the other end is closed
                break
            if not data:
                break
            out += data
        now = time.monotonic()
        if left and now - last >= left[0]:
            os.write(terminal, C)
            last = now
            left.pop(0)
        if now - start > limit:
            os.kill(pid, 9)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os.close(terminal)
    kept = [str(file) for file in folder.iterdir()]
    for file in folder.iterdir():
        shutil.rmtree(file, ignore_errors=True)
    text = re.sub(r"\x1b\[[\d;]*[mK]", "", out.decode()).replace("\r\n", "\n")
    return status, text + "".join(f"\nleft behind: {name}" for name in kept)


def last_line(text):
    return (text.splitlines() or [""])[-1].split("\r")[-1]


def once(here):
    """What was seen is told, whatever divm does at that moment, and no file is left behind."""
    nothing = "incomplete: interrupted: nothing was explored"
    ended = "divm: no error in [1-9]\\d* runs \\(seed 1, interrupted\\): .*"
    for wait, command, last in first((
            (0.5, [*VERIFY, "slow.cpp"], f"divm: {nothing}"),
            (1.5, [*VERIFY, "--search=bfs", *LARGE], f"divm: incomplete: interrupted: {ACTIONS}\\)"),
            (1.5, [*VERIFY, "--search=dpor", *LARGE], f"divm: incomplete: interrupted: {EXECUTIONS}"),
            (1.5, [DIVM, "simulate", "--no-trace-file", "--runs=1000000000", *LARGE], ended),
            (0.5, [DIVM, "run", "slow.cpp"], r"\^C"),
            (1.5, [*VERIFY, "--search=dfs", *LARGE], "divm: incomplete: interrupted: no error in [1-9]\\d* states"),
            (1.5, [*VERIFY, "--memory=c11", *LARGE], f"divm: incomplete: interrupted: {ACTIONS}, .*\\)"),
            (1.5, [*VERIFY, "--preemptions=5", *LARGE], "divm: incomplete: interrupted: no error .*"),
            (0.5, [DIVM, "simulate", "--no-trace-file", "slow.cpp"], f"divm: {nothing}"),
            (0.5, [DIVM, "probability", "--of=x", "slow.cpp"], "divm: incomplete: interrupted")), 5):
        status, text = typed(here, command, wait)
        if status != 130 or not re.fullmatch(last, last_line(text).removeprefix("^C")) and last != r"\^C":
            return f"{command[1:]}: {status}\n{text}"
        if "left behind" in text or ("nothing" in last and "to try" in text):
            return f"{command[1:]}:\n{text}"
    return None


def twice(here):
    """The second one ends the command at once, and a checkpoint that was there stays."""
    file = here / "twice.checkpoint"
    saved = [*VERIFY, "--search=bfs", f"--checkpoint={file.name}"]
    Run([*saved, "--max-states=300", *LARGE], cwd=here)
    whole = file.read_bytes()
    pauses = [0, 0.02, 0.1]
    for k, command in enumerate(first(([*saved, *LARGE], [*VERIFY, "slow.cpp"], [*VERIFY, *LARGE],
                                       [DIVM, "simulate", "--no-trace-file", "--runs=1000000000", *LARGE]), 2)):
        for pause in pauses if ALL else [pauses[k % len(pauses)]]:
            start = time.monotonic()
            status, text = typed(here, command, 2, pause)
            if status not in (130, -2) or time.monotonic() - start > 2 + pause + 0.8 * limits.TIMES:
                return f"{command[1:]}: {status}\n{text}"
            if "left behind" in text or list(here.glob("twice.checkpoint.*")):
                return f"{command[1:]}: a part of a file was left\n{text}"
            if file.read_bytes() != whole:
                again = Run([*VERIFY, "--search=bfs", f"--resume={file.name}", "--max-states=1", *LARGE], cwd=here)
                if again.status != 5:
                    return again.show()
    return None


def resumed(here):
    """What was interrupted goes on."""
    file = here / "interrupted.checkpoint"
    small = ["--reduction=no-thread-symmetry", "-DN=7", "-DSTEPS=6", "counter.c"]
    for search in first(("auto", "bfs"), 1):
        file.unlink(missing_ok=True)
        rest = [f"--search={search}", *small]
        whole = Run([*VERIFY, *rest], cwd=here).last_line()
        status, text = typed(here, [*VERIFY, f"--checkpoint={file.name}", *rest], 0.6)
        if status != 130 or f"to try: --resume={file.name} " not in text:
            return f"{search}: {status}\n{text}"
        last = Run([*VERIFY, f"--resume={file.name}", *rest], cwd=here).last_line()
        if search == "bfs" and last != whole or not last.startswith("divm: no error found: "):
            return f"{search}: {whole}\nthen {last}"
    return None


def all_of(here):
    (here / "slow.cpp").write_text(limits.SOURCES["slow.cpp"])
    for each in (once, twice, resumed):
        yield f"cli: interrupted {each.__name__}", lambda each=each: each(here)
