"""The folder of these tests, and the programs in it."""

import json
import pathlib
import tempfile

from suite import ROOT

TEMPORARY = tempfile.TemporaryDirectory(prefix="divm-cli-")
HERE = pathlib.Path(TEMPORARY.name)
CXX = ROOT / "tests/cxx"

SOURCES = {
    "fine.c": "int main(void) { return 0; }\n",
    "vacuous.c": "#include <assert.h>\n#include <divm.h>\nint main(void) { divm_assume(0); assert(0); }\n",
    "half.c": "#include <divm.h>\nint main(void) { divm_assume(divm_choose(2)); }\n",
    "endless.c": "int main(void) { for (;;) ; }\n",
    "weak.c": "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int x;\n"
              "static void *set(void *arg)\n{\n    int none = 0;\n"
              "    while (!atomic_compare_exchange_weak(&x, &none, 1))\n        LOOP;\n    return arg;\n}\n"
              "int main(void)\n{\n    pthread_t t;\n    pthread_create(&t, 0, set, 0);\n"
              "    pthread_join(t, 0);\n    assert(x == 1);\n}\n",
    "bad_syntax.c": "int main(void) { return 0 }\n",
    "no_main.c": "int other(void) { return 0; }\n",
    "unresolved.c": "int nowhere(int);\nint main(void)\n{\n    return nowhere(1);\n}\n",
    "status.c": "int main(void) { return 3; }\n",
    "echo.c": "#include <stdio.h>\nint main(int argc, char **argv)\n{\n"
              "    for (int k = 1; k < argc; k++)\n        puts(argv[k]);\n"
              "    return argc - 1;\n}\n",
    "macro.c": "#include <assert.h>\nint main(void)\n{\n    assert(SIZE == 3);\n    return 0;\n}\n",
    "part_a.c": "int from_b(void);\nint main(void) { return from_b(); }\n",
    "part_b.c": "int from_b(void) { return 0; }\n",
    "entry.c": "#include <assert.h>\nint test(void) { assert(0); return 0; }\n"
               "int main(void) { return 0; }\n",
    "asm.c": "int main(void)\n{\n    int x;\n    __asm__(\"movl $0, %0\" : \"=r\"(x));\n"
             "    return x;\n}\n",
    "ifunc.c": "static int one(int x) { return x; }\n"
               "static int (*resolve(void))(int) { return one; }\n"
               "int fast(int) __attribute__((ifunc(\"resolve\")));\n"
               "static int (*calls[])(int) = {one, fast};\n"
               "int main(int argc, char **argv) { (void)argv; return calls[argc % 2](0); }\n",
    "warned.c": "int main(void)\n{\n    int x;\n    return 0;\n}\n",
    "wraps.c": "#include <limits.h>\nint main(int argc, char **argv)\n{\n"
               "    int x = INT_MAX;\n    x += argc;\n    return x > 0 || !argv;\n}\n",
    "fib.c": (ROOT / "tests/bench/fib.c").read_text(),
    "counter.c": (ROOT / "tests/bench/counter.c").read_text(),
    "filesystem.c": (ROOT / "tests/bench/filesystem.c").read_text(),
    "lost_update.c": (ROOT / "examples/lost_update.c").read_text(),
    "far_error.c": "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n"
                   "static atomic_int own[4], common;\n"
                   "static void *work(void *arg)\n{\n"
                   "    for (int k = 0; k < 14; k++)\n        atomic_fetch_add((atomic_int *)arg, 1);\n"
                   "    if (arg != own && arg != own + 1)\n        return 0;\n"
                   "    int seen = atomic_load(&common);\n    atomic_store(&common, seen + 1);\n"
                   "    return 0;\n}\n"
                   "int main(void)\n{\n    pthread_t t[4];\n"
                   "    for (int k = 0; k < 4; k++)\n"
                   "        pthread_create(&t[k], 0, work, &own[k]);\n"
                   "    for (int k = 0; k < 4; k++)\n        pthread_join(t[k], 0);\n"
                   "    assert(common == 2);\n    return 0;\n}\n",
    "weak_forks.c": "#include <stdatomic.h>\n#include <sys/wait.h>\n#include <unistd.h>\n"
                    "static atomic_int x;\nint main(void)\n{\n    atomic_store_explicit(&x, 1, memory_order_relaxed);\n"
                    "    if (!fork())\n        _exit(0);\n    wait(0);\n}\n",
    "forks.c": "#include <sys/wait.h>\n#include <unistd.h>\n"
               "int main(void)\n{\n    if (fork() == 0)\n        _exit(0);\n"
               "    return wait(NULL) < 0;\n}\n",
    "hypercall.c": "unsigned long __divm_control(int, int, unsigned long);\n"
                   "int main(void)\n{\n    __divm_control(7, 2, 8 | 32);\n"
                   "    return *(volatile int *)0;\n}\n",
    "hypercall_taken.c": "void __divm_obj_resize(void *, unsigned long);\n"
                         "void (*taken)(void *, unsigned long) = __divm_obj_resize;\n"
                         "int main(void) { return 0; }\n",
    "hypercall_alias.c": "unsigned long control(int, int, unsigned long) __asm__(\"__divm_control\");\n"
                         "int main(void) { return (int)control(10, 3, 1); }\n",
    "hypercall_own.c": "int __divm_mine(void) { return 0; }\nint main(void) { return __divm_mine(); }\n",
    "kernel_call.c": "void os_exit(int);\nint main(void)\n{\n    os_exit(0);\n}\n",
    "kernel_variable.c": "extern int os_interruptible;\nint main(void)\n{\n    return os_interruptible;\n}\n",
    "section_name.c": "static void early(void) {}\n"
                      "__attribute__((section(\".init_array.early\"), used)) void (*const start)(void) = early;\n"
                      "int main(void) { return 0; }\n",
    "section_null.c": "__attribute__((section(\".init_array\"), used)) void (*const start[1])(void) = {0};\n"
                      "int main(void) { return 0; }\n",
    "section_data.c": "int x;\n__attribute__((section(\".fini_array\"), used)) int *const start = &x;\n"
                      "int main(void) { return 0; }\n",
    "free_read.c": "#include <pthread.h>\n#include <stdlib.h>\nstatic int *p;\n"
                   "static void *drop(void *arg) { free(p); return arg; }\n"
                   "static int look(void) { return *p; }\n"
                   "int main(void)\n{\n    pthread_t t;\n    p = calloc(1, sizeof *p);\n"
                   "    if (!p)\n        return 0;\n    pthread_create(&t, 0, drop, 0);\n"
                   "    int seen = look();\n    pthread_join(t, 0);\n    return seen;\n}\n",
    "unprototyped.c": "#include <pthread.h>\nint main();\nstatic void *work() { return 0; }\n"
                      "int main()\n{\n    pthread_t t;\n"
                      "    int status = pthread_create(&t, 0, work, 0) || pthread_join(t, 0);\n"
                      "#ifdef FAIL\n    status = 1;\n#endif\n    return status;\n}\n",
    "unprototyped_called.c": "static int none() { return 0; }\n"
                             "static int one(x) int x; { return x; }\n"
                             "int main() { return none() + one(0); }\n",
    "weak.cpp": "#include <atomic>\n#include <cassert>\nstd::atomic<int> x;\nint main()\n{\n"
                "    x.load(std::memory_order_acquire);\n    int e = 0;\n"
                "#ifdef FAIL\n\n    assert(!\"fails\");\n#endif\n"
                "    x.compare_exchange_strong(e, 1, std::memory_order_acq_rel,\n"
                "                              std::memory_order_relaxed);\n"
                "    return x.fetch_add(1) != 1;\n}\n",
    "weak_vacuous.c": "#include <stdatomic.h>\nvoid __VERIFIER_assume(int);\natomic_int x;\nint main(void) { "
                      "atomic_store_explicit(&x, 1, memory_order_relaxed); "
                      "__VERIFIER_assume(0); }\n",
    "weak.h": "#include <atomic>\ninline int get(std::atomic<int> &x) { return x.load("
              "std::memory_order_acquire); }\n",
    "weak_header.cpp": "#include \"weak.h\"\nstd::atomic<int> x;\n#if !defined FIRST\n"
                       "void first() { x.store(1, std::memory_order_release); }\n#endif\n"
                       "int main() { return get(x); }\n",
    "message.c": (ROOT / "examples/message.c").read_text(),
    "buffering.cpp": "#include <atomic>\n#include <cassert>\n#include <thread>\nstatic std::atomic<int> x, y;\n"
                     "int main()\n{\n    int r, s;\n    std::thread t([&] {\n"
                     "        y.store(1, std::memory_order_release);\n"
                     "        s = x.load(std::memory_order_acquire);\n    });\n"
                     "    x.store(1, std::memory_order_release);\n"
                     "    r = y.load(std::memory_order_acquire);\n    t.join();\n    assert(r || s);\n}\n",
    "swapped.c": "#include <pthread.h>\n#include <stdatomic.h>\nstatic int data;\nstatic atomic_int flag;\n"
                 "static void *work(void *arg)\n{\n    data = 1;\n"
                 "    atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed);\n    return arg;\n}\n"
                 "int main(void)\n{\n    pthread_t t;\n    int one = 1;\n"
                 "    pthread_create(&t, 0, work, 0);\n"
                 "    if (atomic_compare_exchange_strong_explicit(&flag, &one, 2, memory_order_relaxed,\n"
                 "                                                memory_order_relaxed))\n"
                 "        data = 2;\n    pthread_join(t, 0);\n}\n",
    "fences.c": "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n"
                "static atomic_int x, y;\nstatic int r, s;\nstatic void *other(void *arg)\n{\n"
                "    atomic_store_explicit(&y, 1, memory_order_relaxed);\n"
                "    atomic_thread_fence(memory_order_seq_cst);\n"
                "    s = atomic_load_explicit(&x, memory_order_relaxed);\n    return arg;\n}\n"
                "int main(void)\n{\n    pthread_t t;\n    pthread_create(&t, 0, other, 0);\n"
                "    atomic_store_explicit(&x, 1, memory_order_relaxed);\n"
                "    atomic_thread_fence(memory_order_acq_rel);\n"
                "    r = atomic_load_explicit(&y, memory_order_relaxed);\n    pthread_join(t, 0);\n"
                "    assert(r || s);\n}\n",
    "at_run_time.c": "#include <assert.h>\n#include <stdatomic.h>\nstatic atomic_int x;\n"
                     "static int get(memory_order o) { return atomic_load_explicit(&x, o); }\n"
                     "int main(void)\n{\n    assert(get(memory_order_relaxed) == FOUND);\n"
                     "    return atomic_load(&x);\n}\n",
    "fine_too.c": "int too(void) { return 0; }\n",
    "relaxed_too.c": "#include <stdatomic.h>\nint put(atomic_int *x)\n"
                     "{\n    return atomic_fetch_add_explicit(x, 1, memory_order_relaxed);\n}\n",
    "relaxed.c": "#include <stdatomic.h>\n#include <stdlib.h>\natomic_int x;\n"
                 "int main(void)\n{\n"
                 "    return atomic_load_explicit(&x, memory_order_acquire);\n}\n",
    "guard.cpp": "#include <cstdlib>\nstruct one { int x; one() : x(std::atoi(\"0\")) {} };\n"
                 "int main()\n{\n    static one first;\n    return first.x;\n}\n",
    "threads.cpp": "#include <atomic>\n#include <thread>\nstatic std::atomic<int> x, y;\n"
                   "int main()\n{\n    std::thread a([] { x++, x++; }), b([] { y++, y++; });\n"
                   "    a.join();\n    b.join();\n    return x != 2;\n}\n",
    "slept.c": "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n"
               "#include <unistd.h>\nstatic atomic_int done;\n"
               "static void *work(void *arg) { done = 1; return arg; }\n"
               "int main(void)\n{\n    pthread_t t;\n    pthread_create(&t, 0, work, 0);\n"
               "    sleep(1);\n    assert(done);\n    pthread_join(t, 0);\n    return 0;\n}\n",
    "timed.c": "#include <assert.h>\n#include <pthread.h>\n#include <time.h>\n"
               "int main(void)\n{\n    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
               "    pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n    struct timespec at;\n"
               "    clock_gettime(CLOCK_REALTIME, &at);\n    pthread_mutex_lock(&m);\n"
               "    assert(pthread_cond_timedwait(&c, &m, &at) == 0);\n    return 0;\n}\n",
    "told.c": "// divm: -DSIZE=3 --no-leaks\n/* divm: --clock=prompt */\n#include <assert.h>\n"
              "#include <stdlib.h>\nint main(void)\n{\n    // divm is not told anything here\n"
              "    assert(SIZE == 3);\n    void *volatile p = malloc(1);\n    p = 0;\n    return 0;\n}\n",
    "told_wrong.c": "int main(void) { return 0; }\n  // divm: --clok=prompt\n",
    "told_file.c": "// divm: -I. fine.c\nint main(void) { return 0; }\n",
    "told_output.c": "// divm: --output-junit=x.xml\nint main(void) { return 0; }\n",
    "told_plugin.c": "// divm: -fplugin=x.so\nint main(void) { return 0; }\n",
    "bad.bc": "BC\xc0\xde and then no bitcode at all",
    "empty.bc": "",
    "garbage.ll": "define this is no assembly\n",
    "not.trace": "{\"version\": 1}\n",
    "garbage.trace": "nothing like a trace\n",
}


def prepare():
    for name, text in SOURCES.items():
        (HERE / name).write_bytes(text.encode("latin-1"))
    (HERE / "database").mkdir()
    (HERE / "database/compile_commands.json").write_text(json.dumps(
        [{"directory": str(HERE), "file": name, "command": f"cc -c {name}"}
         for name in ("part_a.c", "part_b.c", "fine.c")]))
