"""The executions of a litmus program by the axioms of RC11 and of x86-TSO.

An execution is a set of events with program order (sb), reads-from (rf) and, for each location,
an order of its stores (mo).  All of them are made and those that the axioms forbid are left out:
slow, and as near to the definitions as can be.  A read-modify-write is two events, a read and a
write that the relation rmw joins; one that fails is a read.  A mutex is a location: lock is a
read-modify-write (acquire) that reads 0 and writes 1, unlock a store (release) of 0.

RC11: Lahav, Vafeiadis, Kang, Hur, Dreyer, "Repairing sequential consistency in C/C++11",
PLDI 2017, with the release sequences of C++20: no later plain store of the same thread.
x86-TSO: Owens, Sarkar, Sewell, "A better x86 memory model: x86-TSO", TPHOLs 2009, in the form
of herd's x86tso.cat; a seq_cst store is followed by mfence, a seq_cst fence is mfence, a
read-modify-write (failed or not), a lock and an unlock are locked instructions, all else is plain.

A relation is a list of ints: bit b of relation[a] says that a is related to b.  A set is an int.
"""

import itertools

from litmus import ACQUIRES, EXCHANGES, RELEASES

INIT = -1  # the thread of the writes that are there at first


# ---- relations -----------------------------------------------------------------------------------

def bits(row):
    while row:
        low = row & -row
        yield low.bit_length() - 1
        row ^= low


def union(*relations):
    return [a | b for a, b in zip(relations[0], union(*relations[1:]))] if relations[1:] \
        else list(relations[0])


def compose(*relations):
    result = relations[0]
    for other in relations[1:]:
        rows = []
        for row in result:
            new = 0
            for b in bits(row):
                new |= other[b]
            rows.append(new)
        result = rows
    return result


def inverse(relation):
    result = [0] * len(relation)
    for a, row in enumerate(relation):
        for b in bits(row):
            result[b] |= 1 << a
    return result


def closure(relation):
    result = list(relation)
    for k in range(len(result)):
        for a in range(len(result)):
            if result[a] >> k & 1:
                result[a] |= result[k]
    return result


def identity(n, of=-1):
    """[of]: each member of this set with itself; all, if none is given"""
    return [1 << a & of for a in range(n)]


def optional(relation):
    return [row | 1 << a for a, row in enumerate(relation)]


def irreflexive(relation):
    return not any(row >> a & 1 for a, row in enumerate(relation))


def acyclic(relation):
    return irreflexive(closure(relation))


# ---- events --------------------------------------------------------------------------------------

class Event:
    def __init__(self, thread, kind, location, order, step=None, locked=False):
        self.thread, self.kind, self.location = thread, kind, location  # kind: R, W or F
        self.order, self.step, self.locked = order, step, locked
        self.register = None  # that a read gives its value
        self.must = None  # what a read must give: (equal or not, value)
        self.value = None  # that a write writes; (register or None, n)
        self.adds = False  # to what the read before it has read


def events_of(thread, step, succeeds):
    """The events of a step; succeeds: if it is a compare-exchange."""
    acquires = step.order if step.order in ("acq", "sc") else "acq" if step.order == "acq_rel" else "rlx"
    releases = step.order if step.order in ("rel", "sc") else "rel" if step.order == "acq_rel" else "rlx"
    if step.kind == "fence":
        return [Event(thread, "F", None, step.order, step)]
    if step.kind == "store":
        write = Event(thread, "W", step.location, step.order, step)
        write.value = step.value
        return [write]
    if step.kind == "unlock":
        write = Event(thread, "W", step.location, "rel", step, True)
        write.value = (None, 0)
        return [write]
    if step.kind == "load":
        read = Event(thread, "R", step.location, step.order, step)
        read.register = step.register
        return [read]
    if step.kind in EXCHANGES and not succeeds:
        read = Event(thread, "R", step.location, step.failure, step, True)
        read.register = step.register
        if step.kind == "cas":
            read.must = (False, step.expected)
        return [read]
    read = Event(thread, "R", step.location, acquires, step, True)
    write = Event(thread, "W", step.location, releases, step, True)
    if step.kind == "lock":
        read.order, write.order, read.must, write.value = "acq", "rlx", (True, (None, 0)), (None, 1)
        return [read, write]
    read.register, write.value, write.adds = step.register, step.value, step.kind == "add"
    if step.kind in EXCHANGES:
        read.must = (True, step.expected)
    return [read, write]


