"""What a program of programs.py can do, by looking at every interleaving of every
single step, with vector clocks to find races.  It shares nothing with divm: no
coalescing, no footprints, no reduction.

Happens before, as C11 has it: the order in each thread; creating and joining; an
unlock and the next lock; a store and the load that reads it, or reads the last of
the read-modify-writes that follow it.
"""

WAITING, WOKEN = "waiting", "woken"


class TooLarge(Exception):
    pass


def flatten(statements, code=None):
    """Statements as a list of instructions; "skip" jumps if a register differs."""
    code = [] if code is None else code
    for statement in statements:
        name, *operands = statement
        if name not in ("if", "while"):
            code.append(statement)
            continue
        register, value, inner = operands
        at = len(code)
        code.append(None)
        flatten(inner, code)
        if name == "while":
            code.append(("goto", at))
        code[at] = ("skip", register, value, len(code))
    return code


def join(a, b):
    return tuple(map(max, a, b))


class State:
    """pc, wait and registers of the threads, memory, owners of the mutexes, and the
    clocks: of each thread, mutex and atomic variable, of the last write of each
    plain one, and of the last reads by each thread."""

    __slots__ = ("pc", "wait", "reg", "mem", "owner", "clock", "release", "written", "read")

    def copy(self):
        other = State()
        other.pc, other.wait, other.reg = list(self.pc), list(self.wait), dict(self.reg)
        other.mem, other.owner = dict(self.mem), dict(self.owner)
        other.clock, other.release = list(self.clock), dict(self.release)
        other.written, other.read = dict(self.written), dict(self.read)
        return other

    def key(self):
        def items(d):
            return tuple(sorted(d.items()))
        return (tuple(self.pc), tuple(self.wait), items(self.reg), items(self.mem),
                items(self.owner), tuple(self.clock), items(self.release),
                items(self.written), items(self.read))


