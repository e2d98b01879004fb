/* load_const.c - constants, global variables, and what __boot is told. */
#include <stdlib.h>
#include <string.h>

#include "vm/exec/apint.h"
#include "vm/heap/memory.h"
#include "vm/load/load.h"
#include "vm/load/load_debug.h"
#include "vm/load/lower/load_const.h"
#include "vm/load/lower/load_flow.h"
#include "vm/load/lower/load_wide.h"
#include "vm/load/prepare/load_prepare.h"
#include "vm/load/table.h"

static const struct vm_const nothing = {0, 0};

static struct vm_const defined(uint64_t v)
{
    return (struct vm_const){v, 0x00ff};
}

static uint64_t size_of(struct loader *l, LLVMTypeRef t)
{
    return LLVMABISizeOfType(l->layout, t);
}

uint32_t load_type_regs(struct loader *l, LLVMTypeRef t)
{
    uint32_t n = 0;
    switch ((int)LLVMGetTypeKind(t)) {
    case LLVMVoidTypeKind: return 0;
    case LLVMStructTypeKind:
        for (unsigned k = 0; k < LLVMCountStructElementTypes(t); k++)
            n += load_type_regs(l, LLVMStructGetTypeAtIndex(t, k));
        return n;
    case LLVMArrayTypeKind:
        return (uint32_t)LLVMGetArrayLength2(t) * load_type_regs(l, LLVMGetElementType(t));
    case LLVMVectorTypeKind:
        return LLVMGetVectorSize(t) * load_type_regs(l, LLVMGetElementType(t));
    case LLVMIntegerTypeKind: return (LLVMGetIntTypeWidth(t) + 63) / 64;
    case LLVMX86_FP80TypeKind:
    case LLVMFP128TypeKind: return 2;
    default: return 1;
    }
}

static struct vm_const float_bits(LLVMValueRef c)
{
    LLVMBool lossy;
    double d = LLVMConstRealGetDouble(c, &lossy);
    float f = (float)d;
    _Float16 h = (_Float16)d;
    uint64_t v = 0;
    switch ((int)LLVMGetTypeKind(LLVMTypeOf(c))) {
    case LLVMHalfTypeKind: memcpy(&v, &h, 2); break;
    case LLVMBFloatTypeKind: memcpy(&v, (char *)&f + 2, 2); break; /* a float's upper half */
    case LLVMFloatTypeKind: memcpy(&v, &f, 4); break;
    default: memcpy(&v, &d, 8); break;
    }
    return defined(v);
}

static bool global_address(struct loader *l, LLVMValueRef g, struct vm_const *out)
{
    if (LLVMIsAGlobalAlias(g))
        return load_const_reg(l, LLVMAliasGetAliasee(g), 0, out);
    bool missing = LLVMGetLinkage(g) == LLVMExternalWeakLinkage && LLVMIsDeclaration(g);
    uint32_t i = map_get(&l->functions, g);
    if (i && !missing) {
        *out = (struct vm_const){vm_ptr(VM_ID_CODE, i - 1, 0), 0xffff};
        return true;
    }
    i = map_get(&l->globals, g);
    if (!i) {
        *out = defined(0); /* extern_weak and undefined */
        return missing;
    }
    unsigned region = LLVMIsGlobalConstant(g) ? VM_ID_CONST : VM_ID_GLOBAL;
    *out = (struct vm_const){vm_ptr(region, i - 1, 0), 0xffff};
    return true;
}

uint64_t load_label(struct loader *l, LLVMValueRef function, LLVMBasicBlockRef block)
{
    uint32_t number = 1;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b && b != block;
         b = LLVMGetNextBasicBlock(b))
        number++;
    return vm_ptr(VM_ID_CODE, map_get(&l->functions, function) - 1, 0x40000000u | number);
}

