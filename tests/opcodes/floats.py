"""The table of floating-point checks: values from Python's own arithmetic."""

import fractions
import math
import struct

from table import Check, clamp, low

VALUES = [0.0, -0.0, 1.0, -1.5, 2.5, 0.1, 1e300, -1e-310, math.inf, math.nan]
SMALL = [0.0, -0.0, 1.0, -1.5, 2.5, 0.10000000149011612, 65504.0, -6.103515625e-05, math.inf]


def bits(value, width):
    return int.from_bytes(struct.pack({64: "<d", 32: "<f", 16: "<e"}[width], value), "little")


def hexadecimal(value):
    return f"0x{bits(value, 64):016X}"


def narrow(value):
    """To float and back."""
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def divide(a, b):
    if b:
        return a / b
    return math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, math.copysign(1, a) * math.copysign(1, b))


def arithmetic():
    ops = {"fadd": lambda a, b: a + b, "fsub": lambda a, b: a - b, "fmul": lambda a, b: a * b, "fdiv": divide}
    for t, width, values in (("double", 64, VALUES), ("float", 32, [narrow(v) for v in VALUES])):
        for op, compute in ops.items():
            for k, a in enumerate(values):
                b = values[(k * 3 + 2) % len(values)]
                r = compute(a, b)
                r = narrow(r) if width == 32 else r
                if not math.isnan(r):
                    yield Check(f"{op} {t} {a}, {b}", f"%r = {op} {t} {{0}}, {{1}}",
                                [(t, hexadecimal(a)), (t, hexadecimal(b))], t, bits(r, width), width)
        for a in values:
            if not math.isnan(a):
                yield Check(f"fneg {t} {a}", f"%r = fneg {t} {{0}}", [(t, hexadecimal(a))], t, bits(-a, width), width)


def remainders():
    for t, width in (("double", 64), ("float", 32)):
        for a, b in ((5.5, 2.0), (-5.5, 2.0), (0.0, 3.0), (-0.0, 3.0), (7.0, math.inf), (1e30, 3.0)):
            a, b = (narrow(a), narrow(b)) if width == 32 else (a, b)
            yield Check(f"frem {t} {a}, {b}", f"%r = frem {t} {{0}}, {{1}}", [(t, hexadecimal(a)), (t, hexadecimal(b))], t,
                        bits(math.fmod(a, b), width), width)


def float_conversions():
    """Of float, whose instructions are others than those of double; and what just fits."""
    for value, width in ((-3.75, 32), (100.5, 8), (0.0, 32), (-0.0, 64), (2147483520.0, 32), (-2147483648.0, 32)):
        yield Check(f"fptosi float {value} i{width}", f"%r = fptosi float {{0}} to i{width}", [("float", hexadecimal(value))],
                    f"i{width}", low(int(value), width), edge=abs(value) > 2e9)
        if value >= 0:
            yield Check(f"fptoui float {value} i{width}", f"%r = fptoui float {{0}} to i{width}", [("float", hexadecimal(value))],
                        f"i{width}", int(value), edge=value > 2e9)
    for name, value, width in (("fptosi", 127.99, 8), ("fptosi", -128.99, 8), ("fptoui", 255.99, 8), ("fptoui", -0.99, 8),
                               ("fptoui", 18446744073709549568.0, 64), ("fptosi", -9223372036854775808.0, 64)):
        yield Check(f"{name} {value} i{width}, the last that fits", f"%r = {name} double {{0}} to i{width}",
                    [("double", hexadecimal(value))], f"i{width}", low(int(value), width), edge=True)
    for value, width in ((-7, 8), (16777217, 32), (123456, 32), (2**63 - 1, 64), (0, 64)):
        for name, number in (("sitofp", value), ("uitofp", low(value, width))):
            yield Check(f"{name} float {value} i{width}", f"%r = {name} i{width} {{0}} to float", [(f"i{width}", str(value))], "float",
                        bits(nearest_float(number), 32), 32)


def nearest_float(number):
    """An integer rounded once."""
    return narrow(float(number)) if abs(number) < 2**53 else narrow(math.ldexp(round(math.ldexp(number, -38)), 38))


