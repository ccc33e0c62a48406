/* A library between a program and its libc (LD_PRELOAD). It counts the calls that touch one directory, and kills the program at
 * a chosen call or lets the call fail. It can shift the wall clock and speed up all clocks. Its orders are in a file. The
 * attacker maps this file, too, and can change the orders while the program runs. lib/shim.py must have the same layout. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum kind {
    WRITE = 1, SYNC = 2, CUT = 4, RENAME = 8, REMOVE = 16, CREATE = 32, MODE = 64, OPEN = 128, READ = 256,
};

struct orders {
    uint32_t kinds;     /* which calls count */
    uint32_t is_armed;
    uint64_t count;     /* calls so far while the shim is armed */
    uint64_t kill_at;   /* the number of the call at which the program dies; 0 for never */
    uint64_t fail_from; /* the calls with these numbers fail; 0 for none */
    uint64_t fail_until;
    uint32_t error;
    uint32_t is_torn;   /* half of a write is done before it fails or the program dies */
    uint64_t did;       /* the number of failed calls */
    int64_t wall;       /* the offset of the wall clock in nanoseconds */
    uint32_t last;      /* the kind of the call that failed or at which the program died */
    uint32_t speed;     /* the factor by which the clocks run faster; 0 or 1 for normal speed. Fixed from the start. */
    int64_t began_boot; /* when the higher speed began, in nanoseconds of each clock */
    int64_t began_wall;
};

static struct orders no_orders;
static struct orders *orders = &no_orders;
static char below[PATH_MAX];
static size_t below_length;
static unsigned char is_ours[1 << 16];

#define REAL(name) \
    static __typeof__(name) *real; \
    if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("HOSTILE_ORDERS"), *under = getenv("HOSTILE_UNDER");
    if (under && strlen(under) < sizeof below) below_length = strlen(strcpy(below, under));
    if (!path) return;
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
    if (file < 0) _exit(99);
    void *mapped = mmap(NULL, sizeof(struct orders), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    syscall(SYS_close, file);
    if (mapped == MAP_FAILED) _exit(99);
    orders = mapped;
}

static int is_below(int folder, const char *path) {
    if (!path || !below_length) return 0;
    if (path[0] == '/')
        return !strncmp(path, below, below_length) && (!path[below_length] || path[below_length] == '/');
    return folder >= 0 && folder < (int)sizeof is_ours && is_ours[folder];
}

static int is_file(int file) { return file >= 0 && file < (int)sizeof is_ours && is_ours[file]; }

static int taken(int file, int counts) {
    if (file >= 0 && file < (int)sizeof is_ours) is_ours[file] = counts ? 1 : 0;
    return file;
}

enum fate { PASS, FAIL, DIE };

static enum fate fate(enum kind kind) {
    if (!orders->is_armed || !(orders->kinds & kind)) return PASS;
    uint64_t number = __atomic_add_fetch(&orders->count, 1, __ATOMIC_SEQ_CST);
    if (number == orders->kill_at) {
        orders->last = kind;
        return DIE;
    }
    if (orders->fail_from && number >= orders->fail_from && number < orders->fail_until) {
        __atomic_add_fetch(&orders->did, 1, __ATOMIC_SEQ_CST);
        orders->last = kind;
        return FAIL;
    }
    return PASS;
}

static void die(void) {
    syscall(SYS_kill, getpid(), SIGKILL);
    for (;;) pause();
}

/* Whether the call must be skipped because it fails. Then errno has the reason. */
static int struck(enum kind kind, int counts) {
    if (!counts) return 0;
    int saved = errno;
    switch (fate(kind)) {
    case PASS: errno = saved; return 0;
    case FAIL: errno = (int)orders->error; return 1;
    case DIE: die();
    }
    return 0;
}

/* A write. Half of it may be done before a failure. */
static int struck_write(int file, const void *bytes, size_t count, off_t at) {
    if (!is_file(file)) return 0;
    enum fate what = fate(WRITE);
    if (what == PASS) return 0;
    if (orders->is_torn && count > 1) {
        if (at < 0) (void)!syscall(SYS_write, file, bytes, count / 2);
        else (void)!syscall(SYS_pwrite64, file, bytes, count / 2, at);
    }
    if (what == DIE) die();
    errno = (int)orders->error;
    return 1;
}

#define OPENER(name) \
    int name(const char *path, int flags, ...) { \
        REAL(name); \
        va_list rest; va_start(rest, flags); mode_t mode = va_arg(rest, mode_t); va_end(rest); \
        int counts = is_below(-1, path); \
        if (struck(flags & O_CREAT ? CREATE : OPEN, counts)) return -1; \
        return taken(real(path, flags, mode), counts); \
    }
OPENER(open)
OPENER(open64)

#define OPENER_AT(name) \
    int name(int folder, const char *path, int flags, ...) { \
        REAL(name); \
        va_list rest; va_start(rest, flags); mode_t mode = va_arg(rest, mode_t); va_end(rest); \
        int counts = is_below(folder, path); \
        if (struck(flags & O_CREAT ? CREATE : OPEN, counts)) return -1; \
        return taken(real(folder, path, flags, mode), counts); \
    }
OPENER_AT(openat)
OPENER_AT(openat64)

int close(int file) {
    REAL(close);
    taken(file, 0);
    return real(file);
}

