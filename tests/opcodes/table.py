"""The table of integer, vector and memory checks, and of those that must fault."""

import dataclasses
import re

# of double and float: 0, -0, infinity, not a number, a denormal number
FLOAT_EDGES = {"0x0000000000000000", "0x8000000000000000", "0x7FF0000000000000", "0x7FF8000000000000",
               "0x8000126E978D4FDF", "0xH0000", "0xH8000", "0xH7C00"}
WIDTHS = [1, 7, 8, 16, 24, 32, 33, 64, 65, 96, 128, 192]


@dataclasses.dataclass
class Check:
    name: str
    code: str  # assembly that defines %r; {0}, {1} are the inputs
    inputs: list  # (type, value) pairs
    type: str  # of %r
    expect: int = 0  # its bits
    bits: int = 0
    declare: tuple = ()
    fault: str = ""  # regular expression, if it must fault
    attributes: str = ""  # of the function
    options: tuple = ()  # of the run
    edge: bool = False  # at an edge, whatever the inputs are

    def is_edge(self):
        return self.edge or any(extreme(kind, value) for kind, value in self.inputs)


def extreme(kind, value):
    """The least, the greatest, zero, not a number, of an unusual width..."""
    bits = re.fullmatch(r"i(\d+)", kind)
    if not bits:
        return value in ("null", "true", "false") or value in FLOAT_EDGES
    width = int(bits[1])
    if width & (width - 1) or width < 8 or not re.fullmatch(r"-?\d+", value):
        return True
    return low(int(value), width) in {0, low(-1, width), 1 << width - 1, (1 << width - 1) - 1}


def low(value, width):
    return value & ((1 << width) - 1)


def signed(value, width):
    value = low(value, width)
    return value - (1 << width) if value >> (width - 1) else value


def edges(width):
    top = 1 << (width - 1)
    some = {0, 1, low(-1, width), top, top - 1, low(0x5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A, width),
            low(7, width)}
    return sorted(some)


