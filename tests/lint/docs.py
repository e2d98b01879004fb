"""See docs.sh.  Prints each offending line.

- Files that docs, README and the folders' README.md name exist.  (docs/EXPERIMENTS.md tells of the past.)
- Names in `code` with an underscore occur in the sources, as words or names of files.
- Each row of reductions.def and caches.def has a chapter in docs/REDUCTIONS.md, and each
  chapter with a switch has a row.  A chapter has all parts of the template.
- The table of arrows in docs/ARCHITECTURE.md is the one that layers.py keeps.
- docs/ARCHITECTURE.md has at most 3,000 words.
- Commands stand where tests/docs/commands.py finds them, and are divm's (tests/docs/blocks.py).
"""

import ast
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/docs"))
from blocks import DOCS, wrong_blocks, wrong_words  # noqa: E402

FILE = r"[\w./-]+\.(?:c|h|cpp|def|py|sh|md|mk|tsv|inc|ld)"
MOST_WORDS = 3000
PARTS = ["What", "Why it is sound", "Needs", "Not with", "Cost", "Gain", "Tests"]


def tracked():
    done = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"],
                          cwd=ROOT, capture_output=True, text=True, check=True)
    return {name for name in done.stdout.splitlines() if (ROOT / name).exists()}


def wrong_files():
    files = tracked()
    names = {pathlib.PurePath(f).name for f in files}
    made = {"runtime.ld", "build/bench.tsv"}  # by make
    for doc in [*DOCS, *sorted(ROOT.glob("*/README.md"))]:
        fenced = False
        for n, line in enumerate(doc.read_text().splitlines(), 1):
            fenced ^= line.startswith("```")
            if fenced or line.startswith("    "):
                continue  # an example
            found = re.findall(f"`({FILE})`", line) + re.findall(rf"\]\(({FILE})\)", line)
            for name in found:
                known = files | made if "/" in name else names | made
                beside = (doc.parent / name).resolve()
                if name not in known and not beside.exists() and "NAME" not in name:
                    yield f"{doc.relative_to(ROOT)}:{n}: there is no {name}"


def wrong_names():
    """Functions and the like that were renamed; docs/EXPERIMENTS.md tells of the past."""
    sources = [name for name in tracked() if not name.endswith(".md")]
    known = {"ppc_fp128", *(pathlib.PurePath(name).stem for name in sources)}.union(*(re.findall(r"\w+", (ROOT / name).read_text(errors="replace")) for name in sources))
    for doc in DOCS:
        text = re.sub(r"^```.*?^```", "", doc.read_text(), flags=re.M | re.S)
        for name in sorted(set(re.findall(r"`([a-z]\w*_\w+)(?:\(\))?`", text)) - known):
            if doc.name != "EXPERIMENTS.md":
                yield f"{doc.relative_to(ROOT)}: there is no {name} in the sources"


def rows(table, macro):
    text = (ROOT / "checker/cli" / table).read_text()
    return re.findall(rf'^{macro}\(\w+, "([\w-]+)"', text, re.M)


def wrong_chapters():
    path = ROOT / "docs/REDUCTIONS.md"
    text = path.read_text()
    for part, table, macro in (("Reductions", "reductions.def", "REDUCTION"),
                               ("Caches", "caches.def", "CACHE")):
        under = re.search(rf"^## {part}$(.*?)(?=^## |\Z)", text, re.M | re.S)
        chapters = re.findall(r"^### ([^\n]*)\n(.*?)(?=^### |\Z)", under[1] if under else "", re.M | re.S)
        switches = [m[1] for title, _ in chapters if (m := re.match(r"`([\w-]+)`", title))]
        for name in rows(table, macro):
            if name not in switches:
                yield f"docs/REDUCTIONS.md: {part}: `{name}` of {table} has no chapter"
        for name in switches:
            if name not in rows(table, macro):
                yield f"docs/REDUCTIONS.md: {part}: {table} has no row {name}"
        for title, body in chapters:
            for item in PARTS:
                if f"- **{item}**: " not in body:
                    yield f"docs/REDUCTIONS.md: {title}: does not say \"{item}\""


def arrows_kept():
    """MAY of layers.py: folder to the folders whose files it may include."""
    tree = ast.parse((ROOT / "tests/lint/layers.py").read_text())
    scope = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and "MAY" not in scope:
            exec(compile(ast.Module([node], []), "layers.py", "exec"), {}, scope)
    may = scope["MAY"]

    def folder(name):
        parts = name.rstrip("/").split("/") if name.endswith("/") else name.split("/")[:-1]
        while parts and "/".join(parts) not in may:
            parts.pop()
        return "/".join(parts)
    return {f: {folder(a) for a in allowed} - {f} for f, allowed in may.items()}


def wrong_arrows():
    text = (ROOT / "docs/ARCHITECTURE.md").read_text()
    table = text.split("| folder | includes from |", 1)[-1].split("\n\n", 1)[0]
    told = {row[0]: set(row[1:]) for line in table.splitlines()[2:]
            if (row := re.findall(r"`([\w/]+)`", line))}
    kept = arrows_kept()
    for f in sorted(kept.keys() | told.keys()):
        if told.get(f) != kept.get(f):
            yield (f"docs/ARCHITECTURE.md: {f}: the table says {sorted(told.get(f, []))}, "
                   f"layers.py {sorted(kept.get(f, []))}")


def wrong_length():
    words = len((ROOT / "docs/ARCHITECTURE.md").read_text().split())
    if words > MOST_WORDS:
        yield f"docs/ARCHITECTURE.md: {words} words, at most {MOST_WORDS}"


def wrong_commands():
    for doc in DOCS:
        yield from wrong_blocks(doc)
        yield from wrong_words(doc)


def main():
    wrong = [*wrong_commands(), *wrong_files(), *wrong_names(), *wrong_chapters(), *wrong_arrows(), *wrong_length()]
    print("\n".join(wrong) or "ok")
    return bool(wrong)


sys.exit(main())
