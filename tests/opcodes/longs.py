"""The table of x86_fp80 and fp128: values from exact rational arithmetic, rounded to nearest."""

import fractions
import math

from table import Check, low

VALUES = ["1", "-1.5", "0.1", "3", "1e300", "-1e-4000", "0", "123456789012345678901234567890"]
FORMATS = {"x86_fp80": (64, 16383, 80), "fp128": (113, 16383, 128)}


def encode(x, kind, negative=None):
    """The bits of the number nearest to a fraction; kind's precision, bias and size."""
    precision, bias, size = FORMATS[kind]
    negative = x < 0 if negative is None else negative
    x = abs(x)
    if x == 0:
        return int(negative) << size - 1
    e = math.floor(math.log2(x.numerator) - math.log2(x.denominator)) if x.numerator.bit_length() < 1000 > x.denominator.bit_length() \
        else x.numerator.bit_length() - x.denominator.bit_length()
    while fractions.Fraction(2) ** e > x:
        e -= 1
    while fractions.Fraction(2) ** (e + 1) <= x:
        e += 1
    e = max(e, 1 - bias)
    units = round(x / fractions.Fraction(2) ** (e - precision + 1))  # half to even
    if units >> precision:
        units, e = units >> 1, e + 1
    biased = e + bias if units >> (precision - 1) else 0
    fraction = units if kind == "x86_fp80" else low(units, precision - 1)
    return int(negative) << size - 1 | biased << (64 if kind == "x86_fp80" else 112) | fraction


def text(x, kind, negative=None):
    bits = encode(x, kind, negative)
    if kind == "x86_fp80":
        return f"0xK{bits:020X}"
    return f"0xL{low(bits, 64):016X}{bits >> 64:016X}"


def nearest(x, kind):
    """The fraction that the literal stands for."""
    precision, bias, size = FORMATS[kind]
    bits = encode(fractions.Fraction(x), kind)
    at = 64 if kind == "x86_fp80" else 112
    biased, fraction = bits >> at & 0x7FFF, low(bits, at)
    if kind == "fp128" and biased:
        fraction |= 1 << 112
    r = fractions.Fraction(fraction) * fractions.Fraction(2) ** (max(biased, 1) - bias - precision + 1)
    return -r if bits >> size - 1 else r


def arithmetic():
    ops = {"fadd": lambda a, b: a + b, "fsub": lambda a, b: a - b, "fmul": lambda a, b: a * b,
           "fdiv": lambda a, b: a / b if b else None}
    for kind, (_, _, size) in FORMATS.items():
        for k, first in enumerate(VALUES):
            a, b = nearest(first, kind), nearest(VALUES[(3 * k + 2) % len(VALUES)], kind)
            inputs = [(kind, text(a, kind)), (kind, text(b, kind))]
            edge = a == 0 or b == 0 or abs(a) < fractions.Fraction(1, 10**1000)
            for op, compute in ops.items():
                r = compute(a, b)
                if r is None or (r == 0 and (a < 0 or b < 0)):
                    continue
                yield Check(f"{op} {kind} {k}", f"%r = {op} {kind} {{0}}, {{1}}", inputs, kind, encode(r, kind), size, edge=edge)
            yield Check(f"fneg {kind} {k}", f"%r = fneg {kind} {{0}}", inputs[:1], kind, encode(a, kind) ^ 1 << size - 1, size, edge=edge)
            for name, holds in (("olt", a < b), ("ogt", a > b), ("oeq", a == b), ("une", a != b), ("uno", False), ("ord", True)):
                yield Check(f"fcmp {name} {kind} {k}", f"%r = fcmp {name} {kind} {{0}}, {{1}}", inputs, "i1", int(holds), edge=edge)


