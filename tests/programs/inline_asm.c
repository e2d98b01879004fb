// Inline assembly that tests of concurrent code contain: hints, fences, what reads the counter
// of cycles, what asks for the processor's features; and the intrinsics for the same.
//
// Result: correct.
// -DHALT: refused.  -DMIXED: refused.  -DLOCKED: refused.  -DSTACK: refused.  -DRESULT:
// refused.
// Expect-HALT: unsupported construct: inline assembly is not supported \(main at inline_asm.c:@halt\)
// Expect-MIXED: inline assembly is not supported \(main at inline_asm.c:@mixed\)
#include <assert.h>
#include <cpuid.h>
#include <stdint.h>
#include <x86intrin.h>

#define ASM(text) __asm__ __volatile__(text ::: "memory", "cc")

static void hints(void)
{
    ASM("");
    ASM(" ;\n\t");
    ASM("pause");
    ASM("nop");
    ASM("rep; nop");
    ASM("rep nop");
    ASM("\tREP ;  NOP\n");
    ASM("pause\n\tpause\n\tnop");
    ASM("nop # a comment; hlt");
    ASM("# hlt\n nop");
    ASM("yield"); /* as on ARM: what is compiled there is seen, too */
    ASM("isb");
    ASM("isb sy");
    __asm__("nop");
    __builtin_ia32_pause();
}

static void fences(void)
{
    ASM("mfence");
    ASM("lfence; sfence");
    ASM("dmb ish");
    ASM("lock; addl $0,0(%%rsp)");
    ASM("lock addq $0, (%%rsp)");
    ASM("lock ; orl $0x0 , -8(%%rsp)");
    __asm__ volatile("lock; addl $0, -4(%rsp)");
    _mm_mfence();
    _mm_lfence();
    _mm_sfence();
}

/* What is only handed through keeps its value. */
static void operands(void)
{
    int x = 3, y = 4;
    __asm__ volatile("nop" : "+r"(x));
    __asm__ volatile("mfence" : "+m"(y) : "r"(x) : "memory");
    assert(x == 3 && y == 4);
}

static uint64_t halves(void)
{
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
}

static uint64_t whole(void)
{
    uint64_t all;
    __asm__ volatile("lfence; rdtsc; shlq $32, %%rdx; orq %%rdx, %%rax" : "=a"(all)::"%rdx");
    return all;
}

static uint64_t ordered(void)
{
    uint64_t low, high;
    uint32_t processor;
    __asm__ volatile("rdtscp\n\tlfence" : "=a"(low), "=d"(high), "=c"(processor)::"memory");
    return high << 32 | low;
}

static void cycles(void)
{
    unsigned processor = 1;
    uint64_t a = __rdtsc(), b = halves(), c = whole(), d = ordered(), e = __rdtscp(&processor),
             f = __builtin_readcyclecounter();
    assert(a < b && b < c && c < d && d < e && e < f && processor == 0);
    uint64_t end = __rdtsc() + 10000000;
    while (__rdtsc() < end)
        _mm_pause();
}

static void features(void)
{
    unsigned a, b, c, d;
    __builtin_cpu_init();
    assert(!__builtin_cpu_supports("avx2") && !__builtin_cpu_supports("avx512f"));
    assert(!__builtin_cpu_is("intel"));
    assert(__get_cpuid_max(0, 0) == 0 && !__get_cpuid(1, &a, &b, &c, &d));
}

int main(void)
{
    hints();
    fences();
    operands();
    cycles();
    features();
#ifdef HALT
    ASM("hlt"); // @halt
#elif defined MIXED
    ASM("pause; hlt"); // @mixed
#elif defined LOCKED
    ASM("lock; addl $1,0(%%rsp)");
#elif defined STACK
    ASM("lock; addl $0,0(%%rax)");
#elif defined RESULT
    long in_b;
    __asm__ volatile("rdtsc" : "=b"(in_b)::"rax", "rdx");
#endif
    return 0;
}
