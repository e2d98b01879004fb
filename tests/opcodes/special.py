"""The table of what has no arithmetic: control flow, memory, calls, and the intrinsics
for them.

A check's code may have blocks; it ends in the block that defines %r.
"""

from table import Check, low, signed

MALLOC = ("declare ptr @malloc(i64)", "declare void @free(ptr)")
AS_WRITTEN = "noinline optnone"  # an overflow is a fault at once
EDGE = {"edge": True}


def value(name, code, inputs, kind, expect, declare=(), **more):
    return Check(name, code, inputs, kind, expect, 0, declare, **more)


def control():
    yield value("branch", "br i1 {0}, label %yes, label %no\nyes:\nbr label %end\nno:\nbr label %end\nend:\n"
                "%r = phi i32 [ 1, %yes ], [ 2, %no ]", [("i1", "true")], "i32", 1)
    yield value("phi of two, swapped", "br label %loop\nloop:\n%x = phi i32 [ {0}, %0 ], [ %y, %loop ]\n"
                "%y = phi i32 [ {1}, %0 ], [ %x, %loop ]\n%n = phi i32 [ 0, %0 ], [ %m, %loop ]\n%m = add i32 %n, 1\n"
                "%more = icmp slt i32 %m, 4\nbr i1 %more, label %loop, label %end\nend:\n%s = shl i32 %x, 8\n%r = or i32 %s, %y",
                [("i32", "3"), ("i32", "4")], "i32", 4 << 8 | 3, **EDGE)
    for at, expect in ((7, 1), (-1, 2), (9, 3)):
        yield value(f"switch {at}", "switch i32 {0}, label %other [ i32 7, label %a\n i32 -1, label %b ]\na:\nbr label %end\n"
                    "b:\nbr label %end\nother:\nbr label %end\nend:\n%r = phi i32 [ 1, %a ], [ 2, %b ], [ 3, %other ]",
                    [("i32", str(at))], "i32", expect)
    for k in (0, 1):
        yield value(f"indirectbr {k}", "%t = alloca [2 x ptr]\n%t1 = getelementptr ptr, ptr %t, i64 1\n"
                    "store ptr blockaddress(@FUNCTION, %a), ptr %t\nstore ptr blockaddress(@FUNCTION, %b), ptr %t1\n"
                    "%p = getelementptr ptr, ptr %t, i64 {0}\n%q = load ptr, ptr %p\nindirectbr ptr %q, [label %a, label %b, label %b]\na:\n"
                    "br label %end\nb:\nbr label %end\nend:\n%r = phi i32 [ 0, %a ], [ 1, %b ]".replace("label %b, label %b", "label %b"),
                    [("i64", str(k))], "i32", k)
    for x in (7, 0):
        yield value(f"cmpxchg weak, {x}", "%p = alloca i64\nstore i64 {0}, ptr %p\n%o = cmpxchg weak ptr %p, i64 {0}, i64 9 acq_rel monotonic\n"
                    "%s = extractvalue {{ i64, i1 }} %o, 0\n%n = load i64, ptr %p\n%r = add i64 %s, %n", [("i64", str(x))], "i64", x + 9)
    yield value("callbr", 'callbr void asm sideeffect "", "!i"() to label %a [label %b]\na:\nbr label %end\nb:\nbr label %end\n'
                "end:\n%r = phi i32 [ 1, %a ], [ 2, %b ]", [], "i32", 1)
    yield value("callbr in a loop, of one of three places",
                "br label %loop\nloop:\n%n = phi i32 [ 0, %0 ], [ %m, %a ]\n"
                'callbr void asm sideeffect "", "r,!i,!i"(i32 %n) to label %a [label %b, label %c]\n'
                "a:\n%m = add i32 %n, 1\n%more = icmp slt i32 %m, 3\nbr i1 %more, label %loop, label %end\n"
                "b:\nbr label %end\nc:\nbr label %end\nend:\n%r = phi i32 [ %m, %a ], [ 8, %b ], [ 9, %c ]",
                [], "i32", 3, **EDGE)
    yield value("memory that is shared", "%p = call ptr @mmap(ptr null, i64 4096, i32 3, i32 33, i32 -1, i64 0)\n"
                "store i32 {0}, ptr %p\n%r = load i32, ptr %p", [("i32", "4")], "i32", 4,
                ("declare ptr @mmap(ptr, i64, i32, i32, i32, i64)",))
    yield value("exchange by the library, which asks which bits are defined",
                "%p = alloca i64\n%e = alloca i64\n%d = alloca i64\nstore i64 {0}, ptr %p\nstore i64 {0}, ptr %e\n"
                "store i64 9, ptr %d\n%o = call i1 @__atomic_compare_exchange(i64 8, ptr %p, ptr %e, ptr %d, i32 5, i32 5)\n"
                "%r = load i64, ptr %p", [("i64", "15")], "i64", 9,
                ("declare zeroext i1 @__atomic_compare_exchange(i64, ptr, ptr, ptr, i32, i32)",))
    for compare, k, expect in (("ult", 5, 0), ("ugt", 5, 1), ("slt", 5, 0), ("sgt", 5, 1), ("sle", 9, 1)):
        yield value(f"icmp {compare} with a constant", f"%r = icmp {compare} i32 {{0}}, {k}", [("i32", "9")], "i1", expect)
    yield value("branch if not greater", "%c = icmp sle i32 {0}, {1}\nbr i1 %c, label %a, label %b\na:\nbr label %e\nb:\n"
                "br label %e\ne:\n%r = phi i32 [ 1, %a ], [ 2, %b ]", [("i32", "4"), ("i32", "3")], "i32", 2)
    for op, k, expect in (("add nsw", 3, 8), ("sub nsw", 3, 2), ("mul nsw", 3, 15), ("mul", 3, 15), ("shl", 2, 20), ("xor", 1, 4)):
        yield value(f"{op} with a constant", f"%r = {op} i32 {{0}}, {k}", [("i32", "5")], "i32", expect)
    yield value("freeze of a defined value", "%r = freeze i32 {0}", [("i32", "77")], "i32", 77)
    yield value("freeze of a vector with one undefined lane",
                "%v = insertelement <2 x i32> poison, i32 {0}, i32 1\n%f = freeze <2 x i32> %v\n"
                "%a = extractelement <2 x i32> %f, i32 0\n%b = extractelement <2 x i32> %f, i32 1\n%z = xor i32 %a, %a\n"
                "%r = or i32 %z, %b", [("i32", "5")], "i32", 5, **EDGE)
    yield value("select of pointers", "%p = alloca i32\nstore i32 8, ptr %p\n%q = select i1 {0}, ptr null, ptr %p\n"
                "%r = load i32, ptr %q", [("i1", "false")], "i32", 8)


