/* ksigaction.h - x86_64's shape. */
#include <features.h>

struct k_sigaction {
    void (*handler)(int);
    unsigned long flags;
    void (*restorer)(void);
    unsigned mask[2];
};

hidden void __restore(void), __restore_rt(void);
