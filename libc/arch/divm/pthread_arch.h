/* pthread_arch.h - there is no thread register: what libc keeps for each thread
 * is a thread-local variable, see internal/pthread_impl.h. */