def conversions():
    for kind, (_, _, size) in FORMATS.items():
        for value, bits in ((7, 32), (-7, 32), (2**63, 64), (-2**63, 64), (2**100 + 1, 128), (0, 32)):
            x = low(value, bits)
            yield Check(f"sitofp {value} to {kind}", f"%r = sitofp i{bits} {{0}} to {kind}", [(f"i{bits}", str(x))], kind,
                        encode(fractions.Fraction(value if value < 2**63 or bits > 64 else value - 2**64), kind), size)
            yield Check(f"uitofp {value} to {kind}", f"%r = uitofp i{bits} {{0}} to {kind}", [(f"i{bits}", str(x))], kind,
                        encode(fractions.Fraction(x), kind), size)
            exact = nearest(value, kind)
            for name in ("fptosi", "fptoui"):
                least, most = (-(1 << bits - 1), (1 << bits - 1) - 1) if name == "fptosi" else (0, (1 << bits) - 1)
                if exact == value and least <= value <= most:
                    yield Check(f"{name} {kind} {value}", f"%r = {name} {kind} {{0}} to i{bits}", [(kind, text(exact, kind))], f"i{bits}", x)
        for number in (0.1, -2.5, 0.0, 1e300):
            double = "0x" + number.hex() if False else f"{number!r}" if "e" in repr(number) and "." in repr(number) else f"{number:e}"
            yield Check(f"fpext {number} to {kind}", f"%r = fpext double {{0}} to {kind}", [("double", double)], kind,
                        encode(fractions.Fraction(number), kind), size)
            import struct
            yield Check(f"fptrunc {kind} {number}", f"%r = fptrunc {kind} {{0}} to double",
                        [(kind, text(nearest(fractions.Fraction(number), kind), kind))], "double",
                        int.from_bytes(struct.pack("<d", number), "little"), 64)
    third = nearest(fractions.Fraction(1, 3), "fp128")
    yield Check("fptrunc fp128 to x86_fp80", "%r = fptrunc fp128 {0} to x86_fp80", [("fp128", text(third, "fp128"))], "x86_fp80",
                encode(third, "x86_fp80"), 80)
    third = nearest(fractions.Fraction(1, 3), "x86_fp80")
    yield Check("fpext x86_fp80 to fp128", "%r = fpext x86_fp80 {0} to fp128", [("x86_fp80", text(third, "x86_fp80"))], "fp128",
                encode(third, "fp128"), 128)


