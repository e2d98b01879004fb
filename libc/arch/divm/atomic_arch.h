/* atomic_arch.h - musl's own atomics, without atomics.
 *
 * musl uses these on its globals only.  On our machine library code runs between
 * visible actions as one step, so plain accesses do, and no thread need stop. */
#define a_cas a_cas
static inline int a_cas(volatile int *p, int t, int s)
{
    int old = *p;
    if (old == t)
        *p = s;
    return old;
}

#define a_cas_p a_cas_p
static inline void *a_cas_p(volatile void *p, void *t, void *s)
{
    void *old = *(void *volatile *)p;
    if (old == t)
        *(void *volatile *)p = s;
    return old;
}

#define a_barrier a_barrier
static inline void a_barrier(void)
{
}

_Noreturn void __libc_crash(void);
#define a_crash __libc_crash