def compares():
    ordered = {"eq": lambda a, b: a == b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b, "lt": lambda a, b: a < b,
               "le": lambda a, b: a <= b, "ne": lambda a, b: a != b}
    for a, b in ((1.0, 2.0), (2.0, 1.0), (0.0, -0.0), (math.nan, 1.0)):
        nan = math.isnan(a) or math.isnan(b)
        for t in ("float", "double"):
            inputs = [(t, hexadecimal(a)), (t, hexadecimal(b))]
            for name, compute in ordered.items():
                yield Check(f"fcmp o{name} {t}", f"%r = fcmp o{name} {t} {{0}}, {{1}}", inputs, "i1", int(not nan and compute(a, b)))
                yield Check(f"fcmp u{name} {t}", f"%r = fcmp u{name} {t} {{0}}, {{1}}", inputs, "i1", int(nan or compute(a, b)))
            yield Check(f"fcmp uno {t}", f"%r = fcmp uno {t} {{0}}, {{1}}", inputs, "i1", int(nan))
            yield Check(f"fcmp ord {t}", f"%r = fcmp ord {t} {{0}}, {{1}}", inputs, "i1", int(not nan))


def casts():
    for value, width in ((-3.75, 32), (3.99, 8), (1e15, 64), (1e30, 128), (0.5, 16)):
        yield Check(f"fptosi {value} i{width}", f"%r = fptosi double {{0}} to i{width}", [("double", hexadecimal(value))],
                    f"i{width}", low(int(value), width))
        if value > 0:
            yield Check(f"fptoui {value} i{width}", f"%r = fptoui double {{0}} to i{width}", [("double", hexadecimal(value))],
                        f"i{width}", int(value))
    for value, width in ((-7, 8), (123456789, 32), (2**63 - 1, 64), (2**100 + 12345, 128), (-(2**90), 128)):
        yield Check(f"sitofp {value}", f"%r = sitofp i{width} {{0}} to double", [(f"i{width}", str(value))], "double",
                    bits(float(value), 64), 64)
        yield Check(f"uitofp {value}", f"%r = uitofp i{width} {{0}} to double", [(f"i{width}", str(value))], "double",
                    bits(float(low(value, width)), 64), 64)
    for value in VALUES[:9]:
        yield Check(f"fptrunc {value}", "%r = fptrunc double {0} to float", [("double", hexadecimal(value))], "float",
                    bits(narrow(value), 32), 32)
        yield Check(f"fpext {value}", "%r = fpext float {0} to double", [("float", hexadecimal(narrow(value)))], "double",
                    bits(narrow(value), 64), 64)
    for name, is_signed in (("fptosi.sat", True), ("fptoui.sat", False)):
        for width in (8, 32, 64):
            for value in (0.0, -3.5, 1e30, -1e30, 200.7, math.inf):
                r = clamp(int(value), width, is_signed) if math.isfinite(value) else clamp(1 << 99, width, is_signed)
                yield Check(f"{name} {value} i{width}", f"%r = call i{width} @llvm.{name}.i{width}.f64(double {{0}})",
                            [("double", hexadecimal(value))], f"i{width}", low(r, width),
                            declare=(f"declare i{width} @llvm.{name}.i{width}.f64(double)",))


def halves():
    def half(value):
        return f"0xH{bits(value, 16):04X}"

    def to_half(value):
        try:
            return struct.unpack("<e", struct.pack("<e", value))[0]
        except OverflowError:
            return math.copysign(math.inf, value)

    for op, compute in (("fadd", lambda a, b: a + b), ("fmul", lambda a, b: a * b), ("fdiv", divide)):
        for k, a in enumerate(SMALL):
            b = SMALL[(k + 2) % len(SMALL)]
            a, b = to_half(a), to_half(b)
            r = to_half(compute(a, b))
            if not math.isnan(r):
                yield Check(f"{op} half {a}, {b}", f"%r = {op} half {{0}}, {{1}}", [("half", half(a)), ("half", half(b))],
                            "half", bits(r, 16), 16)
    for value in SMALL + [1e-8, 65520.0, 2049.0, 5.97e-8]:
        yield Check(f"fptrunc half {value}", "%r = fptrunc double {0} to half", [("double", hexadecimal(value))], "half",
                    bits(to_half(value), 16), 16)
        yield Check(f"fpext half {value}", "%r = fpext half {0} to double", [("half", half(to_half(value)))], "double",
                    bits(to_half(value), 64), 64)
    for value, expect in ((1.0, 0x3F80), (-2.5, 0xC020), (1.00390625, 0x3F80), (1.01171875, 0x3F82), (3.4e38, 0x7F80)):
        yield Check(f"fptrunc bfloat {value}", "%r = fptrunc double {0} to bfloat", [("double", hexadecimal(value))], "bfloat",
                    expect, 16)