ssize_t write(int file, const void *bytes, size_t count) {
    REAL(write);
    return struck_write(file, bytes, count, -1) ? -1 : real(file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) {
    REAL(pwrite);
    return struck_write(file, bytes, count, at) ? -1 : real(file, bytes, count, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) {
    REAL(pwrite64);
    return struck_write(file, bytes, count, at) ? -1 : real(file, bytes, count, at);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    REAL(writev);
    return struck(WRITE, is_file(file)) ? -1 : real(file, parts, count);
}

ssize_t read(int file, void *bytes, size_t count) {
    REAL(read);
    return struck(READ, is_file(file)) ? -1 : real(file, bytes, count);
}

ssize_t pread(int file, void *bytes, size_t count, off_t at) {
    REAL(pread);
    return struck(READ, is_file(file)) ? -1 : real(file, bytes, count, at);
}

ssize_t pread64(int file, void *bytes, size_t count, off64_t at) {
    REAL(pread64);
    return struck(READ, is_file(file)) ? -1 : real(file, bytes, count, at);
}

int fsync(int file) {
    REAL(fsync);
    return struck(SYNC, is_file(file)) ? -1 : real(file);
}

int fdatasync(int file) {
    REAL(fdatasync);
    return struck(SYNC, is_file(file)) ? -1 : real(file);
}

int ftruncate(int file, off_t size) {
    REAL(ftruncate);
    return struck(CUT, is_file(file)) ? -1 : real(file, size);
}

int ftruncate64(int file, off64_t size) {
    REAL(ftruncate64);
    return struck(CUT, is_file(file)) ? -1 : real(file, size);
}

int fallocate(int file, int mode, off_t at, off_t size) {
    REAL(fallocate);
    return struck(CUT, is_file(file)) ? -1 : real(file, mode, at, size);
}

int rename(const char *from, const char *to) {
    REAL(rename);
    return struck(RENAME, is_below(-1, from) || is_below(-1, to)) ? -1 : real(from, to);
}

int renameat(int folder, const char *from, int other, const char *to) {
    REAL(renameat);
    return struck(RENAME, is_below(folder, from) || is_below(other, to)) ? -1 : real(folder, from, other, to);
}

int renameat2(int folder, const char *from, int other, const char *to, unsigned flags) {
    REAL(renameat2);
    return struck(RENAME, is_below(folder, from) || is_below(other, to)) ? -1 : real(folder, from, other, to, flags);
}

int link(const char *from, const char *to) {
    REAL(link);
    return struck(RENAME, is_below(-1, to)) ? -1 : real(from, to);
}

int linkat(int folder, const char *from, int other, const char *to, int flags) {
    REAL(linkat);
    return struck(RENAME, is_below(other, to)) ? -1 : real(folder, from, other, to, flags);
}

int unlink(const char *path) {
    REAL(unlink);
    return struck(REMOVE, is_below(-1, path)) ? -1 : real(path);
}

int unlinkat(int folder, const char *path, int flags) {
    REAL(unlinkat);
    return struck(REMOVE, is_below(folder, path)) ? -1 : real(folder, path, flags);
}

int mkdir(const char *path, mode_t mode) {
    REAL(mkdir);
    return struck(CREATE, is_below(-1, path)) ? -1 : real(path, mode);
}

int chmod(const char *path, mode_t mode) {
    REAL(chmod);
    return struck(MODE, is_below(-1, path)) ? -1 : real(path, mode);
}

int fchmod(int file, mode_t mode) {
    REAL(fchmod);
    return struck(MODE, is_file(file)) ? -1 : real(file, mode);
}

/* Clocks. The program sees `began + (real - began) * speed`, and the wall clock is shifted in addition. */

static int64_t nanoseconds(struct timespec time) { return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec; }

static struct timespec timespec_of(int64_t nanoseconds) {
    if (nanoseconds < 0) nanoseconds = 0;
    return (struct timespec){.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
}

static int is_fast(void) { return orders->speed > 1; }

static int64_t began(clockid_t clock) {
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE ? orders->began_wall : orders->began_boot;
}

static int is_bent(clockid_t clock) {
    /* CLOCK_MONOTONIC is not changed, so that timeouts of sockets do not become shorter. */
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_BOOTTIME;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    REAL(clock_gettime);
    int status = real(clock, time);
    if (status || !is_bent(clock)) return status;
    int64_t now = nanoseconds(*time);
    if (is_fast()) now = began(clock) + (now - began(clock)) * orders->speed;
    if (clock != CLOCK_BOOTTIME) now += orders->wall;
    *time = timespec_of(now);
    return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    (void)zone;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *to) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (to) *to = now.tv_sec;
    return now.tv_sec;
}

/* The clock of a timer. */
static unsigned char timer_clock[1 << 16];

int timerfd_create(clockid_t clock, int flags) {
    REAL(timerfd_create);
    int file = real(clock, flags);
    if (file >= 0 && file < (int)sizeof timer_clock) timer_clock[file] = (unsigned char)clock;
    return file;
}

int timerfd_settime(int file, int flags, const struct itimerspec *wanted, struct itimerspec *before) {
    REAL(timerfd_settime);
    clockid_t clock = file >= 0 && file < (int)sizeof timer_clock ? timer_clock[file] : CLOCK_MONOTONIC;
    if (!is_fast() || !is_bent(clock) || !nanoseconds(wanted->it_value)) return real(file, flags, wanted, before);
    struct itimerspec made = *wanted;
    int64_t value = nanoseconds(wanted->it_value);
    if (flags & TFD_TIMER_ABSTIME) {
        if (clock == CLOCK_REALTIME) value -= orders->wall;
        value = began(clock) + (value - began(clock)) / orders->speed;
    } else {
        value /= orders->speed;
    }
    made.it_value = timespec_of(value > 0 ? value : 1);
    made.it_interval = timespec_of(nanoseconds(wanted->it_interval) / orders->speed);
    return real(file, flags, &made, before);
}
