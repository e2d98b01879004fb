"""Options that there are not: which one the command suggests.  And words of users that are not plain
ASCII: names of files with blanks, as the report repeats them for a shell, and names in queries."""

import shlex

from suite import DIVM, Run

# What is given, and what may be meant; None: nothing is suggested.
OPTIONS = [
    # a compiler's option with two dashes, as compilers themselves take some
    ("--std=c11", "-std=c11"), ("--std", "-std"), ("--march=native", "-march=native"),
    ("--fsanitize=address", "-fsanitize=address"), ("--stdlib=libc++", "-stdlib=libc++"),
    ("--isystem=x", "-isystem"), ("--include=x.h", "-include"), ("--pedantic", "-pedantic"),
    ("--static", "-static"), ("--ansi", "-ansi"), ("--pthread", "-pthread"), ("--fwrapv", "-fwrapv"),
    ("--fPIC", "-fPIC"), ("--Wall", "-Wall"), ("--Wno-unused", "-Wno-unused"), ("--O2", "-O2"),
    ("--DNDEBUG=1", "-DNDEBUG=1"), ("--Iinclude", "-Iinclude"),
    # a compiler's option, misspelt
    ("-st=c11", "-std=c11"), ("-Std=c++20", "-std=c++20"), ("-stdc++17", "-std=c++17"),
    ("-std:gnu++20", "-std=gnu++20"), ("-02", "-O2"), ("-wall", "-Wall"), ("-isystme", "-isystem"),
    ("-pednatic", "-pedantic"), ("-pthreads", "-pthread"), ("-sattic", "-static"),
    # the command's own with one dash, which would be a feature, a library or a folder otherwise
    ("-max-time=5m", "--max-time"), ("-memory=tso", "--memory"), ("-filter=x", "--filter"),
    ("-leaks=no", "--leaks"), ("-no-leaks", "--no-leaks"), ("-output-html=x", "--output-html"),
    ("-format=json", "--format"), ("-preemptions=2", "--preemptions"), ("-quiet", "--quiet"),
    # the command's own, misspelt
    ("--wokers=2", "--workers"), ("--quite", "--quiet"), ("--fitler=x", "--filter"),
    ("--no-leeks", "--no-leaks"), ("--stdin-fil=x", "--stdin"),
    # nothing that is near
    ("--model=tso", None), ("--define-macro=X", None), ("--x=c", None), ("-zero", None),
]

# What a compiler does is the task of divm cc.
MODES = ["-c", "-shared", "--shared", "-S", "-emit-llvm", "--emit-llvm"]


def expected(option, meant):
    name = option.split("=")[0]
    if meant:
        return f"divm: unknown option {name}; did you mean {meant}?\n"
    more = "" if option.startswith("--") else " (-Xclang ARG passes ARG to clang)"
    return f"divm: unknown option {name}; see divm verify --help{more}\n"


def suggested(here):
    lines = [(option, expected(option, meant)) for option, meant in OPTIONS]
    lines += [(mode, f"divm: unknown option {mode}; use divm cc or divm c++ to compile for a build\n")
              for mode in MODES]
    for option, line in lines:
        run = Run([DIVM, "verify", option, "fine.c"], cwd=here)
        if run.status != 2 or run.text or run.errors != line:
            return f"{option}: expected '{line}'\n{run.show()}"
    return None


def only_own(here):
    """A command that compiles nothing suggests no option of a compiler."""
    run = Run([DIVM, "replay", "--std=c11", "x.trace"], cwd=here)
    line = "divm: unknown option --std; see divm replay --help\n"
    return None if run.status == 2 and run.errors == line else run.show()