PERSONAL = "personality ptr @__gxx_personality_v0"


def exceptions():
    """Those that are thrown are in the programs."""
    for x in ("7", "0"):
        yield value(f"invoke without an exception {x}", "invoke void @quiet(i32 {0}) to label %ok unwind label %pad\npad:\n"
                    "%l = landingpad {{ ptr, i32 }} cleanup\nresume {{ ptr, i32 }} %l\nok:\n%r = add i32 {0}, 0", [("i32", x)], "i32",
                    int(x), ("define void @quiet(i32 %x) {\n ret void\n}", "declare i32 @__gxx_personality_v0(...)"),
                    attributes=PERSONAL)


def aggregates():
    pair = "{{ i32, {{ i8, i64 }} }}"
    yield value("insertvalue, extractvalue", f"%x = insertvalue {pair} poison, i8 {{0}}, 1, 0\n%r = extractvalue {pair} %x, 1, 0",
                [("i8", "200")], "i8", 200)
    yield value("insertvalue into an array", "%x = insertvalue [3 x i128] zeroinitializer, i128 {0}, 2\n"
                "%r = extractvalue [3 x i128] %x, 2", [("i128", str((1 << 128) - 1))], "i128", (1 << 128) - 1)
    yield Check("shufflevector with poison lanes", "%s = shufflevector <2 x i32> {0}, <2 x i32> poison, <4 x i32> "
                "<i32 poison, i32 1, i32 1, i32 0>\n%r = shufflevector <4 x i32> %s, <4 x i32> poison, <2 x i32> <i32 3, i32 2>",
                [("<2 x i32>", "<i32 5, i32 6>")], "<2 x i32>", 6 << 32 | 5, 64, **EDGE)
    yield Check("bitcast of pointers in a vector", "%p = alloca i32\n%v = insertelement <1 x ptr> poison, ptr %p, i32 0\n"
                "%w = bitcast <1 x ptr> %v to <1 x ptr>\n%q = extractelement <1 x ptr> %w, i32 0\n%c = icmp eq ptr %p, %q\n"
                "%r = zext i1 %c to i32", [], "i32", 1, **EDGE)
    for at, expect in ((0, 4), (1, 9)):
        yield value(f"extractelement of i128 {at}", "%r = extractelement <2 x i128> {0}, i64 {1}",
                    [("<2 x i128>", "<i128 4, i128 9>"), ("i64", str(at))], "i128", expect, **EDGE)


def wide_atomics():
    ops = {"xchg": lambda a, b: b, "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "and": lambda a, b: a & b,
           "nand": lambda a, b: ~(a & b), "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b, "umax": max, "umin": min,
           "max": lambda a, b: max(a, b, key=lambda x: signed(x, 128)), "min": lambda a, b: min(a, b, key=lambda x: signed(x, 128)),
           "uinc_wrap": lambda a, b: 0 if a >= b else a + 1, "udec_wrap": lambda a, b: b if a == 0 or a > b else a - 1}
    for op, compute in ops.items():
        for a, b in ((5, 7 << 64), ((1 << 128) - 1, 1), (3 << 64 | 9, 3 << 64 | 9)):
            yield value(f"atomicrmw {op} i128 {a}, {b}", f"%p = alloca i128\nstore i128 {{0}}, ptr %p\n"
                        f"%o = atomicrmw {op} ptr %p, i128 {{1}} seq_cst\n%n = load atomic i128, ptr %p seq_cst, align 16\n"
                        "%x = zext i128 %o to i256\n%y = zext i128 %n to i256\n%z = shl i256 %y, 128\n%r = or i256 %x, %z",
                        [("i128", str(a)), ("i128", str(b))], "i256", a | low(compute(a, b), 128) << 128)
    for want, new in ((5 << 64, 9 << 100), (6 << 64, 5 << 64)):
        yield value(f"cmpxchg i128 {want}", f"%p = alloca i128\nstore atomic i128 {5 << 64}, ptr %p seq_cst, align 16\n"
                    f"%o = cmpxchg ptr %p, i128 {{0}}, i128 {9 << 100} seq_cst seq_cst\n%s = extractvalue {{{{ i128, i1 }}}} %o, 1\n"
                    "%was = extractvalue {{ i128, i1 }} %o, 0\n%n = load i128, ptr %p\n%x = zext i128 %n to i256\n%y = zext i1 %s to i256\n"
                    "%z = shl i256 %y, 200\n%v = or i256 %x, %z\n%u = zext i128 %was to i256\n%r = xor i256 %v, %u",
                    [("i128", str(want))], "i256", (new | int(want == 5 << 64) << 200) ^ 5 << 64)
    yield value("pointers in a 16-byte exchange", "%t = alloca [2 x ptr], align 16\n%x = alloca i32\nstore i32 {0}, ptr %x\n"
                "%t1 = getelementptr ptr, ptr %t, i64 1\nstore ptr null, ptr %t\nstore ptr null, ptr %t1\n%a = ptrtoint ptr %x to i128\n"
                "%h = shl i128 %a, 64\n%o = cmpxchg ptr %t, i128 0, i128 %h seq_cst seq_cst\n%q = load ptr, ptr %t1\n%r = load i32, ptr %q",
                [("i32", "44")], "i32", 44)