def away(x):
    return math.copysign(math.floor(abs(x) + 0.5), x)


def even(x):
    return math.copysign(float(round(x)), x)


def intrinsics():
    whole = {"floor": math.floor, "ceil": math.ceil, "trunc": math.trunc, "rint": round, "nearbyint": round,
             "roundeven": round}
    one = {name: lambda x, f=f: math.copysign(float(f(x)), x) for name, f in whole.items()}
    one |= {"round": away, "fabs": abs, "canonicalize": lambda x: x}
    some = [0.0, -0.0, 0.5, 1.5, 2.5, -0.3, -2.7, 1e10]
    for name, compute in one.items():
        for t, width, suffix in (("double", 64, "f64"), ("float", 32, "f32")):
            for value in some:
                value = narrow(value)
                yield Check(f"{name} {t} {value}", f"%r = call {t} @llvm.{name}.{suffix}({t} {{0}})", [(t, hexadecimal(value))],
                            t, bits(compute(value), width), width, (f"declare {t} @llvm.{name}.{suffix}({t})",))
    for name, value, result in (
            ("sqrt", 2.25, 1.5), ("sin", 0.0, 0.0), ("cos", 0.0, 1.0), ("tan", 0.0, 0.0), ("asin", 0.0, 0.0), ("acos", 1.0, 0.0),
            ("atan", 0.0, 0.0), ("sinh", 0.0, 0.0), ("cosh", 0.0, 1.0), ("tanh", 0.0, 0.0), ("exp", 0.0, 1.0),
            ("exp2", 10.0, 1024.0), ("exp10", 2.0, 100.0), ("log", 1.0, 0.0), ("log2", 8.0, 3.0), ("log10", 1000.0, 3.0)):
        yield Check(name, f"%r = call double @llvm.{name}.f64(double {{0}})", [("double", hexadecimal(value))], "double",
                    bits(result, 64), 64, (f"declare double @llvm.{name}.f64(double)",))
    two = (("copysign", 2.0, -0.0, -2.0), ("minnum", 1.0, math.nan, 1.0), ("maxnum", math.nan, 3.0, 3.0), ("minnum", 1.0, 2.0, 1.0),
           ("minimum", 0.0, -0.0, -0.0), ("maximum", -0.0, 0.0, 0.0), ("maximum", 1.0, 2.0, 2.0), ("pow", 3.0, 4.0, 81.0))
    for name, a, b, result in two:
        yield Check(f"{name} {a}, {b}", f"%r = call double @llvm.{name}.f64(double {{0}}, double {{1}})",
                    [("double", hexadecimal(a)), ("double", hexadecimal(b))], "double", bits(result, 64), 64,
                    (f"declare double @llvm.{name}.f64(double, double)",))
    for name, by, result in (("ldexp", 3, 12.0), ("ldexp", -1, 0.75), ("powi", 3, 3.375)):
        yield Check(f"{name} {by}", f"%r = call double @llvm.{name}.f64.i32(double {{0}}, i32 {{1}})",
                    [("double", hexadecimal(1.5)), ("i32", str(by))], "double", bits(result, 64), 64,
                    (f"declare double @llvm.{name}.f64.i32(double, i32)",))
    yield Check("frexp", "%s = call {{double, i32}} @llvm.frexp.f64.i32(double {0})\n%r = extractvalue {{double, i32}} %s, 1",
                [("double", hexadecimal(48.0))], "i32", 6, declare=("declare {double, i32} @llvm.frexp.f64.i32(double)",))
    for name, t, width in (("fma", "double", 64), ("fmuladd", "float", 32)):
        yield Check(name, f"%r = call {t} @llvm.{name}.f{width}({t} {{0}}, {t} {{1}}, {t} {{2}})",
                    [(t, hexadecimal(2.0)), (t, hexadecimal(3.0)), (t, hexadecimal(0.5))], t, bits(6.5, width), width,
                    (f"declare {t} @llvm.{name}.f{width}({t}, {t}, {t})",))
    for name, value, result in (("lround", 2.5, 3), ("llround", -2.5, -3), ("lrint", 2.5, 2), ("llrint", 3.5, 4)):
        yield Check(name, f"%r = call i64 @llvm.{name}.i64.f64(double {{0}})", [("double", hexadecimal(value))], "i64", low(result, 64),
                    declare=(f"declare i64 @llvm.{name}.i64.f64(double)",))
    yield from classes()
    yield from narrow_classes()
    yield from reductions()
    for name, a, b, r in (("fadd", 1.0, 2.0, 3.0), ("fsub", 1.0, 2.0, -1.0), ("fmul", 3.0, 2.0, 6.0), ("fdiv", 3.0, 2.0, 1.5)):
        full = f"experimental.constrained.{name}.f64"
        yield Check(full, f'%r = call double @llvm.{full}(double {{0}}, double {{1}}, metadata !"round.dynamic", '
                    'metadata !"fpexcept.ignore") strictfp', [("double", hexadecimal(a)), ("double", hexadecimal(b))], "double",
                    bits(r, 64), 64, (f"declare double @llvm.{full}(double, double, metadata, metadata)",))