class Execution:
    """What all executions with the same events share; then rf, then mo are filled in."""

    def __init__(self, program, successes):
        successes = iter(successes)
        self.program = program
        self.events = [Event(INIT, "W", x, "na") for x in program.locations + program.mutexes]
        for e in self.events:
            e.value = (None, program.init.get(e.location, 0))
        self.rmw_pairs = []
        for k, steps in enumerate(program.threads):
            for step in steps:
                made = events_of(k, step, step.kind in EXCHANGES and next(successes))
                if len(made) == 2:
                    self.rmw_pairs.append((len(self.events), len(self.events) + 1))
                self.events += made
        self.n = len(self.events)
        self.sb = [0] * self.n
        for a, b in itertools.combinations(range(self.n), 2):
            if self.events[b].thread != INIT and self.events[a].thread in (INIT, self.events[b].thread):
                self.sb[a] |= 1 << b
        self.rmw = [0] * self.n
        for a, b in self.rmw_pairs:
            self.rmw[a] |= 1 << b
        self.reads, self.writes, self.fences = (
            self.those(lambda e, k=kind: e.kind == k) for kind in "RWF")
        self.same = [self.those(lambda e, x=e.location: x and e.location == x) for e in self.events]
        self.rf, self.mo = [0] * self.n, [0] * self.n
        self.source = {}  # of each read, the write that it reads
        self.values = {}

    def those(self, test):
        return sum(1 << a for a, e in enumerate(self.events) if test(e))

    def located(self, relation):
        """relation|loc: its pairs of accesses to the same location"""
        return [row & self.same[a] for a, row in enumerate(relation)]

    def writes_to(self, location):
        return [a for a, e in enumerate(self.events) if e.kind == "W" and e.location == location]

    # ---- values: each write's is that of what its thread has read before ----

    def value_of_read(self, a):
        return self.value_of_write(self.source[a])

    def evaluate(self, a, value):
        """(register or None, n) as event a's thread sees it"""
        register, n = value
        if register is None:
            return n
        before = [b for b in range(a) if self.events[b].register == register
                  and self.events[b].thread == self.events[a].thread]
        return n + (self.value_of_read(before[-1]) if before else 0)

    def value_of_write(self, a):
        if a not in self.values:
            value = self.evaluate(a, self.events[a].value)
            if self.events[a].adds:
                value += self.value_of_read(a - 1)
            self.values[a] = value
        return self.values[a]

    def values_fit(self):
        self.values = {}
        for a in self.source:
            must = self.events[a].must
            if must and (self.value_of_read(a) == self.evaluate(a, must[1])) != must[0]:
                return False
        return True

    def registers(self):
        last = {self.events[a].register: a for a in sorted(self.source) if self.events[a].register}
        return tuple(self.value_of_read(last[r]) for r in self.program.registers)

    # ---- all ways to read and to order the writes ----

    def ways_to_read(self):
        """Fills in rf in each way that has no cycle of sb and rf (no value out of thin air),
        whose values are those that compare-exchanges need, and where no two read-modify-writes
        read the same write."""
        reads = list(bits(self.reads))
        modifying = {a for a, _ in self.rmw_pairs}

        def fill(k, before):
            if k == len(reads):
                if self.values_fit():
                    yield
                return
            read = reads[k]
            for write in self.writes_to(self.events[read].location):
                taken = read in modifying and any(
                    other in modifying and self.source[other] == write for other in reads[:k])
                if taken or before[read] >> write & 1:
                    continue
                self.rf[write] |= 1 << read
                self.source[read] = write
                yield from fill(k + 1, closure(union(before, self.rf)))
                self.rf[write] &= ~(1 << read)
                del self.source[read]
        yield from fill(0, closure(self.sb))

    def orders_of(self, location, first):
        """All orders of the writes to a location as relations, the initial one first; first:
        what must be in each of them."""
        initial, *others = self.writes_to(location)
        for order in itertools.permutations(others):
            mo, later = [0] * self.n, 0
            for a in reversed((initial, *order)):
                mo[a], later = later, later | 1 << a
            if all(not mo[b] >> a & 1 for a in order for b in order if first[a] >> b & 1):
                yield mo, order[-1] if order else initial

    def rb(self, mo):
        """reads-before: what a read has read is before these writes"""
        return [row & ~(1 << a) for a, row in enumerate(compose(inverse(self.rf), mo))]

    def atomic(self, mo):
        """ATOMICITY: rmw and rb;mo have no pair in common"""
        between = compose(self.rb(mo), mo)
        return not any(row & between[a] for a, row in enumerate(self.rmw))


# ---- RC11 ----------------------------------------------------------------------------------------