bool load_const_offset(struct loader *l, LLVMValueRef c, int64_t *out)
{
    LLVMTypeRef t = LLVMGetGEPSourceElementType(c);
    int64_t offset = 0;
    for (unsigned k = 1; k < LLVMGetNumIndices(c) + 1; k++) {
        struct vm_const x;
        LLVMValueRef index = LLVMGetOperand(c, k);
        if (!load_const_reg(l, index, 0, &x) || !(x.shadow & 0xff))
            return false;
        unsigned w = LLVMGetIntTypeWidth(LLVMTypeOf(index));
        int64_t v = (int64_t)(x.value << (64 - w)) >> (64 - w);
        if (k == 1) {
            offset += v * (int64_t)size_of(l, t);
        } else if (LLVMGetTypeKind(t) == LLVMStructTypeKind) {
            offset += (int64_t)LLVMOffsetOfElement(l->layout, t, (unsigned)v);
            t = LLVMStructGetTypeAtIndex(t, (unsigned)v);
        } else {
            t = LLVMGetElementType(t);
            offset += v * (int64_t)size_of(l, t);
        }
    }
    *out = offset;
    return true;
}

static bool const_gep(struct loader *l, LLVMValueRef c, struct vm_const *out)
{
    int64_t offset;
    if (!load_const_reg(l, LLVMGetOperand(c, 0), 0, out) || !load_const_offset(l, c, &offset))
        return false;
    out->value =
        out->shadow == 0xffff ? vm_ptr_add(out->value, offset) : out->value + (uint64_t)offset;
    return true;
}

static bool const_expr(struct loader *l, LLVMValueRef c, struct vm_const *out)
{
    struct vm_const a, b;
    LLVMTypeRef t = LLVMTypeOf(c);
    uint64_t low = LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) < 64
                       ? ~0ull >> (64 - LLVMGetIntTypeWidth(t))
                       : ~0ull;
    switch ((int)LLVMGetConstOpcode(c)) {
    case LLVMGetElementPtr: return const_gep(l, c, out);
    case LLVMBitCast:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMAddrSpaceCast:
    case LLVMTrunc:
        if (!load_const_reg(l, LLVMGetOperand(c, 0), 0, out))
            return false;
        out->value &= low;
        if (low != ~0ull) {
            l->hid_pointer |= out->shadow == 0xffff;
            out->shadow &= 0x00ff;
        }
        return true;
    case LLVMAdd:
    case LLVMSub:
    case LLVMXor:
        if (!load_const_reg(l, LLVMGetOperand(c, 0), 0, &a) ||
            !load_const_reg(l, LLVMGetOperand(c, 1), 0, &b))
            return false;
        bool one = (a.shadow == 0xffff) != (b.shadow == 0xffff);
        uint64_t pointer = a.shadow == 0xffff ? a.value : b.value;
        /* The sum of an address and a number may be the address of another object. */
        l->hid_pointer |= a.shadow == 0xffff || b.shadow == 0xffff;
        out->value = LLVMGetConstOpcode(c) == LLVMAdd   ? a.value + b.value
                     : LLVMGetConstOpcode(c) == LLVMSub ? a.value - b.value
                                                        : a.value ^ b.value;
        out->value &= low;
        out->shadow = one && vm_ptr_id(out->value) == vm_ptr_id(pointer)
                          ? 0xffff
                          : (a.shadow | b.shadow) & 0x00ff;
        return true;
    default: return false;
    }
}

/* Word k of an integer wider than 64 bits, from its decimal text: the C API has no other access
 * to it. */
static bool apint(LLVMValueRef c, uint32_t k, struct vm_const *out)
{
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(c));
    uint32_t n = vm_apint_words(width);
    uint64_t v[VM_APINT_WORDS] = {0};
    if (width > VM_APINT_BITS)
        return false;
    char *text = LLVMPrintValueToString(c), *digit = strchr(text, ' ') + 1;
    bool negative = *digit == '-';
    for (digit += negative; *digit >= '0' && *digit <= '9'; digit++) {
        unsigned __int128 carry = (unsigned)(*digit - '0');
        for (uint32_t at = 0; at < n; at++, carry >>= 64) {
            carry += (unsigned __int128)v[at] * 10;
            v[at] = (uint64_t)carry;
        }
    }
    LLVMDisposeMessage(text);
    unsigned __int128 carry = 1;
    for (uint32_t at = 0; negative && at < n; at++, carry >>= 64) {
        carry += ~v[at];
        v[at] = (uint64_t)carry;
    }
    if (width % 64)
        v[n - 1] &= ~0ull >> (64 - width % 64);
    *out = defined(v[k]);
    return true;
}

