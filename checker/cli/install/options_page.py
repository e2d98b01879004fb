"""Writes docs/OPTIONS.md from the command's tables.

usage: options_page.py [--check]    (--check only says whether the page is up to date)
"""

import re
import sys

from pages import COMMANDS, ENVIRONMENT, EXAMPLES, EXITS, HERE, NAMES, OPTIONS, Option

PAGE = HERE.parents[2] / "docs/OPTIONS.md"
HEAD = """# Commands and options

This page is written by `checker/cli/install/options_page.py` from the tables that the command itself is
made of, as `divm help` and the manual pages are.

- Options may stand before and behind files. What stands behind `--` is for the program.
- `--name=VALUE` may be written `--name VALUE`. `--no-name` switches off what is on by default.
- Where an option is given twice, the last one counts, but for those that can be given several times (`-D`, `-I`, `-l`,
  `--env`, `--capture` and others like them).
- Options may also stand in `DIVM_OPTIONS`, in the sources and in files called `.divm`:
  see [PROJECTS.md](PROJECTS.md#options-in-files).
"""


def cell(text):
    text = re.sub(r"\bdocs/(\w+\.md)", r"[\1](\1)", text)
    return text.replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;")


def spelled(option):
    between = "=" if option.name == "-std" else "" if option.letter else " "
    if option.of_compiler:
        return [f"{option.name}{between if option.argument else ''}{option.argument}"]
    value = f"={option.argument}" if option.argument else ""
    words = [f"--{option.name}{value}"]
    if option.letter:
        words.append(f"-{option.letter}{' ' if option.argument else ''}{option.argument}")
    return words + [word for word in option.words() if word.startswith("--no-")]


def default(option):
    if option.kind == "CHOICE":
        return option.values()[option.start]
    if option.kind == "YESNO":
        return "yes" if option.start else "no"
    if option.kind == "NUMBER" and option.start:
        return str(option.start)
    return ""


def rows(title, found):
    lines = ["", f"## {title}", "", "| option | default | of | what it does |", "|---|---|---|---|"]
    names = {command[0]: command[1] for command in COMMANDS}
    for option in found:
        words = "<br>".join("`" + word.replace("|", "\\|") + "`" for word in spelled(option))
        of = ", ".join(names[command] for command in names if command in option.commands)
        value = f"`{default(option)}`" if default(option) else ""
        lines.append(f"| {words} | {value} | {of} | {cell(option.help.rstrip(':'))} |")
    for option in found:
        if option.name in NAMES:
            lines += ["", f"Names for `--{option.name}`:", "", "| name | meaning |", "|---|---|"]
            lines += [f"| `{row[2]}` | {cell(row[3])} |" for row in NAMES[option.name]]
    return lines


def groups():
    found = []
    for row in OPTIONS:
        if row[0] == "OPTION_GROUP":
            found.append((row[1], []))
        else:
            found[-1][1].append(Option(*row[1:]))
    return found


def page():
    lines = HEAD.splitlines() + ["", "| command | what it does |", "|---|---|"]
    for _, name, operands, text, _ in COMMANDS:
        lines.append(f"| `{f'divm {name} {operands}'.strip()}` | {cell(text)} |")
    for title, found in groups():
        lines += rows(title, found)
    lines += ["", "## Examples", "", "| command | what for |", "|---|---|"]
    lines += [f"| `{line}` | {cell(text)} |" for _, line, text in EXAMPLES]
    lines += ["", "## Exit statuses", "", "| status | meaning |", "|---|---|"]
    lines += [f"| {status} | {cell(text)} |" for _, status, text in EXITS]
    lines += ["", "## Environment", "", "| variable | meaning |", "|---|---|"]
    lines += [f"| `{name}` | {cell(text)} |" for name, text in ENVIRONMENT]
    return "\n".join(lines) + "\n"


def main():
    if "--check" not in sys.argv:
        PAGE.write_text(page())
    elif not PAGE.exists() or PAGE.read_text() != page():
        print("docs/OPTIONS.md is out of date: run python3 checker/cli/install/options_page.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