def addresses():
    yield value("ptrtoint, inttoptr", "%p = alloca i32\nstore i32 {0}, ptr %p\n%a = ptrtoint ptr %p to i64\n%b = xor i64 %a, -1\n"
                "%c = xor i64 %b, -1\n%q = inttoptr i64 %c to ptr\n%r = load i32, ptr %q", [("i32", "5")], "i32", 5)
    yield value("ptrtoint of null", "%r = ptrtoint ptr {0} to i64", [("ptr", "null")], "i64", 0)
    yield value("ptrtoint to i128", "%p = alloca i32\nstore i32 {0}, ptr %p\n%a = ptrtoint ptr %p to i128\n"
                "%q = inttoptr i128 %a to ptr\n%r = load i32, ptr %q", [("i32", "5")], "i32", 5, **EDGE)
    yield value("inttoptr of 0", "%p = inttoptr i64 {0} to ptr\n%c = icmp eq ptr %p, null\n%r = zext i1 %c to i32", [("i64", "0")],
                "i32", 1)
    for extra in ("", " addrspace(1)"):
        yield value("addrspacecast" + extra, "%p = alloca i32\nstore ptr %p, ptr @place\nstore i32 {0}, ptr %p\n%q = addrspacecast ptr %p to ptr addrspace(1)\n"
                    "%r = load i32, ptr addrspace(1) %q", [("i32", "0" if extra else "5")], "i32", 0 if extra else 5, ("@place = global ptr null",))
    yield value("getelementptr, negative index", "%p = alloca [4 x i16]\n%q = getelementptr inbounds [4 x i16], ptr %p, i64 0, i64 3\n"
                "%s = getelementptr inbounds i16, ptr %q, i32 {0}\nstore i16 9, ptr %s\n%u = getelementptr nusw nuw i8, ptr %p, i64 4\n"
                "%r = load i16, ptr %u", [("i32", "-1")], "i16", 9)
    yield value("getelementptr into structs", "%p = alloca {{ i8, [2 x {{ i16, i32 }}] }}\n"
                "%q = getelementptr {{ i8, [2 x {{ i16, i32 }}] }}, ptr %p, i64 0, i32 1, i64 {0}, i32 1\nstore i32 7, ptr %q\n"
                "%s = getelementptr i8, ptr %p, i64 16\n%r = load i32, ptr %s", [("i64", "1")], "i32", 7)
    for t, k in (("i8", 1), ("i16", 2), ("i32", 3), ("i64", 1)):
        yield value(f"store and load {t} at an index", f"%p = alloca [4 x {t}]\n%q = getelementptr {t}, ptr %p, i64 {{1}}\n"
                    f"store {t} {{0}}, ptr %q\n%s = getelementptr {t}, ptr %p, i64 {{1}}\n%r = load {t}, ptr %s",
                    [(t, "77"), ("i64", str(k))], t, 77)
    yield value("load of an unaligned i64", "%p = alloca [16 x i8]\ncall void @llvm.memset.p0.i64(ptr %p, i8 3, i64 16, i1 false)\n"
                "%q = getelementptr i8, ptr %p, i64 {0}\n%r = load i64, ptr %q, align 1", [("i64", "5")], "i64", 0x0303030303030303,
                ("declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",))
    yield value("i24 at an index", "%p = alloca [4 x i32]\ncall void @llvm.memset.p0.i64(ptr %p, i8 3, i64 16, i1 false)\n"
                "%q = getelementptr i32, ptr %p, i64 {0}\nstore i24 70000, ptr %q\n%a = load i24, ptr %q\n%b = load i32, ptr %q\n"
                "%c = zext i24 %a to i32\n%r = sub i32 %b, %c", [("i64", "2")], "i32", 3 << 24,
                ("declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",))
    yield value("alloca of a variable length", "%p = alloca i32, i32 {0}\n%q = getelementptr i32, ptr %p, i64 6\nstore i32 8, ptr %q\n"
                "%r = load i32, ptr %q", [("i32", "7")], "i32", 8)
    yield value("alloca of nothing", "%p = alloca i32, i32 {0}\n%c = icmp eq ptr %p, null\n%r = zext i1 %c to i32", [("i32", "0")],
                "i32", 0)


def blocks():
    """memcpy and its kin, with lengths of 0 and overlapping ranges."""
    fill = "%p = alloca [16 x i8]\nstore i64 506097522914230528, ptr %p\n%h = getelementptr i8, ptr %p, i64 8\nstore i64 0, ptr %h\n"
    for name, extra, suffix in (("memcpy", ", i1 false", "p0.p0.i64"), ("memmove", ", i1 false", "p0.p0.i64"),
                                ("memcpy.inline", ", i1 false", "p0.p0.i64"),
                                ("memcpy.element.unordered.atomic", ", i32 1", "p0.p0.i64"),
                                ("memmove.element.unordered.atomic", ", i32 1", "p0.p0.i64")):
        full = f"llvm.{name}.{suffix}"
        kinds = extra.split()[1]
        declare = (f"declare void @{full}(ptr, ptr, {'i64 immarg' if 'inline' in name else 'i64'}, {kinds} immarg)",)
        for n, expect in ((4, 0x03020100), (0, 0)):
            length = f"imm {n}" if "inline" in name else str(n)
            align = " align 1" if "element" in name else ""
            yield value(f"{name} of {n}", f"{fill}call void @{full}(ptr{align} %h, ptr{align} %p, i64 {{0}}{extra})\n"
                        "%r = load i32, ptr %h", [("i64", length)], "i32", expect, declare, edge=n == 0)
        if "memmove" in name:
            yield value(f"{name}, overlapping", f"{fill}%q = getelementptr i8, ptr %p, i64 2\n"
                        f"call void @{full}(ptr{align} %q, ptr{align} %p, i64 {{0}}{extra})\n%r = load i64, ptr %p", [("i64", "4")], "i64",
                        0x0706030201000100, declare, **EDGE)
    for name, extra in (("memset", ", i1 false"), ("memset.inline", ", i1 false"), ("memset.element.unordered.atomic", ", i32 1")):
        full = f"llvm.{name}.p0.i64"
        declare = (f"declare void @{full}(ptr, i8, {'i64 immarg' if 'inline' in name else 'i64'}, {extra.split()[1]} immarg)",)
        for n, expect in ((4, 0xABABABAB), (0, 0)):
            length = f"imm {n}" if "inline" in name else str(n)
            align = " align 1" if "element" in name else ""
            yield value(f"{name} of {n}", f"{fill}call void @{full}(ptr{align} %h, i8 {{1}}, i64 {{0}}{extra})\n%r = load i32, ptr %h",
                        [("i64", length), ("i8", "171")], "i32", expect, declare, edge=n == 0)
    yield value("memcpy of undefined bytes", "%p = alloca i64\n%q = alloca i64\nstore i16 {0}, ptr %p\n"
                "call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 8, i1 false)\n%r = load i16, ptr %q", [("i16", "9")], "i16", 9,
                ("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",), **EDGE)


