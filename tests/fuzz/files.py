"""Random programs that work on files, folders, pipes and streams, some with several threads."""

from grammar import Family

FILES = Family(
    head="""
#include <dirent.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>

static atomic_int a0;
static int ways[2];

/* What a call says: its result, or the error. */
static int said(long result)
{
    return result < 0 ? 64 + errno : (int)result;
}

/* A descriptor's own number tells nothing. */
static int opened(int *fd, int result)
{
    *fd = result;
    return result < 0 ? 64 + errno : 0;
}

static int sum(const char *bytes, long n)
{
    int x = 0;
    for (long k = 0; k < n; k++)
        x = 3 * x + bytes[k];
    return x & 0xffff;
}

static int known(const char *path)
{
    struct stat s;
    if (stat(path, &s) < 0)
        return 64 + errno;
    return S_ISDIR(s.st_mode) ? 7 : (int)s.st_size + 100 * (int)s.st_nlink;
}

static int entries(const char *path)
{
    int n = 0;
    DIR *folder = opendir(path);
    if (!folder)
        return 64 + errno;
    for (const struct dirent *e; (e = readdir(folder));)
        n += 1 + sum(e->d_name, (long)strlen(e->d_name)) % 97;
    closedir(folder);
    return n;
}
""",
    setup="""
    signal(SIGPIPE, SIG_IGN);
    if (mkdir("here", 0700) < 0 || chdir("here") < 0 || pipe2(ways, O_NONBLOCK) < 0)
        return 1;
""",
    locals="""int x = -1, y = -1; char c[8] = {0}; FILE *s = NULL; struct stat st;
    (void)x; (void)y; (void)c; (void)s; (void)st;""",
    grammar="""
statement
    4x $register += opened(&$fd, open($path, $access | $flags, 0600));
    $register += opened(&$fd, open($path, $access));
    $register += opened(&$fd, openat(AT_FDCWD, $path, O_RDWR | O_CREAT, 0600));
    2x $register += said(close($fd)); $fd = -1;
    4x $register += said(write($fd, &"abcdefg"[$value], $size));
    4x { long n = read($fd, c, $size); $register += said(n) + sum(c, n); }
    $register += said(pwrite($fd, "hijklmn", $size, $offset));
    { long n = pread($fd, c, $size, $offset); $register += said(n) + sum(c, n); }
    { struct iovec v[2] = {{c, 2}, {c + 2, $size}}; long n = readv($fd, v, 2);
            $register += said(n) + sum(c, n); }
    { struct iovec v[2] = {{"op", 2}, {"qrstuvw", $size}}; $register += said(writev($fd, v, 2)); }
    2x $register += said(lseek($fd, $offset, $whence));
    $register += opened(&$fd, dup($fd));
    if ($fd >= 0 && $fd >= 0) $register += said(dup2($fd, $fd)) > 0;
    $register += opened(&$fd, fcntl($fd, F_DUPFD, 0));
    $register += said(fcntl($fd, F_GETFL)) & (O_ACCMODE | O_APPEND | O_NONBLOCK);
    $register += said(fcntl($fd, F_SETFL, $flag));
    $register += said(ftruncate($fd, $offset));
    $register += said(truncate($path, $offset));
    2x $register += said(unlink($path));
    2x $register += said(rename($path, $path));
    $register += said(link($path, $path));
    2x $register += said(mkdir($path, 0700));
    $register += said(rmdir($path));
    $register += said(remove($path));
    2x $register += known($path);
    $register += said(fstat($fd, &st));
    if (fstat($fd, &st) == 0 && S_ISREG(st.st_mode)) $register += (int)st.st_size;
    $register += entries($folder);
    $register += said(access($path, $mode));
    $register += said(write(ways[1], "xyz", $size % 4));
    { long n = read(ways[0], c, $size); $register += said(n) + sum(c, n); }
    { struct pollfd p = {.fd = ways[0], .events = POLLIN}; $register += said(poll(&p, 1, 0)); }
    { struct pollfd p = {.fd = $fd, .events = POLLIN | POLLOUT}; $register += said(poll(&p, 1, 0));
            $register += p.revents; }
    { int two[2]; if (!socketpair(AF_UNIX, $kind | SOCK_NONBLOCK, 0, two)) {
            $register += said(write(two[0], "abc", $size % 4)); long n = read(two[1], c, $size);
            $register += said(n) + sum(c, n); close(two[0]); n = read(two[1], c, 1);
            $register += said(n); n = write(two[1], "d", 1); $register += said(n); close(two[1]); } }
    if (s) fclose(s); s = fopen($path, $how); $register += !s ? errno : 0;
    if (s) { fclose(s); s = NULL; }
    2x if (s) $register += fputs("stream", s) >= 0;
    2x if (s) { long n = (long)fread(c, 1, $size, s); $register += sum(c, n) + !!feof(s) + !!ferror(s); }
    if (s) $register += (int)fwrite("wx\\nyz", 1, $size % 5, s);
    if (s) { c[0] = 0; $register += fgets(c, 4, s) ? sum(c, (long)strlen(c)) : -1; }
    if (s) $register += said(fseek(s, $offset, $whence)) + (int)ftell(s);
    if (s) { $register += fgetc(s); $register += ungetc('u', s); $register += fgetc(s); }
    if (s) $register += said(fflush(s));
    if (s) { rewind(s); int n = 0; $register += fscanf(s, "%*2c%d", &n) + n; }
    if (s) $register += fprintf(s, "%d-%s", $value, "p");
    if ($register == $value) { $block }
    for (int i = 0; i < 2; i++) { $block }
    a0++;
    $register += a0;
fd
    3x x
    y
path
    3x "a"
    2x "b"
    "d"
    "d/a"
    "d/e"
    "."
    "no/a"
    "a/b"
    ""
folder
    "."
    "d"
    "a"
access
    O_RDONLY
    O_WRONLY
    2x O_RDWR
flags
    3x O_CREAT
    O_CREAT | O_TRUNC
    O_CREAT | O_EXCL
    O_CREAT | O_APPEND
    O_DIRECTORY
    O_TRUNC
    O_APPEND
flag
    0
    O_APPEND
    O_NONBLOCK
kind
    SOCK_STREAM
    SOCK_DGRAM
    SOCK_SEQPACKET
mode
    F_OK
    R_OK
    W_OK
how
    "r"
    "w"
    "a"
    "r+"
    "w+"
    "a+"
    "wx"
size
    0
    1
    3
    7
offset
    0
    1
    5
    -1
whence
    SEEK_SET
    SEEK_CUR
    SEEK_END
value
    0
    2x 1
    2
""",
    budget=14,
    threads=(1, 1, 1, 2),
    last="(unsigned)a0 + 3 * (unsigned)known(\"a\") + 5 * (unsigned)known(\"b\") + "
         "7 * (unsigned)entries(\".\")")
