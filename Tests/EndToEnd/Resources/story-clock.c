/* A library between a program and its libc (LD_PRELOAD). It gives the program a clock that advances only when the test says so.
 *
 * All programs of a test share one page (STORY_PAGE) with the time since the boot. Each has its own slot there (STORY_SLOT),
 * with the difference of its wall clock and the time of its next timer. The test moves the time and writes a byte into the
 * program's pipe (STORY_PIPE). A thread of this library then fires the timers that are due. VirtualTime.swift has the same
 * layout.
 *
 * The wall clock, the boot clock and its timers (all deadlines of the daemon), and the time limits of libcurl are virtual. The
 * length of a turn on the engine's queue, timers of libdispatch and libmicrohttpd, and waits in the kernel are real. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

struct page {
    int64_t now; /* nanoseconds since the boot */
    struct {
        int64_t wall; /* nanoseconds since 1970 at the boot */
        int64_t next; /* when the next timer is due */
    } slots[4];
};

enum { FILES = 4096, NEVER_SET = 0 };

static volatile struct page *page;
static int slot;
static int commands = -1;
static int changed = -1;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* For each descriptor: whether it is a virtual timer, and when it is due. */
static char is_timer[FILES];
static int64_t due[FILES];
static int last_file;
/* The only wait of libcurl. */
static int64_t wait_end;

#define REAL(name) \
    static __typeof__(name) *real; \
    if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

static int wait_really(struct pollfd *files, nfds_t count, int limit) {
    static int (*real)(struct pollfd *, nfds_t, int);
    if (!real) real = (int (*)(struct pollfd *, nfds_t, int))dlsym(RTLD_NEXT, "poll");
    return real(files, count, limit);
}

static int64_t nanoseconds(struct timespec time) { return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec; }

/* The caller's library. Each address is looked up only once, because dladdr is slow. */
enum caller { OTHER = 1, DISPATCH, CURL };

static enum caller caller(void *address) {
    static volatile uint64_t known[1024];
    uint64_t key = (uint64_t)address >> 4, place = key & 1023, entry = known[place];
    if (entry >> 2 == key && (entry & 3)) return (enum caller)(entry & 3);
    Dl_info about;
    enum caller found = OTHER;
    if (dladdr(address, &about) && about.dli_fname) {
        if (strstr(about.dli_fname, "libdispatch")) found = DISPATCH;
        if (strstr(about.dli_fname, "libcurl")) found = CURL;
    }
    known[place] = key << 2 | found;
    return found;
}

/* Call this with the lock held. */
static void tell_next(void) {
    int64_t next = INT64_MAX;
    for (int file = 0; file <= last_file; file++)
        if (is_timer[file] && due[file] != NEVER_SET && due[file] < next) next = due[file];
    if (wait_end != NEVER_SET && wait_end < next) next = wait_end;
    page->slots[slot].next = next;
}

/* Call this with the lock held. */
static void fire_if_due(int file) {
    if (due[file] == NEVER_SET || due[file] > page->now) return;
    due[file] = NEVER_SET;
    (void)!write(file, &(uint64_t){1}, 8);
}

static void *keep_time(void *nothing) {
    char byte;
    while (read(commands, &byte, 1) == 1) {
        pthread_mutex_lock(&lock);
        for (int file = 0; file <= last_file; file++)
            if (is_timer[file]) fire_if_due(file);
        if (wait_end != NEVER_SET && wait_end <= page->now) (void)!write(changed, &(uint64_t){1}, 8);
        tell_next();
        pthread_mutex_unlock(&lock);
    }
    return nothing;
}

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("STORY_PAGE"), *pipe = getenv("STORY_PIPE"), *number = getenv("STORY_SLOT");
    if (!path || !pipe || !number) return;
    slot = atoi(number);
    int file = open(path, O_RDWR | O_CLOEXEC);
    commands = open(pipe, O_RDWR | O_CLOEXEC);
    changed = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    void *mapped = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped == MAP_FAILED || commands < 0 || changed < 0) _exit(99);
    close(file);
    page = mapped;
    page->slots[slot].next = INT64_MAX;
    /* Programs that this program starts have the usual clock. */
    unsetenv("LD_PRELOAD");
    pthread_t thread;
    if (pthread_create(&thread, NULL, keep_time, NULL)) _exit(99);
    pthread_detach(thread);
}