static bool element_reg(struct loader *l, LLVMValueRef c, unsigned n, uint32_t k,
                        struct vm_const *out)
{
    for (unsigned e = 0; e < n; e++) {
        LLVMValueRef x = LLVMGetAggregateElement(c, e);
        if (!x)
            return false;
        uint32_t regs = load_type_regs(l, LLVMTypeOf(x));
        if (k < regs)
            return load_const_reg(l, x, k, out);
        k -= regs;
    }
    return false;
}

bool load_const_reg(struct loader *l, LLVMValueRef c, uint32_t k, struct vm_const *out)
{
    LLVMTypeRef t = LLVMTypeOf(c);
    if (LLVMIsUndef(c) || LLVMIsPoison(c)) {
        *out = nothing;
        return true;
    }
    if (LLVMIsNull(c)) {
        *out = defined(0);
        return true;
    }
    if (LLVMIsAConstantInt(c)) {
        if (LLVMGetIntTypeWidth(t) <= 64)
            *out = defined(LLVMConstIntGetZExtValue(c));
        else
            return apint(c, k, out);
        return true;
    }
    if (LLVMIsAConstantFP(c)) {
        *out = lower_is_longdouble(t) ? load_longdouble_const(c, k) : float_bits(c);
        return true;
    }
    if (LLVMIsABlockAddress(c)) {
        *out = (struct vm_const){
            load_label(l, LLVMGetBlockAddressFunction(c), LLVMGetBlockAddressBasicBlock(c)),
            0xffff};
        return true;
    }
    if (LLVMIsAGlobalValue(c))
        return global_address(l, c, out);
    if (LLVMIsAConstantExpr(c) && k > 0) { /* the upper words of an address as a wide integer */
        *out = defined(0);
        return LLVMGetConstOpcode(c) == LLVMPtrToInt;
    }
    if (LLVMIsAConstantExpr(c))
        return const_expr(l, c, out);
    switch ((int)LLVMGetTypeKind(t)) {
    case LLVMStructTypeKind: return element_reg(l, c, LLVMCountStructElementTypes(t), k, out);
    case LLVMArrayTypeKind: return element_reg(l, c, (unsigned)LLVMGetArrayLength2(t), k, out);
    case LLVMVectorTypeKind: return element_reg(l, c, LLVMGetVectorSize(t), k, out);
    default: return false;
    }
}

uint32_t load_value(struct loader *l, struct vm_const c)
{
    list_push(&l->values, &c);
    return (uint32_t)l->values.n - 1;
}

/* ---- initialisers ---------------------------------------------------------------- */

static bool fill(struct loader *l, struct vm_obj *o, uint64_t at, LLVMValueRef c);

static void set_bit(struct vm_obj *o, uint64_t bit)
{
    uint64_t byte = vm_obj_get(o, (uint32_t)(bit / 8), 1) | (uint64_t)1 << bit % 8;
    vm_obj_put(o, (uint32_t)(bit / 8), 1, byte, 0xff, 0);
}

/* Is the type a vector whose elements stand without room between them, since they are no whole
 * bytes? */
static bool is_packed(LLVMTypeRef t)
{
    LLVMTypeRef element =
        LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetElementType(t) : NULL;
    return element && LLVMGetTypeKind(element) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(element) % 8 != 0;
}

static bool fill_packed(struct loader *l, struct vm_obj *o, uint64_t at, LLVMValueRef c)
{
    LLVMTypeRef t = LLVMTypeOf(c);
    uint64_t width = LLVMGetIntTypeWidth(LLVMGetElementType(t)), begin = 8 * at;
    struct vm_const x = {0};
    for (unsigned k = 0; k < LLVMGetVectorSize(t); k++) {
        LLVMValueRef element = LLVMGetAggregateElement(c, k);
        bool unset = LLVMIsUndef(element) || LLVMIsPoison(element);
        for (uint64_t bit = 0; bit < width && !unset; bit++) {
            if (bit % 64 == 0 && !load_const_reg(l, element, (uint32_t)(bit / 64), &x))
                return false;
            if (x.value >> bit % 64 & 1)
                set_bit(o, begin + k * width + bit);
        }
    }
    return true;
}

