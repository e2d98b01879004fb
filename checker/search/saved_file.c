/* saved_file.c - see saved_file.h. */
#include "saved_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "checker/identity.h"
#include "checker/memory.h"

enum { BUFFER = 1 << 20, VERSION = 1 };
static const char MAGIC[16] = "divm checkpoint";

struct head {
    char magic[sizeof MAGIC];
    uint32_t version;
    uint32_t identity; /* bytes that follow */
    uint64_t build;    /* of divm */
};

/* Returns what tells this build of the command, whose structures are in the file, from others.
 * 0: it is not known. */
static uint64_t build(void)
{
    uint64_t identity[2];
    return check_identity(identity) ? identity[0] : 0;
}

/* ---- writing --------------------------------------------------------------------- */

static void note_error(struct saved_file *file)
{
    if (!file->error)
        file->error = errno ? errno : EIO;
}

/* Returns the folder of a file, malloc'ed. */
static char *folder_of(const char *name)
{
    char *folder = check_strdup(name), *slash = strrchr(folder, '/');
    if (slash) {
        slash[slash == folder] = '\0';
        return folder;
    }
    free(folder);
    return check_strdup(".");
}

/* Opens a file without a name, of which nothing is left if divm is ended meanwhile; or, where
 * the folder's file system has no such files, one with the temporary name. */
static FILE *open_new(struct saved_file *file)
{
    char *folder = folder_of(file->temporary);
    int fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    free(folder);
    file->nameless = fd >= 0;
    return file->nameless ? fdopen(fd, "w") : fopen(file->temporary, "we");
}

/* Gives the file without a name the temporary one. */
static bool give_name(const struct saved_file *file)
{
    char *path = check_format("/proc/self/fd/%d", fileno(file->stream));
    unlink(file->temporary);
    bool given = linkat(AT_FDCWD, path, AT_FDCWD, file->temporary, AT_SYMLINK_FOLLOW) == 0;
    free(path);
    return given;
}

bool saved_create(struct saved_file *file, const char *name, const char *identity)
{
    struct head head = {.version = VERSION, .identity = (uint32_t)strlen(identity)};
    *file = (struct saved_file){.temporary = check_format("%s.new", name)};
    memcpy(head.magic, MAGIC, sizeof MAGIC);
    head.build = build();
    file->sum = XXH3_createState();
    file->stream = file->sum ? open_new(file) : NULL;
    if (!file->stream) {
        int error = errno;
        saved_close(file);
        errno = error;
        return false;
    }
    setvbuf(file->stream, NULL, _IOFBF, BUFFER);
    XXH3_128bits_reset(file->sum);
    saved_put(file, &head, sizeof head);
    saved_put(file, identity, head.identity);
    return true;
}

void saved_put(struct saved_file *file, const void *bytes, size_t n)
{
    if (file->error || !n)
        return;
    XXH3_128bits_update(file->sum, bytes, n);
    if (fwrite(bytes, 1, n, file->stream) != n)
        note_error(file);
}

static void sync_folder(const char *name)
{
    char *folder = folder_of(name);
    FILE *at = fopen(folder, "re");
    if (at) {
        fsync(fileno(at)); /* or the older file is there after a loss of power */
        fclose(at);
    }
    free(folder);
}

bool saved_finish(struct saved_file *file, const char *name)
{
    XXH128_canonical_t sum;
    XXH128_canonicalFromHash(&sum, XXH3_128bits_digest(file->sum));
    if (!file->error && (fwrite(&sum, sizeof sum, 1, file->stream) != 1 ||
                         fflush(file->stream) != 0 || fsync(fileno(file->stream)) != 0))
        note_error(file);
    if (!file->error && file->nameless && !give_name(file))
        note_error(file);
    if (fclose(file->stream) != 0)
        note_error(file);
    file->stream = NULL;
    if (!file->error && rename(file->temporary, name) != 0)
        note_error(file);
    int error = file->error;
    if (error)
        unlink(file->temporary);
    else
        sync_folder(name);
    saved_close(file);
    errno = error;
    return !error;
}

/* ---- reading --------------------------------------------------------------------- */

/* Is the sum at the end of the file that of all other bytes, of which so many were read? */
static bool has_right_sum(FILE *in, XXH3_state_t *state, uint64_t bytes)
{
    XXH128_canonical_t sum, found;
    char *buffer = malloc(BUFFER);
    size_t n = 1;
    for (; buffer && bytes && n; bytes -= n) {
        n = fread(buffer, 1, bytes < BUFFER ? (size_t)bytes : BUFFER, in);
        XXH3_128bits_update(state, buffer, n);
    }
    free(buffer);
    XXH128_canonicalFromHash(&found, XXH3_128bits_digest(state));
    return !bytes && fread(&sum, sizeof sum, 1, in) == 1 && !memcmp(&sum, &found, sizeof sum);
}

static const char *what_is_wrong(FILE *in, XXH3_state_t *state, char **identity)
{
    static const char damaged[] = "the file is damaged or was cut short";
    struct head head;
    struct stat info;
    uint64_t least = sizeof head + sizeof(XXH128_canonical_t);
    if (fstat(fileno(in), &info) != 0 || !S_ISREG(info.st_mode) ||
        fread(&head, 1, sizeof head, in) != sizeof head ||
        memcmp(head.magic, MAGIC, sizeof MAGIC) != 0)
        return "not a checkpoint of divm";
    if (head.version != VERSION || !head.build || head.build != build())
        return "a checkpoint of another version of divm";
    if ((uint64_t)info.st_size < least + head.identity)
        return damaged;
    *identity = check_zeros(head.identity + (size_t)1, 1);
    if (fread(*identity, 1, head.identity, in) != head.identity)
        return damaged;
    XXH3_128bits_reset(state);
    XXH3_128bits_update(state, &head, sizeof head);
    XXH3_128bits_update(state, *identity, head.identity);
    return has_right_sum(in, state, (uint64_t)info.st_size - least - head.identity) ? NULL
                                                                                    : damaged;
}

char *saved_check(const char *name, char **identity)
{
    FILE *in = fopen(name, "re");
    *identity = NULL;
    if (!in)
        return check_strdup(strerror(errno));
    XXH3_state_t *state = check_memory(XXH3_createState());
    const char *wrong = what_is_wrong(in, state, identity);
    XXH3_freeState(state);
    fclose(in);
    if (wrong) {
        free(*identity);
        *identity = NULL;
    }
    return check_strdup(wrong);
}

bool saved_open(struct saved_file *file, const char *name)
{
    struct head head;
    *file = (struct saved_file){.stream = fopen(name, "re")};
    if (!file->stream)
        return false;
    setvbuf(file->stream, NULL, _IOFBF, BUFFER);
    return saved_get(file, &head, sizeof head) &&
           fseeko(file->stream, (off_t)head.identity, SEEK_CUR) == 0;
}

bool saved_get(struct saved_file *file, void *bytes, size_t n)
{
    if (!file->error && n && fread(bytes, 1, n, file->stream) != n)
        note_error(file);
    return !file->error;
}

void saved_close(struct saved_file *file)
{
    if (file->stream)
        fclose(file->stream);
    XXH3_freeState(file->sum);
    free(file->temporary);
    *file = (struct saved_file){0};
}
