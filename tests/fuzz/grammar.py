"""Random C and C++ programs of a grammar.

A grammar is a text: a name at the beginning of a line, and under it, indented, what the
name can stand for, one in a line (which goes on where the next one is indented further).
$name stands for any of them.  Before one can stand how often it is chosen ("4x a$bit++;").
These names are always there:

    $block    some statements ($statement), of what is left of the budget
    $local    a variable of this block or one around it: v0, v1 ..; "$new" is the next one,
              for the blocks in what follows
    $register r0 .. r3: integers of the thread, which begin with 0

How a program ends is one number, of all registers and some variables: with NEVER defined, main
asserts that it is another.  ENDED can be defined as what else is to be done with that number,
and BETWEEN as what is done before each statement of a thread.
"""

import dataclasses
import re

NAME = re.compile(r"\$([a-z]+)")
REGISTERS = [f"r{k}" for k in range(4)]

C_HEADERS = """\
#define _GNU_SOURCE
#include <assert.h>
#include <divm.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

static atomic_uint ends;
"""

CXX_HEADERS = """\
#include <any>
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <coroutine>
#include <deque>
#include <divm.h>
#include <exception>
#include <functional>
#include <future>
#include <latch>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <pthread.h>
#include <semaphore>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

static std::atomic<unsigned> ends;
"""

HEADERS = {".c": C_HEADERS, ".cpp": CXX_HEADERS}
HEAD = """
static inline unsigned mix(unsigned x)
{
    x = (x ^ x >> 15) * 0x2c1b3c6dU;
    return (x ^ x >> 12) * 0x297a2d39U;
}

#define DIGIT(r, k) (((unsigned)(r) & 15) << (k))
#define END(n) \\
    ((void)atomic_fetch_add( \\
        &ends, mix(DIGIT(r0, 0) | DIGIT(r1, 4) | DIGIT(r2, 8) | DIGIT(r3, 12) | DIGIT(n, 20))))

#ifndef BETWEEN
#define BETWEEN
#endif
#ifdef NEVER
#define ENDED(n) assert((n) % ENDS != NEVER)
#elif !defined ENDED
#define ENDED(n) (void)0
#endif
"""


@dataclasses.dataclass
class Family:
    head: str  # variables and functions
    grammar: str
    suffix: str = ".c"  # of the file's name: the language
    locals: str = ""  # of each thread
    setup: str = ""  # at the beginning of main
    last: str = "0"  # what of the variables is a part of how it ends
    defines: tuple = ()  # of these, each is there or not
    options: tuple = ((),)  # that divm is given: one of these
    budget: int = 8  # statements
    threads: tuple = (2, 2, 3, 3, 4)  # beside main
    integer: str = "int"  # the type of $local
    stale: bool = False  # does it compare pointers to what is no more?
    spins: str = ""  # what a program has that may spin for ever: a regular expression


class Grammar:
    KEPT = 0.6  # so much of what a statement can be is in one program

    def __init__(self, text):
        self.rules, name = {}, None
        for line in re.sub(r"\n {5,}", " ", text).splitlines():
            if line and not line[0].isspace():
                name = line.strip()
            elif line.strip():
                times, rest = re.match(r"(?:(\d+)x )?(.*)", line.strip()).groups()
                self.rules.setdefault(name, []).append((rest, int(times or 1)))

    def some(self, rng):
        """Without some of the statements: programs differ more so (swarm testing; Groce, Zhang,
        Eide, Chen and Regehr, ISSTA 2012)."""
        other, all_of_them = Grammar(""), self.rules["statement"]
        kept = [statement for statement in all_of_them if rng.random() < self.KEPT]
        other.rules = {**self.rules, "statement": kept or all_of_them}
        return other

    def choose(self, rng, name):
        texts, weights = zip(*self.rules[name])
        return rng.choices(texts, weights)[0]


