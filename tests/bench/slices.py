"""Commands that run by turns, a slice of time each, so that what makes a machine slow for some
seconds slows all of them alike: ratios of their times repeat where those of whole runs do not.

A job is one command or several at once, each in a process group of its own that is stopped
while others have their turn.  Threads that wait keep waiting; what a job holds in memory stays.
"""

import os
import select
import signal
import subprocess
import sys
import tempfile
import time

FIRST, SLICE = 0.6, 0.2  # seconds; the first slice is longer, for a compiler to end in it
STEPS = 100_000  # of a spinning loop, between two looks at whether it shall end
SPIN = f"""
import signal
ended = []
signal.signal(signal.SIGTERM, lambda *_: ended.append(True))
blocks = 0
while not ended:
    for _ in range({STEPS}):
        pass
    blocks += 1
print(blocks)
"""
LOOP = [sys.executable, "-c", SPIN]


class Process:
    """One command: its output, its status and what it used once it has ended."""

    def __init__(self, command):
        self.output, self.errors = tempfile.TemporaryFile(), tempfile.TemporaryFile()
        self.popen = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self.output,
                                      stderr=self.errors, start_new_session=True)
        self.descriptor = os.pidfd_open(self.popen.pid)
        self.status = self.ended = None
        self.cpu = 0.0

    def signal(self, number):
        if self.status is None:
            os.killpg(self.popen.pid, number)

    def look(self, options=os.WNOHANG):
        """Whether it still runs."""
        if self.status is None:
            pid, status, usage = os.wait4(self.popen.pid, options)
            if pid:
                self.ended = time.monotonic()
                self.status = self.popen.returncode = os.waitstatus_to_exitcode(status)
                self.cpu = usage.ru_utime + usage.ru_stime
                os.close(self.descriptor)
        return self.status is None

    def text(self):
        return self.read(self.output)

    @staticmethod
    def read(file):
        file.seek(0)
        return file.read().decode(errors="replace")


class Job:
    """Commands that run at once, in slices.  With endless ones, which end when they are told to,
    a job lasts until all that are not endless have ended.  One that needs a single processor has
    each of them in turn, since one may be slower than the others."""

    def __init__(self, commands, share=1.0, endless=False, single=False):
        self.commands, self.share, self.endless, self.single = commands, share, endless, single
        self.processes, self.turns = [], []  # turns: when each began and ended

    def running(self):
        return [p for p in self.processes if p.look()]

    def change_processor(self):
        processors = sorted(os.sched_getaffinity(0))
        processor = processors[len(self.turns) % len(processors)]
        for process in self.running():
            for thread in os.listdir(f"/proc/{process.popen.pid}/task"):
                os.sched_setaffinity(int(thread), {processor})

    def turn(self):
        """One slice.  Returns whether the job goes on."""
        begin = time.monotonic()
        end = begin + self.share * (SLICE if self.processes else FIRST)
        if self.processes:
            if self.single:
                self.change_processor()
            for process in self.running():
                process.signal(signal.SIGCONT)
        else:
            self.processes = [Process(command) for command in self.commands]
        while (left := end - time.monotonic()) > 0 and (running := self.running()):
            select.select([p.descriptor for p in running], [], [], left)
        for process in self.running():
            process.signal(signal.SIGSTOP)
        self.turns.append((begin, time.monotonic()))
        return bool(self.running())

    def end(self, number=signal.SIGKILL):
        for process in self.running():
            process.signal(number)
            process.signal(signal.SIGCONT)
            process.look(0)

    def ran(self, process, seconds=None):
        """How long a process had the machine, of the last seconds of its life or of all."""
        begin = process.ended - seconds if seconds is not None else self.turns[0][0]
        return sum(max(0, min(e, process.ended) - max(b, begin)) for b, e in self.turns)


def by_turns(jobs):
    """Runs the jobs until all that are not endless have ended."""
    try:
        going = list(jobs)
        while any(not job.endless for job in going):
            going = [job for job in going if job.turn()]
    except BaseException:
        for job in jobs:
            job.end()
        raise
    for job in jobs:
        job.end(signal.SIGTERM)


def loops(number):
    """A job of so many loops that hardly need memory: see steps()."""
    return Job([LOOP] * number, share=0.25, endless=True, single=number == 1)


def steps(job):
    """How many steps a second the loops of a job did, all together."""
    return sum(STEPS * int(p.text()) / job.ran(p) for p in job.processes)