static int is_wall(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE; }

static int is_monotonic(clockid_t clock) {
    return clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_MONOTONIC_COARSE;
}

/* libdispatch passes the wall clock to waits of the kernel, so it gets the real one. */
static int is_virtual(clockid_t clock, enum caller caller) {
    if (!page) return 0;
    if (is_wall(clock)) return caller != DISPATCH;
    return clock == CLOCK_BOOTTIME || (is_monotonic(clock) && caller == CURL);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    REAL(clock_gettime);
    if (!page || !is_virtual(clock, caller(__builtin_return_address(0)))) return real(clock, time);
    int64_t now = page->now + (is_wall(clock) ? page->slots[slot].wall : 0);
    *time = (struct timespec){.tv_sec = now / 1000000000, .tv_nsec = now % 1000000000};
    return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    REAL(gettimeofday);
    if (!page) return real(time, zone);
    int64_t now = page->now + page->slots[slot].wall;
    *time = (struct timeval){.tv_sec = now / 1000000000, .tv_usec = now % 1000000000 / 1000};
    return 0;
}

time_t time(time_t *to) {
    struct timeval now;
    gettimeofday(&now, NULL);
    if (to) *to = now.tv_sec;
    return now.tv_sec;
}

/* A virtual timer is a counter of events, which is read like a timer. Both have the same flags. */
int timerfd_create(clockid_t clock, int flags) {
    REAL(timerfd_create);
    if (!page || clock != CLOCK_BOOTTIME) return real(clock, flags);
    int file = eventfd(0, flags);
    if (file >= FILES) _exit(99);
    if (file < 0) return file;
    pthread_mutex_lock(&lock);
    is_timer[file] = 1;
    due[file] = NEVER_SET;
    if (file > last_file) last_file = file;
    pthread_mutex_unlock(&lock);
    return file;
}

int timerfd_settime(int file, int flags, const struct itimerspec *wanted, struct itimerspec *before) {
    REAL(timerfd_settime);
    if (file < 0 || file >= FILES || !page || !is_timer[file]) return real(file, flags, wanted, before);
    pthread_mutex_lock(&lock);
    int64_t value = nanoseconds(wanted->it_value);
    due[file] = value ? value + (flags & TFD_TIMER_ABSTIME ? 0 : page->now) : NEVER_SET;
    /* The timer has not expired since it was set. */
    struct pollfd state = {.fd = file, .events = POLLIN};
    uint64_t expirations;
    if (wait_really(&state, 1, 0) > 0) (void)!read(file, &expirations, sizeof expirations);
    fire_if_due(file);
    tell_next();
    pthread_mutex_unlock(&lock);
    return 0;
}

int close(int file) {
    REAL(close);
    if (file >= 0 && file < FILES && is_timer[file]) {
        pthread_mutex_lock(&lock);
        is_timer[file] = 0;
        tell_next();
        pthread_mutex_unlock(&lock);
    }
    return real(file);
}

/* libcurl waits for its sockets and for its time limits. */
int poll(struct pollfd *files, nfds_t count, int limit) {
    if (!page || limit <= 0 || count > 64 || caller(__builtin_return_address(0)) != CURL) return wait_really(files, count, limit);
    struct pollfd all[65];
    memcpy(all, files, count * sizeof *files);
    all[count] = (struct pollfd){.fd = changed, .events = POLLIN};
    int64_t end = page->now + (int64_t)limit * 1000000;
    for (;;) {
        pthread_mutex_lock(&lock);
        int is_over = end <= page->now;
        wait_end = is_over ? NEVER_SET : end;
        tell_next();
        pthread_mutex_unlock(&lock);
        int ready = wait_really(all, count + 1, is_over ? 0 : -1);
        uint64_t bell;
        if (ready > 0 && all[count].revents) (void)!read(changed, &bell, sizeof bell), ready--;
        if (!ready && !is_over) continue;
        pthread_mutex_lock(&lock);
        wait_end = NEVER_SET;
        tell_next();
        pthread_mutex_unlock(&lock);
        if (ready > 0) memcpy(files, all, count * sizeof *files);
        else for (nfds_t place = 0; place < count; place++) files[place].revents = 0;
        return ready;
    }
}
