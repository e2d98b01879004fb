/* may_write_test.c - what threads can still write, by the code (vm/exec/may_write.h), against
 * what they do write.
 *
 * Random programs are run in random ways.  Before each transition it is asked which variables
 * each thread may still write; whatever it writes from then on must be among these, and what
 * the threads write that it makes as well. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/bare.h"
#include "tests/unit/guest.h"
#include "vm/exec/may_write.h"

enum { PROGRAMS = 12, WALKS = 12, MOST_THREADS = 8 };

/* What threads may write, as masks of numbers of variables: the least that was ever said. */
struct claims {
    struct vm *vm;
    uint64_t thread[MOST_THREADS], mask[MOST_THREADS];
    unsigned n;
    uint64_t running;      /* what the thread that runs may write */
    unsigned writes, last; /* that were compared; threads that could write nothing more */
};

static uint64_t *claim_of(struct claims *c, uint64_t thread)
{
    for (unsigned k = 0; k < c->n; k++)
        if (c->thread[k] == thread)
            return &c->mask[k];
    return NULL;
}

/* All variables that one thread may write from where it is. */
static uint64_t may_write(struct vm *vm, uint64_t thread)
{
    uint64_t mask = 0, *listed = vm->listed, nlisted = vm->nlisted, chosen = vm->chosen;
    vm->listed = &thread;
    vm->nlisted = 1;
    vm->chosen = 0;
    for (uint32_t number = 1; number <= VM_MAX_TRACKED; number++)
        if (vm_may_write_label(vm, number) == 2)
            mask |= 1ull << (number - 1);
    vm->listed = listed;
    vm->nlisted = nlisted;
    vm->chosen = chosen;
    return mask;
}

/* What a thread may write only becomes less; one that is new was made by one that may write
 * what it does. */
static void ask(struct claims *c, uint64_t thread)
{
    uint64_t *claim = claim_of(c, thread), any = c->n ? 0 : ~0ull;
    for (unsigned k = 0; k < c->n; k++)
        any |= c->mask[k];
    if (!claim) {
        assert_in_range(c->n, 0, MOST_THREADS - 1);
        c->thread[c->n] = thread;
        claim = &c->mask[c->n++];
        *claim = any;
    }
    *claim &= may_write(c->vm, thread);
    c->last += *claim == 0;
}

/* A thread is about to run: it is asked for all that are listed, of which none has run since.
 */
static void begin_turn(struct claims *c)
{
    struct vm *vm = c->vm;
    uint64_t thread = vm->s.reg[VM_REG_SAVE];
    for (uint64_t k = 0; k < vm->nlisted; k++)
        ask(c, vm->listed[k]);
    ask(c, thread);
    c->running = *claim_of(c, thread);
}

static void on_event(void *context, const struct vm_event *event)
{
    struct claims *c = context;
    if (event->kind == VM_EVENT_TRACE && event->trace == VM_TRACE_RUN)
        begin_turn(c);
    if (event->kind != VM_EVENT_ACTION || !event->has_written ||
        vm_ptr_region(event->addr) != VM_ID_GLOBAL)
        return;
    uint8_t number = c->vm->program->tracked[vm_ptr_index(event->addr)];
    if (!number)
        return;
    assert_true(c->running >> (number - 1) & 1);
    c->writes++;
}

/* One run from the boot to the end. */
static void walk(struct claims *c)
{
    struct vm *vm = c->vm;
    c->n = 0;
    c->running = ~0ull; /* the first thread may write all */
    vm_boot(vm);
    do {
        while (vm_run(vm) == VM_STOP_CHOOSE)
            vm_choose(vm, (int)draw((uint32_t)vm_pending(vm).n));
        assert_int_equal(vm_flags(vm) & (VM_FLAG_ERROR | VM_FLAG_CANCEL), 0);
        if (!(vm_flags(vm) & VM_FLAG_END))
            vm_start(vm);
    } while (!(vm_flags(vm) & VM_FLAG_END));
}

static struct vm *open_watching(const struct vm_program *program)
{
    const struct vm_options options = {.coalesce = true,
                                       .private_objects = true,
                                       .race_free = true,
                                       .report_races = true,
                                       .heap_symmetry = true,
                                       .conditional = true,
                                       .read_only = true};
    struct vm *vm = vm_open(program, &options);
    assert_true(vm->tracks);
    return vm;
}

