/* load_kept.c - programs that were loaded before: struct vm_load.programs.  The key is a hash
 * of the contents of all files and archives, and of the options, but not of the program's
 * arguments and environment, which are set afterwards. */
#include <errno.h>
#include <fcntl.h>
#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "vm/load/link/load_kept.h"

/* Hashes the contents where they are, without copying. */
bool vm_hash_file(const char *file, uint64_t hash[2])
{
    struct stat st;
    void *data = MAP_FAILED;
    int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* it may be a pipe */
    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0)
        data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
    if (fd >= 0)
        close(fd);
    if (data == MAP_FAILED)
        return false;
    XXH128_hash_t sum = XXH3_128bits(data, (size_t)st.st_size);
    munmap(data, (size_t)st.st_size);
    hash[0] = sum.low64;
    hash[1] = sum.high64;
    return true;
}

static bool add_file(XXH3_state_t *key, const char *path)
{
    uint64_t hash[2];
    bool good = vm_hash_file(path, hash);
    if (good)
        XXH3_128bits_update(key, hash, sizeof hash);
    return good;
}

static void add_names(XXH3_state_t *key, const struct vm_names_list *list)
{
    XXH3_128bits_update(key, &list->n, sizeof list->n);
    for (size_t k = 0; k < list->n; k++)
        XXH3_128bits_update(key, list->at[k], strlen(list->at[k]) + 1);
}

static void add_watch(XXH3_state_t *key, const struct vm_watch *watch)
{
    unsigned char flags[] = {watch->frames, watch->pointers};
    XXH3_128bits_update(key, flags, sizeof flags);
    const char *monitor = watch->monitor ? watch->monitor : "";
    XXH3_128bits_update(key, monitor, strlen(monitor) + 1);
    add_names(key, &watch->functions);
    add_names(key, &watch->places);
    add_names(key, &watch->variables);
    add_names(key, &watch->arrays);
}

/* A program with notes is not kept, nor one with files of the host, whose contents would be
 * kept with it. */
bool load_kept_key(const struct vm_load *load, uint64_t key[2])
{
    unsigned version[3];
    LLVMGetVersion(&version[0], &version[1], &version[2]);
    uint64_t facts[] = {version[0],           version[1],       version[2],
                        load->nfiles,         load->narchives,  load->nown,
                        load->check_overflow, load->as_written, load->check_alignment,
                        load->profile,        load->coverage};
    if (!load->programs || load->ninputs || load->notes)
        return false;
    XXH3_state_t *state = XXH3_createState();
    XXH3_128bits_reset(state);
    XXH3_128bits_update(state, facts, sizeof facts);
    XXH3_128bits_update(state, load->entry, strlen(load->entry) + 1);
    if (load->watch)
        add_watch(state, load->watch);
    bool good = true;
    for (size_t k = 0; k < load->nfiles && good; k++)
        good = add_file(state, load->files[k]);
    for (size_t k = 0; k < load->narchives && good; k++)
        good = add_file(state, load->archives[k]);
    XXH128_hash_t hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    key[0] = hash.low64;
    key[1] = hash.high64;
    return good;
}

struct vm_program *load_recall(const struct vm_load *load, const uint64_t key[2])
{
    size_t size;
    char *bytes = load->programs->get(load->programs->context, key, &size);
    if (!bytes)
        return NULL;
    struct vm_program *program = vm_program_read((unsigned char *)bytes);
    free(bytes);
    vm_set_start(program, &load->start);
    return program;
}

struct vm_program *vm_load_kept(const struct vm_load *load)
{
    uint64_t key[2];
    return load_kept_key(load, key) ? load_recall(load, key) : NULL;
}

void load_keep(const struct vm_load *load, const uint64_t before[2],
               const struct vm_program *program)
{
    uint64_t key[2];
    struct vm_bytes bytes = {0};
    if (!load->programs->put || !load_kept_key(load, key) || key[0] != before[0] ||
        key[1] != before[1])
        return;
    vm_program_write(program, &bytes);
    load->programs->put(load->programs->context, key, (char *)bytes.at, bytes.n);
    free(bytes.at);
}
