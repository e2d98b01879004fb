/* divm.c - the functions of <divm.h>, by which a test asks the checker, and SV-COMP's names. */
#include "os/error.h"
#include "os/mode.h"
#include "os/section.h"
#include "os/state.h"
#include "os/wait.h"
#include <divm.h>

/* Returns one of n numbers from `first` on, and tells which. */
static int choose(int n, int first)
{
    int chosen = n == 1 ? first : first + __divm_choose(n, NULL);
    __divm_trace(VM_TRACE_CHOICE + chosen * 256, NULL, 0);
    return chosen;
}

int divm_choose(int n)
{
    if (n < 1)
        __os_error(VM_FAULT_HYPERCALL, "divm_choose: there must be at least one alternative");
    return choose(n, 0);
}

void divm_assume(int condition)
{
    if (condition)
        return;
    os_enter();
    os_stop(VM_FLAG_CANCEL);
}

void divm_accept(void)
{
    __divm_control(VM_REG_FLAGS, VM_OR, VM_FLAG_ACCEPT);
}

void divm_atomic_begin(void)
{
    os_enter();
    os_act(VM_ACT_ATOMIC, NULL, 0);
    __divm_control(VM_REG_FLAGS, VM_OR, VM_FLAG_SECTION);
}

void divm_atomic_end(void)
{
    os_leave();
}

int __os_section_begin(void)
{
    bool begins = !(__divm_control(VM_REG_FLAGS, VM_GET, 0) & VM_FLAG_SECTION);
    if (begins)
        divm_atomic_begin();
    return begins;
}

void __os_section_end(int begun)
{
    if (begun)
        divm_atomic_end();
}

void __VERIFIER_assume(int condition)
{
    divm_assume(condition);
}

void __VERIFIER_atomic_begin(void)
{
    divm_atomic_begin();
}

void __VERIFIER_atomic_end(void)
{
    divm_atomic_end();
}

__attribute__((__noreturn__)) void __VERIFIER_error(void)
{
    __os_error(VM_FAULT_ASSERT, "__VERIFIER_error is reached");
}

_Bool __VERIFIER_nondet_bool(void)
{
    return choose(2, 0);
}

char __VERIFIER_nondet_char(void)
{
    return (char)choose(256, -128);
}

unsigned char __VERIFIER_nondet_uchar(void)
{
    return (unsigned char)choose(256, 0);
}

/* Refuses a value of a type that has too many values to try each of them. */
#define WIDE(type, name)                                                                \
    type __VERIFIER_nondet_##name(void)                                                 \
    {                                                                                   \
        __os_error(VM_FAULT_NONDET, "__VERIFIER_nondet_" #name " has too many values: " \
                                    "use divm_choose(n) for one of 0 .. n-1");          \
    }
WIDE(short, short)
WIDE(unsigned short, ushort)
WIDE(int, int)
WIDE(unsigned, uint)
WIDE(long, long)
WIDE(unsigned long, ulong)
WIDE(long long, longlong)
WIDE(unsigned long long, ulonglong)
WIDE(float, float)
WIDE(double, double)
WIDE(void *, pointer)
