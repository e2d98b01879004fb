"""Writes the tables of instructions and intrinsics into docs/SEMANTICS.md, between
its markers, from vm/opcode.def, vm/intrinsic.def and vm/insn.def.

usage: document.py [--check]    (--check: only say whether they are as they should be)
"""

import sys

from coverage import ROOT, rows

PAGE = ROOT / "docs" / "SEMANTICS.md"
BEGIN, END = "<!-- tables: begin -->", "<!-- tables: end -->"
SHAPES = {
    "IGNORE": "no effect", "FIRST": "gives its first operand", "ZERO": "gives a constant",
    "BLOCK": "memory operation", "TWO": "integers, by lane", "ONE": "integer, by lane",
    "WITH_OVERFLOW": "result and overflow, by lane", "FLOATS1": "float, by lane", "FLOATS2": "floats, by lane",
    "FMADD": "floats, by lane", "FUNNEL": "integers, by lane", "ROUNDED": "float to integer",
    "EXACT": "integers, by lane", "FRACTION": "fraction and exponent, by lane", "CLASS": "class of a float, by lane",
    "SATURATED": "float to integer, saturating, by lane", "REDUCE": "reduction of a vector",
    "REDUCE_FROM": "reduction of a vector, in order", "SHUFFLE": "fixed vectors", "MASKED": "lanes that are on", "FIXED": "integers, by lane", "SPECIAL": "an instruction of its own",
    "MARK": "where divm had the code compiled: makes, or ends, a local variable",
}


def cell(text):
    return text.replace("|", "\\|")


def tables():
    lines = ["| LLVM's instruction | what is done | faults |", "|---|---|---|"]
    for name, what, faults in rows("opcode.def", "VM_OPCODE", r'\w+, "([^"]+)", .*, "([^"]*)", "([A-Z_ ]*)"'):
        lines.append(f"| `{name}` | {cell(what)} | {faults.replace('NEVER', '')} |")
    lines += ["", "| intrinsic | how | instruction | faults |", "|---|---|---|---|"]
    for name, shape, op, faults in rows("intrinsic.def", "VM_INTRINSIC", r'"(.+?)", (\w+), (\w+), \w+, "([A-Z_ ]*)"'):
        op = "" if op == "0" else f"`{op.removeprefix('VM_OP_')}`"
        lines.append(f"| `llvm.{name}` | {SHAPES[shape]} | {op} | {faults.replace('NEVER', '')} |")
    lines += ["", "| the machine's instruction | meaning |", "|---|---|"]
    lines += [f"| `{name}` | {cell(what)} |" for name, what in rows("insn.def", "VM_INSN", r'(\w+), "(.*)"')]
    return "\n".join(lines)


def main():
    text = PAGE.read_text()
    if BEGIN not in text:
        text += (f"\n## Instructions and intrinsics\n\nAll others are refused by name when they are executed. "
                 f"`tests/opcodes/document.py` writes\nthese tables from the `.def` files.\n\n{BEGIN}\n{END}\n")
    head, rest = text.split(BEGIN)
    wanted = head + BEGIN + "\n" + tables() + "\n" + END + rest.split(END)[1]
    if "--check" in sys.argv:
        if PAGE.read_text() != wanted:
            print("docs/SEMANTICS.md: the tables are old; run tests/opcodes/document.py")
            return 1
        return 0
    PAGE.write_text(wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main())
