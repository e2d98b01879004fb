"""The table of masked memory and of fixed-point numbers."""

import special
from table import Check, clamp, edges, low, pairs, signed

FOUR = "<4 x i32>"


def masked(name, mask, memory, value):
    """(lanes loaded or kept, memory afterwards) of a masked intrinsic on four ints."""
    memory, lanes, at = list(memory), list(value), 0
    for k in range(4):
        if not mask >> k & 1:
            continue
        place = at if name in ("expandload", "compressstore") else 3 - k if name in ("gather", "scatter") else k
        at += 1
        if name in ("store", "scatter", "compressstore"):
            memory[place] = value[k]
        else:
            lanes[k] = memory[place]
    return lanes, memory


def code_of(name, mask, pointer="%p"):
    bits = "<" + ", ".join(f"i1 {mask >> k & 1}" for k in range(4)) + ">"
    store = name in ("store", "scatter", "compressstore")
    full = {"load": "load.v4i32.p0", "store": "store.v4i32.p0", "gather": "gather.v4i32.v4p0", "scatter": "scatter.v4i32.v4p0",
            "expandload": "expandload.v4i32", "compressstore": "compressstore.v4i32"}[name]
    where = "ptr " + pointer if name not in ("gather", "scatter") else "<4 x ptr> %g"
    align = ", i32 4" if name not in ("expandload", "compressstore") else ""
    kinds = where.split(" %")[0].split(" @")[0].replace("ptr null", "ptr") + align.replace("i32 4", "i32 immarg")
    before = ""
    if name in ("gather", "scatter"):
        before = f"%g = getelementptr i32, ptr {pointer}, <4 x i64> <i64 3, i64 2, i64 1, i64 0>\n"
    if store:
        return (f"{before}call void @llvm.masked.{full}({FOUR} {{0}}, {where}{align}, <4 x i1> {bits})",
                f"declare void @llvm.masked.{full}({FOUR}, {kinds}, <4 x i1>)")
    return (f"{before}%v = call {FOUR} @llvm.masked.{full}({where}{align}, <4 x i1> {bits}, {FOUR} {{0}})",
            f"declare {FOUR} @llvm.masked.{full}({kinds}, <4 x i1>, {FOUR})")


NAMES = ("load", "store", "gather", "scatter", "expandload", "compressstore")


def masks():
    memory, kept = [11, 22, 33, 44], [5, 6, 7, 8]
    setup = "%p = alloca [4 x i32], align 16\n" + "".join(
        f"%p{k} = getelementptr i32, ptr %p, i64 {k}\nstore i32 {x}, ptr %p{k}\n" for k, x in enumerate(memory))
    for name in NAMES:
        for mask in (0b0110, 0b1011, 0, 0b1111):
            code, declare = code_of(name, mask)
            lanes, after = masked(name, mask, memory, kept)
            result = f"%r = load {FOUR}, ptr %p" if " void " in code else "%r = add " + FOUR + " %v, zeroinitializer"
            expect = sum(x << 32 * k for k, x in enumerate(after if " void " in code else lanes))
            yield Check(f"masked.{name} {mask:04b}", setup + code + "\n" + result, [(FOUR, "<" + ", ".join(f"i32 {x}" for x in kept) + ">")],
                        FOUR, expect, 128, (declare,), edge=mask in (0, 15))


def fixed():
    for width in (8, 32, 64, 100):
        t = f"i{width}"
        for sign in "su":
            for op in ("mul", "div"):
                for sat in ("", ".sat"):
                    name = f"{sign}{op}.fix{sat}"
                    for scale in (width // 2, 0, width - 1):
                        for a, b in [*pairs(width), (3 << width // 2, 5), (low(-7, width), 1 << width // 2)]:
                            x, y = (signed(a, width), signed(b, width)) if sign == "s" else (a, b)
                            if op == "div" and y == 0:
                                continue
                            r = x * y >> scale if op == "mul" else (x << scale) // y
                            if sat:
                                r = clamp(r, width, sign == "s")
                            yield Check(f"{name} {t} {a}, {b}, {scale}", f"%r = call {t} @llvm.{name}.{t}({t} {{0}}, {t} {{1}}, i32 {scale})",
                                        [(t, str(a)), (t, str(b))], t, low(r, width), declare=(f"declare {t} @llvm.{name}.{t}({t}, {t}, i32 immarg)",))


def checks():
    return [*masks(), *fixed()]


def faults():
    places = special.places()
    value = (FOUR, "zeroinitializer")
    for name in NAMES:
        for place, (before, pointer, text) in places.items():
            store = name in ("store", "scatter", "compressstore")
            if place == "wrapped" or (place == "constant" and not store) or (place == "misaligned" and name[-4:] in ("load", "tore")
                                                                              and name not in ("load", "store")):
                continue
            code, declare = code_of(name, 0b1111 if place == "bounds" else 0b0001 if "atter" not in name and "ather" not in name else 0b1000,
                                    pointer)
            yield special.fault(f"masked.{name}: {place}", before + "\n" + code, text, value,
                                declare=special.PLACES_NEED + (declare,))
    for sign in "su":
        for sat in ("", ".sat"):
            name = f"{sign}div.fix{sat}.i32"
            yield special.fault(f"{name} by 0", f"%x = call i32 @llvm.{name}(i32 {{0}}, i32 {{1}}, i32 4)", "division by zero",
                                ("i32", "5"), ("i32", "0"), declare=(f"declare i32 @llvm.{name}(i32, i32, i32 immarg)",))
