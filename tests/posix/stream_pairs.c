// Two threads do something with one stream: each function locks it.  One of them prints with
// fprintf.  Result: correct.
// -DOTHER=1..13 and the other does this: correct.
// -DWIDE=0..13 prints with fwprintf: correct.
// -DTRY=0..13 writes under ftrylockfile: correct.
// -DNAKED=4 writes without the lock: data race.
// -DUNBUFFERED=0..13 the stream has no buffer: correct.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#if defined WIDE
#define OTHER WIDE
#elif defined TRY
#define OTHER TRY
#elif defined NAKED
#define OTHER NAKED
#elif defined UNBUFFERED
#define OTHER UNBUFFERED
#elif !defined OTHER
#define OTHER 0
#endif

static FILE *f;

static void print(void)
{
#if defined WIDE
    fwprintf(f, L"%d", 5);
#elif defined TRY
    if (ftrylockfile(f))
        return;
    putc_unlocked('a', f);
    funlockfile(f);
#elif defined NAKED
    putc_unlocked('a', f);
#else
    fprintf(f, "%d", 5);
#endif
}

static void read(void)
{
    char text[4];
    fgets(text, sizeof text, f);
}

static void read_number(void)
{
    int x;
    fscanf(f, "%d", &x);
}

static void *work(void *arg)
{
    switch (OTHER) {
    case 0: print(); break;
    case 1: fputs("ab", f); break;
    case 2: fileno(f); break;
    case 3: clearerr(f); break;
    case 4: putc('a', f); break;
    case 5: fflush(f); break;
    case 6: fflush(NULL); break;
    case 7: getc(f); break;
    case 8: ftell(f); break;
    case 9: rewind(f); break;
    case 10: read(); break;
    case 11: read_number(); break;
    case 12: fwide(f, 0); break;
    case 13: fwrite("ab", 1, 2, f); break;
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    f = fopen("/tmp/pairs", "w+");
#ifdef UNBUFFERED
    setvbuf(f, NULL, _IONBF, 0);
#endif
    fputs("12 34\n56\n", f);
    rewind(f);
    pthread_create(&t, NULL, work, NULL);
    print();
    pthread_join(t, NULL);
    fclose(f);
    return 0;
}