def happens_before(x):
    """hb; it does not depend on mo"""
    n = x.n
    acquire = x.those(lambda e: e.order in ACQUIRES)
    release = x.those(lambda e: e.order in RELEASES)
    fences = identity(n, x.fences)
    rs = compose(identity(n, x.writes), optional(closure(compose(x.rf, x.rmw))))
    sw = compose(identity(n, release), optional(compose(fences, x.sb)), rs, x.rf,
                 identity(n, x.reads), optional(compose(x.sb, fences)), identity(n, acquire))
    return closure(union(x.sb, sw))


def coherent(x, hb, mo):
    """COHERENCE: hb;eco? is irreflexive"""
    eco = closure(union(x.rf, mo, x.rb(mo)))
    return irreflexive(compose(hb, optional(eco)))


def sc_orders(x, hb, mo):
    """SC: psc is acyclic.  Where the paper wants accesses of other locations (sb|!=loc;hb;sb|!=loc),
    the variable that holds what was read is one, so all but the two halves of a read-modify-write
    will do."""
    n = x.n
    sc = x.those(lambda e: e.order == "sc")
    rb = x.rb(mo)
    eco = closure(union(x.rf, mo, rb))
    apart = [row & ~x.rmw[a] for a, row in enumerate(x.sb)]
    scb = union(x.sb, compose(apart, hb, apart), x.located(hb), mo, rb)
    events, fences = identity(n, sc), identity(n, sc & x.fences)
    psc_base = compose(union(events, compose(fences, optional(hb))), scb,
                       union(events, compose(optional(hb), fences)))
    psc_f = compose(fences, union(hb, compose(hb, eco, hb)), fences)
    return acyclic(union(psc_base, psc_f))


class RC11:
    """Coherence and atomicity are decided for each location by itself: hb does not depend on mo,
    and eco relates accesses to the same location only."""

    def __init__(self, x):
        self.x, self.hb = x, happens_before(x)
        self.first = self.hb

    def possible(self):
        return irreflexive(self.hb)

    def fits(self, mo):
        return self.x.atomic(mo) and coherent(self.x, self.hb, mo)

    def whole(self, mo):
        return sc_orders(self.x, self.hb, mo)


# ---- x86-TSO -------------------------------------------------------------------------------------

class TSO:
    def __init__(self, x):
        self.x = x
        n = x.n
        locked = x.those(lambda e: e.locked)
        mfences = x.those(lambda e: e.kind == "F" and e.order == "sc")
        after_store = [(a, x.sb[a]) for a, e in enumerate(x.events)
                       if e.kind == "W" and e.order == "sc" and not e.locked]
        accesses = x.reads | x.writes
        # Program order is kept except from a write to a later read, where a fence or a locked
        # instruction is needed.
        ppo = [row & accesses if x.reads >> a & 1 else row & x.writes if x.writes >> a & 1 else 0
               for a, row in enumerate(x.sb)]
        implied = [row & accesses if locked >> a & 1 else row & locked if accesses >> a & 1 else 0
                   for a, row in enumerate(x.sb)]
        mfence = compose(x.sb, identity(n, mfences), x.sb)
        for a, row in after_store:
            mfence[a] |= row & accesses
        self.kept = union(ppo, implied, mfence)
        self.first = x.located(x.sb)
        thread = [x.those(lambda e, t=e.thread: e.thread == t) for e in x.events]
        self.rfe = [row & ~thread[a] for a, row in enumerate(x.rf)]

    def possible(self):
        return True

    def fits(self, mo):
        uniproc = union(self.x.located(self.x.sb), self.x.rf, mo, self.x.rb(mo))
        return self.x.atomic(mo) and acyclic(uniproc)

    def whole(self, mo):
        return acyclic(union(self.kept, self.rfe, mo, self.x.rb(mo)))


# ---- outcomes ------------------------------------------------------------------------------------

def outcomes(program, model):
    """The values of the program's registers and last values of its locations (program.names) in
    each execution; model: RC11 or TSO"""
    found = set()
    choices = sum(s.kind in EXCHANGES for thread in program.threads for s in thread)
    for successes in itertools.product([True, False], repeat=choices):
        x = Execution(program, successes)
        for _ in x.ways_to_read():
            axioms = model(x)
            if axioms.possible():
                add_outcomes(found, x, axioms)
    return found


def add_outcomes(found, x, axioms):
    registers = x.registers()
    locations = x.program.locations + x.program.mutexes
    fitting = []
    for location in locations:
        fitting.append([(mo, last) for mo, last in x.orders_of(location, axioms.first)
                        if axioms.fits(mo)])
    for ways in itertools.product(*fitting):
        values = [x.value_of_write(last) for _, last in ways[:len(x.program.locations)]]
        outcome = registers + tuple(values)
        if outcome not in found and axioms.whole(union(*(mo for mo, _ in ways))):
            found.add(outcome)
