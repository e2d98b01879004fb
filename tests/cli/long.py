"""Searches that last: what is told of them while they go on."""

import re
import signal
import subprocess
import time

from suite import DIVM

LARGE = ["--reduction=no-thread-symmetry", "-DN=9", "-DSTEPS=9", "counter.c"]
BYTES = r"[\d.]+ [kMG]B"
LEFT = r"(, (about \d+ \w+|\d+ \w+ to (more than )?\d+ \w+) left)?"
STATES = r"[1-9]\d* states, \d+/s, \d+ open, (depth|level) \d+( growing [\d.]+ times| shrinking to [\d.]+)?, "


def line_of(here, *args):
    """What a search tells when it is asked, after a second."""
    work = subprocess.Popen([DIVM, "verify", "-j1", "--no-trace-file", *args, *LARGE], cwd=here,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(1.5)
    work.send_signal(signal.SIGUSR1)
    time.sleep(0.3)
    work.send_signal(signal.SIGINT)
    return work.communicate(timeout=30)[1]


def progress(here):
    """States, executions or both; whether levels grow; the time that is left, if that is known."""
    for args, pattern in (
            (["--search=dpor"], rf"[1-9]\d* executions, \d+/s, depth [1-9]\d*, {BYTES}, \d+ s{LEFT}\n"),
            (["--search=bfs"], rf"{STATES}{BYTES}, \d+ s{LEFT}\n"),
            (["--search=dfs"], rf"{STATES}{BYTES}, \d+ s{LEFT}\n"),
            ([], rf"{STATES}[1-9]\d* executions, {BYTES}, \d+ s{LEFT}\n")):
        told = line_of(here, *args)
        if not re.fullmatch(pattern, told):
            return f"{args}: {told}"
    return None


def all_of(here):
    for each in (progress,):
        yield f"cli: {each.__name__.replace('_', ' ')}", lambda each=each: each(here)
