"""The code blocks of a document: which commands it shows, with which output.

Every command that README.md or docs/*.md shows stands in a block that begins with ```console:

    ```console status=10,0
    $ divm verify examples/lost_update.c
    error: assertion failed: atomic_load(&counter) == 2 (main at lost_update.c:29)
    ...
    $ divm verify -DFIXED examples/lost_update.c
    ```

- A line that begins with "$ " is a command, for bash.  If it ends in a backslash, it goes on in the
  next line.  What follows is its output, standard error as well; if nothing follows, the output is
  not compared.
- "..." stands for what is left out: alone in a line for any number of lines, otherwise for a
  part of the line.
- The first line of a block is followed by what readers of the page do not see:
      status=10,0         the exit status of each command, in their order; 0 where none is given.
                          (A pipe has that of its last command.)
      in=FOLDER           where the block is run; the scratch folder has a copy of tests/cc, too.
      any-trace           the rows of the table under "Trace" may be others, if there are as many, and
                          threads have other numbers: where several errors are equally short,
                          fingerprints decide which one is told.
      not-run: REASON     the block is not run.  It needs what tests must not do: install
                          packages, fetch from the network, run for hours, run the tests themselves.
- A block of another language with file=NAME, as in "```c file=test.c", is written to
  this file before the blocks that follow it are run.
- Commands within a sentence (`divm ...`) are not run, but divm must have the command and its options.
- ```text is for what is no command: a synopsis, a line of output that is being discussed.  With
  "printed" behind it, as in "```text printed", it must be a part of what the last command printed.

All blocks of a document are run in its order, each by a shell of its own, in one scratch folder:
it has examples/ (a copy) and build/divm, and divm is in PATH.  A block with a command that this machine
does not have (TOOLS) is passed over.  Times, rates and amounts of memory
are masked (MASKS); everything else, counts of states too, must be what is shown.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# docs/EXPERIMENTS.md tells of the past.
DOCS = [p for p in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
        if p.name != "EXPERIMENTS.md"]
TOOLS = ["cmake", "ctest", "jq", "meson"]
COMMAND = re.compile(r"\$ |(build/)?divm (?!=)|make\b|sudo |(CC|CXX|DIVM_\w+)=|cmake |ctest |meson |git ")


class Block:
    """A fenced block: its language, what follows that, its lines, and the number of the first one."""

    def __init__(self, info, number, lines):
        self.language, _, self.rest = info.strip().partition(" ")
        self.number, self.lines = number, lines
        self.reason = match[1].strip() if (match := re.search(r"\bnot-run:(.*)", self.rest)) else None
        self.file = match[1] if (match := re.search(r"\bfile=(\S+)", self.rest)) else None
        self.folder = match[1] if (match := re.search(r"\bin=(\S+)", self.rest)) else "."
        self.printed = re.search(r"\bprinted\b", self.rest) is not None
        self.any_trace = re.search(r"\bany-trace\b", self.rest) is not None
        match = re.search(r"\bstatus=([\d,]+)", self.rest)
        self.statuses = [int(s) for s in match[1].split(",")] if match else []

    def tools(self):
        text = "\n".join(line for line in self.lines if line.startswith("$ "))
        return [tool for tool in TOOLS if re.search(rf"\b{tool}\b", text)]

    def commands(self):
        """(number of the line, command, lines of output, status) of each command."""
        found, goes_on = [], False
        for number, line in enumerate(self.lines, self.number):
            if goes_on:
                found[-1][1] += "\n" + line
            elif line.startswith("$ "):
                found.append([number, line[2:], []])
            elif found:
                found[-1][2].append(line)
            goes_on = line.endswith("\\") and (goes_on or line.startswith("$ "))
        statuses = self.statuses + [0] * len(found)
        return [(*command, status) for command, status in zip(found, statuses)]


def blocks(text):
    """The fenced blocks of a document."""
    block, start, lines = None, 0, []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            if block is None:
                block, start, lines = line[3:], number + 1, []
            else:
                yield Block(block, start, lines)
                block = None
        elif block is not None:
            lines.append(line)


def options():
    """Command of divm to the names of its options."""
    sys.path.insert(0, str(ROOT / "checker/cli/install"))
    from pages import COMMANDS, OPTIONS, Option
    named = [Option(*row[1:]) for row in OPTIONS if row[0] == "OPTION"]
    return {c[1]: {o.name.lstrip("-") for o in named if c[0] in o.commands} for c in COMMANDS}


def wrong_words(path):
    """Commands within sentences that divm does not have."""
    known = options()
    fenced = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        fenced ^= line.startswith("```")
        for words in [] if fenced else map(str.split, re.findall(r"(?<!`)`divm ([^`]+)`", line)):
            at = f"{path.relative_to(ROOT)}:{number}: divm {' '.join(words)}"
            if not re.match(r"[a-z+]+$", words[0]) or words[0] == "help":
                continue  # options of any command
            if words[0] not in known:
                yield f"{at}: there is no such command"
                continue
            for word in words[1:words.index("--") if "--" in words else None]:
                name = re.match(r"--([\w-]+)", word)
                if name and not {name[1], name[1].removeprefix("no-")} & known[words[0]]:
                    yield f"{at}: there is no option {word}"


def wrong_blocks(path):
    """What makes a document's commands impossible to run, line by line."""
    text = path.read_text()
    name = path.relative_to(ROOT)
    inside, before = False, ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            inside = not inside
        elif not inside and not before.strip() and re.match(r"    (?=\S)", line) and COMMAND.match(line[4:]):
            yield f"{name}:{number}: a command outside of a ```console block (see tests/docs/blocks.py)"
        before = line
    for block in blocks(text):
        commands = [line for line in block.lines if line.startswith("$ ")]
        at = f"{name}:{block.number - 1}"
        if block.language == "console" and (not block.lines or not block.lines[0].startswith("$ ")):
            yield f"{at}: a console block does not begin with \"$ \""
        if block.language != "console" and commands:
            yield f"{at}: commands in a block that is not ```console"
        if block.language in ("sh", "bash", "shell", ""):
            yield f"{at}: say ```console for commands, ```text for anything else"
        if block.reason == "":
            yield f"{at}: not-run needs a reason"
        if len(block.statuses) > len(commands):
            yield f"{at}: more statuses than commands"
