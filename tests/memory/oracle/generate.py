"""Random litmus programs."""

from litmus import Program, Step

LOADS = {"weak": ["rlx", "rlx", "acq"], "strong": ["acq", "sc", "sc"],
         "mixed": ["rlx", "rlx", "acq", "acq", "sc", "sc"], "nearly": ["sc"] * 6 + ["acq"], "sc": ["sc"]}
STORES = {"weak": ["rlx", "rlx", "rel"], "strong": ["rel", "sc", "sc"],
          "mixed": ["rlx", "rlx", "rel", "rel", "sc", "sc"], "nearly": ["sc"] * 6 + ["rel"], "sc": ["sc"]}
UPDATES = {"weak": ["rlx", "rlx", "acq", "rel", "acq_rel"], "strong": ["acq_rel", "sc", "sc"],
           "mixed": ["rlx", "acq", "rel", "acq_rel", "sc", "sc"], "nearly": ["sc"] * 6 + ["acq_rel"],
           "sc": ["sc"]}
FENCES = {"weak": ["acq", "rel", "acq_rel"], "strong": ["sc"],
          "mixed": ["acq", "rel", "acq_rel", "sc", "sc", "sc"], "nearly": ["sc"], "sc": ["sc"]}
KINDS = {  # how often each kind of step
    "plain": {"load": 5, "store": 4},
    "fences": {"load": 4, "store": 4, "fence": 3},
    "updates": {"load": 3, "store": 2, "add": 2, "xchg": 2, "cas": 2, "fence": 1},
    "locks": {"load": 3, "store": 3, "lock": 3, "add": 1, "fence": 1},
}
SHAPES = {2: [(2, 2), (2, 3), (3, 3), (3, 4), (4, 4)], 3: [(1, 2, 2), (2, 2, 2), (2, 2, 3), (1, 2, 3), (2, 3, 3)],
          4: [(1, 1, 2, 2), (1, 2, 2, 2), (2, 2, 2, 2)]}
MUTEX = "m"


