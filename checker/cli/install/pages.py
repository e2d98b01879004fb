"""Writes the manual pages and the completions of bash and zsh from the command's tables.

usage: pages.py FOLDER    (man1/*.1, divm.bash and _divm are written into it)
"""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
CLI = HERE.parent
CHECKER = CLI.parent


class Names(dict):
    """A table's rows, by the macro that they call: what stands in them as a name is a text."""

    def __init__(self):
        super().__init__()
        self.rows = []

    def __missing__(self, name):
        return Word(name, self) if name.isupper() else name


class Word(str):
    """A name of a table: called, it is a row; joined by "|", names are a set."""

    def __new__(cls, text, names=None):
        word = super().__new__(cls, text)
        word.names = names
        return word

    def __call__(self, *columns):
        self.names.rows.append((str(self), *columns))

    def __or__(self, other):
        return Word(f"{self} {other}")


def table(path):
    """The rows of a .def file.  Without comments and directives, it is Python."""
    text = re.sub(r"/\*.*?\*/", "", (CHECKER / path).read_text(), flags=re.S)
    text = re.sub(r"^#.*(\n|\Z)", "", text, flags=re.M)
    names = Names()
    exec(text, {"__builtins__": {}}, names)
    return names.rows


OPTIONS = table("cli/options.def")
COMMANDS = [row[1:] for row in table("cli/commands.def") if row[0] == "COMMAND"]
EXAMPLES = [row[1:] for row in table("cli/commands.def") if row[0] == "EXAMPLE"]
EXITS = [row[1:] for row in table("search/exits.def")]
ENVIRONMENT = [row[1:] for row in table("cli/environment.def")]
NAMES = {"reduction": table("cli/reductions.def"), "cache": table("cli/caches.def")}
VERSION = re.search(r'CHECK_VERSION "(.*)"', (CHECKER / "search/check.h").read_text())[1]


class Option:
    def __init__(self, _, letter, name, kind, argument, start, commands, text):
        self.letter = letter if isinstance(letter, str) else ""
        self.name, self.kind, self.argument, self.help = name, kind, argument, text
        self.commands = commands.split()
        self.start = start
        self.of_compiler = name.startswith("-")

    def values(self):
        if self.kind == "YESNO":
            return ["yes", "no"]
        if self.kind == "NAMES":
            names = [row[2] for row in NAMES[self.name]]
            return ["all", "none", *names, *("no-" + name for name in names)]
        return self.argument.split("|") if self.kind in ("CHOICE", "PICK") else []

    def wants_file(self):
        return self.kind == "INPUT" or self.argument in ("FILE", "DIR")

    def words(self):
        """How it is written, with an "=" where a value follows in the same word."""
        if self.of_compiler:
            return [self.name + ("=" if self.name == "-std" else "")]
        words = [f"--{self.name}" + ("=" if self.argument and self.kind not in ("COUNT", "PICK") else "")]
        if self.kind == "TEXT" and self.start:
            words.append(f"--no-{self.name}")
        return words + ([f"-{self.letter}"] if self.letter else [])

    def spelled(self):
        """As in a manual: bold words and slanted arguments."""
        between = "=" if self.name == "-std" else "" if self.letter else " "
        if self.of_compiler:
            return f"\\fB{roff(self.name)}\\fR{between}\\fI{roff(self.argument)}\\fR"
        value = f"=\\fI{roff(self.argument)}\\fR" if self.argument else ""
        value = f"[{value}]" if self.kind in ("COUNT", "PICK") else value
        short = f"\\fB\\-{self.letter}\\fR, " if self.letter else ""
        negated = f", \\fB\\-\\-no\\-{roff(self.name)}\\fR" if len(self.words()) > 1 and \
            self.words()[1].startswith("--no-") else ""
        return f"{short}\\fB\\-\\-{roff(self.name)}\\fR{value}{negated}"


def options_of(command):
    """(group, options) of a command, in the order of the table."""
    groups = []
    for row in OPTIONS:
        if row[0] == "OPTION_GROUP":
            groups.append((row[1], []))
        elif command in (option := Option(*row[1:])).commands:
            groups[-1][1].append(option)
    return [(title, options) for title, options in groups if options]


# ---- manual pages -----------------------------------------------------------------------


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("~", "\\(ti")
    return "\\&" + text if text.startswith(".") else text


def head(name, summary):
    return [f'.TH {name.upper()} 1 "" "divm {VERSION}" "User Commands"', ".SH NAME",
            f"{roff(name)} \\- {roff(summary)}"]


def tagged(rows):
    return [line for tag, text in rows for line in (".TP", tag, roff(text))]


def exits():
    return [".SH EXIT STATUS", *tagged((f".B {status}", text) for _, status, text in EXITS)]


def environment():
    return [".SH ENVIRONMENT", *tagged((f".B {name}", text) for name, text in ENVIRONMENT)]


def examples(command):
    lines = []
    for id, line, text in EXAMPLES:
        if id == command:
            lines += [".TP", f".B {roff(line)}", roff(text)]
    return [".SH EXAMPLES", *lines] if lines else []


def see_also(name):
    pages = ["divm", *(f"divm-{command[1]}" for command in COMMANDS)]
    return [".SH SEE ALSO", *(f".BR {roff(page)} (1)" for page in pages if page != name), ".PP",
            "README.md and the pages that it names, in the folder share/doc/divm of the installation."]