static bool fill_elements(struct loader *l, struct vm_obj *o, uint64_t at, LLVMValueRef c)
{
    LLVMTypeRef t = LLVMTypeOf(c);
    bool is_struct = LLVMGetTypeKind(t) == LLVMStructTypeKind;
    bool is_vector = LLVMGetTypeKind(t) == LLVMVectorTypeKind;
    unsigned n = is_struct   ? LLVMCountStructElementTypes(t)
                 : is_vector ? LLVMGetVectorSize(t)
                             : (unsigned)LLVMGetArrayLength2(t);
    uint64_t step = is_struct ? 0 : size_of(l, LLVMGetElementType(t));
    size_t length;
    if (!is_struct && !is_vector && LLVMIsConstantString(c)) {
        const char *s = LLVMGetAsString(c, &length);
        for (size_t k = 0; k < length; k++)
            vm_obj_put(o, (uint32_t)(at + k), 1, (unsigned char)s[k], 0xff, 0);
        return true;
    }
    for (unsigned k = 0; k < n; k++) {
        uint64_t offset = is_struct ? LLVMOffsetOfElement(l->layout, t, k) : k * step;
        if (!fill(l, o, at + offset, LLVMGetAggregateElement(c, k)))
            return false;
    }
    return true;
}

static bool fill(struct loader *l, struct vm_obj *o, uint64_t at, LLVMValueRef c)
{
    LLVMTypeRef t = LLVMTypeOf(c);
    uint64_t size = size_of(l, t);
    if (LLVMIsUndef(c) || LLVMIsPoison(c))
        return true; /* defined zeros, as every linker makes them */
    if (LLVMIsNull(c))
        return true;
    if (is_packed(t))
        return fill_packed(l, o, at, c);
    LLVMTypeKind kind = LLVMGetTypeKind(t);
    if (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind || kind == LLVMVectorTypeKind)
        return fill_elements(l, o, at, c);
    struct vm_const x;
    for (uint32_t k = 0; k < load_type_regs(l, t); k++) {
        if (!load_const_reg(l, c, k, &x))
            return false;
        uint32_t n = size - 8 * k < 8 ? (uint32_t)(size - 8 * k) : 8;
        vm_obj_put(o, (uint32_t)(at + 8 * k), n, x.value, x.shadow & 0xff ? ~0ull : 0,
                   x.shadow == 0xffff ? 0xff : 0);
    }
    return true;
}

static struct vm_obj *zeros(uint64_t size, uint8_t kind)
{
    struct vm_obj *o = vm_obj_new((uint32_t)size, kind);
    vm_obj_fill(o, 0, (uint32_t)size, 0, 0xff);
    return o;
}

/* Is the library's variable one that nothing protects?  Such variables count as the user's. */
static bool is_unordered(LLVMValueRef g)
{
    const char *section = LLVMGetSection(g);
    return section && !strcmp(section, LOAD_UNORDERED);
}

static void add_global(struct loader *l, LLVMValueRef g)
{
    const char *name = LLVMGetValueName(g);
    bool constant = LLVMIsGlobalConstant(g);
    struct vm_global out = {.name = load_global_name(l, g)};
    out.library = !load_is_user(l, g);
    bool guard = !strncmp(name, "_ZGV", 4); /* see libc/cxx/guard.c */
    bool ours = (out.library && !is_unordered(g)) || guard;
    uint8_t kind = constant ? VM_OBJ_CONST : ours ? VM_OBJ_LIBRARY : VM_OBJ_GLOBAL;
    out.init = zeros(size_of(l, LLVMGlobalGetValueType(g)), kind);
    if (kind == VM_OBJ_GLOBAL)
        out.init->flags |= VM_SHARED;
    else if (kind == VM_OBJ_LIBRARY)
        out.init->flags |= VM_LOGGED;
    else if (!strncmp(name, "_ZTV", 4) || !strncmp(name, "_ZTC", 4))
        out.init->flags |= VM_VTABLE;
    out.type = load_global_type(l, g);
    struct list *list = constant ? &l->consts_out : &l->globals_out;
    list_push(list, &out);
    map_put(&l->globals, g, (uint32_t)list->n);
}

