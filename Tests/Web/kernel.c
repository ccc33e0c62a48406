// Loaded into passd-web by the attackers. Puts its clock forward, stops the clock, and stops passd-web between two requests to
// the kernel.

#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// The attackers write these. The clock is stopped only for passd-web. The timers of its libraries continue.
static volatile struct { long seconds_ahead, stops_once, stands_still; } *wishes;

static bool is_program(void *caller) {
    Dl_info program, origin;
    return dladdr((void *)getauxval(AT_ENTRY), &program) && dladdr(caller, &origin) && origin.dli_fbase == program.dli_fbase;
}

__attribute__((constructor)) static void begin(void) {
    int file = open(getenv("WISHES"), O_RDWR | O_CLOEXEC);
    wishes = mmap(NULL, sizeof *wishes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (wishes == MAP_FAILED) abort();
    close(file);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    static struct timespec stood;
    int outcome = (int)syscall(SYS_clock_gettime, clock, now);
    if (wishes == NULL) return outcome;
    if (wishes->stands_still && is_program(__builtin_return_address(0))) {
        if (stood.tv_sec == 0) stood = *now;
        *now = stood;
    }
    now->tv_sec += wishes->seconds_ahead;
    return outcome;
}

int getpeername(int connection, struct sockaddr *address, socklen_t *size) {
    int outcome = (int)syscall(SYS_getpeername, connection, address, size);
    if (wishes->stops_once) {
        wishes->stops_once = 0;
        raise(SIGSTOP);
    }
    return outcome;
}
