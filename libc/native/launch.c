/* launch.c - the start of executables made by divm cc: they carry bitcode, which divm runs.
 * Compiled for the host, without a library, whenever one is linked; DIVM is the path of
 * divm. */
typedef unsigned long word;

enum { WRITE = 1, EXECVE = 59, EXIT = 60, READLINK = 89 };

int main();
/* A reference to main, so that the linker misses it if the program has none. */
__attribute__((used)) static int (*const entry)() = main;

static word call(word number, word a, word b, word c)
{
    word result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"(number), "D"(a), "S"(b), "d"(c)
                     : "rcx", "r11", "memory");
    return result;
}

/* Does the environment ask for all executions? */
static int verifies(char **env)
{
    static const char asks[] = "DIVM_LAUNCH=verify";
    for (; *env; env++) {
        word k = 0;
        while (k < sizeof asks && (*env)[k] == asks[k])
            k++;
        if (k == sizeof asks)
            return 1;
    }
    return 0;
}

__attribute__((used, noreturn)) static void launch(char **stack)
{
    static char self[4097], problem[] = "cannot run " DIVM "\n";
    word argc = *(word *)stack;
    char **argv = stack + 1, **env = argv + argc + 1;
    char *args[argc + 5];
    args[0] = (char *)"divm";
    args[1] = (char *)(verifies(env) ? "verify" : "run");
    args[2] = self;
    args[3] = (char *)"--";
    for (word k = 1; k < argc; k++)
        args[3 + k] = argv[k];
    args[argc ? argc + 3 : 4] = 0;
    call(READLINK, (word) "/proc/self/exe", (word)self, sizeof self - 1);
    call(EXECVE, (word)DIVM, (word)args, (word)env);
    call(WRITE, 2, (word)problem, sizeof problem - 1);
    for (;;)
        call(EXIT, 127, 0, 0);
}

__attribute__((naked, used, noreturn)) void __divm_launch(void)
{
    __asm__("mov %rsp, %rdi\n\tand $-16, %rsp\n\tcall launch");
}