# Commands, options of others, and whose they are.
OTHERS = [("simulate", "--ltl=F x", "--ltl", "verify"), ("simulate", "--search=bfs", "--search", "verify"),
          ("simulate", "--fair", "--fair", "verify"), ("verify", "--pct-depth=2", "--pct-depth", "simulate"),
          ("verify", "--runs=5", "--runs", "simulate, probability"), ("verify", "--of=x", "--of", "probability"),
          ("probability", "--never=x", "--never", "verify, simulate"), ("replay", "--ltl=x", "--ltl", "verify")]


def of_others(here):
    for command, option, name, others in OTHERS:
        run = Run([DIVM, command, option, "fine.c"], cwd=here)
        if run.status != 2 or run.errors != f"divm: unknown option {name}; it is one of divm {others}\n":
            return f"{command} {option}\n{run.show()}"
    return None


def folder_behind_p(here):
    """What is near an option of a compiler is a folder all the same, if there is one."""
    own = here / "behind_p"  # not where others misspell
    (own / "ednatic").mkdir(parents=True)
    (own / "ednatic/compile_commands.json").write_text("[]")
    run = Run([DIVM, "verify", "-q", "-pednatic", here / "fine.c"], cwd=own)
    return run.show() if "unknown option" in run.errors else None


def quoted_trace(here):
    """The line of a report that replays the error can be given to a shell."""
    name = "d\u00fcnn & l'ang.c"
    (here / name).write_text("#include <assert.h>\nint main(void) { assert(0); return 0; }\n")
    run = Run([DIVM, "verify", name], cwd=here)
    lines = [line for line in run.text.splitlines() if line.startswith("replay with: divm ")]
    if len(lines) != 1:
        return run.show()
    replay = Run([DIVM, *shlex.split(lines[0])[3:]], cwd=here)
    return None if replay.status == 10 else f"{lines[0]}\n{replay.show()}"


def names_beyond_ascii(here):
    file = "gr\u00f6\u00dfe.c"
    (here / file).write_text("int gr\u00f6\u00dfe = 3;\nint main(void) { gr\u00f6\u00dfe = 4; return 0; }\n",
                            encoding="utf-8")
    for options, status, text in [
            (["--never=gr\u00f6\u00dfe == 3"], 10, "gr\u00f6\u00dfe = 3"), (["--never=gr\u00f6\u00dfe == 5"], 0, ""),
            (["--ltl=F gr\u00f6\u00dfe == 4"], 0, ""), (["--never=gr\u00f6\u00df == 3"], 2, "did you mean gr\u00f6\u00dfe"),
            (["--never=gr\u00f6\u00dfe \u2265 3"], 2, "column ")]:
        run = Run([DIVM, "verify", "-q", "--no-trace-file", *options, file], cwd=here)
        if run.status != status or text not in run.text + run.errors:
            return f"{options}: expected status {status}\n{run.show()}"
    return None


def no_temporary_folder(here):
    run = Run([DIVM, "verify", "fine.c"], cwd=here, env={"PATH": "/usr/bin:/bin", "TMPDIR": "/nowhere"})
    good = run.status == 3 and "No such file or directory (TMPDIR names another place)\n" in run.errors
    return None if good else run.show()


def folder_for_a_file(here):
    (here / "a_folder.c").mkdir()
    run = Run([DIVM, "verify", "a_folder.c"], cwd=here)
    line = "divm: a_folder.c: is a folder; name the files in it\n"
    return None if run.status == 3 and run.errors == line else run.show()


def all_of(here):
    yield "cli: suggestions for options", lambda: suggested(here)
    yield "cli: suggestions of a command that compiles nothing", lambda: only_own(here)
    yield "cli: options of other commands", lambda: of_others(here)
    yield "cli: a folder that looks like a misspelt option", lambda: folder_behind_p(here)
    yield "cli: the trace in a command for a shell", lambda: quoted_trace(here)
    yield "cli: names beyond ASCII in queries", lambda: names_beyond_ascii(here)
    yield "cli: no folder for temporary files", lambda: no_temporary_folder(here)
    yield "cli: a folder in place of a file", lambda: folder_for_a_file(here)