def pairs(width):
    values = edges(width)
    return [(values[k % len(values)], values[(3 * k + k // len(values)) % len(values)])
            for k in range(2 * len(values))][: 6]


def quotient(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def binary():
    ops = {
        "add": lambda a, b, w: a + b, "sub": lambda a, b, w: a - b, "mul": lambda a, b, w: a * b,
        "and": lambda a, b, w: a & b, "or": lambda a, b, w: a | b, "xor": lambda a, b, w: a ^ b,
        "udiv": lambda a, b, w: a // b if b else None,
        "urem": lambda a, b, w: a % b if b else None,
        "sdiv": lambda a, b, w: signed_division(a, b, w, False),
        "srem": lambda a, b, w: signed_division(a, b, w, True),
        "shl": lambda a, b, w: a << b if b < w else None,
        "lshr": lambda a, b, w: a >> b if b < w else None,
        "ashr": lambda a, b, w: signed(a, w) >> b if b < w else None,
    }
    for width in WIDTHS:
        for op, compute in ops.items():
            for a, b in pairs(width):
                b = b % width if op in ("shl", "lshr", "ashr") else b
                result = compute(a, b, width)
                if result is not None:
                    yield Check(f"{op} i{width} {a}, {b}", f"%r = {op} i{width} {{0}}, {{1}}",
                                [(f"i{width}", str(a)), (f"i{width}", str(b))], f"i{width}", low(result, width))


def signed_division(a, b, width, rest):
    a, b = signed(a, width), signed(b, width)
    if b == 0 or (b == -1 and a == -(1 << (width - 1))):
        return None
    q = quotient(a, b)
    return a - q * b if rest else q


def compares():
    ops = {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "gt": lambda a, b: a > b,
           "ge": lambda a, b: a >= b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b}
    for width in (1, 8, 32, 64, 128):
        for kind in "us":
            for op, compute in ops.items():
                name = op if op in ("eq", "ne") else kind + op
                if op in ("eq", "ne") and kind == "s":
                    continue
                for a, b in pairs(width)[:4]:
                    x, y = (signed(a, width), signed(b, width)) if kind == "s" else (a, b)
                    yield Check(f"icmp {name} i{width} {a}, {b}", f"%r = icmp {name} i{width} {{0}}, {{1}}",
                                [(f"i{width}", str(a)), (f"i{width}", str(b))], "i1", int(compute(x, y)))


def casts():
    for a, b in [(1, 8), (8, 32), (24, 64), (32, 128), (64, 65), (65, 192)]:
        for value in edges(a)[:4]:
            yield Check(f"zext i{a} {value} to i{b}", f"%r = zext i{a} {{0}} to i{b}", [(f"i{a}", str(value))], f"i{b}", value)
            yield Check(f"sext i{a} {value} to i{b}", f"%r = sext i{a} {{0}} to i{b}", [(f"i{a}", str(value))], f"i{b}",
                        low(signed(value, a), b))
        for value in edges(b)[:5]:
            yield Check(f"trunc i{b} {value} to i{a}", f"%r = trunc i{b} {{0}} to i{a}", [(f"i{b}", str(value))], f"i{a}",
                        low(value, a))


def clamp(value, width, is_signed):
    least, most = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if is_signed else (0, (1 << width) - 1)
    return max(least, min(most, value))


def call(name, width, operands, extra="", result=None):
    """A call of llvm.NAME.iW on operands of iW."""
    t = f"i{width}"
    types = ", ".join([f"{t} {{{k}}}" for k in range(operands)]) + extra
    parameters = ", ".join([t] * operands) + "".join(", " + e.split()[0] for e in extra.split(", ") if e)
    result = result or t
    suffix = f"{result}.{t}" if name in ("scmp", "ucmp") else t
    return (f"%r = call {result} @llvm.{name}.{suffix}({types})",
            (f"declare {result} @llvm.{name}.{suffix}({parameters})",))


def sign(value):
    return (value > 0) - (value < 0)


def integer_intrinsics():
    def s(f):
        return lambda a, b, w: f(signed(a, w), signed(b, w))

    two = {
        "smin": s(min), "smax": s(max), "umin": lambda a, b, w: min(a, b), "umax": lambda a, b, w: max(a, b),
        "sadd.sat": lambda a, b, w: clamp(signed(a, w) + signed(b, w), w, True),
        "uadd.sat": lambda a, b, w: clamp(a + b, w, False),
        "ssub.sat": lambda a, b, w: clamp(signed(a, w) - signed(b, w), w, True),
        "usub.sat": lambda a, b, w: clamp(a - b, w, False),
        "sshl.sat": lambda a, b, w: clamp(signed(a, w) << b % w, w, True),
        "ushl.sat": lambda a, b, w: clamp(a << b % w, w, False),
    }
    for width in (8, 32, 64, 128):
        for name, compute in two.items():
            code, declare = call(name, width, 2)
            for a, b in pairs(width)[:5]:
                b = b % width if "shl" in name else b
                yield Check(f"{name} i{width} {a}, {b}", code, [(f"i{width}", str(a)), (f"i{width}", str(b))],
                            f"i{width}", low(compute(a, b, width), width), declare=declare)
        for name in ("scmp", "ucmp"):
            code, declare = call(name, width, 2, result="i8")
            for a, b in pairs(width)[:4]:
                d = signed(a, width) - signed(b, width) if name == "scmp" else a - b
                yield Check(f"{name} i{width} {a}, {b}", code, [(f"i{width}", str(a)), (f"i{width}", str(b))],
                            "i8", low(sign(d), 8), declare=declare)
        yield from unary_intrinsics(width)
        yield from overflow_intrinsics(width)
        yield from funnels(width)


def unary_intrinsics(width):
    def bits(a):
        return format(a, f"0{width}b")

    one = {
        "ctpop": ("", lambda a: bits(a).count("1")),
        "ctlz": (", i1 false", lambda a: width - a.bit_length()),
        "cttz": (", i1 false", lambda a: width if a == 0 else (a & -a).bit_length() - 1),
        "bitreverse": ("", lambda a: int(bits(a)[::-1], 2)),
        "bswap": ("", lambda a: int.from_bytes(a.to_bytes(width // 8, "little"), "big")),
        "abs": (", i1 false", lambda a: low(abs(signed(a, width)), width)),
    }
    for name, (extra, compute) in one.items():
        if name == "bswap" and width == 8:
            continue
        code, declare = call(name, width, 1, extra)
        for a in edges(width)[:5]:
            yield Check(f"{name} i{width} {a}", code, [(f"i{width}", str(a))], f"i{width}", compute(a), declare=declare)


def overflow_intrinsics(width):
    for kind in "su":
        for op, compute in (("add", lambda a, b: a + b), ("sub", lambda a, b: a - b), ("mul", lambda a, b: a * b)):
            name = f"{kind}{op}.with.overflow"
            t = f"i{width}"
            declare = (f"declare {{{t}, i1}} @llvm.{name}.{t}({t}, {t})",)
            for a, b in pairs(width)[:4]:
                x, y = (signed(a, width), signed(b, width)) if kind == "s" else (a, b)
                r = compute(x, y)
                over = r != clamp(r, width, kind == "s")
                code = (f"%s = call {{{{{t}, i1}}}} @llvm.{name}.{t}({t} {{0}}, {t} {{1}})\n"
                        f"%v = extractvalue {{{{{t}, i1}}}} %s, 0\n%o = extractvalue {{{{{t}, i1}}}} %s, 1\n"
                        f"%x = zext {t} %v to i{width + 8}\n%y = zext i1 %o to i{width + 8}\n"
                        f"%z = shl i{width + 8} %y, {width}\n%r = or i{width + 8} %x, %z")
                yield Check(f"{name} {t} {a}, {b}", code, [(t, str(a)), (t, str(b))], f"i{width + 8}",
                            low(r, width) | over << width, declare=declare)


def funnels(width):
    for name in ("fshl", "fshr"):
        code, declare = call(name, width, 3)
        for a, b in pairs(width)[:3]:
            for by in (0, 3, width - 1, width + 5 if width > 8 else 9):
                n = by % width
                both = a << width | b
                result = both >> (width - n) if name == "fshl" else both >> n
                yield Check(f"{name} i{width} {a}, {b}, {by}", code,
                            [(f"i{width}", str(a)), (f"i{width}", str(b)), (f"i{width}", str(by))],
                            f"i{width}", low(result, width), declare=declare)


def vectors():
    t = "<4 x i32>"
    values = [5, 0xFFFFFFFF, 7, 0x80000000]
    v = (t, "<" + ", ".join(f"i32 {x}" for x in values) + ">")
    reductions = {"add": lambda a, b: a + b, "mul": lambda a, b: a * b, "and": lambda a, b: a & b,
                  "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b, "umin": min, "umax": max,
                  "smin": lambda a, b: min(a, b, key=lambda x: signed(x, 32)),
                  "smax": lambda a, b: max(a, b, key=lambda x: signed(x, 32))}
    for name, compute in reductions.items():
        r = values[0]
        for x in values[1:]:
            r = low(compute(r, x), 32)
        yield Check(f"vector.reduce.{name}", f"%r = call i32 @llvm.vector.reduce.{name}.v4i32({t} {{0}})", [v], "i32", r,
                    declare=(f"declare i32 @llvm.vector.reduce.{name}.v4i32({t})",))

    def packed(lanes, width=32):
        return sum(low(x, width) << width * k for k, x in enumerate(lanes))

    def gives(name, code, lanes, inputs, declare=(), of=t, width=32):
        return Check(name, code, inputs, of, packed(lanes, width), len(lanes) * width, declare)

    yield gives("vector add", f"%r = add {t} {{0}}, {{0}}", [2 * x for x in values], [v])
    yield gives("vector icmp, select", f"%c = icmp slt {t} {{0}}, zeroinitializer\n"
                f"%r = select <4 x i1> %c, {t} zeroinitializer, {t} {{0}}", [5, 0, 7, 0], [v])
    yield gives("shufflevector", f"%r = shufflevector {t} {{0}}, {t} {{0}}, <4 x i32> <i32 3, i32 4, i32 2, i32 0>",
                [values[3], values[0], values[2], values[0]], [v])
    yield gives("shufflevector of 2", f"%r = shufflevector {t} {{0}}, {t} poison, <2 x i32> <i32 1, i32 2>",
                values[1:3], [v], of="<2 x i32>")
    for at in range(4):
        yield Check(f"extractelement {at}", f"%r = extractelement {t} {{0}}, i32 {{1}}", [v, ("i32", str(at))], "i32", values[at])
        yield gives(f"insertelement {at}", f"%r = insertelement {t} {{0}}, i32 9, i32 {{1}}",
                    [9 if k == at else x for k, x in enumerate(values)], [v, ("i32", str(at))])
    yield gives("vector.reverse", f"%r = call {t} @llvm.vector.reverse.v4i32({t} {{0}})", values[::-1], [v],
                (f"declare {t} @llvm.vector.reverse.v4i32({t})",))
    yield gives("vector.extract", f"%r = call <2 x i32> @llvm.vector.extract.v2i32.v4i32({t} {{0}}, i64 2)", values[2:], [v],
                (f"declare <2 x i32> @llvm.vector.extract.v2i32.v4i32({t}, i64)",), "<2 x i32>")
    yield gives("vector.insert", f"%r = call {t} @llvm.vector.insert.v4i32.v2i32({t} {{0}}, <2 x i32> <i32 1, i32 2>, i64 2)",
                values[:2] + [1, 2], [v], (f"declare {t} @llvm.vector.insert.v4i32.v2i32({t}, <2 x i32>, i64)",))
    yield gives("stepvector", f"%r = call {t} @llvm.experimental.stepvector.v4i32()", range(4), [],
                (f"declare {t} @llvm.experimental.stepvector.v4i32()",))
    yield gives("bitcast to bytes", f"%r = bitcast {t} {{0}} to <16 x i8>", packed(values).to_bytes(16, "little"), [v],
                of="<16 x i8>", width=8)
    yield Check("bitcast of bits", f"%c = icmp slt {t} {{0}}, zeroinitializer\n%r = bitcast <4 x i1> %c to i4", [v], "i4", 0b1010)
    yield Check("bits in memory", f"%c = icmp slt {t} {{0}}, zeroinitializer\n%p = alloca <4 x i1>\nstore <4 x i1> %c, ptr %p\n"
                "%r = load i8, ptr %p", [v], "i8", 0b1010)
    yield gives("vector sext", f"%n = trunc {t} {{0}} to <4 x i8>\n%r = sext <4 x i8> %n to {t}", [5, -1, 7, 0], [v])
    yield gives("vector uadd.sat", f"%r = call {t} @llvm.uadd.sat.v4i32({t} {{0}}, {t} {{0}})",
                [clamp(2 * x, 32, False) for x in values], [v], (f"declare {t} @llvm.uadd.sat.v4i32({t}, {t})",))
    yield gives("vector of addresses", "%p = alloca [4 x i32]\n"
                "%g = getelementptr i32, ptr %p, <4 x i64> <i64 0, i64 1, i64 2, i64 3>\n"
                "%g2 = extractelement <4 x ptr> %g, i32 2\n%a = ptrtoint ptr %g2 to i64\n%b = ptrtoint ptr %p to i64\n"
                "%d = sub i64 %a, %b\n%x = trunc i64 %d to i32\n%r = insertelement <1 x i32> poison, i32 %x, i32 0", [8], [], of="<1 x i32>")


def flags():
    """Flags that are kept give the plain result; freeze makes anything usable."""
    for code, a, b, r in (("add nsw", 3, 4, 7), ("add nuw", 3, 4, 7), ("sub nuw", 9, 4, 5), ("mul nsw nuw", 3, 4, 12),
                          ("shl nuw nsw", 3, 4, 48), ("udiv exact", 12, 4, 3), ("sdiv exact", 12, 4, 3),
                          ("lshr exact", 48, 4, 3), ("ashr exact", 48, 4, 3), ("or disjoint", 8, 3, 11)):
        for width in (32, 128):
            yield Check(f"{code} i{width}", f"%r = {code} i{width} {{0}}, {{1}}", [(f"i{width}", str(a)), (f"i{width}", str(b))],
                        f"i{width}", r)
    yield Check("zext nneg", "%r = zext nneg i8 {0} to i32", [("i8", "7")], "i32", 7)
    yield Check("zext nneg wide", "%r = zext nneg i8 {0} to i128", [("i8", "7")], "i128", 7)
    yield Check("freeze poison", "%x = add nsw i32 {0}, 1\n%y = freeze i32 %x\n%z = xor i32 %y, %y\n%r = or i32 %z, 1",
                [("i32", "2147483647")], "i32", 1)
    yield Check("and with undefined", "%p = alloca i32\n%x = load i32, ptr %p\n%r = and i32 %x, 0", [], "i32", 0)
    yield Check("select of the other", "%p = alloca i32\n%x = load i32, ptr %p\n%r = select i1 {0}, i32 5, i32 %x",
                [("i1", "true")], "i32", 5)
    yield Check("switch wide", "switch i128 {0}, label %o [i128 18446744073709551617, label %y\n i128 2, label %o]\n"
                "y:\nbr label %e\no:\nbr label %e\ne:\n%r = phi i32 [ 1, %y ], [ 0, %o ]", [("i128", "18446744073709551617")], "i32", 1)
    yield Check("i24 in memory", "%p = alloca i32\nstore i32 -1, ptr %p\nstore i24 {0}, ptr %p\n%r = load i32, ptr %p",
                [("i24", "66051")], "i32", 0xFF010203)
    for name, extra in (("expect", ", i32 1"), ("expect.with.probability", ", i32 1, double 0.5"), ("ssa.copy", "")):
        yield Check(name, f"%r = call i32 @llvm.{name}.i32(i32 {{0}}{extra})", [("i32", "7")], "i32", 7,
                    declare=(f"declare i32 @llvm.{name}.i32(i32{''.join(', ' + e.split()[0] for e in extra.split(', ') if e)})",))
    yield Check("is.constant", "%r = call i1 @llvm.is.constant.i32(i32 {0})", [("i32", "1")], "i1", 0,
                declare=("declare i1 @llvm.is.constant.i32(i32)",))
    yield Check("objectsize", "%p = alloca [12 x i8]\n%q = getelementptr i8, ptr %p, i64 4\n"
                "%r = call i64 @llvm.objectsize.i64.p0(ptr %q, i1 false, i1 true, i1 true)", [], "i64", 8,
                declare=("declare i64 @llvm.objectsize.i64.p0(ptr, i1, i1, i1)",))
    yield Check("ptrmask", "%p = alloca [4 x i32]\n%q = getelementptr i8, ptr %p, i64 7\n"
                "%m = call ptr @llvm.ptrmask.p0.i64(ptr %q, i64 -4)\n%a = ptrtoint ptr %m to i64\n%b = ptrtoint ptr %p to i64\n"
                "%r = sub i64 %a, %b", [], "i64", 4, declare=("declare ptr @llvm.ptrmask.p0.i64(ptr, i64)",))


def atomics():
    ops = {"xchg": lambda a, b: b, "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "and": lambda a, b: a & b,
           "nand": lambda a, b: ~(a & b), "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b,
           "umax": max, "umin": min, "uinc_wrap": lambda a, b: 0 if a >= b else a + 1,
           "udec_wrap": lambda a, b: b if a == 0 or a > b else a - 1}
    for width in (8, 16, 32, 64):
        t = f"i{width}"
        every = ops | {"max": lambda a, b, w=width: max(a, b, key=lambda x: signed(x, w)),
                       "min": lambda a, b, w=width: min(a, b, key=lambda x: signed(x, w))}
        for op, compute in every.items():
            for a, b in pairs(width)[2:4]:
                yield Check(f"atomicrmw {op} {t} {a}, {b}", f"%p = alloca {t}\nstore {t} {{0}}, ptr %p\n"
                            f"%o = atomicrmw {op} ptr %p, {t} {{1}} seq_cst\n%n = load atomic {t}, ptr %p seq_cst, align {width // 8}\n"
                            f"%x = zext {t} %o to i128\n%y = zext {t} %n to i128\n%z = shl i128 %y, 64\n%r = or i128 %x, %z",
                            [(t, str(a)), (t, str(b))], "i128", a | low(compute(a, b), width) << 64)
        for want, expect in ((5, 1 | 9 << 64), (6, 5 << 64)):
            yield Check(f"cmpxchg {t} {want}", f"%p = alloca {t}\nstore {t} 5, ptr %p\n"
                        f"%o = cmpxchg ptr %p, {t} {{0}}, {t} 9 seq_cst seq_cst\n%s = extractvalue {{{{{t}, i1}}}} %o, 1\n"
                        f"%n = load {t}, ptr %p\n%x = zext i1 %s to i128\n%y = zext {t} %n to i128\n%z = shl i128 %y, 64\n"
                        "%r = or i128 %x, %z", [(t, str(want))], "i128", expect)


def checks():
    return [c for make in (binary, compares, casts, integer_intrinsics, vectors, flags, atomics) for c in make()]


def faults():
    """Each must end in the fault that it names, where its result is used."""
    most, least = "2147483647", "-2147483648"
    found = []

    def add(name, code, fault, *inputs, declare=()):
        """code defines %b, an i1 that is branched on."""
        text = code + "\nbr i1 %b, label %yes, label %no\nyes:\nbr label %no\nno:\n%r = phi i32 [ 0, %yes ], [ 0, %entry ]"
        found.append(Check(name, "br label %entry\nentry:\n" + text, list(inputs), "i32", 0, declare=declare, fault=fault))

    undefined = "undefined value"
    for code, a, b in (("add nsw", most, "1"), ("add nuw", "-1", "1"), ("sub nsw", least, "1"), ("sub nuw", "0", "1"),
                       ("mul nsw", most, "2"), ("mul nuw", "-1", "2"), ("shl nsw", most, "1"), ("shl nuw", "-1", "1"),
                       ("shl", "1", "32"), ("lshr", "1", "32"), ("ashr", "1", "33"), ("udiv exact", "5", "2"),
                       ("sdiv exact", "5", "2"), ("lshr exact", "5", "1"), ("ashr exact", "5", "1"), ("or disjoint", "3", "1")):
        add(code, f"%x = {code} i32 {{0}}, {{1}}\n%b = icmp eq i32 %x, 0", undefined, ("i32", a), ("i32", b))
    for code, a, b in (("add nsw", str((1 << 127) - 1), "1"), ("mul nuw", "-1", "2"), ("shl", "1", "128"),
                       ("udiv exact", "5", "2"), ("or disjoint", "3", "1")):
        add(code + " i128", f"%x = {code} i128 {{0}}, {{1}}\n%b = icmp eq i128 %x, 0", undefined, ("i128", a), ("i128", b))
    for width in (8, 32, 64, 128):
        t = f"i{width}"
        for op in ("udiv", "urem", "sdiv", "srem"):
            add(f"{op} {t} by 0", f"%x = {op} {t} {{0}}, {{1}}\n%b = icmp eq {t} %x, 0", "division by zero", (t, "5"), (t, "0"))
        for op in ("sdiv", "srem"):
            add(f"{op} {t} overflows", f"%x = {op} {t} {{0}}, {{1}}\n%b = icmp eq {t} %x, 0", "overflow",
                (t, str(-(1 << (width - 1)))), (t, "-1"))
    add("zext nneg", "%x = zext nneg i8 {0} to i32\n%b = icmp eq i32 %x, 0", undefined, ("i8", "-1"))
    add("abs poison", "%x = call i32 @llvm.abs.i32(i32 {0}, i1 true)\n%b = icmp eq i32 %x, 0", undefined, ("i32", least),
        declare=("declare i32 @llvm.abs.i32(i32, i1)",))
    for name in ("ctlz", "cttz"):
        add(name + " poison", f"%x = call i32 @llvm.{name}.i32(i32 {{0}}, i1 true)\n%b = icmp eq i32 %x, 0", undefined, ("i32", "0"),
            declare=(f"declare i32 @llvm.{name}.i32(i32, i1)",))
    add("fptosi", "%x = fptosi double {0} to i32\n%b = icmp eq i32 %x, 0", undefined, ("double", "1.0e10"))
    add("fptoui", "%x = fptoui float {0} to i8\n%b = icmp eq i8 %x, 0", undefined, ("float", "-2.0"))
    add("uninitialised", "%p = alloca i32\n%x = load i32, ptr %p\n%b = icmp eq i32 %x, 0", undefined)
    add("null", "%x = load i32, ptr {0}\n%b = icmp eq i32 %x, 0", "null pointer", ("ptr", "null"))
    add("bounds", "%p = alloca [2 x i32]\n%q = getelementptr i32, ptr %p, i64 {0}\n%x = load i32, ptr %q\n%b = icmp eq i32 %x, 0",
        "out of bounds", ("i64", "2"))
    add("assume", "call void @llvm.assume(i1 {0})\n%b = icmp eq i32 0, 0", "assumption", ("i1", "false"),
        declare=("declare void @llvm.assume(i1)",))
    add("trap", "call void @llvm.trap()\n%b = icmp eq i32 0, 0", "unreachable", declare=("declare void @llvm.trap()",))
    add("overlap", "%p = alloca [8 x i8]\nstore i64 0, ptr %p\n%q = getelementptr i8, ptr %p, i64 2\n"
        "call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 4, i1 false)\n%b = icmp eq i32 0, 0", "overlap",
        declare=("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",))
    add("undefined shift", "%p = alloca i32\n%n = load i32, ptr %p\n%x = shl i32 1, %n\n%b = icmp eq i32 %x, 0", undefined)
    add("unknown intrinsic", "%x = call i32 @llvm.vp.reduce.add.v4i32(i32 {0}, <4 x i32> zeroinitializer, <4 x i1> zeroinitializer, i32 4)\n"
        "%b = icmp eq i32 %x, 0", r"llvm\.vp\.reduce\.add.* is not supported", ("i32", "1"),
        declare=("declare i32 @llvm.vp.reduce.add.v4i32(i32, <4 x i32>, <4 x i1>, i32)",))
    return found
