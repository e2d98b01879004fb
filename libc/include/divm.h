/* divm.h - what a test can ask of divm.
 *
 * Compiled natively, everything here is a no-op: choices are 0, assumptions that
 * fail end the program with status 0. */
#ifndef DIVM_H
#define DIVM_H

#ifdef __has_include
#if __has_include(<bits/divm.h>)
#define DIVM_HERE 1
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

#ifdef DIVM_HERE

/* Returns one of 0 .. n-1: each of them is tried. */
int divm_choose(int n);
/* Drops executions in which the condition is false. */
void divm_assume(int condition);
/* Prints a line into the report, as printf writes it; never a scheduling point. */
__attribute__((__format__(__printf__, 1, 2))) void divm_note(const char *format, ...);
/* For `divm verify --monitor=FUNCTION`: a run in which this is called again and again, by the
 * monitor or by the program, is an error (docs/QUERIES.md, Monitors). */
void divm_accept(void);
/* No other thread runs between the two; accesses there race with others as atomic ones do.
 * They don't nest, and a pthread function in between ends the section. */
void divm_atomic_begin(void);
void divm_atomic_end(void);

/* The names of the competition on software verification (SV-COMP).  A program that does not
 * include this may declare them with other integer types.  Each function that it calls
 * __VERIFIER_atomic_... itself is executed as an atomic section. */
void __VERIFIER_assume(int condition);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
__attribute__((__noreturn__)) void __VERIFIER_error(void);
#ifndef __cplusplus
_Bool __VERIFIER_nondet_bool(void);
#else
bool __VERIFIER_nondet_bool(void);
#endif
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
/* These have more values than can be tried, and are refused. */
short __VERIFIER_nondet_short(void);
unsigned short __VERIFIER_nondet_ushort(void);
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
long long __VERIFIER_nondet_longlong(void);
unsigned long long __VERIFIER_nondet_ulonglong(void);
float __VERIFIER_nondet_float(void);
double __VERIFIER_nondet_double(void);
void *__VERIFIER_nondet_pointer(void);

#else

#include <stdlib.h>

static inline int divm_choose(int n)
{
    (void)n;
    return 0;
}

static inline void divm_assume(int condition)
{
    if (!condition)
        _Exit(0);
}

static inline void divm_note(const char *format, ...)
{
    (void)format;
}

static inline void divm_accept(void)
{
}

static inline void divm_atomic_begin(void)
{
}

static inline void divm_atomic_end(void)
{
}

#endif

#ifdef __cplusplus
}
#endif

#endif