VARIADIC = """define i64 @check97(i32 %n, ...) {
  %list = alloca [24 x i8], align 8
  %copy = alloca [24 x i8], align 8
  call void @llvm.va_start.p0(ptr %list)
  call void @llvm.va_copy.p0(ptr %copy, ptr %list)
  %a = va_arg ptr %list, i32
  %b = va_arg ptr %list, i64
  %c = va_arg ptr %copy, i32
  %x = sext i32 %a to i64
  %y = sext i32 %c to i64
  %d = sub i64 %x, %y
  %s = add i64 %b, %d
  call void @llvm.va_end.p0(ptr %copy)
  call void @llvm.va_end.p0(ptr %list)
  ret i64 %s
}
declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_copy.p0(ptr, ptr)
declare void @llvm.va_end.p0(ptr)"""


def calls():
    for b in (41, (1 << 64) - 1):
        yield value(f"variadic call, {b}", "%r = call i64 (i32, ...) @check97(i32 2, i32 {0}, i64 {1})", [("i32", "7"), ("i64", str(b))],
                    "i64", b, (VARIADIC,))
    yield value("call through a pointer", "%p = alloca ptr\nstore ptr @twice, ptr %p\n%f = load volatile ptr, ptr %p\n"
                "%r = call i32 %f(i32 {0})", [("i32", "4")], "i32", 8,
                ("define i32 @twice(i32 %x) {\n %y = add i32 %x, %x\n ret i32 %y\n}",))
    yield value("musttail call", "%r = call i32 @down(i32 {0})", [("i32", "0")], "i32", 5,
                ("define i32 @down(i32 %x) {\n %y = add i32 %x, 5\n %z = musttail call i32 @up(i32 %y)\n ret i32 %z\n}\n"
                 "define i32 @up(i32 %x) {\n ret i32 %x\n}",))
    yield value("byval argument", "%p = alloca [2 x i32]\nstore i32 {0}, ptr %p\n"
                "call void @change(ptr byval([2 x i32]) %p)\n%r = load i32, ptr %p", [("i32", "4")], "i32", 4,
                ("define void @change(ptr byval([2 x i32]) %p) {\n store i32 9, ptr %p\n ret void\n}",))
    yield value("call of an alias", "%r = call i32 @other()", [], "i32", 3,
                ("@other = alias i32 (), ptr @three\ndefine i32 @three() {\n ret i32 3\n}",), **EDGE)
    yield value("weak function that is not there", "%c = icmp eq ptr @nowhere, null\n%r = zext i1 %c to i32", [], "i32", 1,
                ("declare extern_weak void @nowhere()",))
    yield value("thread-local", "%p = call ptr @llvm.threadlocal.address.p0(ptr @mine)\nstore i32 {0}, ptr %p\n%r = load i32, ptr @mine",
                [("i32", "6")], "i32", 6, ("@mine = thread_local global i32 5", "declare ptr @llvm.threadlocal.address.p0(ptr)"))
    yield value("thread-local, first value", "%p = call ptr @llvm.threadlocal.address.p0(ptr @fresh)\n%r = load i32, ptr %p", [],
                "i32", 5, ("@fresh = thread_local global i32 5", "declare ptr @llvm.threadlocal.address.p0(ptr)"), **EDGE)
    for n in (1, 0):
        yield value(f"stacksave, stackrestore {n}", "%s = call ptr @llvm.stacksave.p0()\n%p = alloca i32, i32 {0}\n"
                    "call void @llvm.stackrestore.p0(ptr %s)\n%q = alloca i32, i32 1\nstore i32 4, ptr %q\n%r = load i32, ptr %q",
                    [("i32", str(7 * n))], "i32", 4, ("declare ptr @llvm.stacksave.p0()", "declare void @llvm.stackrestore.p0(ptr)"))
    for name in ("returnaddress", "frameaddress"):
        suffix = ".p0" if name == "frameaddress" else ""
        declare = (f"declare ptr @llvm.{name}{suffix}(i32 immarg)",)
        for level in (0, 1):
            yield value(f"{name} {level}", f"%p = call ptr @llvm.{name}{suffix}(i32 {level})\n%c = icmp eq ptr %p, null\n"
                        "%r = zext i1 %c to i32", [], "i32", 1, declare, edge=level == 1)
    yield value("asm without instructions", 'call void asm sideeffect "", "~{{memory}}"()\n%r = add i32 {0}, 0', [("i32", "2")], "i32", 2)