def intrinsics():
    suffix = {"x86_fp80": "f80", "fp128": "f128"}
    half = fractions.Fraction(1, 2)
    one = {"floor": math.floor, "ceil": math.ceil, "trunc": math.trunc, "rint": round, "nearbyint": round, "roundeven": round,
           "fabs": abs, "round": lambda x: math.floor(abs(x) + half) * (1 if x > 0 else -1)}
    for kind, (_, _, size) in FORMATS.items():
        f = suffix[kind]
        for name, compute in one.items():
            for value in ("2.5", "-1.25", "7"):
                a = fractions.Fraction(value)
                yield Check(f"{name} {kind} {value}", f"%r = call {kind} @llvm.{name}.{f}({kind} {{0}})", [(kind, text(a, kind))], kind,
                            encode(fractions.Fraction(compute(a)), kind), size, (f"declare {kind} @llvm.{name}.{f}({kind})",))
        two = (("copysign", 2, -3, -2), ("minnum", 2, 3, 2), ("maxnum", 2, 3, 3), ("minimum", 2, -3, -3), ("maximum", 2, 3, 3), ("pow", 3, 4, 81))
        for name, a, b, r in two:
            yield Check(f"{name} {kind}", f"%r = call {kind} @llvm.{name}.{f}({kind} {{0}}, {kind} {{1}})",
                        [(kind, text(fractions.Fraction(x), kind)) for x in (a, b)], kind, encode(fractions.Fraction(r), kind), size,
                        (f"declare {kind} @llvm.{name}.{f}({kind}, {kind})",))
        yield Check(f"fma {kind}", f"%r = call {kind} @llvm.fma.{f}({kind} {{0}}, {kind} {{0}}, {kind} {{1}})",
                    [(kind, text(fractions.Fraction(3), kind)), (kind, text(half, kind))], kind, encode(9 + half, kind), size,
                    (f"declare {kind} @llvm.fma.{f}({kind}, {kind}, {kind})",))
        yield Check(f"sqrt {kind}", f"%r = call {kind} @llvm.sqrt.{f}({kind} {{0}})", [(kind, text(fractions.Fraction(9, 4), kind))], kind,
                    encode(3 * half, kind), size, (f"declare {kind} @llvm.sqrt.{f}({kind})",))
        yield Check(f"powi {kind}", f"%r = call {kind} @llvm.powi.{f}.i32({kind} {{0}}, i32 {{1}})",
                    [(kind, text(3 * half, kind)), ("i32", "-2")], kind, encode(fractions.Fraction(4, 9), kind), size,
                    (f"declare {kind} @llvm.powi.{f}.i32({kind}, i32)",))
        for name, value, r in (("lround", "2.5", 3), ("lrint", "2.5", 2), ("llround", "-0.5", -1), ("llrint", "0", 0)):
            yield Check(f"{name} {kind} {value}", f"%r = call i64 @llvm.{name}.i64.{f}({kind} {{0}})", [(kind, text(fractions.Fraction(value), kind))],
                        "i64", low(r, 64), declare=(f"declare i64 @llvm.{name}.i64.{f}({kind})",))
        for name, value, r in (("fptosi.sat", "1e30", 2**31 - 1), ("fptosi.sat", "-1e30", 2**31), ("fptoui.sat", "-1", 0), ("fptoui.sat", "77", 77)):
            yield Check(f"{name} {kind} {value}", f"%r = call i32 @llvm.{name}.i32.{f}({kind} {{0}})", [(kind, text(fractions.Fraction(value), kind))],
                        "i32", r, declare=(f"declare i32 @llvm.{name}.i32.{f}({kind})",))
        for value, mask, r in (("1", 0x100, 1), ("-1", 0x100, 0), ("0", 0x40, 1), ("-1", 0x8, 1), ("1", 3, 0)):
            yield Check(f"is.fpclass {kind} {value}", f"%r = call i1 @llvm.is.fpclass.{f}({kind} {{0}}, i32 {mask})",
                        [(kind, text(fractions.Fraction(value), kind))], "i1", r, declare=(f"declare i1 @llvm.is.fpclass.{f}({kind}, i32)",))
        for op, e in (("fadd", 3), ("fsub", -1), ("fmul", 2), ("fdiv", half)):
            full = f"experimental.constrained.{op}.{f}"
            yield Check(full, f'%r = call {kind} @llvm.{full}({kind} {{0}}, {kind} {{1}}, metadata !"round.dynamic", '
                        'metadata !"fpexcept.ignore") strictfp', [(kind, text(fractions.Fraction(x), kind)) for x in (1, 2)], kind,
                        encode(fractions.Fraction(e), kind), size, (f"declare {kind} @llvm.{full}({kind}, {kind}, metadata, metadata)",))
        v = f"<2 x {kind}>"
        two_of = "<" + ", ".join(f"{kind} {text(fractions.Fraction(x), kind)}" for x in (3, 5)) + ">"
        yield Check(f"vector of {kind}", f"%s = fadd {v} {{0}}, {{0}}\n%r = extractelement {v} %s, i32 1", [(v, two_of)], kind,
                    encode(fractions.Fraction(10), kind), size)


def checks():
    return [*arithmetic(), *conversions(), *intrinsics()]


def faults():
    for kind in FORMATS:
        for op in ("fptosi", "fptoui"):
            yield Check(f"{op} {kind} as written", f"%x = {op} {kind} {{0}} to i32\n%r = add i32 0, 0",
                        [(kind, text(fractions.Fraction(10**12), kind))], "i32", 0, 0, (), "out of range", "noinline optnone")
