/* dso_handle.c - the handle that tells shared libraries apart; there is one program. */
extern void *__dso_handle;
void *__dso_handle = 0;
