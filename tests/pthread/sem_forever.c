// Nobody posts.  Result: deadlock.
#include <semaphore.h>

int main(void)
{
    sem_t sem;
    sem_init(&sem, 0, 0);
    sem_wait(&sem);
    return 0;
}