def markers():
    """Intrinsics that do nothing, or give their operand or a constant."""
    nothing = {
        "lifetime.start.p0": "i64 4, ptr %p", "lifetime.end.p0": "i64 -1, ptr %p", "invariant.end.p0": "ptr %p, i64 4, ptr %p",
        "donothing": "", "sideeffect": "", "x86.sse2.pause": "",
        "x86.sse2.mfence": "", "x86.sse2.lfence": "", "x86.sse.sfence": "", "prefetch.p0": "ptr %p, i32 0, i32 3, i32 1", "debugtrap": "",
        "experimental.noalias.scope.decl": "metadata !2", "var.annotation.p0.p0": "ptr %p, ptr %p, ptr %p, i32 1, ptr null",
        "clear_cache": "ptr %p, ptr %p",
        "pseudoprobe": "i64 1, i64 1, i32 0, i64 -1", "assume": "i1 true",
    }
    for name, operands in nothing.items():
        kinds = ", ".join(o.split()[0] for o in operands.split(", ") if o)
        kinds = kinds.replace("i32, i32, i32", "i32 immarg, i32 immarg, i32 immarg") if "prefetch" in name else kinds
        result = "ptr" if name == "invariant.start.p0" else "void"
        declare = (f"declare {result} @llvm.{name}({kinds})", "!0 = !{!0}", "!1 = !{!1, !0}", "!2 = !{!1}", "@place = global ptr null")
        for edge in (False, True):
            yield value(name + " at an edge" * edge, f"%p = alloca i32\nstore ptr %p, ptr @place\nstore i32 {{0}}, ptr %p\n%v = load i32, ptr %p\n"
                        f"call void @llvm.{name}({operands})\n%r = add i32 %v, 0", [("i32", "0" if edge else "3")], "i32",
                        0 if edge else 3, declare)
    for edge in (False, True):
        start = (("declare ptr @llvm.invariant.start.p0(i64, ptr)",))
        yield value("invariant.start" + " at an edge" * edge, "%p = alloca i32\nstore i32 {0}, ptr %p\n"
                    "%i = call ptr @llvm.invariant.start.p0(i64 4, ptr %p)\n%r = load i32, ptr %p", [("i32", "0" if edge else "3")],
                    "i32", 0 if edge else 3, start)
    for name in ("launder.invariant.group", "strip.invariant.group"):
        for null in (False, True):
            code = "%p = alloca i32\nstore ptr %p, ptr @place\nstore i32 3, ptr %p\n" + f"%q = call ptr @llvm.{name}.p0(ptr {'null' if null else '%p'})\n"
            code += "%c = icmp eq ptr %q, null\n%r = zext i1 %c to i32" if null else "%r = load i32, ptr %q"
            yield value(name, code, [], "i32", 1 if null else 3, (f"declare ptr @llvm.{name}.p0(ptr)", "@place = global ptr null"), edge=null)
    for x in ("3", "0"):
        yield value("annotation", "%r = call i32 @llvm.annotation.i32.p0(i32 {0}, ptr null, ptr null, i32 1)", [("i32", x)], "i32",
                    int(x), ("declare i32 @llvm.annotation.i32.p0(i32, ptr, ptr, i32)",))
        yield value("ptr.annotation", "%p = alloca i32\nstore i32 {0}, ptr %p\n"
                    "%q = call ptr @llvm.ptr.annotation.p0.p0(ptr %p, ptr null, ptr null, i32 1, ptr null)\n%r = load i32, ptr %q",
                    [("i32", x)], "i32", int(x), ("declare ptr @llvm.ptr.annotation.p0.p0(ptr, ptr, ptr, i32, ptr)",))
        yield Check("arithmetic.fence", "%f = sitofp i32 {0} to double\n%r = call double @llvm.arithmetic.fence.f64(double %f)",
                    [("i32", x)], "double", 0x4008000000000000 if x == "3" else 0, 64,
                    ("declare double @llvm.arithmetic.fence.f64(double)",))
        for name, extra in (("expect", ", i32 1"), ("ssa.copy", "")):
            yield value(f"{name} of {x}", f"%r = call i32 @llvm.{name}.i32(i32 {{0}}{extra})", [("i32", x)], "i32", int(x),
                        declare=(f"declare i32 @llvm.{name}.i32(i32{', i32' if extra else ''})",))
        yield value("is.constant", "%c = call i1 @llvm.is.constant.i32(i32 {0})\n%z = zext i1 %c to i32\n%r = or i32 %z, {0}",
                    [("i32", x)], "i32", int(x), ("declare i1 @llvm.is.constant.i32(i32)",))
        for name in ("allow.runtime.check", "allow.ubsan.check"):
            operand = "metadata !{{}}" if "runtime" in name else "i8 1"
            kinds = "metadata" if "runtime" in name else "i8 immarg"
            yield value(name, f"%c = call i1 @llvm.{name}({operand})\n%z = zext i1 %c to i32\n%r = add i32 %z, {{0}}", [("i32", x)], "i32",
                        int(x) + 1, (f"declare i1 @llvm.{name}({kinds})",))
        yield value("get.rounding", "%c = call i32 @llvm.get.rounding()\n%r = add i32 %c, {0}", [("i32", x)], "i32", int(x) + 1,
                    ("declare i32 @llvm.get.rounding()",))
        yield value("fence", "fence syncscope(\"singlethread\") acquire\nfence seq_cst\n%r = add i32 {0}, 0", [("i32", x)], "i32", int(x))
    for code, size in (("%q = getelementptr i8, ptr %p, i64 12", 0), ("%q = inttoptr i64 0 to ptr", (1 << 64) - 1)):
        yield value("objectsize at the end", f"%p = alloca [12 x i8]\n{code}\n"
                    "%r = call i64 @llvm.objectsize.i64.p0(ptr %q, i1 false, i1 true, i1 true)", [], "i64", size,
                    ("declare i64 @llvm.objectsize.i64.p0(ptr, i1, i1, i1)",), **EDGE)
    yield value("ptrmask of all bits", "%p = alloca i32\nstore i32 4, ptr %p\n%q = call ptr @llvm.ptrmask.p0.i64(ptr %p, i64 {0})\n"
                "%r = load i32, ptr %q", [("i64", "-1")], "i32", 4, ("declare ptr @llvm.ptrmask.p0.i64(ptr, i64)",))


