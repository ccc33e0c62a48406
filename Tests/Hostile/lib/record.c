/* A library between a program and its libc (LD_PRELOAD). It records, in a separate file, all changes of one directory, all
 * syncs, and all answers to clients, in their order. From the record, lib/disk.py computes what a power cut leaves. Both files
 * must have the same layout. A call is recorded after it was made. So if a call is missing after a kill, it was not synced
 * either. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { NEW_FILE = 1, NEW_FOLDER, WRITTEN, SIZED, RENAMED, REMOVED, SYNCED, SAID, GAP };

struct head {
    uint32_t kind;
    uint32_t length; /* the size of the data that follow */
    uint64_t inode;
    uint64_t at;
};

enum { MAX_SAID = 1 << 16 };

static char below[PATH_MAX], parent[PATH_MAX];
static size_t below_length;
static int record = -1;
static unsigned char is_ours[1 << 16];
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) \
    static __typeof__(name) *real; \
    if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("HOSTILE_RECORD"), *under = getenv("HOSTILE_UNDER");
    if (!path || !under || strlen(under) >= sizeof below) return;
    below_length = strlen(strcpy(below, under));
    strcpy(parent, under);
    char *slash = strrchr(parent, '/');
    if (slash) *slash = 0;
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (file < 0) _exit(99);
    /* A high number, because some programs count descriptors from the lowest number. */
    record = (int)syscall(SYS_fcntl, file, F_DUPFD_CLOEXEC, 900);
    syscall(SYS_close, file);
    if (record < 0) _exit(99);
}

static int is_below(int folder, const char *path) {
    if (!path || record < 0) return 0;
    if (path[0] == '/')
        return !strncmp(path, below, below_length) && (!path[below_length] || path[below_length] == '/');
    return folder >= 0 && folder < (int)sizeof is_ours && is_ours[folder];
}

static int is_file(int file) { return file >= 0 && file < (int)sizeof is_ours && is_ours[file]; }

static void note(enum kind kind, uint64_t inode, uint64_t at, const void *bytes, size_t length) {
    int saved = errno;
    struct head head = {.kind = kind, .length = (uint32_t)length, .inode = inode, .at = at};
    struct iovec parts[] = {{&head, sizeof head}, {(void *)bytes, length}};
    if (syscall(SYS_writev, record, parts, 2) != (long)(sizeof head + length)) _exit(98);
    errno = saved;
}

/* The directory itself, if no other directory is named. It contains no folders. */
static void note_name(enum kind kind, uint64_t inode, const char *path) {
    char name[PATH_MAX];
    int length = snprintf(name, sizeof name, "%s%s%s", path[0] == '/' ? "" : below, path[0] == '/' ? "" : "/", path);
    note(kind, inode, 0, name, (size_t)length);
}

static uint64_t inode_of(int file) {
    struct stat status;
    return fstat(file, &status) ? 0 : status.st_ino;
}

static int lock(int counts) {
    if (counts) pthread_mutex_lock(&turn);
    return counts;
}

static void unlock(int counts) {
    if (counts) pthread_mutex_unlock(&turn);
}

static int was_there(int folder, const char *path) {
    struct stat status;
    int saved = errno, found = !fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW);
    errno = saved;
    return found;
}

/* When our directory is created, its parent is synced too. */
static int opened(int file, const char *path, int flags, int counts, int was) {
    if (file >= 0 && file < (int)sizeof is_ours) is_ours[file] = counts || (record >= 0 && !strcmp(path, parent));
    if (file < 0 || !counts) return file;
    if (flags & O_CREAT && !was) note_name(NEW_FILE, inode_of(file), path);
    if (flags & O_TRUNC && was) note(SIZED, inode_of(file), 0, NULL, 0);
    return file;
}

#define OPENER(name) \
    int name(const char *path, int flags, ...) { \
        REAL(name); \
        va_list rest; va_start(rest, flags); mode_t mode = va_arg(rest, mode_t); va_end(rest); \
        int counts = lock(is_below(-1, path)); \
        int was = counts && flags & O_CREAT ? was_there(AT_FDCWD, path) : 1; \
        int file = opened(real(path, flags, mode), path, flags, counts, was); \
        unlock(counts); \
        return file; \
    }
OPENER(open)
OPENER(open64)

#define OPENER_AT(name) \
    int name(int folder, const char *path, int flags, ...) { \
        REAL(name); \
        va_list rest; va_start(rest, flags); mode_t mode = va_arg(rest, mode_t); va_end(rest); \
        int counts = lock(is_below(folder, path)); \
        int was = counts && flags & O_CREAT ? was_there(folder, path) : 1; \
        int file = opened(real(folder, path, flags, mode), path, flags, counts, was); \
        unlock(counts); \
        return file; \
    }
OPENER_AT(openat)
OPENER_AT(openat64)

int close(int file) {
    REAL(close);
    if (file >= 0 && file == record) return 0;
    if (file >= 0 && file < (int)sizeof is_ours) is_ours[file] = 0;
    return real(file);
}

#define WRITER(type, declared, passed, position, content) \
    type declared { \
        REAL(content); \
        int counts = lock(is_file(file)); \
        type count_done = real passed; \
        if (counts && count_done > 0) note(WRITTEN, inode_of(file), (uint64_t)(position), bytes, (size_t)count_done); \
        unlock(counts); \
        return count_done; \
    }
WRITER(ssize_t, write(int file, const void *bytes, size_t count), (file, bytes, count),
       lseek(file, 0, SEEK_CUR) - count_done, write)
