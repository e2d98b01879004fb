/* identity.c - see identity.h.  The command's file, of some 50 MB with LLVM in it, is not
 * hashed here: that took longer than all the rest of a small verification. */
#include <elf.h>
#include <link.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "checker/identity.h"

/* A part of the command in memory. */
struct bytes {
    const char *at;
    size_t n;
};

/* Takes n bytes from the beginning; notes are padded to four. */
static struct bytes take(struct bytes *from, size_t n)
{
    size_t padded = (n + 3) / 4 * 4;
    struct bytes taken = {from->at, n <= from->n ? n : 0};
    *from = padded <= from->n ? (struct bytes){from->at + padded, from->n - padded}
                              : (struct bytes){0};
    return taken;
}

/* Finds the linker's build id among notes. */
static struct bytes id_in(struct bytes notes)
{
    while (notes.n >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) head;
        memcpy(&head, notes.at, sizeof head);
        take(&notes, sizeof head);
        struct bytes name = take(&notes, head.n_namesz), id = take(&notes, head.n_descsz);
        if (head.n_type == NT_GNU_BUILD_ID && name.n == sizeof ELF_NOTE_GNU &&
            !memcmp(name.at, ELF_NOTE_GNU, name.n) && id.n)
            return id;
    }
    return (struct bytes){0};
}

/* Of what is loaded, the command comes first. */
static int find_id(struct dl_phdr_info *info, size_t size, void *found)
{
    (void)size;
    struct bytes *id = found;
    for (size_t k = 0; k < info->dlpi_phnum && !id->n; k++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[k];
        if (part->p_type == PT_NOTE)
            *id = id_in(
                (struct bytes){(const char *)info->dlpi_addr + part->p_vaddr, part->p_memsz});
    }
    return 1;
}

bool check_identity(uint64_t identity[2])
{
    struct bytes id = {0};
    dl_iterate_phdr(find_id, &id);
    if (!id.n)
        return false;
    XXH128_hash_t hash = XXH3_128bits(id.at, id.n);
    identity[0] = hash.low64;
    identity[1] = hash.high64;
    return true;
}