def vectors_at_edges():
    one = "<1 x i32>"
    big, numbers = "<3 x i128>", [5 << 70, (1 << 128) - 3, 7]
    lanes = ("<3 x i128>", "<" + ", ".join(f"i128 {x}" for x in numbers) + ">")
    pick = {"smin": min, "smax": max}
    for op, expect in (("add", sum(numbers)), ("mul", numbers[0] * numbers[1] * 7), ("and", numbers[0] & numbers[1] & 7),
                       ("or", numbers[0] | numbers[1] | 7), ("xor", numbers[0] ^ numbers[1] ^ 7), ("umin", 7), ("umax", numbers[1]),
                       *((name, f(signed(x, 128) for x in numbers)) for name, f in pick.items())):
        yield value(f"vector.reduce.{op} of i128", f"%r = call i128 @llvm.vector.reduce.{op}.v3i128({big} {{0}})", [lanes], "i128",
                    low(expect, 128), (f"declare i128 @llvm.vector.reduce.{op}.v3i128({big})",), **EDGE)
    halves = ("<3 x half>", "<half 0xH3C00, half 0xHC500, half 0xH4100>")  # 1, -5, 2.5
    for op, expect in (("fmin", 0xC500), ("fmax", 0x4100), ("fminimum", 0xC500), ("fmaximum", 0x4100)):
        yield Check(f"vector.reduce.{op} of half", f"%r = call half @llvm.vector.reduce.{op}.v3f16(<3 x half> {{0}})", [halves], "half",
                    expect, 16, (f"declare half @llvm.vector.reduce.{op}.v3f16(<3 x half>)",))
    for op, start, expect in (("fadd", "0xH6400", 0x63FD), ("fmul", "0xH3C00", 0xCA40)):  # from 1024, whose step is 1; from 1
        yield Check(f"vector.reduce.{op} of half", f"%r = call half @llvm.vector.reduce.{op}.v3f16(half {start}, <3 x half> {{0}})",
                    [halves], "half", expect, 16, (f"declare half @llvm.vector.reduce.{op}.v3f16(half, <3 x half>)",))
    for op in ("add", "mul", "and", "or", "xor", "smin", "smax", "umin", "umax"):
        yield value(f"vector.reduce.{op} of one lane", f"%r = call i32 @llvm.vector.reduce.{op}.v1i32({one} {{0}})",
                    [(one, "<i32 -1>")], "i32", 0xFFFFFFFF, (f"declare i32 @llvm.vector.reduce.{op}.v1i32({one})",), **EDGE)
    for op in ("fmin", "fmax", "fminimum", "fmaximum"):
        yield Check(f"vector.reduce.{op} of one lane", f"%r = call double @llvm.vector.reduce.{op}.v1f64(<1 x double> {{0}})",
                    [("<1 x double>", "<double -0.0>")], "double", 1 << 63, 64,
                    (f"declare double @llvm.vector.reduce.{op}.v1f64(<1 x double>)",), **EDGE)
    for op, expect in (("fadd", 0x4000000000000000), ("fmul", 0x8000000000000000)):
        yield Check(f"vector.reduce.{op} of one lane", f"%r = call double @llvm.vector.reduce.{op}.v1f64(double 2.0, <1 x double> {{0}})",
                    [("<1 x double>", "<double -0.0>")], "double", expect, 64,
                    (f"declare double @llvm.vector.reduce.{op}.v1f64(double, <1 x double>)",), **EDGE)
    for name, code, kinds in (("vector.reverse.v1i32", "{0}", one), ("vector.extract.v1i32.v1i32", "{0}, i64 0", f"{one}, i64"),
                              ("vector.insert.v1i32.v1i32", f"{one} poison, {one} {{0}}, i64 0", f"{one}, {one}, i64")):
        code = code if code.startswith("<") else f"{one} {code}"
        yield Check(name, f"%r = call {one} @llvm.{name}({code})", [(one, "<i32 7>")], one, 7, 32,
                    (f"declare {one} @llvm.{name}({kinds})",), **EDGE)
    yield Check("stepvector of one", f"%r = call {one} @llvm.experimental.stepvector.v1i32()", [], one, 0, 32,
                (f"declare {one} @llvm.experimental.stepvector.v1i32()",), **EDGE)


def checks():
    makers = (control, exceptions, aggregates, wide_atomics, addresses, blocks, calls, markers, vectors_at_edges)
    return [c for make in makers for c in make()]


# ---- faults ----------------------------------------------------------------------------


def fault(name, code, text, *inputs, declare=(), **more):
    return Check(name, code + "\n%r = add i32 0, 0", list(inputs), "i32", 0, 0, declare, text, **more)


def arithmetic_faults():
    most, least = "2147483647", "-2147483648"
    for code, a, b, text in (("add nsw", most, "1", "overflow"), ("sub nsw", least, "1", "overflow"), ("mul nsw", most, "2", "overflow"),
                             ("shl", "1", "32", "shift"), ("lshr", "1", "33", "shift"), ("ashr", "1", "-1", "shift")):
        yield fault(f"{code} as written", f"%x = {code} i32 {{0}}, {{1}}", text, ("i32", a), ("i32", b), attributes=AS_WRITTEN)
        yield fault(f"{code} i128 as written", f"%x = {code} i128 {{0}}, {{1}}", text, ("i128", a if b != "1" and "sub" not in code
                    else str((1 << 127) - 1) if "add" in code else str(-(1 << 127))) if "mul" not in code else ("i128", str(1 << 126)),
                    ("i128", b if "sh" not in code else "128"), attributes=AS_WRITTEN)
    for code, a in (("add nsw i32 {0}, 1", most), ("sub nsw i32 {0}, 1", least), ("mul nsw i32 {0}, -2", most), ("mul nsw i32 {0}, -1", least)):
        yield fault(f"{code}, a constant", "%x = " + code, "overflow", ("i32", a), attributes=AS_WRITTEN)
    for t in ("float", "double"):
        for op in ("fptosi", "fptoui"):
            yield fault(f"{op} {t} as written", f"%x = {op} {t} {{0}} to i32", "out of range", (t, "1.0e10"), attributes=AS_WRITTEN)