static uint32_t add_const(struct loader *l, const char *name, struct vm_obj *o)
{
    struct vm_global out = {.name = name, .init = o, .library = true};
    list_push(&l->consts_out, &out);
    return (uint32_t)l->consts_out.n - 1;
}

static uint64_t const_ptr(uint32_t index)
{
    return vm_ptr(VM_ID_CONST, index, 0);
}

static void put_pointer(struct vm_obj *o, size_t at, uint64_t p)
{
    vm_obj_put(o, (uint32_t)at, 8, p, ~0ull, p ? 0xff : 0);
}

/* Places thread-local variables.  A thread's memory begins with pointers to the program's
 * variables, each of which is an object of its own; after that come the libraries'
 * variables. */
static void place_thread_locals(struct loader *l, bool library)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(l->module); g; g = LLVMGetNextGlobal(g)) {
        if (!LLVMIsThreadLocal(g) || LLVMIsDeclaration(g) || load_is_user(l, g) == library)
            continue;
        uint64_t align = library && LLVMGetAlignment(g) > 8 ? LLVMGetAlignment(g) : 8;
        l->tls_size = (l->tls_size + align - 1) / align * align;
        map_put(&l->tls, g, (uint32_t)l->tls_size + 1);
        l->tls_size += library ? size_of(l, LLVMGlobalGetValueType(g)) : 8;
    }
    if (!library)
        l->program->nthread_locals = (uint32_t)(l->tls_size / 8);
}

static LLVMValueRef ifunc_in(LLVMValueRef c, int depth)
{
    LLVMValueRef found = LLVMIsAGlobalIFunc(c);
    if (found || LLVMIsAGlobalValue(c) || depth == 0)
        return found;
    for (int k = 0; k < LLVMGetNumOperands(c) && !found; k++)
        found = ifunc_in(LLVMGetOperand(c, (unsigned)k), depth - 1);
    return found;
}

static bool bad_initialiser(struct loader *l, LLVMValueRef g)
{
    LLVMValueRef ifunc = ifunc_in(LLVMGetInitializer(g), 16);
    if (ifunc)
        return load_fail(l, "%s: its initial value needs the ifunc %s, which is not supported",
                         LLVMGetValueName(g), LLVMGetValueName(ifunc));
    return load_fail(l, "%s: its initial value is not supported", LLVMGetValueName(g));
}

/* Fills in what a thread-local variable of the program's own begins as.  Variables come in the
 * order of their places. */
static bool fill_own_thread_local(struct loader *l, struct vm_obj *image, uint64_t at,
                                  LLVMValueRef g)
{
    struct vm_global own = {.name = load_global_name(l, g), .type = load_global_type(l, g)};
    own.init = zeros(size_of(l, LLVMGlobalGetValueType(g)), VM_OBJ_CONST);
    list_push(&l->consts_out, &own);
    put_pointer(image, at, const_ptr((uint32_t)l->consts_out.n - 1));
    return fill(l, own.init, 0, LLVMGetInitializer(g));
}

static bool fill_thread_locals(struct loader *l)
{
    struct vm_obj *image = zeros(l->tls_size, VM_OBJ_CONST);
    l->tls_const = add_const(l, "thread-local image", image);
    l->program->thread_locals_const = (uint32_t)l->consts_out.n;
    for (LLVMValueRef g = LLVMGetFirstGlobal(l->module); g; g = LLVMGetNextGlobal(g)) {
        uint32_t at = map_get(&l->tls, g);
        if (at && !(load_is_user(l, g) ? fill_own_thread_local(l, image, at - 1, g)
                                       : fill(l, image, at - 1, LLVMGetInitializer(g))))
            return bad_initialiser(l, g);
    }
    return true;
}