def library():
    """The float library at an ordinary value, and where it is 0, infinite or no number."""
    ordinary = {"sqrt": 2.0, "sin": 0.7, "cos": 0.7, "tan": 0.7, "asin": 0.3, "acos": 0.3, "atan": 2.5, "sinh": 0.7, "cosh": 0.7,
                "tanh": 0.7, "exp": 1.5, "log": 7.0, "log2": 7.0, "log10": 7.0}
    for name, value in ordinary.items():
        for t, width in (("double", 64), ("float", 32)):
            value = narrow(value)
            result = getattr(math, name)(value)
            yield Check(f"{name} {t}", f"%r = call {t} @llvm.{name}.f{width}({t} {{0}})\n" if width == 64 else
                        f"%x = call {t} @llvm.{name}.f{width}({t} {{0}})\n%d = fsub {t} %x, {hexadecimal(narrow(result))}\n"
                        f"%m = call {t} @llvm.fabs.f32({t} %d)\n%c = fcmp olt {t} %m, {hexadecimal(narrow(1e-6))}\n%r = uitofp i1 %c to float",
                        [(t, hexadecimal(value))], t, bits(result if width == 64 else 1.0, width), width,
                        (f"declare {t} @llvm.{name}.f{width}({t})", "declare float @llvm.fabs.f32(float)"))
    edges = (("sqrt", -0.0, -0.0), ("sqrt", math.inf, math.inf), ("exp", -math.inf, 0.0), ("exp2", -math.inf, 0.0),
             ("exp10", math.inf, math.inf), ("log", 0.0, -math.inf), ("log2", math.inf, math.inf), ("log10", 0.0, -math.inf),
             ("acos", 1.0, 0.0), ("exp10", 0.0, 1.0))
    for name, value, result in edges:
        yield Check(f"{name} {value}", f"%r = call double @llvm.{name}.f64(double {{0}})", [("double", hexadecimal(value))], "double",
                    bits(result, 64), 64, (f"declare double @llvm.{name}.f64(double)",), edge=True)
    two = (("copysign", 2.0, 3.0, 2.0), ("copysign", 2.0, -3.0, -2.0), ("maxnum", 1.0, 3.0, 3.0), ("minimum", 4.0, 3.0, 3.0),
           ("pow", 0.0, -1.0, math.inf), ("pow", math.nan, 0.0, 1.0), ("minimum", math.nan, 1.0, None), ("maximum", 1.0, math.nan, None))
    for name, a, b, result in two:
        code = f"%r = call double @llvm.{name}.f64(double {{0}}, double {{1}})"
        if result is None:  # not a number: any of them
            code = code.replace("%r", "%x") + "\n%c = fcmp uno double %x, %x\n%r = uitofp i1 %c to double"
        yield Check(f"{name} {a}, {b}", code, [("double", hexadecimal(a)), ("double", hexadecimal(b))], "double",
                    bits(1.0 if result is None else result, 64), 64, (f"declare double @llvm.{name}.f64(double, double)",))
    for name, t, a, b, c in (("fma", "double", 0.0, 5.0, 1.5), ("fma", "double", 1.0 + 2**-52, 1.0 + 2**-52, -1.0), ("fmuladd", "float", 0.0, 5.0, 1.5)):
        width = 64 if t == "double" else 32
        exact = fractions.Fraction(a) * fractions.Fraction(b) + fractions.Fraction(c)
        yield Check(f"{name} {a}, {b}, {c}", f"%r = call {t} @llvm.{name}.f{width}({t} {{0}}, {t} {{1}}, {t} {{2}})",
                    [(t, hexadecimal(x)) for x in (a, b, c)], t, bits(float(exact), width), width,
                    (f"declare {t} @llvm.{name}.f{width}({t}, {t}, {t})",), edge=True)
    for name, value, result in (("lround", 0.0, 0), ("llround", -0.0, 0), ("lrint", -0.5, 0), ("llrint", 9007199254740993.0, 2**53),
                                ("lround", -0.5, -1), ("lrint", -9223372036854775808.0, -2**63)):
        yield Check(f"{name} {value}", f"%r = call i64 @llvm.{name}.i64.f64(double {{0}})", [("double", hexadecimal(value))], "i64",
                    low(result, 64), declare=(f"declare i64 @llvm.{name}.i64.f64(double)",), edge=True)
    for by, result in ((0, 1.0), (-2, 1 / 2.25)):
        yield Check(f"powi {by}", "%r = call double @llvm.powi.f64.i32(double {0}, i32 {1})",
                    [("double", hexadecimal(1.5)), ("i32", str(by))], "double", bits(result, 64), 64,
                    ("declare double @llvm.powi.f64.i32(double, i32)",), edge=True)
    for by, result in ((1100, math.inf), (-1100, 0.0), (-1074, 5e-324)):
        yield Check(f"ldexp {by}", "%r = call double @llvm.ldexp.f64.i32(double {0}, i32 {1})",
                    [("double", hexadecimal(1.0)), ("i32", str(by))], "double", bits(result, 64), 64,
                    ("declare double @llvm.ldexp.f64.i32(double, i32)",), edge=True)
    for value, result in ((0.0, 0), (5e-324, -1073)):
        yield Check(f"frexp {value}", "%s = call {{double, i32}} @llvm.frexp.f64.i32(double {0})\n%r = extractvalue {{double, i32}} %s, 1",
                    [("double", hexadecimal(value))], "i32", low(result, 32), declare=("declare {double, i32} @llvm.frexp.f64.i32(double)",),
                    edge=True)