PLACES_NEED = MALLOC + ("@fixed = private constant i32 4", "@place = global ptr null")


def places():
    """Where an access is wrong: what makes the pointer, the pointer, and what is said."""
    return {
        "null": ("", "null", "null pointer"),
        "bounds": ("%o = alloca [2 x i32]\nstore ptr %o, ptr @place\n%p = getelementptr i32, ptr %o, i64 2", "%p", "out of bounds"),
        "free": ("%p = call ptr @malloc(i64 4)\nstore i32 0, ptr %p\ncall void @free(ptr %p)", "%p", "after free"),
        "number": ("%p = inttoptr i64 123456789 to ptr", "%p", "invalid pointer"),
        "misaligned": ("%o = alloca [2 x i32], align 4\n%p = getelementptr i8, ptr %o, i64 1", "%p", "misaligned"),
        "undefined": ("%o = alloca ptr\n%p = load ptr, ptr %o", "%p", "undefined pointer"),
        "constant": ("", "@fixed", "constant"),
        "wrapped": ("%o = alloca [2 x i32]\nstore ptr %o, ptr @place\n%q = getelementptr i8, ptr %o, i64 4294967296\n%p = getelementptr i8, ptr %q, i64 -4294967296",
                    "%p", "invalid pointer|out of bounds"),
    }


def memory_faults():
    accesses = {"load": "%x = load i32, ptr {p}", "store": "store i32 1, ptr {p}",
                "atomicrmw": "%x = atomicrmw add ptr {p}, i32 1 seq_cst",
                "cmpxchg": "%x = cmpxchg ptr {p}, i32 0, i32 1 seq_cst seq_cst"}
    somewhere = places()
    for access, code in accesses.items():
        for place, (before, pointer, text) in somewhere.items():
            if place == "constant" and access == "load":
                continue
            yield fault(f"{access}: {place}", before + "\n" + code.format(p=pointer), text,
                        declare=MALLOC + ("@fixed = private constant i32 4", "@place = global ptr null",))
    blocks = {"memcpy": "call void @llvm.memcpy.p0.p0.i64(ptr align 4 {p}, ptr %s, i64 %n, i1 false)",
              "memcpy from": "call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr align 4 {p}, i64 %n, i1 false)",
              "memmove": "call void @llvm.memmove.p0.p0.i64(ptr align 4 {p}, ptr %s, i64 %n, i1 false)",
              "memmove from": "call void @llvm.memmove.p0.p0.i64(ptr %s, ptr align 4 {p}, i64 %n, i1 false)",
              "memset": "call void @llvm.memset.p0.i64(ptr align 4 {p}, i8 0, i64 %n, i1 false)"}
    declare = MALLOC + ("@fixed = private constant i32 4", "@place = global ptr null", "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
                        "declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)", "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)")
    for block, code in blocks.items():
        for place, (before, pointer, text) in somewhere.items():
            if place == "wrapped" or (place == "constant" and "from" in block):
                continue
            yield fault(f"{block}: {place}", f"%s = alloca i32\nstore i32 0, ptr %s\n%n = add i64 {{0}}, 0\n{before}\n" + code.format(p=pointer),
                        text, ("i64", "4"), declare=declare)
        yield fault(f"{block}: undefined length", "%s = alloca i32\n%p = alloca i32\nstore i32 0, ptr %s\nstore i32 0, ptr %p\n"
                    "%u = alloca i64\n%n = load i64, ptr %u\n" + code.format(p="%p"), "length is undefined", declare=declare)
    yield fault("alloca of an undefined length", "%u = alloca i32\n%n = load i32, ptr %u\n%p = alloca i32, i32 %n\nstore ptr %p, ptr @place",
                "undefined length", declare=("@place = global ptr null",))
    yield fault("alloca of too much", "%p = alloca i32, i64 {0}\nstore ptr %p, ptr @place", "a local variable of more than 2 GiB", ("i64", "10000000000"),
                declare=("@place = global ptr null",))
    yield fault("va_start at null", "call void (...) @check98()", "null pointer",
                declare=("define void @check98(...) {\n call void @llvm.va_start.p0(ptr null)\n ret void\n}",
                         "declare void @llvm.va_start.p0(ptr)"))
    yield fault("va_copy to null", "%p = alloca [24 x i8]\ncall void @llvm.memset.p0.i64(ptr %p, i8 0, i64 24, i1 false)\n"
                "call void @llvm.va_copy.p0(ptr null, ptr %p)", "null pointer",
                declare=("declare void @llvm.va_copy.p0(ptr, ptr)", "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"))
    yield fault("stackrestore of an undefined mark", "%u = alloca ptr\n%s = load ptr, ptr %u\ncall void @llvm.stackrestore.p0(ptr %s)",
                "undefined", declare=("declare void @llvm.stackrestore.p0(ptr)",))


