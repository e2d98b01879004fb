// clang-format off
// What is said of each kind of fault: the line, the value, the object with its size, where it was allocated and freed.  Result: correct.
// -DNULL_WRITE: memory error.
// -DNULL_MEMBER: memory error.
// -DBOUNDS_HEAP: memory error.
// -DBOUNDS_GLOBAL: memory error.
// -DBOUNDS_LOCAL: memory error.
// -DBELOW_HEAP: memory error.
// -DBELOW_GLOBAL: memory error.
// -DBELOW_LOCAL: memory error.
// -DBOUNDS_BLOCK: memory error.
// -DFREED: memory error.
// -DGROWN: memory error.
// -DRETURNED: memory error.
// -DTWICE: memory error.
// -DFREE_MIDDLE: memory error.
// -DFREE_GLOBAL: memory error.
// -DFREE_LOCAL: memory error.
// -DCONSTANT: memory error.
// -DMISALIGNED: memory error.
// -DOVERLAP: memory error.
// -DNUMBER: memory error.
// -DUNDEFINED_BRANCH: undefined value.
// -DUNDEFINED_SWITCH: undefined value.
// -DUNDEFINED_ARGUMENT: undefined value.
// -DUNDEFINED_INDEX: undefined value.
// -DDIVISION: arithmetic.
// -DLEAST: arithmetic.
// -DOVERFLOW: arithmetic.
// -DPRODUCT: arithmetic.
// -DSHIFT: arithmetic.
// -DCAST: arithmetic.
// -DUNREACHABLE: unreachable.
// -DBAD_CALL: bad call.
// -DNO_FUNCTION: bad call.
// -DBAD_VARARG: bad call.
// -DUNRESOLVED: refused.
// -DUNSUPPORTED: refused.
// -DIFUNC: refused.
// -DLIMIT: incomplete.
// -DRACE: data race.
// -DASSERT: assertion violation.
// -DABORT: assertion violation.
// -DLEAK: memory error.
// -DPTHREAD: pthread misuse.
// -DDEADLOCK: deadlock.
// -DEXIT_STATUS: exit status.
// -DNONDET: refused.
// -DSYSCALL: refused.
// -DHYPERCALL: bad call.
// Expect-NULL_WRITE: null pointer dereference: write through a null pointer \(main at messages.c:@null_write\)
// Expect-NULL_MEMBER: read through a null pointer plus 16 \(main at messages.c:@null_member\)
// Expect-BOUNDS_HEAP: read of 1 bytes out of bounds: node#1 \+ 25, which has 24 bytes \(main at messages.c:@bounds_heap\)
// Expect-BOUNDS_GLOBAL: write of 4 bytes out of bounds: table \+ 72, which has 72 bytes \(main at messages.c:@bounds_global\)
// Expect-BOUNDS_LOCAL: write of 4 bytes out of bounds: four \+ 16 of main, which has 16 bytes \(main at messages.c:@bounds_local\)
// Expect-BELOW_HEAP: read of 1 bytes out of bounds: node#1 - 3, which has 24 bytes \(main at messages.c:@below_heap\)
// Expect-BELOW_GLOBAL: write of 4 bytes out of bounds: table - 24, which has 72 bytes \(main at messages.c:@below_global\)
// Expect-BELOW_LOCAL: write of 4 bytes out of bounds: four - 8 of main, which has 16 bytes \(main at messages.c:@below_local\)
// Expect-BOUNDS_BLOCK: write of 25 bytes out of bounds: node#1, which has 24 bytes \(main at messages.c:@bounds_block\)
// Expect-FREED: use after free: read of node#1\.key \(main at messages.c:@freed\)
// Expect-GROWN: write of node#1\.key \(main at messages.c:@grown_use\)
// Expect-RETURNED: variable used after its lifetime: read of x of local, which ended at .*messages.c:@local \(main at messages.c:@returned\)
// Expect-TWICE: double free: node#1 \(main at messages.c:@twice\)
// Expect-FREE_MIDDLE: invalid free: free of something malloc did not give: node#1.next \(main at messages.c:@free_middle\)
// Expect-FREE_GLOBAL: invalid free: .*: table\[1\].key \(main at messages.c:@free_global\)
// Expect-FREE_LOCAL: invalid free: .*: argc of main \(main at messages.c:@free_local\)
// Expect-CONSTANT: write to a constant: primes\[1\] \(main at messages.c:@constant\)
// Expect-MISALIGNED: misaligned access: misaligned read of 4 bytes: node#1.key \+ 1, where 4 bytes are the alignment \(main at messages.c:@misaligned\)
// Expect-OVERLAP: memcpy of overlapping ranges: memcpy of 4 bytes between overlapping ranges: to node#1.name\[1\], from node#1.name\[0\] \(main at messages.c:@overlap\)
// Expect-NUMBER: read through an invalid pointer 0x12345678 \(main at messages.c:@number\)
// Expect-UNDEFINED_BRANCH: undefined value used: branch on an undefined value, read from node#1.name\[1\] \(main at messages.c:@undefined_branch\)
// Expect-UNDEFINED_SWITCH: switch on an undefined value, read from node#1.name\[3\] \(main at messages.c:@undefined_switch\)
// Expect-UNDEFINED_ARGUMENT: an argument of one is undefined, read from node#1.name\[3\] \(main at messages.c:@undefined_argument\)
// Expect-UNDEFINED_INDEX: read through an undefined pointer, read from table\[0\].name\[0\] \(main at messages.c:@undefined_index\)
// Expect-DIVISION: division by zero: 7 / 0 \(main at messages.c:@division\)
// Expect-LEAST: signed overflow: -2147483648 / -1 in 32 bits \(main at messages.c:@least\)
// Expect-OVERFLOW: signed overflow: 2147483647 \+ 1 in 32 bits \(main at messages.c:@overflow\)
// Expect-PRODUCT: signed overflow: 2147483647 \* 2 in 32 bits \(main at messages.c:@product\)
// Expect-SHIFT: shift out of range: shift of a 32-bit value by 40 \(main at messages.c:@shift\)
// Expect-CAST: floating point value out of range of the integer type: 1e\+20 is out of range of a 32-bit integer \(main at messages.c:@cast\)
// Expect-UNREACHABLE: unreachable code reached \(main at messages.c:@unreachable\)
// Expect-BAD_CALL: invalid call: one is i32 \(i32\), but is called as void \(i32, i32\) \(main at messages.c:@bad_call\)
// Expect-NO_FUNCTION: call through a pointer that is no function: node#1 \(main at messages.c:@no_function\)
// Expect-BAD_VARARG: variadic argument that was not passed: variadic argument 3 is read, but 2 were passed \(pick at messages.c:@pick\)
// Expect-UNRESOLVED: call of an undefined function: call of nowhere, which is not defined anywhere \(main at messages.c:@unresolved\)
// Expect-UNSUPPORTED: unsupported construct: inline assembly is not supported \(main at messages.c:@unsupported\)
// Expect-IFUNC: unsupported construct: the ifunc fast is not supported \(main at messages.c:@ifunc\)
// Expect-LIMIT: a limit of the machine: .*a local variable of more than 2 GiB \(main at messages.c:@limit\)
// Expect-RACE: data race: .*zero.*(main at messages.c:@race|work at messages.c:@work)
// Expect-ASSERT: assertion failed: n->key == 2 \(main at messages.c:@assert\)
// Expect-ABORT: abort.* \(main at messages.c:@abort\)
// Expect-LEAK: memory leak: 24 bytes .*, allocated at messages.c:@make
// Expect-PTHREAD: misuse of a pthread function: pthread_mutex_unlock.* \(main at messages.c:@pthread\)
// Expect-DEADLOCK: deadlock: 1 thread is blocked forever: main at messages.c:@deadlock
// Expect-EXIT_STATUS: exit status is not zero: it is 3
// Expect-NONDET: unbounded nondeterministic value.*main at messages.c:@nondet
// Expect-SYSCALL: unsupported system call: .*main at messages.c:@syscall
// Expect-HYPERCALL: misuse of a hypercall.*main at messages.c:@hypercall

