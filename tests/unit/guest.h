/* guest.h - programs for tests of the machine, as LLVM assembly, some of them random.
 *
 * They are linked with the guest runtime, which stands beside the folder of the test's own
 * executable.  Random ones come from draw() of bare.h. */
#ifndef TESTS_UNIT_GUEST_H
#define TESTS_UNIT_GUEST_H

#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/bare.h"

enum { GUEST_VARIABLES = 4, GUEST_FUNCTIONS = 5, GUEST_CELLS = 24, GUEST_THREADS = 2 };

static inline void guest_archive(char *path, size_t size, const char *name)
{
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = 0;
    snprintf(path, size, "%s/../../runtime/%s", dirname(self), name);
}

/* The program; whoever has it unloads it. */
static inline struct vm_program *guest_load(const char *text)
{
    static const char *const names[] = {"libpthread.a", "libc.a", "libos.a"};
    char file[] = "/tmp/divm-unit-XXXXXX.ll", archive[3][2 * PATH_MAX];
    const char *archives[3], *files[] = {file}, *const argv[] = {"guest"};
    char *error = NULL;
    int fd = mkstemps(file, 3);
    FILE *out = fd >= 0 ? fdopen(fd, "w") : NULL;
    assert(out);
    fputs(text, out);
    fclose(out);
    for (unsigned k = 0; k < 3; k++) {
        guest_archive(archive[k], sizeof archive[k], names[k]);
        archives[k] = archive[k];
    }
    struct vm_program *program =
        vm_load(&(struct vm_load){.files = files,
                                  .nfiles = 1,
                                  .archives = archives,
                                  .narchives = 3,
                                  .entry = "main",
                                  .start = {.argv = argv, .argc = 1, .options = VM_BOOT_LEAKS}},
                &error);
    unlink(file);
    if (!program)
        fprintf(stderr, "%s\n%s\n", error, text);
    assert(program);
    return program;
}

/* ---- random programs ------------------------------------------------------------- */

struct guest {
    FILE *out;
    unsigned nregs, nlabels;
    bool cells; /* with an array of words, and allocations */
};

static inline void guest_statements(struct guest *g, unsigned function, unsigned depth);

static inline unsigned guest_load_variable(struct guest *g)
{
    unsigned r = g->nregs++;
    fprintf(g->out, "  %%r%u = load atomic i32, ptr @g%u seq_cst, align 4\n", r,
            draw(GUEST_VARIABLES));
    return r;
}

static inline unsigned guest_condition(struct guest *g)
{
    unsigned r = guest_load_variable(g), c = g->nregs++;
    fprintf(g->out, "  %%r%u = icmp eq i32 %%r%u, %u\n", c, r, draw(2));
    return c;
}

static inline void guest_if(struct guest *g, unsigned function, unsigned depth)
{
    unsigned c = guest_condition(g), label = g->nlabels;
    g->nlabels += 3;
    fprintf(g->out, "  br i1 %%r%u, label %%l%u, label %%l%u\nl%u:\n", c, label, label + 1,
            label);
    guest_statements(g, function, depth + 1);
    fprintf(g->out, "  br label %%l%u\nl%u:\n", label + 2, label + 1);
    guest_statements(g, function, depth + 1);
    fprintf(g->out, "  br label %%l%u\nl%u:\n", label + 2, label + 2);
}

/* Of a later function, so that calls end. */
static inline void guest_call(struct guest *g, unsigned function)
{
    unsigned left = GUEST_FUNCTIONS - 1 - function;
    unsigned a = function + 1 + (left ? draw(left) : 0),
             b = function + 1 + (left ? draw(left) : 0);
    if (!left)
        return;
    if (draw(2)) {
        fprintf(g->out, "  call void @f%u()\n", a);
        return;
    }
    unsigned c = guest_condition(g), p = g->nregs++;
    fprintf(g->out, "  %%r%u = select i1 %%r%u, ptr @f%u, ptr @f%u\n  call void %%r%u()\n", p,
            c, a, b, p);
}