def control_faults():
    undefined = "%u = alloca i32\n%x = load i32, ptr %u\n"
    yield fault("switch on an undefined value", undefined + "switch i32 %x, label %a [ i32 1, label %a ]\na:", "undefined value")
    yield fault("unreachable", "br i1 {0}, label %a, label %b\na:\nunreachable\nb:", "unreachable", ("i1", "true"))
    yield fault("indirectbr to nowhere", "%p = alloca i32\nindirectbr ptr %p, [label %a]\na:", "unreachable")
    yield fault("indirectbr to an undefined place", "%p = alloca ptr\n%q = load ptr, ptr %p\nindirectbr ptr %q, [label %a]\na:",
                "undefined value")
    for kind, text in {1: "unreachable", 18: "index 7 of an array of 4", 24: "an array of 7 elements"}.items():
        yield fault(f"ubsantrap {kind}", f"%c = icmp ult i32 {{0}}, 4\nbr i1 %c, label %a, label %b\nb:\ncall void @llvm.ubsantrap(i8 {kind})\nunreachable\na:",
                    text, ("i32", "7"), declare=("declare void @llvm.ubsantrap(i8 immarg)",))
    yield fault("assume of an undefined value", undefined + "%c = icmp eq i32 %x, 0\ncall void @llvm.assume(i1 %c)", "undefined value",
                declare=("declare void @llvm.assume(i1)",))
    yield fault("callbr with instructions", 'callbr void asm sideeffect "nop", "!i"() to label %a [label %a]\na:', "asm goto is not supported")
    yield fault("inline assembly", 'call void asm sideeffect "hlt", ""()', "inline assembly is not supported")
    yield fault("undefined function", "call void @nowhere()", "nowhere, which is not defined", declare=("declare void @nowhere()",))
    yield fault("call through null", "%p = alloca ptr\nstore ptr null, ptr %p\n%f = load volatile ptr, ptr %p\ncall void %f()",
                "null pointer")
    yield Check("invoke as another type", "%p = alloca ptr\nstore ptr @one, ptr %p\n%f = load volatile ptr, ptr %p\n"
                "invoke void %f(i64 1) to label %ok unwind label %pad\npad:\n%l = landingpad {{ ptr, i32 }} cleanup\n"
                "resume {{ ptr, i32 }} %l\nok:\n%r = add i32 0, 0", [], "i32", 0, 0,
                ("define i32 @one(i32 %x) {\n ret i32 %x\n}", "declare i32 @__gxx_personality_v0(...)"), "is called as", PERSONAL)
    yield fault("call as another type", "%p = alloca ptr\nstore ptr @one, ptr %p\n%f = load volatile ptr, ptr %p\n"
                "%x = call i32 %f(i64 1)", "is called as", declare=("define i32 @one(i32 %x) {\n ret i32 %x\n}",))
    yield fault("undefined argument", undefined + "%y = call i32 @one(i32 noundef %x)", "argument .* undefined",
                declare=("define i32 @one(i32 %x) {\n ret i32 %x\n}",))
    yield fault("undefined result", "%y = call i32 @check99()", "result .* undefined",
                declare=("define noundef i32 @check99() {\n %u = alloca i32\n %x = load i32, ptr %u\n ret i32 %x\n}",))
    yield fault("null argument", "%y = call ptr @same(ptr noundef nonnull null)", "argument .* null",
                declare=("define ptr @same(ptr %x) {\n ret ptr %x\n}",))
    yield fault("null for a parameter", "%y = call ptr @same(ptr noundef null)", "argument .* null",
                declare=("define ptr @same(ptr noundef nonnull %x) {\n ret ptr %x\n}",))
    yield fault("null result", "%y = call ptr @check96()", "result .* null",
                declare=("define noundef nonnull ptr @check96() {\n ret ptr null\n}",))
    yield fault("variadic argument that was not passed", "%y = call i64 (i32, ...) @check97(i32 1, i32 5)", "variadic argument 2 is read",
                declare=(VARIADIC,))
    for name, code in (
            ("cleanuppad", "%t = cleanuppad within none []\ncleanupret from %t unwind to caller"),
            ("catchswitch", "%s = catchswitch within none [label %h] unwind to caller\nh:\n%c = catchpad within %s []\n"
                            "catchret from %c to label %done\ndone:\nret i32 0")):
        yield Check(f"{name} is refused by name", f"invoke void @throws() to label %ok unwind label %pad\npad:\n{code}\nok:\n%r = add i32 0, 0",
                    [], "i32", 0, 0, ("define void @throws() {\n ret void\n}", "declare i32 @__C_specific_handler(...)"), f"{name} is not supported",
                    attributes="personality ptr @__C_specific_handler")


def poison():
    use = "\n%b = icmp eq {t} %x, 0\nbr i1 %b, label %yes, label %no\nyes:\nbr label %no\nno:"
    for name in ("sshl.sat", "ushl.sat"):
        yield fault(f"{name} by the width", f"%x = call i32 @llvm.{name}.i32(i32 {{0}}, i32 {{1}})" + use.format(t="i32"), "undefined value",
                    ("i32", "1"), ("i32", "32"), declare=(f"declare i32 @llvm.{name}.i32(i32, i32)",))
    for code in ("trunc nuw i32 {0} to i8", "trunc nsw i32 {0} to i8", "trunc nuw nsw i128 {0} to i8", "trunc nuw i128 {0} to i64"):
        t = code.split("to ")[1]
        wide = "i128" if "i128" in code else "i32"
        value_ = str((1 << 70) + 1) if wide == "i128" else "511"
        yield fault(code, f"%x = {code}" + use.format(t=t), "undefined value", (wide, value_))
    for index in ("4", "-1"):
        yield fault(f"extractelement {index}", "%x = extractelement <4 x i32> <i32 1, i32 2, i32 3, i32 4>, i32 {0}" + use.format(t="i32"),
                    "undefined value", ("i32", index))
        yield fault(f"insertelement {index}", "%v = insertelement <4 x i32> <i32 1, i32 2, i32 3, i32 4>, i32 9, i32 {0}\n"
                    "%x = extractelement <4 x i32> %v, i32 0" + use.format(t="i32"), "undefined value", ("i32", index))


def faults():
    return [c for make in (arithmetic_faults, memory_faults, control_faults, poison) for c in make()]
