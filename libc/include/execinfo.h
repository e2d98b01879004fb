/* execinfo.h - glibc's; a program cannot look at its own stack, which is no memory of its. */
#ifndef _EXECINFO_H
#define _EXECINFO_H

#ifdef __cplusplus
extern "C" {
#endif

int backtrace(void **, int);
char **backtrace_symbols(void *const *, int);
void backtrace_symbols_fd(void *const *, int, int);

#ifdef __cplusplus
}
#endif

#endif