def page_of_all():
    lines = head("divm", "explores every execution of a multithreaded C or C++ test")
    lines += [".SH SYNOPSIS", ".B divm", ".I command", "[options]", ".I file ...",
              ".SH DESCRIPTION",
              "divm executes every interleaving of a test's threads, and every other choice that the "
              "test can make.  It answers that no error can be reached, or it shows the shortest "
              "error, step by step, and keeps it as a trace that can be executed again.",
              ".SH COMMANDS"]
    for _, name, operands, summary, _ in COMMANDS:
        lines += [".TP", f".B divm {roff(name)} \\fI{roff(operands)}\\fR", roff(summary) + "."]
    return lines + exits() + environment() + see_also("divm")


def page_of(id, name, operands, summary):
    lines = head(f"divm-{name}", summary[0].lower() + summary[1:])
    groups = options_of(id)
    lines += [".SH SYNOPSIS", f".B divm {roff(name)}", "[options]" if groups else "",
              f".I {roff(operands)}" if operands else "", ".SH DESCRIPTION", roff(summary) + "."]
    for title, options in groups:
        lines += [f".SH {title.upper()}"]
        for option in options:
            lines += [".TP", option.spelled(), roff(option.help)]
            for row in NAMES.get(option.name, []):
                lines += [".RS", ".TP", f".B {roff(row[2])}", roff(row[3]), ".RE"]
    lines += examples(id) + (exits() if id in ("VERIFY", "REPLAY") else [])
    return [line for line in lines if line] + see_also(f"divm-{name}")


# ---- completions ------------------------------------------------------------------------


def bash():
    lines = ["# divm(1) completion for bash; made from the tables of the command", "_divm() {",
             "    local cur=${COMP_WORDS[COMP_CWORD]} values= words=",
             "    local line=${COMP_LINE:0:COMP_POINT}",
             "    cur=${line##*[[:space:]]}",
             "    COMPREPLY=()",
             "    if [ \"$COMP_CWORD\" = 1 ]; then",
             f"        words='{' '.join(c[1] for c in COMMANDS)} help --help --version'",
             "    else",
             "        case ${COMP_WORDS[1]}:$cur in"]
    for id, name, *_ in COMMANDS:
        options = [o for _, some in options_of(id) for o in some]
        for option in options:
            if values := option.values():
                lines.append(f"        {name}:--{option.name}=*) values='{' '.join(values)}' ;;")
        if options:
            words = " ".join(word for option in options for word in option.words())
            lines.append(f"        {name}:-*=*) ;;")
            lines.append(f"        {name}:-*) words='{words}' ;;")
    names = " ".join([c[1] for c in COMMANDS] + ["exit", "environment"])
    lines += [f"        help:*) words='{names}' ;;", "        esac", "    fi",
              "    if [ \"$values\" ]; then",
              "        COMPREPLY=($(compgen -W \"$values\" -- \"${cur#*=}\"))",
              "    elif [ \"$words\" ]; then",
              "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))",
              "        [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null",
              "    else",
              "        compopt -o filenames 2>/dev/null",
              "        COMPREPLY=($(compgen -f -- \"${cur#*=}\"))",
              "    fi",
              "}", "complete -F _divm divm"]
    return lines


def quoted(text):
    """For a description in zsh's _arguments."""
    return text.replace("'", "'\\''").replace("[", "(").replace("]", ")").replace(":", "\\:")


def zsh_option(option):
    if option.of_compiler:
        apart = not option.letter and option.name != "-std"  # the value is the next word
        name = option.words()[0] + ("" if apart or not option.argument else "-")
        value = f":{quoted(option.argument)}:_files" if option.argument else ""
        return [f"'*{name}[{quoted(option.help)}]{value}'"]
    value = ""
    if option.argument:
        values = option.values()
        action = f"({' '.join(values)})" if values else "_files" if option.wants_file() else ""
        value = f":{quoted(option.argument)}:{action}"
    equals = "=-" if option.argument else ""
    words = [f"'--{option.name}{equals}[{quoted(option.help)}]{value}'"]
    if option.kind == "TEXT" and option.start:
        words.append(f"'--no-{option.name}[not that]'")
    if option.letter:
        words.append(f"'-{option.letter}{'+' if option.argument else ''}[{quoted(option.help)}]{value}'")
    return words


def zsh():
    lines = ["#compdef divm", "# made from the tables of the command", "_divm() {",
             "    local -a commands; commands=("]
    lines += [f"        '{name}:{quoted(summary)}'" for _, name, _, summary, _ in COMMANDS]
    lines += ["        'help:What a command does, and its options'", "    )",
              "    if (( CURRENT == 2 )); then", "        _describe command commands",
              "        return", "    fi", "    local command=$words[2]",
              "    words=(\"${(@)words[2,-1]}\"); (( CURRENT-- ))", "    case $command in"]
    for id, name, *_ in COMMANDS:
        options = [word for _, some in options_of(id) for o in some for word in zsh_option(o)]
        if options:
            lines += [f"    {name})", "        _arguments -S \\"]
            lines += [f"            {option} \\" for option in options]
            lines += ["            '*:file:_files' ;;"]
    names = " ".join([c[1] for c in COMMANDS] + ["exit", "environment"])
    return lines + [f"    help) _values topic {names} ;;", "    *) _files ;;", "    esac", "}",
                    "_divm \"$@\""]


def main():
    folder = pathlib.Path(sys.argv[1])
    (folder / "man1").mkdir(parents=True, exist_ok=True)
    pages = {"divm": page_of_all()}
    for id, name, operands, summary, _ in COMMANDS:
        pages[f"divm-{name}"] = page_of(id, name, operands, summary)
    for name, lines in pages.items():
        (folder / "man1" / f"{name}.1").write_text("\n".join(lines) + "\n")
    (folder / "divm.bash").write_text("\n".join(bash()) + "\n")
    (folder / "_divm").write_text("\n".join(zsh()) + "\n")


if __name__ == "__main__":
    main()
