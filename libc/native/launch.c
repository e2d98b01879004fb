/* launch.c - the start of executables made by divm cc: they carry bitcode, which divm runs.
 * Compiled for the host, without a library, whenever one is linked; DIVM is the path of
 * divm.  If that was moved since, the first divm in PATH is taken. */
typedef unsigned long word;

enum { WRITE = 1, EXECVE = 59, EXIT = 60, READLINK = 89, LONGEST = 4096 };

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

/* Returns what stands behind a text that a variable of the environment begins with, or 0. */
static const char *behind(char **env, const char *text)
{
    for (; *env; env++) {
        word k = 0;
        while (text[k] && (*env)[k] == text[k])
            k++;
        if (!text[k])
            return *env + k;
    }
    return 0;
}

/* Does the environment ask for all executions? */
static int verifies(char **env)
{
    const char *rest = behind(env, "DIVM_LAUNCH=verify");
    return rest && !*rest;
}

/* Runs the first divm of the folders in PATH; returns if there is none. */
static void search(char **args, char **env)
{
    static const char name[] = "/divm";
    const char *at = behind(env, "PATH=");
    while (at && *at) {
        char file[LONGEST + sizeof name];
        word n = 0, k = 0;
        for (; *at && *at != ':'; at++)
            if (n < LONGEST)
                file[n++] = *at;
        at += *at == ':';
        while (k < sizeof name)
            file[n++] = name[k++];
        if (n > sizeof name && n < sizeof file)
            call(EXECVE, (word)file, (word)args, (word)env);
    }
}

__attribute__((used, noreturn)) static void launch(char **stack)
{
    static char self[LONGEST + 1];
    static const char problem[] =
        "cannot run " DIVM
        ", with which this program was built, and there is no divm in PATH\n";
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
    search(args, env);
    call(WRITE, 2, (word)problem, sizeof problem - 1);
    for (;;)
        call(EXIT, 127, 0, 0);
}

__attribute__((naked, used, noreturn)) void __divm_launch(void)
{
    __asm__("mov %rsp, %rdi\n\tand $-16, %rsp\n\tcall launch");
}