bool load_globals(struct loader *l)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(l->module); g; g = LLVMGetNextGlobal(g)) {
        const char *name = LLVMGetValueName(g);
        if (LLVMIsDeclaration(g) || !strncmp(name, "llvm.", 5))
            continue;
        if (size_of(l, LLVMGlobalGetValueType(g)) > 0x7fffffff)
            return load_fail(l, "%s: larger than 2 GiB", name);
        if (!LLVMIsThreadLocal(g))
            add_global(l, g);
    }
    place_thread_locals(l, false);
    place_thread_locals(l, true);
    for (LLVMValueRef g = LLVMGetFirstGlobal(l->module); g; g = LLVMGetNextGlobal(g)) {
        uint32_t i = map_get(&l->globals, g);
        if (!i)
            continue;
        struct list *list = LLVMIsGlobalConstant(g) ? &l->consts_out : &l->globals_out;
        if (!fill(l, ((struct vm_global *)list->data)[i - 1].init, 0, LLVMGetInitializer(g)))
            return bad_initialiser(l, g);
    }
    return fill_thread_locals(l);
}

/* ---- struct vm_boot -------------------------------------------------------------- */

struct structor {
    uint64_t priority, order, function;
};

/* Returns a number by which constructors of this priority are sorted. */
static uint64_t rank(uint64_t priority)
{
    return priority == LOAD_FIRST         ? 0
           : priority == LOAD_LAST        ? UINT64_MAX
           : priority == LOAD_NEARLY_LAST ? UINT64_MAX - 1
                                          : priority + 1;
}