class Writer:
    """Writes statements of a grammar, at most so many."""

    def __init__(self, rng, grammar, budget, depth=0):
        self.rng, self.grammar, self.budget, self.depth = rng, grammar, budget, depth

    def expand(self, text):
        return NAME.sub(lambda name: self.one(name[1]), text)

    def one(self, name):
        if name == "block":
            return self.block()
        if name == "new":
            self.depth += 1
            return f"v{self.depth}"
        if name == "local":
            return f"v{self.rng.randint(0, self.depth)}"
        if name == "register":
            return self.rng.choice(REGISTERS)
        return self.expand(self.grammar.choose(self.rng, name))

    def block(self):
        inside = self.rng.randint(1, max(1, min(self.budget, 3)))
        self.budget -= inside
        return " ".join(Writer(self.rng, self.grammar, inside, self.depth).statements())

    def statements(self):
        out, depth = [], self.depth
        while self.budget > 0:
            self.budget -= 1
            out.append(self.one("statement"))
            self.depth = depth
        return out


class Program:
    """A random program of a family (families.py); options: what divm is to be given with it."""

    NESTED = 0.2  # so often a thread is made by another one than main

    def __init__(self, rng, family):
        self.rng, self.family = rng, family
        self.grammar = Grammar(family.grammar).some(rng)
        self.options = list(rng.choice(family.options))
        self.defines = [name for name in family.defines if rng.random() < 0.3]
        self.threads = range(1, rng.choice(family.threads) + 1)
        self.maker = {n: rng.randrange(n) if rng.random() < self.NESTED else 0
                      for n in self.threads}
        self.function = self.functions(rng.choice([0, 0, 0.5, 1]))

    def functions(self, alike):
        """Of each thread: some have the same one."""
        found = {}
        for n in self.threads:
            like = self.rng.randint(1, n)
            same = like < n and not self.makes(n) and not self.makes(like)
            found[n] = found[like] if same and self.rng.random() < alike else n
        return found

    def makes(self, maker):
        return [n for n in self.threads if self.maker[n] == maker]

    def body(self, n):
        share = max(1, round(self.family.budget / (len(self.threads) + 0.5)))
        budget = self.rng.randint(1, share) if n else self.rng.randint(0, 2)
        out = Writer(self.rng, self.grammar, budget).statements()
        for made in self.makes(n):
            out.insert(self.rng.randint(0, len(out) if n else min(len(out), 1)), self.make(made))
        ends = [self.wait_for(made) for made in self.makes(n)]
        self.rng.shuffle(ends)
        out = [f"int {' = 0, '.join(REGISTERS)} = 0;", f"{self.family.integer} v0 = 0;",
               "pthread_t other = 0;", *[f"pthread_t t{made};" for made in self.makes(n)],
               self.family.locals,
               *[f"(void){name};" for name in [*REGISTERS, "v0", "other"]],
               *[f"BETWEEN {statement}" for statement in out], *ends]
        return [f"    {line}" for line in out]

    def make(self, made):
        create = f"pthread_create(&t{made}, NULL, thread{self.function[made]}, NULL);"
        return create + (f" other = t{made};" if self.rng.random() < 0.5 else "")

    def wait_for(self, made):
        join = f"pthread_join(t{made}, NULL);"
        return self.rng.choice([join] * 5 + [
            f"pthread_detach(t{made});",
            f"{{ void *x; pthread_join(t{made}, &x); r3 += x == PTHREAD_CANCELED; }}"])

    def text(self):
        functions = sorted(set(self.function.values()))
        out = [HEADERS[self.family.suffix], HEAD,
               *[f"#define {name}" for name in self.defines], self.family.head,
               *[f"static void *thread{n}(void *arg);" for n in functions]]
        for n in reversed(functions):
            out += [f"\nstatic void *thread{n}(void *arg)\n{{", *self.body(n), f"    END({n});",
                    "    return arg;\n}"]
        out += ["\nint main(void)\n{", self.family.setup, *self.body(0),
                f"    END(0);\n    ENDED(ends + mix({self.family.last}));",
                "    return 0;\n}\n"]
        return "\n".join(out)