/* clang-format on */
#include <assert.h>
#include <divm.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct node {
    int key;
    struct node *next;
    char name[8];
};

extern int __VERIFIER_nondet_int(void);
void nowhere(void);

static struct node table[3];
static const int primes[4] = {2, 3, 5, 7};
static int by = 40, zero, most = 2147483647;
static double big = 1e20;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int one(int x)
{
    return x;
}

static int pick(int n, ...)
{
    va_list list;
    va_start(list, n);
    int sum = 0;
    while (n--)
        sum += va_arg(list, int); // @pick
    va_end(list);
    return sum;
}

static struct node *make(void)
{
    struct node *n = malloc(sizeof *n); // @make
    n->key = 1;
    n->next = 0;
    return n;
}

#ifdef IFUNC
static int (*resolve(void))(int)
{
    return one;
}
int fast(int) __attribute__((ifunc("resolve")));
#endif

static void drop(struct node *n)
{
    free(n); // @drop
}

static int *local(void)
{
    int x = 5;
    int *volatile p = &x;
    return p; // @local
}

static void *work(void *arg)
{
    zero = 2; // @work
    return arg;
}

int main(int argc, char **argv)
{
    struct node *n = make();
    (void)argv;
#if defined NULL_WRITE
    n->next->key = 4; // @null_write
#elif defined NULL_MEMBER
    return n->next->name[0]; // @null_member
#elif defined BOUNDS_HEAP
    return n->name[argc + 8]; // @bounds_heap
#elif defined BELOW_HEAP
    return n->name[-16 - 3 * argc]; // @below_heap
#elif defined BOUNDS_GLOBAL
    table[argc + 2].key = 1; // @bounds_global
#elif defined BELOW_GLOBAL
    table[-argc].key = 1; // @below_global
#elif defined BOUNDS_LOCAL
    int four[4] = {0};
    four[argc + 3] = 1; // @bounds_local
    return four[0];
#elif defined BELOW_LOCAL
    int four[4] = {0};
    four[-1 - argc] = 1; // @below_local
    return four[0];
#elif defined BOUNDS_BLOCK
    memset(n, 0, sizeof *n + (unsigned)argc); // @bounds_block
#elif defined FREED
    drop(n);
    return n->key; // @freed
#elif defined GROWN
    table[0].next = realloc(n, 64); // @grown
    n->key = 2;                     // @grown_use
#elif defined RETURNED
    return *local(); // @returned
#elif defined TWICE
    drop(n);
    free(n); // @twice
#elif defined FREE_MIDDLE
    free(&n->next); // @free_middle
#elif defined FREE_GLOBAL
    free(&table[1]); // @free_global
#elif defined FREE_LOCAL
    free(&argc); // @free_local
#elif defined CONSTANT
    *(int *)(uintptr_t)&primes[argc] = 4; // @constant
#elif defined MISALIGNED
    return *(int *)(void *)((char *)n + 1); // @misaligned
#elif defined OVERLAP
    memcpy(n->name + argc, n->name, 4); // @overlap
#elif defined NUMBER
    return *(int *)0x12345678; // @number
#elif defined UNDEFINED_BRANCH
    if (n->name[argc]) // @undefined_branch
        return 2;
#elif defined UNDEFINED_SWITCH
    switch (n->name[3]) { // @undefined_switch
    case 1: return 4;
    default: break;
    }
#elif defined UNDEFINED_ARGUMENT
    return one(n->name[3]); // @undefined_argument
#elif defined UNDEFINED_INDEX
    struct node fresh;
    fresh.key = argc;
    table[0] = fresh;
    return primes[table[0].name[0]]; // @undefined_index
#elif defined DIVISION
    return (argc + 6) / zero; // @division
#elif defined LEAST
    return (-2147483647 - argc) / -argc; // @least
#elif defined OVERFLOW
    return most + argc; // @overflow
#elif defined PRODUCT
    return most * (argc + 1); // @product
#elif defined SHIFT
    return argc << by; // @shift
#elif defined CAST
    return (int)big; // @cast
#elif defined UNREACHABLE
    __builtin_unreachable(); // @unreachable
#elif defined BAD_CALL
    ((void (*)(int, int))one)(1, 2); // @bad_call
#elif defined NO_FUNCTION
    ((int (*)(int))(void *)n)(1); // @no_function
#elif defined BAD_VARARG
    return pick(3, 1, 2);
#elif defined UNRESOLVED
    nowhere(); // @unresolved
#elif defined UNSUPPORTED
    __asm__("hlt"); // @unsupported
#elif defined IFUNC
    return fast(argc); // @ifunc
#elif defined LIMIT
    volatile char large[(unsigned)most + 1u + (unsigned)argc]; // @limit
    large[0] = 0;
#elif defined RACE
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    zero = 1; // @race
    pthread_join(t, NULL);
#elif defined ASSERT
    assert(n->key == 2); // @assert
#elif defined ABORT
    abort(); // @abort
#elif defined LEAK
    n = NULL;
#elif defined PTHREAD
    pthread_mutex_unlock(&lock); // @pthread
#elif defined DEADLOCK
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock); // @deadlock
#elif defined EXIT_STATUS
    free(n);
    return 3;
#elif defined NONDET
    return __VERIFIER_nondet_int() == 0; // @nondet
#elif defined SYSCALL
    syscall(SYS_reboot, argc); // @syscall
#elif defined HYPERCALL
    divm_choose(zero); // @hypercall
#endif
    drop(n);
    return pick(1, one(by + zero + most / 2 + table[0].key)) == 0 || big < 1 ||
           primes[0] != 2 || !local() || work(&lock) == argv ||
           (argc > 9 && !pthread_mutex_unlock(&lock));
}
