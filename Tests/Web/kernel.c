// Loaded into passd-web by the attackers: puts its clock forward, and stops it between two questions to the kernel.

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// The attackers write these.
static volatile struct { long seconds_ahead, stops_once; } *wishes;

__attribute__((constructor)) static void begin(void) {
    int file = open(getenv("WISHES"), O_RDWR | O_CLOEXEC);
    wishes = mmap(NULL, sizeof *wishes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (wishes == MAP_FAILED) abort();
    close(file);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int outcome = (int)syscall(SYS_clock_gettime, clock, now);
    if (wishes != NULL) now->tv_sec += wishes->seconds_ahead;
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