static void all_writes_are_foreseen(void **unused)
{
    unsigned writes = 0, last = 0;
    (void)unused;
    for (unsigned k = 0; k < PROGRAMS; k++) {
        bare_seed = k;
        char *text = guest_random(false);
        struct vm_program *program = guest_load(text);
        free(text);
        if (!program->tracked) { /* no variable is loaded */
            vm_unload(program);
            continue;
        }
        struct claims c = {.vm = open_watching(program)};
        vm_listen(c.vm, on_event, &c);
        for (unsigned j = 0; j < WALKS; j++)
            walk(&c);
        writes += c.writes;
        last += c.last;
        vm_close(c.vm);
        vm_unload(program);
    }
    assert_true(writes > PROGRAMS * WALKS);
    assert_true(last > PROGRAMS * WALKS); /* what is said is not that all may write all */
}

/* What is known of a program whose threads write one variable each, and then wait. */
static const char ONE_EACH[] =
    "target triple = \"x86_64-unknown-linux-musl\"\n"
    "declare i32 @pthread_create(ptr, ptr, ptr, ptr)\n"
    "declare i32 @pthread_join(ptr, ptr)\n"
    "@a = global i32 0\n@b = global i32 0\n@c = global i32 0\n@escapes = global i32 0\n"
    "@where = global ptr @escapes\n"
    "define ptr @first(ptr %x) {\n"
    "  store atomic i32 1, ptr @a seq_cst, align 4\n"
    "  %l = load atomic i32, ptr @b seq_cst, align 4\n"
    "  %m = load atomic i32, ptr @escapes seq_cst, align 4\n"
    "  ret ptr null\n}\n"
    "define ptr @second(ptr %x) {\n"
    "  store atomic i32 1, ptr @b seq_cst, align 4\n"
    "  %l = load atomic i32, ptr @a seq_cst, align 4\n"
    "  ret ptr null\n}\n"
    "define i32 @main() {\n"
    "  %h = alloca ptr\n  %i = alloca ptr\n"
    "  %k = load atomic i32, ptr @c seq_cst, align 4\n"
    "  call i32 @pthread_create(ptr %h, ptr null, ptr @first, ptr null)\n"
    "  call i32 @pthread_create(ptr %i, ptr null, ptr @second, ptr null)\n"
    "  %l = load atomic i32, ptr @a seq_cst, align 4\n"
    "  %w = load ptr, ptr @where\n  %z = load atomic i32, ptr %w seq_cst, align 4\n"
    "  %p = load ptr, ptr %h\n  call i32 @pthread_join(ptr %p, ptr null)\n"
    "  %q = load ptr, ptr %i\n  call i32 @pthread_join(ptr %q, ptr null)\n"
    "  ret i32 0\n}\n";

static uint64_t bit_of(const struct vm_program *program, const char *name)
{
    for (uint32_t i = 0; i < program->nloaded_globals; i++)
        if (program->globals[i].name && !strcmp(program->globals[i].name, name))
            return program->tracked[i] ? 1ull << (program->tracked[i] - 1) : 0;
    fail_msg("there is no %s", name);
    return 0;
}

/* The main thread writes nothing once it has made the others, and these one variable each. */
static void only_what_follows_is_foreseen(void **unused)
{
    (void)unused;
    struct vm_program *program = guest_load(ONE_EACH);
    struct claims c = {.vm = open_watching(program)};
    uint64_t a = bit_of(program, "a"), b = bit_of(program, "b"), known = a | b;
    assert_true(a && b && bit_of(program, "c")); /* which nobody writes */
    assert_int_equal(bit_of(program, "escapes"), 0);
    known |= bit_of(program, "c");
    vm_listen(c.vm, on_event, &c);
    walk(&c);
    assert_int_equal(c.n, 3);
    assert_int_equal(c.mask[0] & known, 0);
    assert_int_equal(c.mask[1] & known & ~a, 0);
    assert_int_equal(c.mask[2] & known & ~b, 0);
    assert_int_equal(c.writes, 2);
    vm_close(c.vm);
    vm_unload(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_writes_are_foreseen),
        cmocka_unit_test(only_what_follows_is_foreseen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
