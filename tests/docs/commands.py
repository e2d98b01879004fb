"""Runs the commands of the documentation and compares what they print; see blocks.py.

usage: commands.py [--update] [DOCUMENT...]

--update writes the output that a command has now into the document, if nothing of it is left out there
(no "..."): to be read before it is committed.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parents[1])]

from blocks import DOCS, ROOT, blocks
from suite import DIVM, ENVIRONMENT, LIMIT

# (what differs from run to run, what it is compared as)
MASKS = [
    (r"\b\d+(\.\d+)?(e-\d+)? (s|ms|min|h|MB|KB|GB)\b", r"N \3"),
    (r"\b\d+(\.\d+)?/s\b", "N/s"),
    (r"/tmp/[\w.-]+", "/tmp/NAME"),
]


def masked(line):
    for pattern, text in MASKS:
        line = re.sub(pattern, text, line)
    return line.rstrip()


def pattern_of(shown):
    """The regular expression that the output has to match as a whole."""
    parts = []
    for line in shown:
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(".*?".join(re.escape(part) for part in masked(line).split("...")) + r"\n")
    return "".join(parts)


def without_rows(lines):
    """The lines with the rows of the trace's table, and numbers of threads, replaced by something that
    is always the same."""
    found, inside = [], False
    for line in lines:
        inside = line.startswith("Trace (") or inside and not line.startswith("replay with:")
        found.append("a row" if inside and line.strip() else re.sub(r"\bthread \d+", "thread N", line))
    return found


def matches(shown, output, any_trace):
    if any_trace:
        shown, output = without_rows(shown), without_rows(output)
    while shown and not shown[-1].strip():
        shown = shown[:-1]
    while output and not output[-1].strip():
        output = output[:-1]
    text = "".join(masked(line) + "\n" for line in output)
    return re.fullmatch(pattern_of(shown), text) is not None


def scratch_folder(where):
    """What a reader has: the examples, and a built command."""
    for folder in "examples", "tests/cc":
        shutil.copytree(ROOT / folder, where / folder)
    (where / "build").mkdir()
    for path in pathlib.Path(DIVM).parent.glob("divm*"):
        if path.is_file() and os.access(path, os.X_OK):
            (where / "build" / path.name).symlink_to(path)


MARK = "\x01the status is "


def run_block(commands, where):
    """(status, lines of output) of each command of a block; None as a status if it took too long
    or was not come to."""
    script = "".join(f"{command}\nprintf '\\n{MARK}%d\\n' $?\n" for _, command, _, _ in commands)
    env = {**ENVIRONMENT, "PATH": f"{pathlib.Path(DIVM).parent}:{ENVIRONMENT['PATH']}"}
    env.pop("DIVM_OPTIONS", None)
    try:
        text = subprocess.run(["bash", "-c", script], cwd=where, env=env, timeout=LIMIT, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout.decode(errors="replace")
    except subprocess.TimeoutExpired as late:
        text = (late.stdout or b"").decode(errors="replace")
    results, lines = [], []
    for line in text.split("\n"):
        if line.startswith(MARK):
            results.append((int(line[len(MARK):]), lines[:-1] if lines and not lines[-1] else lines))
            lines = []
        else:
            lines.append(line)
    return results + [(None, lines)] * (len(commands) - len(results))


def problems_of(path, where, updates):
    """Runs a document's blocks.  Returns a text for each command that is not as shown; updates
    gets (first line, number of lines, new lines) where the output can be replaced."""
    problems = []
    scratch_folder(where)
    output = []
    for block in blocks(path.read_text()):
        if block.file:
            (where / block.file).parent.mkdir(parents=True, exist_ok=True)
            (where / block.file).write_text("\n".join(block.lines) + "\n")
        if block.printed and not matches(["...", *block.lines, "..."], output, block.any_trace):
            problems.append(f"{path.name}:{block.number}: the last command has not printed this")
        if block.language != "console" or block.reason is not None or not all(map(shutil.which, block.tools())):
            continue
        commands = block.commands()
        for (number, command, shown, expected), (status, output) in zip(commands, run_block(commands, where / block.folder)):
            at = f"{path.name}:{number}: $ {command}"
            told = "\n".join("    | " + line for line in output[:60])
            if status != expected:
                problems.append(f"{at}\n  has the exit status {status}, not {expected}\n{told}")
            elif any(line.strip() for line in shown) and not matches(shown, output, block.any_trace):
                problems.append(f"{at}\n  prints something else:\n{told}")
                if not any("..." in line for line in shown):
                    first = number + command.count("\n")
                    updates.append((first, len(shown), output))
    return problems


def check(path, update=False):
    updates = []
    with tempfile.TemporaryDirectory(prefix="divm-docs-") as folder:
        problems = problems_of(path, pathlib.Path(folder), updates)
    if update and updates:
        lines = path.read_text().split("\n")
        for first, length, output in reversed(updates):
            lines[first:first + length] = output
        path.write_text("\n".join(lines))
    return "\n".join(problems) or None


def tests():
    for path in DOCS:
        if any(b.language == "console" and b.reason is None for b in blocks(path.read_text())):
            yield f"{path.relative_to(ROOT)} (commands)", lambda p=path: check(p)


def main():
    given = [a for a in sys.argv[1:] if a != "--update"]
    wrong = 0
    for path in [pathlib.Path(a).resolve() for a in given] or DOCS:
        if problem := check(path, "--update" in sys.argv):
            print(problem)
            wrong += 1
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