class Oracle:
    def __init__(self, program, most=20000):
        self.code = [flatten(body) for body in program.threads]
        self.n, self.most = len(self.code), most
        self.program = program
        self.verdicts = set()
        self.outcomes = set()  # the last values of the registers and the atomic variables
        self.states = 0

    def start(self):
        s, zero = State(), (0,) * self.n
        s.pc = [0] + [None] * (self.n - 1)  # None: not yet created
        s.wait = [None] * self.n
        s.reg, s.mem, s.owner, s.release, s.written, s.read = {}, {}, {}, {}, {}, {}
        s.clock = [tuple(int(t == k) for k in range(self.n)) for t in range(self.n)]
        s.clock = [c if t == 0 else zero for t, c in enumerate(s.clock)]
        return s

    def run(self):
        """The set of "assert", "race" and "deadlock" that can happen."""
        start = self.start()
        seen, stack = {start.key()}, [start]
        while stack:
            s = stack.pop()
            self.states += 1
            if self.states > self.most:
                raise TooLarge
            if self.finished(s, 0):
                self.outcomes.add(self.outcome(s))
                continue  # main has returned: the process is over
            moves = [m for t in range(self.n) for m in self.moves(s, t)]
            if not moves:
                self.verdicts.add("deadlock")
            for m in moves:
                if m.key() not in seen:
                    seen.add(m.key())
                    stack.append(m)
        return self.verdicts

    def outcome(self, s):
        registers = [s.reg.get((t, f"r{k}"), 0) for t in range(1, self.n)
                     for k in range(self.program.registers)]
        return tuple(registers + [s.mem.get(f"a{k}", 0) for k in range(self.program.atomics)])

    def finished(self, s, t):
        return s.pc[t] is not None and s.pc[t] >= len(self.code[t])

    def moves(self, s, t):
        """The states after the next step of thread t."""
        if s.pc[t] is None or self.finished(s, t) or s.wait[t] and s.wait[t][0] == WAITING:
            return []
        instruction = self.code[t][s.pc[t]]
        s = s.copy()
        if s.wait[t]:  # woken: takes the mutex again
            mutex = s.wait[t][2]
            s.wait[t] = None
            return self.acquire(s, t, mutex)
        return getattr(self, "do_" + instruction[0])(s, t, *instruction[1:])

    # ---- clocks and values ----

    def value(self, s, t, operand):
        if isinstance(operand, str) and not operand.startswith("cell"):
            return s.reg.get((t, operand), 0)
        return operand

    def tick(self, s, t):
        s.clock[t] = tuple(c + (k == t) for k, c in enumerate(s.clock[t]))

    def release_to(self, s, t, what, keep=False):
        old = s.release.get(what)
        s.release[what] = join(old, s.clock[t]) if keep and old else s.clock[t]
        self.tick(s, t)

    def acquire_from(self, s, t, what):
        if what in s.release:
            s.clock[t] = join(s.clock[t], s.release[what])

    def on(self, s, t):
        s.pc[t] += 1
        return [s]

    # ---- atomic variables ----

    def do_load(self, s, t, register, a):
        self.acquire_from(s, t, a)
        s.reg[t, register] = s.mem.get(a, 0)
        return self.on(s, t)

    def do_store(self, s, t, a, operand):
        s.mem[a] = self.value(s, t, operand)
        self.release_to(s, t, a)
        return self.on(s, t)

    def update(self, s, t, register, a, new):
        self.acquire_from(s, t, a)
        s.reg[t, register], s.mem[a] = s.mem.get(a, 0), new
        self.release_to(s, t, a, keep=True)
        return self.on(s, t)

    def do_add(self, s, t, register, a, n):
        return self.update(s, t, register, a, s.mem.get(a, 0) + n)

    def do_exchange(self, s, t, register, a, operand):
        return self.update(s, t, register, a, self.value(s, t, operand))

    def do_cas(self, s, t, register, a, expected, new):
        if s.mem.get(a, 0) == expected:
            self.update(s, t, register, a, new)
            s.reg[t, register] = 1
            return [s]
        self.do_load(s, t, register, a)
        s.reg[t, register] = 0
        return [s]

    # ---- cells: named by their thread, and which one of its it is ----

    def do_publish(self, s, t, q, value):
        name = f"cell {t} {s.pc[t]}"
        s.mem[name] = value
        return self.do_store(s, t, q, name)

    def do_noise(self, s, t):
        return self.on(s, t)

    def do_follow(self, s, t, x, q):
        return self.do_load(s, t, x, q)

    def do_load_cell(self, s, t, register, x):
        name = s.reg.get((t, x), 0)
        return self.do_load(s, t, register, name) if name else self.on(s, t)

    def do_store_cell(self, s, t, x, operand):
        name = s.reg.get((t, x), 0)
        return self.do_store(s, t, name, operand) if name else self.on(s, t)

    def do_add_cell(self, s, t, register, x, n):
        name = s.reg.get((t, x), 0)
        return self.do_add(s, t, register, name, n) if name else self.on(s, t)

    # ---- plain variables ----

    def do_read(self, s, t, register, p):
        if p in s.written:
            writer, when = s.written[p]
            if s.clock[t][writer] < when:
                self.verdicts.add("race")
        s.read[p, t] = s.clock[t][t]
        s.reg[t, register] = s.mem.get(p, 0)
        return self.on(s, t)

    def do_write(self, s, t, p, operand):
        last = [(u, s.read.get((p, u), 0)) for u in range(self.n)]
        if p in s.written:
            last.append(s.written[p])
        if any(s.clock[t][u] < when for u, when in last):
            self.verdicts.add("race")
        s.written[p] = (t, s.clock[t][t])
        s.mem[p] = self.value(s, t, operand)
        return self.on(s, t)

    # ---- mutexes and condition variables ----

    def acquire(self, s, t, mutex):
        if s.owner.get(mutex) is not None:
            return []
        s.owner[mutex] = t
        self.acquire_from(s, t, mutex)
        return self.on(s, t)

    do_lock = acquire

    def do_trylock(self, s, t, register, mutex):
        s.reg[t, register] = int(s.owner.get(mutex) is None)
        return self.acquire(s, t, mutex) or self.on(s, t)

    def do_unlock(self, s, t, mutex):
        s.owner[mutex] = None
        self.release_to(s, t, mutex)
        return self.on(s, t)

    def do_wait(self, s, t, condition, mutex):
        s.owner[mutex] = None
        self.release_to(s, t, mutex)
        s.wait[t] = (WAITING, condition, mutex)
        return [s]

    def waiters(self, s, condition):
        return [u for u in range(self.n) if s.wait[u] and s.wait[u][:2] == (WAITING, condition)]

    def wake(self, s, u):
        s.wait[u] = (WOKEN, *s.wait[u][1:])

    def do_signal(self, s, t, condition):
        s.pc[t] += 1
        after = []
        for u in self.waiters(s, condition):
            after.append(s.copy())
            self.wake(after[-1], u)
        return after or [s]

    def do_broadcast(self, s, t, condition):
        for u in self.waiters(s, condition):
            self.wake(s, u)
        return self.on(s, t)

    # ---- semaphores ----

    def do_post(self, s, t, semaphore):
        s.mem[semaphore] = s.mem.get(semaphore, 0) + 1
        self.release_to(s, t, semaphore, keep=True)
        return self.on(s, t)

    def do_down(self, s, t, semaphore):
        if not s.mem.get(semaphore, 0):
            return []
        s.mem[semaphore] -= 1
        self.acquire_from(s, t, semaphore)
        return self.on(s, t)

    def do_trydown(self, s, t, register, semaphore):
        s.reg[t, register] = int(s.mem.get(semaphore, 0) > 0)
        return self.do_down(s, t, semaphore) or self.on(s, t)

    # ---- control ----

    def do_skip(self, s, t, register, value, target):
        s.pc[t] = s.pc[t] + 1 if s.reg.get((t, register), 0) == value else target
        return [s]

    def do_goto(self, s, t, target):
        s.pc[t] = target
        return [s]

    def do_differ(self, s, t, register, value):
        if s.reg.get((t, register), 0) == value:
            self.verdicts.add("assert")
            return [self.ended(s)]
        return self.on(s, t)

    def ended(self, s):
        s.pc[0] = len(self.code[0])
        return s

    def do_spawn(self, s, t, u):
        s.pc[u] = 0
        s.clock[u] = tuple(c + (k == u) for k, c in enumerate(s.clock[t]))
        self.tick(s, t)
        return self.on(s, t)

    def do_join(self, s, t, u):
        if not self.finished(s, u):
            return []
        s.clock[t] = join(s.clock[t], s.clock[u])
        return self.on(s, t)
