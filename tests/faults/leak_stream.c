// A buffer that was given to a stream is the stream's, used or not.  Result: correct.
// -DTO=1..4 other streams and sizes: correct.
// -DTO=5 the stream has given it back: memory error.
#include <stdio.h>
#include <stdlib.h>
#ifndef TO
#define TO 0
#endif

static FILE *file;

int main(void)
{
    switch (TO) {
    case 0: setvbuf(stdout, malloc(BUFSIZ), _IOFBF, BUFSIZ); break;
    case 1: setbuf(stderr, malloc(BUFSIZ)); break;
    case 2: setvbuf(stdin, malloc(BUFSIZ), _IOFBF, BUFSIZ); break;
    case 3:
        file = fopen("/tmp/file", "w");
        setvbuf(file, malloc(BUFSIZ), _IOLBF, BUFSIZ);
        break;
    case 4:
        file = fopen("/tmp/file", "w");
        setvbuf(file, malloc(4), _IOFBF, 4);
        break;
    case 5:
        setvbuf(stdout, malloc(BUFSIZ), _IOFBF, BUFSIZ);
        setvbuf(stdout, NULL, _IONBF, 0);
        break;
    }
    puts("printed");
    return 0;
}
