"""See words.sh.  Prints each place."""

import pathlib
import re
import sys

# A comment, or a text, which is not looked at.
TOKENS = re.compile(r'(/\*.*?\*/|//[^\n]*)|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', re.S)
# Its names are the names that the user may still give.
EXCEPT = {"checker/cli/aliases.def"}
# A statistic's name is its field in JSON.
FIELDS = {"memo_bytes"}


def retired():
    """Folder to its retired words and what stands for them."""
    words = {}
    lines = pathlib.Path("tests/lint/words.tsv").read_text().splitlines()
    for word, instead, folders in (l.split("\t") for l in lines[3:]):
        for folder in folders.split():
            words.setdefault(folder, {})[word] = instead
    return words


def without_texts(source):
    return TOKENS.sub(lambda m: m[0] if m[1] else "\n" * m[0].count("\n"), source)


def wrong_words():
    for folder, words in sorted(retired().items()):
        for path in sorted(pathlib.Path(folder).rglob("*.*")):
            if path.suffix not in (".c", ".h", ".def", ".inc") or str(path) in EXCEPT:
                continue
            text = without_texts(path.read_text())
            for n, line in enumerate(text.splitlines(), 1):
                for name in re.findall(r"[A-Za-z]\w*", line):
                    for part in name.lower().split("_"):
                        if part in words and name not in FIELDS:
                            yield f"{path}:{n}: {name}: the word is now: {words[part]}"


def unsorted_terms():
    terms = re.findall(r"^\| \*\*(.*?)\*\*", pathlib.Path("docs/GLOSSARY.md").read_text(), re.M)
    for one, other in zip(terms, terms[1:]):
        if one.lower() > other.lower():
            yield f"docs/GLOSSARY.md: {other} stands behind {one}"


def main():
    found = [*wrong_words(), *unsorted_terms()]
    print("\n".join(found) if found else "ok")
    return bool(found)


sys.exit(main())
