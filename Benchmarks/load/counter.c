/* A library between a program and its libc (LD_PRELOAD). It counts allocations and syncs. The numbers are in the file that
 * COUNTER_FILE names. The file has two numbers of eight bytes and can be read at any time.
 *
 * It also keeps the program readable in /proc. Normally, passd forbids this, so that only root can read its memory. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);

struct counts {
    uint64_t allocations, syncs;
};

/* Counts from before the file is open are lost. */
static struct counts before, *counts = &before;

static void count(uint64_t *number) { __atomic_fetch_add(number, 1, __ATOMIC_RELAXED); }

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("COUNTER_FILE");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *page = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (page != MAP_FAILED) counts = page;
    close(file);
}

void *malloc(size_t size) {
    count(&counts->allocations);
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count(&counts->allocations);
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
    count(&counts->allocations);
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
    count(&counts->allocations);
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
    void *found = memalign(alignment, size);
    if (!found) return ENOMEM;
    *memory = found;
    return 0;
}

static int sync_file(long number, int file) {
    count(&counts->syncs);
    return (int)syscall(number, file);
}

int fsync(int file) { return sync_file(SYS_fsync, file); }
int fdatasync(int file) { return sync_file(SYS_fdatasync, file); }

int prctl(int option, ...) {
    va_list list;
    va_start(list, option);
    unsigned long a = va_arg(list, unsigned long), b = va_arg(list, unsigned long), c = va_arg(list, unsigned long),
                  d = va_arg(list, unsigned long);
    va_end(list);
    if (option == PR_SET_DUMPABLE && a == 0) return 0;
    return (int)syscall(SYS_prctl, option, a, b, c, d);
}