def classes():
    order = [math.nan, -math.inf, -1.0, -1e-310, -0.0, 0.0, 1e-310, 1.0, math.inf]
    for k, value in enumerate(order):
        for mask in (1 << k + 1, 1023 ^ (1 << k + 1)):
            yield Check(f"is.fpclass {value} {mask}", f"%r = call i1 @llvm.is.fpclass.f64(double {{0}}, i32 {mask})",
                        [("double", hexadecimal(value))], "i1", int(mask == 1 << k + 1),
                        declare=("declare i1 @llvm.is.fpclass.f64(double, i32)",))


def narrow_classes():
    for kind, prefix, values in (("half", "0xH", (0x7E00, 0xFC00, 0xC000, 0x8001, 0x8000, 0, 1, 0x3C00, 0x7C00)),
                                 ("bfloat", "0xR", (0x7FC0, 0xFF80, 0xC000, 0x8001, 0x8000, 0, 1, 0x3F80, 0x7F80))):
        suffix = "f16" if kind == "half" else "bf16"
        for k, value in enumerate(values):
            for mask in (1 << k + 1, 1023 ^ (1 << k + 1)):
                yield Check(f"is.fpclass {kind} {value:x} {mask}", f"%r = call i1 @llvm.is.fpclass.{suffix}({kind} {{0}}, i32 {mask})",
                            [(kind, f"{prefix}{value:04X}")], "i1", int(mask == 1 << k + 1),
                            declare=(f"declare i1 @llvm.is.fpclass.{suffix}({kind}, i32)",))


def reductions():
    t, lanes = "<4 x double>", [1.5, -2.0, 8.0, 0.5]
    v = (t, "<" + ", ".join("double " + hexadecimal(x) for x in lanes) + ">")
    for name, result in (("fmin", -2.0), ("fmax", 8.0), ("fminimum", -2.0), ("fmaximum", 8.0)):
        yield Check(f"vector.reduce.{name}", f"%r = call double @llvm.vector.reduce.{name}.v4f64({t} {{0}})", [v], "double",
                    bits(result, 64), 64, (f"declare double @llvm.vector.reduce.{name}.v4f64({t})",))
    for name, result in (("fadd", 10.0), ("fmul", -24.0)):
        yield Check(f"vector.reduce.{name}", f"%r = call double @llvm.vector.reduce.{name}.v4f64(double 2.0, {t} {{0}})", [v], "double",
                    bits(result, 64), 64, (f"declare double @llvm.vector.reduce.{name}.v4f64(double, {t})",))


def checks():
    return [c for make in (arithmetic, remainders, compares, casts, float_conversions, halves, intrinsics, library) for c in make()]


def faults():
    return []