class Maker:
    def __init__(self, rng, strengths):
        self.rng, self.strength = rng, rng.choice(strengths)
        self.kinds = KINDS[rng.choice(["plain", "plain", "fences", "fences", "updates", "updates", "locks"])]
        self.locations = "xyz"[:rng.choice([2, 2, 2, 3, 3, 1])]
        self.registers, self.written = 0, dict.fromkeys(self.locations, 0)

    def order(self, table):
        return self.rng.choice(table[self.strength])

    def register(self):
        self.registers += 1
        return f"r{self.registers - 1}"

    def new_value(self, location, mine):
        """Mostly one that tells who wrote it; now and then one that was read"""
        if mine and self.rng.random() < .15:
            return self.rng.choice(mine), self.rng.randrange(2)
        if self.rng.random() < .85:
            self.written[location] += 1
        return None, max(1, self.written[location])

    def step(self, kind, mine, x=None):
        x = x or self.rng.choice(self.locations)
        if kind == "fence":
            return Step("fence", order=self.order(FENCES))
        if kind == "store":
            return Step("store", None, x, self.new_value(x, mine), order=self.order(STORES))
        value = None if kind == "load" else self.new_value(x, mine)
        register = self.register()
        if kind == "load":
            return Step("load", register, x, order=self.order(LOADS))
        if kind == "cas":
            kind = self.rng.choice(["cas", "cas", "weak"])
            return Step(kind, register, x, value, (None, self.rng.choice([0, 0, 1])),
                        self.order(UPDATES), self.order(LOADS))
        if kind == "add":
            value = None, 1
        return Step(kind, register, x, value, order=self.order(UPDATES))

    def thread(self, length):
        steps, locked = [], False
        while len(steps) < length:
            kind = self.rng.choices(list(self.kinds), list(self.kinds.values()))[0]
            if kind == "lock":
                steps.append(Step("unlock" if locked else "lock", location=MUTEX))
                locked = not locked
                continue
            mine = [s.register for s in steps if s.register]
            steps.append(self.step(kind, mine))
        if locked:
            steps.append(Step("unlock", location=MUTEX))
        return steps


    def somehow(self):
        shape = self.rng.choice(SHAPES[self.rng.choice([2, 2, 3, 3, 4])])
        extra = 1 if self.kinds in (KINDS["fences"], KINDS["locks"]) and len(shape) < 4 else 0
        return [self.thread(k + extra) for k in shape]

    def access(self, location, mine, writes):
        """A step of this location"""
        if self.rng.random() < .12:
            return self.step(self.rng.choice(["xchg", "add", "cas"]), mine, location)
        return self.step("store" if writes else "load", mine, location)

    def between(self, fences):
        """A fence, with this probability; where that is high, a seq_cst one"""
        if self.rng.random() >= fences:
            return []
        return [Step("fence", order="sc")] if fences > .5 else [self.step("fence", [])]

    def cycle(self):
        """Threads that access a location and then the next one, in a ring, or only one of them:
        the form that almost all litmus programs of the literature have"""
        n = self.rng.choice([2, 2, 2, 3, 3, 4])
        at, last, threads = 0, self.rng.choice([2, 2, 3]) if n > 2 else 2, []
        self.locations = "xyz"[:last]
        self.written = dict.fromkeys(self.locations, 0)
        fences = self.rng.choice([0, 0, 0, .35, .35, .35, .8, 1])
        single = set(self.rng.sample(range(n), n - last)) if n > last else set()
        for k in range(n):
            if k in single:
                threads.append([self.access(self.locations[at % last], [], True)])
                continue
            first = self.access(self.locations[at % last], [], self.rng.random() < .5)
            at += 1
            second = self.access(self.locations[at % last], [], self.rng.random() < .5)
            threads.append([first, *self.between(fences), second])
        for _ in range(self.rng.choice([0, 0, 1, 1, 2])):
            kind = self.rng.choice(["load", "store", "fence", "add", "cas"])
            thread = self.rng.choice(threads)
            thread.insert(self.rng.randint(0, len(thread)), self.step(kind, []))
        return threads

    def messages(self):
        """Data and a flag, read-modify-writes and stores of the flag between, and a reader"""
        rng = self.rng
        self.locations, self.written = "xy", {"x": 0, "y": 0}
        fence = rng.choice([0, .4])
        first = [self.step("store", [], "x"), *self.between(fence), self.step("store", [], "y")]
        more = [[self.step(rng.choice(["add", "add", "xchg", "cas", "store"]), [], "y")]
                for _ in range(rng.choice([1, 1, 2]))]
        if rng.random() < .5:
            first += more.pop()
        if more and rng.random() < .3:
            more[0].insert(rng.randint(0, 1), self.step("load", [], rng.choice("xy")))
        last = [self.step(rng.choice(["load", "load", "add", "cas"]), [], "y"), *self.between(fence),
                self.step("load", [], "x")]
        return [first, *more, last]


def random_program(rng, name="random", strengths=("weak", "mixed", "mixed", "strong", "nearly")):
    """Two to four threads with up to about ten steps; strengths: see LOADS."""
    while True:
        maker = Maker(rng, strengths)
        threads = rng.choices([maker.cycle, maker.somehow, maker.messages], [5, 2, 2])[0]()
        program = Program(name, "a random program", threads)
        if len(program.registers) + len(program.locations) > 2 and is_small(program):
            return renumbered(program)


def renumbered(program):
    """The same, with registers that are numbered in the order of the text"""
    names = {}
    for thread in program.threads:
        for s in thread:
            if s.register:
                names[s.register] = f"r{len(names)}"

    def renamed(value):
        return value and (names.get(value[0]), value[1])
    threads = [[s._replace(register=names.get(s.register), value=renamed(s.value),
                           expected=renamed(s.expected)) for s in thread]
               for thread in program.threads]
    return Program(program.name, program.says, threads, program.init, program.verdicts)


def is_small(program):
    """Whether the executions are few enough to be made: by reads and writes of each location"""
    ways = 1
    for x in program.locations:
        steps = [s for thread in program.threads for s in thread if s.location == x]
        writes = sum(s.kind != "load" for s in steps)
        ways *= (writes + 1) ** sum(s.kind != "store" for s in steps)
    sections = sum(s.kind == "lock" for thread in program.threads for s in thread)
    return ways <= 3000 and sections <= 3
