// A library to be preloaded into QEMU. If QEMU has nothing to do for more than a second, the library sets QEMU's wall clock
// forward instead of waiting. Only the hardware clock of the machine follows the wall clock. So a standby of hours lasts
// seconds here, and all programs in the machine see hours.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <time.h>

static _Atomic long long ahead; // microseconds

static long long microseconds(struct timespec time) { return time.tv_sec * 1000000LL + time.tv_nsec / 1000; }

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    (void)zone;
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    long long told = microseconds(time) + ahead;
    *now = (struct timeval){.tv_sec = told / 1000000, .tv_usec = told % 1000000};
    return 0;
}

int ppoll(struct pollfd *files, nfds_t count, const struct timespec *limit, const sigset_t *mask) {
    typedef int Function(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
    Function *next = (Function *)dlsym(RTLD_NEXT, "ppoll");
    if (!limit || limit->tv_sec < 1) return next(files, count, limit, mask);
    const struct timespec moment = {.tv_nsec = 500 * 1000 * 1000};
    int ready = next(files, count, &moment, mask);
    if (ready == 0) ahead += microseconds(*limit) - microseconds(moment);
    return ready;
}
