/* unordered.h - included first by those files of musl whose variables nothing protects, since
 * their functions need not be safe for threads (POSIX XSH 2.9.1), and of libc++ where the
 * order of its atomic accesses shows.  The loader takes the variables of a file that has this
 * name for the program's: races in them are found, and what they point to is known to all
 * threads. */
#ifdef __cplusplus
extern "C" {
#endif
__attribute__((used)) static const char __divm_unordered = 0;
#ifdef __cplusplus
}
#endif