WRITER(ssize_t, pwrite(int file, const void *bytes, size_t count, off_t at), (file, bytes, count, at), at, pwrite)
WRITER(ssize_t, pwrite64(int file, const void *bytes, size_t count, off64_t at), (file, bytes, count, at), at, pwrite64)

/* Calls that passd does not use. If it does use one, the record notes a gap. */
static void gap(int counts, const char *what) {
    if (counts) note(GAP, 0, 0, what, strlen(what));
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    REAL(writev);
    gap(is_file(file), "writev");
    return real(file, parts, count);
}

int fallocate(int file, int mode, off_t at, off_t size) {
    REAL(fallocate);
    gap(is_file(file), "fallocate");
    return real(file, mode, at, size);
}

void *mmap(void *address, size_t length, int protection, int flags, int file, off_t at) {
    REAL(mmap);
    gap(file >= 0 && is_file(file) && flags & MAP_SHARED && protection & PROT_WRITE, "mmap");
    return real(address, length, protection, flags, file, at);
}

void *mmap64(void *address, size_t length, int protection, int flags, int file, off64_t at) {
    REAL(mmap64);
    gap(file >= 0 && is_file(file) && flags & MAP_SHARED && protection & PROT_WRITE, "mmap64");
    return real(address, length, protection, flags, file, at);
}

int link(const char *from, const char *to) {
    REAL(link);
    gap(is_below(-1, from) || is_below(-1, to), "link");
    return real(from, to);
}

int linkat(int folder, const char *from, int other, const char *to, int flags) {
    REAL(linkat);
    gap(is_below(folder, from) || is_below(other, to), "linkat");
    return real(folder, from, other, to, flags);
}

int renameat2(int folder, const char *from, int other, const char *to, unsigned flags) {
    REAL(renameat2);
    gap(is_below(folder, from) || is_below(other, to), "renameat2");
    return real(folder, from, other, to, flags);
}

/* The data are synced when the call returns. */
#define SYNCER(name) \
    int name(int file) { \
        REAL(name); \
        int counts = lock(is_file(file)); \
        int status = real(file); \
        if (counts && !status) note(SYNCED, inode_of(file), 0, NULL, 0); \
        unlock(counts); \
        return status; \
    }
SYNCER(fsync)
SYNCER(fdatasync)

#define CUTTER(name, type) \
    int name(int file, type size) { \
        REAL(name); \
        int counts = lock(is_file(file)); \
        int status = real(file, size); \
        if (counts && !status) note(SIZED, inode_of(file), (uint64_t)size, NULL, 0); \
        unlock(counts); \
        return status; \
    }
CUTTER(ftruncate, off_t)
CUTTER(ftruncate64, off64_t)

int truncate(const char *path, off_t size) {
    REAL(truncate);
    int counts = lock(is_below(-1, path));
    int status = real(path, size);
    struct stat found;
    if (counts && !status && !stat(path, &found)) note(SIZED, found.st_ino, (uint64_t)size, NULL, 0);
    unlock(counts);
    return status;
}

static int renamed(int status, int counts, const char *from, const char *to) {
    if (!counts || status) return status;
    char both[2 * PATH_MAX];
    size_t first = strlen(from) + 1, second = strlen(to);
    if (from[0] != '/' || to[0] != '/' || first + second > sizeof both) {
        gap(1, "rename");
        return status;
    }
    memcpy(both, from, first);
    memcpy(both + first, to, second);
    note(RENAMED, 0, 0, both, first + second);
    return status;
}

int rename(const char *from, const char *to) {
    REAL(rename);
    int counts = lock(is_below(-1, from) || is_below(-1, to));
    int status = renamed(real(from, to), counts, from, to);
    unlock(counts);
    return status;
}

int renameat(int folder, const char *from, int other, const char *to) {
    REAL(renameat);
    int counts = lock(is_below(folder, from) || is_below(other, to));
    int status = renamed(real(folder, from, other, to), counts, from, to);
    unlock(counts);
    return status;
}

int unlink(const char *path) {
    REAL(unlink);
    int counts = lock(is_below(-1, path));
    int status = real(path);
    if (counts && !status) note_name(REMOVED, 0, path);
    unlock(counts);
    return status;
}

int unlinkat(int folder, const char *path, int flags) {
    REAL(unlinkat);
    int counts = lock(is_below(folder, path));
    int status = real(folder, path, flags);
    if (counts && !status) note_name(REMOVED, 0, path);
    unlock(counts);
    return status;
}

int rmdir(const char *path) {
    REAL(rmdir);
    int counts = lock(is_below(-1, path));
    int status = real(path);
    if (counts && !status) note_name(REMOVED, 0, path);
    unlock(counts);
    return status;
}

int mkdir(const char *path, mode_t mode) {
    REAL(mkdir);
    int counts = lock(is_below(-1, path));
    int status = real(path, mode);
    struct stat found;
    if (counts && !status && !stat(path, &found)) note_name(NEW_FOLDER, found.st_ino, path);
    unlock(counts);
    return status;
}

/* An answer is recorded before it is sent. A client that has the answer can rely on all data that were synced before it. */
ssize_t send(int file, const void *bytes, size_t count, int flags) {
    REAL(send);
    if (record >= 0) {
        pthread_mutex_lock(&turn);
        note(SAID, 0, 0, bytes, count < MAX_SAID ? count : MAX_SAID);
        pthread_mutex_unlock(&turn);
    }
    return real(file, bytes, count, flags);
}
