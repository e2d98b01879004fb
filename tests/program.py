"""A test program with what its first comment says (run.py tells the conventions), and what the
passes over programs share."""

import hashlib
import os
import re
import shlex
import tempfile

from suite import ROOT, statuses

TESTS = ROOT / "tests"
TEMPORARY = tempfile.TemporaryDirectory(prefix="divm-tests-")


ALL = bool(os.environ.get("DIVM_TEST_ALL"))  # make check-all, check-debug, fuzz


def is_chosen(name, of):
    """Is a test one of those that make check does, one in so many by their names?"""
    number = hashlib.blake2b(name.encode(), digest_size=8).digest()
    return ALL or int.from_bytes(number, "little") % of == 0


def some(tests, of):
    """The chosen tests of a pass that takes long."""
    return [test for test in tests if is_chosen(test[0], of)]


def first(things, n):
    """The first n of what a long test tries; all of them where all tests are done."""
    return things if ALL else things[:n]


class Program:
    """A program with what its first comment says."""

    def __init__(self, path):
        self.path = path
        self.name = str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
        self.lines = path.read_text().splitlines()
        self.options, self.expect, prose = [], [], []
        for line in first_comment(self.lines):
            if option := re.match(r"Options:\s*(.*)", line):
                self.options += shlex.split(option[1])
            elif expect := re.match(r"Expect(?:-(\S+?))?:\s*(.*)", line):
                self.expect.append((expect[1] or "", self.fill(expect[2])))
            elif re.search(r"\b(Options|Expect(-\w+)?):", line):
                raise ValueError(f"{self.name}: not at the beginning of a line: {line}")
            else:
                prose.append(line)
        self.prose = " ".join(prose)

    def fill(self, regex):
        def number(mark):
            for n, line in enumerate(self.lines, 1):
                if line.endswith("// " + mark[0]):
                    return f"{n}\\b"
            raise ValueError(f"{self.name}: no line ends in '// {mark[0]}'")
        return re.sub(r"@[a-z_]\w*", number, regex)

    def variants(self):
        """(define or "", expected statuses) of each variant."""
        result = re.search(r"Result:\s*([^.]*)", self.prose)
        if not result:
            return []
        found = [("", statuses(result[1]))]
        variant = r"-D(\w+(?:=\w+)?)(?:\.\.(\d+))?\b[^:.]*:\s*([^.]*)"
        for define, last, text in re.findall(variant, self.prose):
            name, _, first = define.partition("=")
            several = range(int(first), int(last) + 1) if last else []
            for each in [f"{name}={k}" for k in several] or [define]:
                found.append((each, statuses(text)))
        return found


def first_comment(lines):
    """The lines of the first comment, without its marks."""
    comment, block = [], False
    for line in lines:
        text = line.strip()
        if not block and text.startswith("//"):
            comment.append(text[2:].strip())
        elif block or text.startswith("/*"):
            block = not text.endswith("*/")
            comment.append(re.sub(r"^/?\*+\s?|\s*\*/$", "", text).strip())
            if not block:
                break
        else:
            break
    return comment


def temporary(suffix):
    with tempfile.NamedTemporaryFile(dir=TEMPORARY.name, suffix=suffix, delete=False) as f:
        return f.name


def wrong(run, why):
    return f"{why}\n{run.show()}"


def error_line(run):
    """The last line, which names the error, without what a search adds of the question of --reach:
    a replay searches nothing."""
    return re.sub(r"; (the search ended before it was known that )?[^;]* is never true$", "", run.last_line())