static inline void guest_cell(struct guest *g)
{
    unsigned p = g->nregs, q = g->nregs + 1;
    g->nregs += 3;
    if (draw(3)) {
        fprintf(g->out,
                "  %%r%u = atomicrmw add ptr getelementptr (i8, ptr @cells, i64 %u), i32 1 "
                "seq_cst\n",
                p, 8 * draw(GUEST_CELLS));
        return;
    }
    fprintf(g->out,
            "  %%r%u = call ptr @malloc(i64 8)\n"
            "  store atomic i32 %u, ptr %%r%u seq_cst, align 4\n"
            "  %%r%u = atomicrmw xchg ptr @box, ptr %%r%u seq_cst\n"
            "  call void @free(ptr %%r%u)\n",
            p, draw(3), p, q, p, q);
}

static inline void guest_statement(struct guest *g, unsigned function, unsigned depth)
{
    unsigned x = draw(GUEST_VARIABLES);
    switch (draw(g->cells ? 12 : 9)) {
    case 0:
    case 1:
        fprintf(g->out, "  store atomic i32 %u, ptr @g%u seq_cst, align 4\n", draw(3), x);
        break;
    case 2: guest_load_variable(g); break;
    case 3:
        fprintf(g->out, "  %%r%u = atomicrmw add ptr @g%u, i32 1 seq_cst\n", g->nregs++, x);
        break;
    case 4:
        fprintf(g->out, "  %%r%u = cmpxchg ptr @g%u, i32 %u, i32 %u seq_cst seq_cst\n",
                g->nregs++, x, draw(2), draw(3));
        break;
    case 5: fprintf(g->out, "  call void @put(ptr @g%u)\n", x); break;
    case 6:
    case 7: guest_call(g, function); break;
    case 8:
        if (depth < 2)
            guest_if(g, function, depth);
        break;
    default: guest_cell(g);
    }
}

static inline void guest_statements(struct guest *g, unsigned function, unsigned depth)
{
    for (unsigned k = draw(3); k > 0; k--)
        guest_statement(g, function, depth);
}

static inline void guest_function(struct guest *g, unsigned function)
{
    fprintf(g->out, "define void @f%u() {\n", function);
    guest_statement(g, function, 0);
    guest_statements(g, function, 0);
    fprintf(g->out, "  ret void\n}\n");
}

static inline void guest_main(struct guest *g)
{
    fprintf(g->out, "define i32 @main() {\n");
    for (unsigned k = 0; k < GUEST_THREADS; k++)
        fprintf(g->out, "  %%h%u = alloca ptr\n", k);
    for (unsigned k = 0; k < GUEST_THREADS; k++)
        fprintf(g->out, "  call i32 @pthread_create(ptr %%h%u, ptr null, ptr @t%u, ptr null)\n",
                k, draw(GUEST_THREADS));
    guest_statement(g, 0, 0);
    for (unsigned k = 0; k < GUEST_THREADS; k++)
        fprintf(
            g->out,
            "  %%v%u = load ptr, ptr %%h%u\n  call i32 @pthread_join(ptr %%v%u, ptr null)\n", k,
            k, k);
    if (g->cells)
        fprintf(g->out, "  %%b = load ptr, ptr @box\n  call void @free(ptr %%b)\n");
    fprintf(g->out, "  ret i32 0\n}\n");
}

/* Threads that do random things to a few variables, atomically.  The text is malloc'ed. */
static inline char *guest_random(bool cells)
{
    char *text = NULL;
    size_t size;
    struct guest g = {.out = open_memstream(&text, &size), .cells = cells};
    fprintf(g.out, "target triple = \"x86_64-unknown-linux-musl\"\n"
                   "declare i32 @pthread_create(ptr, ptr, ptr, ptr)\n"
                   "declare i32 @pthread_join(ptr, ptr)\n"
                   "declare ptr @malloc(i64)\ndeclare void @free(ptr)\n"
                   "@box = global ptr null\n"
                   "define void @put(ptr %%p) {\n"
                   "  %%old = atomicrmw add ptr %%p, i32 1 seq_cst\n  ret void\n}\n");
    fprintf(g.out, "@cells = global [%u x i64] zeroinitializer\n", GUEST_CELLS);
    for (unsigned k = 0; k < GUEST_VARIABLES; k++)
        fprintf(g.out, "@g%u = global i32 0\n", k);
    for (unsigned k = 0; k < GUEST_FUNCTIONS; k++)
        guest_function(&g, k);
    for (unsigned k = 0; k < GUEST_THREADS; k++)
        fprintf(g.out, "define ptr @t%u(ptr %%x) {\n  call void @f%u()\n  ret ptr null\n}\n", k,
                k);
    guest_main(&g);
    fclose(g.out);
    return text;
}

#endif
