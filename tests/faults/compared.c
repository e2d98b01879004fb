// memcmp looks at all bytes of both arrays, also after a difference: one of them is too
// short.  Result: memory error.
// -DSECOND says that for the second array: memory error.
// -DWIDE for wmemcmp: memory error.
// -DBYTES for bcmp: memory error.
// -DCHARS compares with memchr and strncmp, which end where they find something: correct.
// Expect: access out of bounds.*4 bytes
// Expect: compared.c:@first
// Expect-SECOND: compared.c:@second
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

int main(void)
{
    char *word = malloc(4);
    memcpy(word, "abc", 4);
#ifdef SECOND
    assert(memcmp("abcdefgh", word, 8) != 0); // @second
#elif defined WIDE
    wchar_t wide[] = L"abc";
    assert(wmemcmp(wide, L"abcdefgh", 8) != 0);
#elif defined BYTES
    assert(bcmp(word, "abcdefgh", 8) != 0);
#elif defined CHARS
    assert(memchr(word, 'c', 8) == word + 2);
    assert(strncmp(word, "abcdefgh", 8) < 0);
    assert(memcmp(word, "abcd", 4) < 0 && memcmp(word, "abb", 2) == 0);
    assert(wmemcmp(L"abc", L"abd", 4) < 0 && wmemcmp(L"b", L"a", 2) > 0);
#else
    assert(memcmp(word, "abcdefgh", 8) != 0); // @first
#endif
    free(word);
    return 0;
}
