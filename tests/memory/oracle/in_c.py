"""Litmus programs as one C program, which asserts that each outcome is in the oracle's set.

Its arguments: a number k: the outcomes of MODELS[k] are those that may be; which of the programs
runs (none or -1: divm_choose chooses); which of the outcomes must not be either, by its place in
the sorted set (none or -1: all may be).  All that main leaves behind is the program and its outcome:
so there are as many final states as there are programs with their outcomes.  A fourth argument
makes main forget these, too: then there is one final state, or something else is left behind.

usage: in_c.py FILE [NAME...]
"""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE)]
from litmus import EXCHANGES, MODELS, parse  # noqa: E402
from outcomes import outcomes  # noqa: E402
from shapes import NUMBER, compare_exchange, declaration, exchange, initial, load, part, store, whole as value_of  # noqa: E402

C_ORDERS = {"rlx": "relaxed", "acq": "acquire", "rel": "release", "acq_rel": "acq_rel", "sc": "seq_cst"}
DIGIT = 4  # bits of an outcome for each value
HEAD = """#include <assert.h>
#include <divm.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct program {
    const char *name;
    uint64_t (*run)(void);
    int n[3];
    const uint64_t *may[3];
};

struct { uint64_t outcome; int program; } end;
"""
TAIL = """
int main(int argc, char **argv)
{
    int model = atoi(argv[1]), which = argc > 2 ? atoi(argv[2]) : -1, k = 0;
    if (which < 0)
        which = divm_choose(sizeof programs / sizeof *programs);
    const struct program *p = &programs[which];
    end.outcome = p->run();
    end.program = which;
    while (k < p->n[model] && p->may[model][k] != end.outcome)
        k++;
    if (k == p->n[model])
        printf("%s ends in %llx, which it must not\\n", p->name, (unsigned long long)end.outcome);
    assert(k < p->n[model]);
    assert(argc < 4 || k != atoi(argv[3]));
    if (argc > 4)
        end.outcome = end.program = 0;
    return 0;
}
"""


def order(name):
    return f"memory_order_{C_ORDERS[name]}"


def number(outcome):
    """All values as one number, the first in its highest digit"""
    result = 0
    for value in outcome:
        if value >> DIGIT:
            raise ValueError(f"too large a value: {value}")
        result = result << DIGIT | value
    return result


def expression(value):
    register, n = value
    return str(n) if register is None else f"{register} + {n}" if n else register


def statement(s, prefix, shape):
    x = f"&{prefix}{s.location}"
    if s.kind == "fence":
        return f"atomic_thread_fence({order(s.order)});"
    if s.kind in ("lock", "unlock"):
        return f"pthread_mutex_{s.kind}({x});"
    if s.kind == "load":
        return f"{s.register} = {load(shape, x, order(s.order))};"
    if s.kind == "store":
        return store(shape, x, expression(s.value), order(s.order))
    if s.kind in EXCHANGES:
        return compare_exchange(shape, s.register, x, expression(s.expected), expression(s.value),
                                "strong" if s.kind == "cas" else "weak", order(s.order), order(s.failure))
    if s.kind == "xchg":
        return exchange(shape, s.register, x, expression(s.value), order(s.order))
    return f"{s.register} = atomic_fetch_add_explicit({x}, {expression(s.value)}, {order(s.order)});"


def body(steps, prefix, shape):
    registers = list(dict.fromkeys(s.register for s in steps if s.register))
    lines = [f"    uintptr_t told = 0;", "    (void)arg;"]
    if registers:
        lines.append(f"    int {', '.join(f'{r} = 0' for r in registers)};")
    lines += ["    " + statement(s, prefix, shape) for s in steps]
    lines += [f"    told = told << {DIGIT} | (unsigned)({r});" for r in registers]
    return [*lines, "    return (void *)told;"], registers


def functions(program, prefix, shape):
    """A function for each thread, one for those that do the same: (lines, [(name, registers)])"""
    known, lines, threads = {}, [], []
    for k, steps in enumerate(program.threads):
        text, registers = body(steps, prefix, shape)
        form = "\n".join(text)
        for place, r in enumerate(registers):
            form = form.replace(f"{r} ", f"q{place} ").replace(f"{r})", f"q{place})")
        if form not in known:
            known[form] = f"{prefix}thread{k}"
            lines += [f"static void *{prefix}thread{k}(void *arg)", "{", *text, "}", ""]
        threads.append((known[form], registers))
    return lines, threads


def whole(program, threads, prefix, shape):
    """The function that runs a program and gives its outcome."""
    n = len(threads)
    lines = [f"static uint64_t {prefix}run(void)", "{", f"    pthread_t t[{n}];", "    void *told;",
             "    uint64_t outcome = 0;"]
    where = {r: (k, registers) for k, (_, registers) in enumerate(threads) for r in registers}
    lines += [f"    pthread_create(&t[{k}], NULL, {name}, NULL);" for k, (name, _) in enumerate(threads)]
    lines.append(f"    uintptr_t of[{n}];")
    lines += [f"    pthread_join(t[{k}], &told); of[{k}] = (uintptr_t)told;" for k in range(n)]
    for r in program.registers:
        k, registers = where[r]
        shift = DIGIT * (len(registers) - 1 - registers.index(r))
        lines.append(f"    outcome = outcome << {DIGIT} | (of[{k}] >> {shift} & 15);")
    for x in program.locations:
        lines.append(f"    outcome = outcome << {DIGIT} | "
                     f"(unsigned){part(shape, f'atomic_load(&{prefix}{x})')};")
    lines += [f"    atomic_store(&{prefix}{x}, {value_of(shape, '0')});" for x in program.locations]
    return [*lines, "    return outcome;", "}", ""]


def one(program, prefix, sets, shape):
    lines = [f"/* {program.text()} */"]
    lines += [f"static atomic_value {prefix}{x}{initial(shape, program.init.get(x, 0))};" for x in program.locations]
    lines += [f"static pthread_mutex_t {prefix}{m} = PTHREAD_MUTEX_INITIALIZER;" for m in program.mutexes]
    made, threads = functions(program, prefix, shape)
    lines += ["", *made, *whole(program, threads, prefix, shape)]
    for model, may in sets.items():
        numbers = ", ".join(hex(number(o)) for o in sorted(may)) or "0"
        lines.append(f"static const uint64_t {prefix}{model}[] = {{{numbers}}};")
    return [*lines, ""]


def in_c(programs, sets, shape=NUMBER):
    """sets: for each program, {model: set of outcomes}; shape: of its atomic variables"""
    lines, rows = [HEAD, declaration(shape)], []
    for k, program in enumerate(programs):
        prefix = f"p{k}_"
        lines += one(program, prefix, sets[k], shape)
        may = ", ".join(f"{prefix}{m}" if m in sets[k] else "NULL" for m in MODELS)
        counts = ", ".join(str(len(sets[k].get(m, ()))) for m in MODELS)
        rows.append(f'    {{"{program.name}", {prefix}run, {{{counts}}}, {{{may}}}}},')
    return "\n".join([*lines, "static const struct program programs[] = {", *rows, "};", TAIL])


def main():
    file, *names = sys.argv[1:]
    programs = [p for p in parse(pathlib.Path(file).read_text()) if not names or p.name in names]
    print(in_c(programs, [{m: outcomes(p, m) for m in MODELS} for p in programs]), end="")


if __name__ == "__main__":
    sys.exit(main())
