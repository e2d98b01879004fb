"""The outcomes of a litmus program by running it: by all interleavings (sequential consistency),
and on a machine whose threads have store buffers (x86-TSO, as Owens, Sarkar and Sewell define it),
which axioms.py is tested with."""

from litmus import EXCHANGES



def value(registers, given):
    register, n = given
    return n + (registers.get(register, 0) if register else 0)


class Machine:
    """A state: how far each thread is, registers, memory, buffers (none, if they are off)."""

    def __init__(self, program, buffered):
        self.program, self.buffered = program, buffered

    def first(self):
        memory = {x: self.program.init.get(x, 0)
                  for x in self.program.locations + self.program.mutexes}
        n = len(self.program.threads)
        return (0,) * n, (), tuple(sorted(memory.items())), ((),) * n

    def drains(self, step):
        """Whether the buffer is empty before the step ends"""
        return step.kind in ("xchg", "add", "cas", "weak", "lock", "unlock") or \
            step.kind in ("fence", "store") and step.order == "sc"

    def run(self, step, registers, memory):
        """Executes a step in memory; False: it must wait."""
        x = step.location
        if step.kind == "fence":
            return True
        old = memory[x]
        if step.kind == "lock" and old:
            return False
        if step.register:
            registers[step.register] = old
        if step.kind in ("store", "xchg"):
            memory[x] = value(registers, step.value)
        elif step.kind == "add":
            memory[x] = old + value(registers, step.value)
        elif step.kind in EXCHANGES and old == value(registers, step.expected):
            memory[x] = value(registers, step.value)
        elif step.kind in ("lock", "unlock"):
            memory[x] = int(step.kind == "lock")
        return True

    def next_step(self, state, k):
        return self.program.threads[k][state[0][k]]

    def fails(self, state, k):
        """Whether the next step of thread k may fail for no reason: on x86 none does"""
        return not self.buffered and self.next_step(state, k).kind == "weak"

    def after(self, state, k, fails=False):
        """The state after the next step of thread k, or None; fails: of a compare-exchange that fails,
        whatever it finds."""
        at, registers, memory, buffers = state
        step = self.next_step(state, k)
        if fails:
            step = step._replace(kind="load")
        values, cells, mine = dict(registers), dict(memory), buffers[k]
        if self.buffered and step.kind == "store":
            # A seq_cst store waits in the buffer as well; the mfence after it waits with it.
            mine += ((step.location, value(values, step.value)),)
            if step.order == "sc":
                for x, v in mine:
                    cells[x] = v
                mine = ()
        elif self.buffered and self.drains(step) and mine:
            return None
        elif self.buffered and step.kind == "load":
            seen = [v for x, v in mine if x == step.location]
            values[step.register] = seen[-1] if seen else cells[step.location]
        elif not self.run(step, values, cells):
            return None
        return (at[:k] + (at[k] + 1,) + at[k + 1:], tuple(sorted(values.items())),
                tuple(sorted(cells.items())), buffers[:k] + (mine,) + buffers[k + 1:])

    def flushed(self, state, k):
        """The state after the oldest store of thread k has left its buffer."""
        at, registers, memory, buffers = state
        (x, v), *rest = buffers[k]
        cells = dict(memory)
        cells[x] = v
        return (at, registers, tuple(sorted(cells.items())),
                buffers[:k] + (tuple(rest),) + buffers[k + 1:])

    def outcomes(self):
        threads = range(len(self.program.threads))
        seen, left, found = {self.first()}, [self.first()], set()
        while left:
            state = left.pop()
            at, registers, memory, buffers = state
            going = [k for k in threads if at[k] < len(self.program.threads[k])]
            more = [self.after(state, k) for k in going]
            more += [self.after(state, k, True) for k in going if self.fails(state, k)]
            more += [self.flushed(state, k) for k in threads if buffers[k]]
            if not going and not any(buffers):
                values, cells = dict(registers), dict(memory)
                found.add(tuple(values[r] for r in self.program.registers)
                          + tuple(cells[x] for x in self.program.locations))
            for m in more:
                if m and m not in seen:
                    seen.add(m)
                    left.append(m)
        return found


def interleavings(program):
    return Machine(program, False).outcomes()


def store_buffers(program):
    return Machine(program, True).outcomes()
