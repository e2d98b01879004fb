"""What the checks have executed, as the machine counted it, and what is missing.

A row is an instruction of LLVM, an intrinsic, or an instruction of the machine.  Of a
check's run, only the instructions in the function that holds the check's code count for
the first two.
"""

import collections
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

# NOTE is executed for the page of an error only (tests/page), COVER* with --coverage (tests/cli).
UNCOUNTED = ("NOP", "NOTE", "COVER", "COVER_BR", "COVER_SWITCH")
Profile = collections.namedtuple("Profile", "sites insns faults")


def rows(path, macro, pattern):
    text = re.sub(r'"\s*\n\s*"', "", (ROOT / "vm" / path).read_text())
    text = re.sub(r",\s*\n\s*", ", ", text)
    return re.findall(rf"^{macro}\({pattern}\)", text, re.M)


class Row:
    def __init__(self, group, name, faults):
        self.group, self.name = group, name
        self.wanted = set(faults.split())
        self.normal, self.edge, self.faults = 0, 0, collections.Counter()

    def lacks(self):
        """What no check has shown."""
        if self.wanted in ({"UNSUPPORTED"}, {"UNREACHABLE"}) or self.name == "llvm.ubsantrap":
            return sorted(self.wanted - set(self.faults))
        if self.wanted == {"NEVER"}:
            return []
        found = [] if self.normal else ["normal"]
        if self.group == "insn":
            return [] if self.normal or self.edge or self.faults else ["execution"]
        found += [] if self.edge else ["edge"]
        return found + sorted(self.wanted - set(self.faults))


class Coverage:
    def __init__(self):
        opcodes = rows("opcode.def", "VM_OPCODE", r'\w+, "([^"]+)", .*, "([A-Z_ ]*)"')
        intrinsics = rows("intrinsic.def", "VM_INTRINSIC", r'"([^"]+)", \w+, \w+, \w+, "([A-Z_ ]*)"')
        insns = rows("insn.def", "VM_INSN", r'(\w+), ".*"')
        self.table = {("llvm", name): Row("llvm", name, faults) for name, faults in opcodes}
        self.table |= {("llvm", "llvm." + name): Row("intrinsic", "llvm." + name, faults) for name, faults in intrinsics}
        self.table |= {("insn", name): Row("insn", name, "") for name in insns
                       if name not in UNCOUNTED}

    def rows(self):
        return len(self.table)

    @staticmethod
    def read(path):
        sites, insns, faults = [], {}, []
        if not pathlib.Path(path).exists():
            return Profile(sites, insns, faults)
        for line in pathlib.Path(path).read_text().splitlines():
            kind, *field = line.split("\t")
            if kind == "site":
                sites.append((field[0], field[1]))
            elif kind == "insn":
                insns[field[0]] = int(field[1])
            else:
                faults.append(field)
        return Profile(sites, insns, faults)

    def add_insns(self, profile, edge):
        for name, count in profile.insns.items():
            if name in UNCOUNTED:
                continue
            if edge:
                self.table["insn", name].edge += count
            else:
                self.table["insn", name].normal += count

    def add_values(self, profile, checks, edge):
        """checks: those of the module, whose results were right."""
        self.add_insns(profile, edge)
        for name in self.executed(profile):
            if edge:
                self.table["llvm", name].edge += 1
            else:
                self.table["llvm", name].normal += 1

    def executed(self, profile):
        return [name for function, name in profile.sites
                if re.fullmatch(r"check\d+", function) and ("llvm", name) in self.table]

    def add_program(self, profile, edge):
        self.add_insns(profile, edge)
        for name in {name for _, name in profile.sites if ("llvm", name) in self.table}:
            if edge:
                self.table["llvm", name].edge += 1
            else:
                self.table["llvm", name].normal += 1

    def add_fault(self, profile):
        """The fault belongs to the instruction that raised it; an undefined value is also
        the fault of what made it: POISON."""
        for kind, insn, function, name in profile.faults:
            self.table["insn", insn].faults[kind] += 1
            name = "call" if kind in ("UNRESOLVED", "REFUSED") else name  # raised in the callee
            if ("llvm", name) in self.table:
                self.table["llvm", name].faults[kind] += 1
            if kind == "UNDEFINED":
                for made in set(self.executed(profile)) - {name}:
                    self.table["llvm", made].faults["POISON"] += 1

    def missing(self):
        return [f"{row.name}: no check of: {' '.join(row.lacks())}" for row in self.table.values() if row.lacks()]

    def report(self):
        lines = [f"{'':10} {'':36} {'normal':>9} {'edge':>9}  faults"]
        for row in self.table.values():
            faults = [f"{kind} {n}" for kind, n in sorted(row.faults.items()) if kind in row.wanted or row.group == "insn"]
            lacks = f"  MISSING: {' '.join(row.lacks())}" if row.lacks() else ""
            lines.append(f"{row.group:10} {row.name:36} {row.normal:9} {row.edge:9}  {', '.join(faults)}{lacks}")
        return "\n".join(lines) + "\n"
