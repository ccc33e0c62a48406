// A library to be preloaded into the daemon that lets a part of it hang while the part's file exists:
//   /run/hold/disk      writes to the disk
//   /run/hold/engine    accepting a client, which the engine's queue does
//   /run/hold/doors     events for new clients
//   /run/hold/alarms    the timer of the engine
//   /run/hold/files     opening a file of the configuration

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define NEXT(type, name) ((type)dlsym(RTLD_NEXT, name))

static int is_held(const char *file) { return access(file, F_OK) == 0; }

static void wait_while_held(const char *file) {
    const struct timespec moment = {.tv_nsec = 20 * 1000 * 1000};
    while (is_held(file)) nanosleep(&moment, 0);
}

int fsync(int descriptor) {
    wait_while_held("/run/hold/disk");
    return NEXT(int (*)(int), "fsync")(descriptor);
}

int fdatasync(int descriptor) {
    wait_while_held("/run/hold/disk");
    return NEXT(int (*)(int), "fdatasync")(descriptor);
}

// The daemon accepts clients with syscall(2).
long syscall(long number, ...) {
    va_list list;
    va_start(list, number);
    long words[6];
    for (int each = 0; each < 6; each++) words[each] = va_arg(list, long);
    va_end(list);
    if (number == SYS_accept4) wait_while_held("/run/hold/engine");
    return NEXT(long (*)(long, ...), "syscall")(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}

// The values that identify a listening descriptor in events.
static uint64_t doors[8];
static int door_count;

int epoll_ctl(int poll, int operation, int descriptor, struct epoll_event *event) {
    int listens = 0;
    socklen_t size = sizeof listens;
    if (operation == EPOLL_CTL_ADD && door_count < 8 &&
        getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens)
        doors[door_count++] = event->data.u64;
    return NEXT(int (*)(int, int, int, struct epoll_event *), "epoll_ctl")(poll, operation, descriptor, event);
}

int epoll_wait(int poll, struct epoll_event *events, int max, int timeout) {
    int count = NEXT(int (*)(int, struct epoll_event *, int, int), "epoll_wait")(poll, events, max, timeout);
    if (count <= 0 || !is_held("/run/hold/doors")) return count;
    int kept = 0;
    for (int each = 0; each < count; each++) {
        int is_door = 0;
        for (int door = 0; door < door_count; door++) is_door |= doors[door] == events[each].data.u64;
        if (!is_door) events[kept++] = events[each];
    }
    return kept;
}

// The engine's timer is the first timer on a clock that includes suspend. The watchdog has another timer.
static int alarms = -1;

int timerfd_create(int clock, int flags) {
    int descriptor = NEXT(int (*)(int, int), "timerfd_create")(clock, flags);
    if (clock == CLOCK_BOOTTIME && alarms < 0) alarms = descriptor;
    return descriptor;
}

int timerfd_settime(int descriptor, int flags, const struct itimerspec *wanted, struct itimerspec *old) {
    if (descriptor == alarms && is_held("/run/hold/alarms")) return 0;
    return NEXT(int (*)(int, int, const struct itimerspec *, struct itimerspec *), "timerfd_settime")(
        descriptor, flags, wanted, old);
}

int open(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = va_arg(list, mode_t);
    va_end(list);
    if (strncmp(path, "/etc/passd/", 11) == 0) wait_while_held("/run/hold/files");
    return NEXT(int (*)(const char *, int, ...), "open")(path, flags, mode);
}
