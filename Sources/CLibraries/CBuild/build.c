// Reads two notes that the linker has put into this program: the build id, and the package metadata with the commit.
// https://uapi-group.org/specifications/specs/package_metadata_for_executable_files/

#define _GNU_SOURCE
#include "CBuild.h"

#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Swift's Int is as wide as a pointer. Times in milliseconds and sizes of files need 64 bits.
_Static_assert(sizeof(void *) == 8, "passd needs a processor with 64 bits");

enum { max_id = 20, max_commit = 64 };
static const uint32_t package_metadata = 0xcafe1a7e;

static char id[2 * max_id + 1];
static char commit[max_commit + 1];

static void read_id(const unsigned char *bytes, size_t count) {
    if (count > max_id) return;
    for (size_t i = 0; i < count; i++) {
        id[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
        id[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
    }
}

// The metadata are a JSON object. The Makefile writes it, without spaces and escapes.
static void read_commit(const char *text, size_t count) {
    static const char key[] = "\"commit\":\"";
    const char *start = memmem(text, count, key, sizeof key - 1);
    if (!start) return;
    start += sizeof key - 1;
    const char *end = memchr(start, '"', (size_t)(text + count - start));
    if (end && end - start <= max_commit) memcpy(commit, start, (size_t)(end - start));
}

static void read_notes(const char *at, const char *end) {
    while (end - at >= (ptrdiff_t)sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        memcpy(&note, at, sizeof note);
        at += sizeof note;
        size_t name = (note.n_namesz + (size_t)3) & ~(size_t)3, value = (note.n_descsz + (size_t)3) & ~(size_t)3;
        if (name + value > (size_t)(end - at)) return;
        if (note.n_namesz == 4 && note.n_type == NT_GNU_BUILD_ID && memcmp(at, "GNU", 4) == 0)
            read_id((const unsigned char *)at + name, note.n_descsz);
        if (note.n_namesz == 4 && note.n_type == package_metadata && memcmp(at, "FDO", 4) == 0)
            read_commit(at + name, note.n_descsz);
        at += name + value;
    }
}

static int read_program(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    (void)context;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        const char *start = (const char *)(info->dlpi_addr + part->p_vaddr);
        if (part->p_type == PT_NOTE) read_notes(start, start + part->p_memsz);
    }
    return 1; // The first module is the program itself.
}

static void read_this_program(void) { dl_iterate_phdr(read_program, NULL); }

static void read_once(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_this_program);
}

const char *pass_build_id(void) {
    read_once();
    return id[0] ? id : NULL;
}

const char *pass_build_commit(void) {
    read_once();
    return commit[0] ? commit : NULL;
}