static int by_priority(const void *x, const void *y)
{
    const struct structor *a = x, *b = y;
    if (a->priority != b->priority)
        return a->priority < b->priority ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

/* Lists the entries of llvm.global_ctors or _dtors, arrays of { priority, function, data },
 * sorted.  False if an entry has no function. */
static bool list_structors(struct loader *l, LLVMValueRef list, unsigned n, struct structor *s)
{
    for (unsigned k = 0; k < n; k++) {
        LLVMValueRef entry = LLVMGetAggregateElement(list, k);
        struct vm_const function = {0, 0};
        if (!load_const_reg(l, LLVMGetAggregateElement(entry, 1), 0, &function) ||
            vm_ptr_region(function.value) != VM_ID_CODE || (uint32_t)function.value)
            return load_fail(l, "a constructor or destructor is no function");
        ((struct vm_function *)l->functions_out.data)[vm_ptr_index(function.value)].structor =
            true;
        s[k] =
            (struct structor){rank(LLVMConstIntGetZExtValue(LLVMGetAggregateElement(entry, 0))),
                              k, function.value};
    }
    qsort(s, n, sizeof *s, by_priority);
    return true;
}

static bool structors(struct loader *l, const char *name, uint64_t *table)
{
    LLVMValueRef g = LLVMGetNamedGlobal(l->module, name);
    LLVMValueRef list = g ? LLVMGetInitializer(g) : NULL;
    unsigned n = 0;
    if (list && LLVMGetTypeKind(LLVMTypeOf(list)) == LLVMArrayTypeKind && !LLVMIsNull(list))
        n = (unsigned)LLVMGetArrayLength2(LLVMTypeOf(list));
    struct structor *s = vm_alloc((n + 1) * sizeof *s);
    bool ok = list_structors(l, list, n, s);
    struct vm_obj *o = zeros((n + 1) * 8ull, VM_OBJ_CONST);
    for (unsigned k = 0; k < n && ok; k++)
        put_pointer(o, k * 8, s[k].function);
    free(s);
    *table = const_ptr(add_const(l, name, o));
    return ok;
}

/* struct vm_file[] */
static uint32_t input_table(struct loader *l)
{
    size_t n = l->load->ninputs, each = sizeof(struct vm_file);
    struct vm_obj *table = zeros(n * each, VM_OBJ_CONST);
    for (size_t k = 0; k < n; k++) {
        const struct vm_file *file = &l->load->inputs[k];
        struct vm_obj *name = zeros(strlen(file->name) + 1, VM_OBJ_CONST);
        struct vm_obj *data = zeros(file->size, VM_OBJ_CONST);
        memcpy(vm_obj_bytes(name), file->name, strlen(file->name));
        if (file->size)
            memcpy(vm_obj_bytes(data), file->data, file->size);
        size_t at = k * each;
        put_pointer(table, at + offsetof(struct vm_file, name),
                    const_ptr(add_const(l, "file name", name)));
        put_pointer(table, at + offsetof(struct vm_file, data),
                    const_ptr(add_const(l, "file", data)));
        vm_obj_put(table, (uint32_t)(at + offsetof(struct vm_file, size)), 8, file->size, ~0ull,
                   0);
        vm_obj_put(table, (uint32_t)(at + offsetof(struct vm_file, mode)), 4,
                   (uint32_t)file->mode, ~0ull, 0);
    }
    return add_const(l, "files", table);
}

/* Tells __boot the monitor, and the program which variables that reads. */
static void put_monitor(struct loader *l, struct vm_obj *boot)
{
    const char *name = l->load->watch ? l->load->watch->monitor : NULL;
    const LLVMValueRef *reads = l->monitored.data;
    struct vm_global *globals = l->globals_out.data;
    if (!name)
        return;
    LLVMValueRef monitor = LLVMGetNamedFunction(l->module, name);
    put_pointer(boot, offsetof(struct vm_boot, monitor),
                vm_ptr(VM_ID_CODE, map_get(&l->functions, monitor) - 1, 0));
    for (size_t k = 0; k < l->monitored.n; k++)
        if (map_get(&l->globals, reads[k]))
            globals[map_get(&l->globals, reads[k]) - 1].monitored = true;
}

/* Makes what __boot is told, except arguments and environment, which vm_set_start sets when all
 * is loaded. */
bool load_boot(struct loader *l)
{
    LLVMValueRef entry = LLVMGetNamedFunction(l->module, l->load->entry);
    unsigned params = LLVMCountParams(entry);
    if (params > 3 || params == 1)
        return load_fail(l, "%s: takes %u parameters, not 0, 2 or 3", l->load->entry, params);
    l->program->takes_arguments = params > 0;
    l->program->changes_environment = params > 2 ||
                                      LLVMGetNamedFunction(l->module, "__putenv") ||
                                      LLVMGetNamedFunction(l->module, "unsetenv");
    struct vm_obj *boot = zeros(sizeof(struct vm_boot), VM_OBJ_CONST);
    l->program->boot_const = add_const(l, "boot", boot);
    uint64_t ctors, dtors;
    if (!structors(l, "llvm.global_ctors", &ctors) ||
        !structors(l, "llvm.global_dtors", &dtors))
        return false;
    put_pointer(boot, offsetof(struct vm_boot, ctors), ctors);
    put_pointer(boot, offsetof(struct vm_boot, dtors), dtors);
    put_pointer(boot, offsetof(struct vm_boot, tls_image), const_ptr(l->tls_const));
    vm_obj_put(boot, offsetof(struct vm_boot, nthread_locals), 8, l->program->nthread_locals,
               ~0ull, 0);
    vm_obj_put(boot, offsetof(struct vm_boot, tls_size), 8, l->tls_size, ~0ull, 0);
    put_pointer(boot, offsetof(struct vm_boot, entry),
                vm_ptr(VM_ID_CODE, map_get(&l->functions, entry) - 1, 0));
    vm_obj_put(boot, offsetof(struct vm_boot, entry_params), 4, params, ~0ull, 0);
    uint64_t count, landings = load_landings(l, &count);
    put_pointer(boot, offsetof(struct vm_boot, landings), landings);
    vm_obj_put(boot, offsetof(struct vm_boot, nlandings), 8, count, ~0ull, 0);
    put_pointer(boot, offsetof(struct vm_boot, nounwind), load_nounwind(l, &count));
    vm_obj_put(boot, offsetof(struct vm_boot, nnounwind), 8, count, ~0ull, 0);
    put_monitor(l, boot);
    put_pointer(boot, offsetof(struct vm_boot, files), const_ptr(input_table(l)));
    vm_obj_put(boot, offsetof(struct vm_boot, nfiles), 8, l->load->ninputs, ~0ull, 0);
    return true;
}
