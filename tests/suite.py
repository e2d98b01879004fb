"""What the test scripts share: running divm, verdicts and the rows of tables."""

import functools
import json
import os
import pathlib
import re
import shlex
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
DIVM = os.path.abspath(os.environ.get("DIVM", ROOT / "build" / "divm"))
LIMIT = float(os.environ.get("DIVM_TEST_LIMIT", "120"))  # seconds for one run

# What a first comment may say after "Result:", and the exit status that it means.
VERDICTS = [
    ("correct", 0),
    ("refused", 3),
    ("incomplete", 5),
    ("assertion violation", 10),
    ("deadlock", 11),
    ("memory error", 12),
    ("data race", 13),
    ("endless run", 14),
    ("livelock", 14),
    ("formula violated", 14),
    ("forbidden run", 14),
    ("undefined value", 15),
    ("arithmetic", 15),
    ("bad call", 15),
    ("unreachable", 15),
    ("pthread misuse", 15),
    ("misuse of a class", 15),
    ("exit status", 15),
    ("uncaught exception", 15),
]
NAMES = {status: name for name, status in reversed(VERDICTS)}


def statuses(text):
    """The exit statuses that a verdict's text names: "deadlock or memory error"."""
    return {status for name, status in VERDICTS if re.search(rf"\b{name}\b", text)}


# A make that a test runs is not a part of the one that runs the tests.
ENVIRONMENT = {k: v for k, v in os.environ.items() if not re.match(r"(MAKE|MFLAGS)", k)}


@functools.cache
def report_schema():
    import jsonschema
    schema = json.loads((ROOT / "docs" / "report.schema.json").read_text())
    return jsonschema.Draft202012Validator(schema)


def check_report_schema(text):
    """Raises an exception unless the text is a report as docs/report.schema.json has it."""
    for error in report_schema().iter_errors(json.loads(text)):
        raise ValueError(f"not by report.schema.json: {error.json_path}: {error.message}")


def let_work(process, seconds=1.0):
    """Waits until a process has had so much time of a processor, which a busy machine gives it
    late; that of its children does not count."""
    tick, end = os.sysconf("SC_CLK_TCK"), time.monotonic() + LIMIT
    while process.poll() is None and time.monotonic() < end:
        with open(f"/proc/{process.pid}/stat") as stat:
            user, system = stat.read().rpartition(")")[2].split()[11:13]
        if (int(user) + int(system)) / tick >= seconds:
            return
        time.sleep(0.05)


class Run:
    """One finished command: status (None if it took too long), output, command."""

    def __init__(self, args, cwd=ROOT, limit=LIMIT, stdin=None, env=None):
        self.args = [str(a) for a in args]
        try:
            done = subprocess.run(
                self.args, cwd=cwd, timeout=limit, stdin=stdin or subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env or ENVIRONMENT)
            self.status, self.out, self.err = done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired as late:
            self.status, self.out, self.err = None, late.stdout or b"", late.stderr or b""
        self.text = self.out.decode(errors="replace")
        self.errors = self.err.decode(errors="replace")
        if "--format=json" in self.args and self.text and self.status is not None:
            check_report_schema(self.text)

    def last_line(self):
        lines = self.text.splitlines()
        return lines[-1] if lines else ""

    def told(self):
        return "took too long" if self.status is None else f"status {self.status}"

    def show(self, most=40):
        lines = (self.text + self.errors).splitlines()
        if len(lines) > most:
            lines = lines[: most // 2] + ["..."] + lines[-most // 2:]
        return "\n".join(["    $ " + shlex.join(self.args)] + ["    | " + l for l in lines])


def verify(*args, **kw):
    return Run([DIVM, "verify", *args], **kw)


def names_in(definitions):
    """The names in a table of what can be switched: rows WORD(ID, "name", "help")."""
    text = (ROOT / "checker" / "cli" / definitions).read_text()
    return re.findall(r'^[A-Z]+\(\w+, "(.+?)"', text, re.M)


def table(path):
    """Rows of a tab-separated table with a header line, as dictionaries."""
    lines = [l for l in path.read_text().splitlines() if l and not l.startswith("#")]
    names = lines[0].split("\t")
    return [dict(zip(names, l.split("\t") + [""] * len(names))) for l in lines[1:]]
