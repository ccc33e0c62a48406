// A disk that hangs: preloaded into the daemon, it lets whoever writes to the disk wait while /run/hold is there.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
#include <unistd.h>

static void wait_while_held(void) {
    const struct timespec moment = {.tv_nsec = 20 * 1000 * 1000};
    while (access("/run/hold", F_OK) == 0) nanosleep(&moment, 0);
}

int fsync(int descriptor) {
    wait_while_held();
    return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(descriptor);
}

int fdatasync(int descriptor) {
    wait_while_held();
    return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(descriptor);
}
