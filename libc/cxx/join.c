/* join.c - the function that std::thread::join calls.  POSIX leaves open what happens to a
 * thread that joins itself, which is an error here; C++ has it throw
 * resource_deadlock_would_occur. */
#include <errno.h>
#include <pthread.h>

int __cxx_join(pthread_t thread, void **result);
int __cxx_join(pthread_t thread, void **result)
{
    return thread == pthread_self() ? EDEADLK : pthread_join(thread, result);
}
